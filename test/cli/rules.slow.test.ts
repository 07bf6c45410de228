import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'

/** Each rule of `npm run check` that is a tool's own is broken once, in a project of a few files with our configuration. */
const ROOT = resolve(import.meta.dirname, '../..')
const dir = mkdtempSync(join(tmpdir(), 'rules-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const PACKAGES = ['core', 'service', 'lab', 'sandbox', 'page']
for (const name of ['biome.json', 'knip.json', 'package.json']) cpSync(join(ROOT, name), join(dir, name))
for (const name of PACKAGES) {
  mkdirSync(join(dir, 'packages', name), { recursive: true })
  cpSync(join(ROOT, 'packages', name, 'package.json'), join(dir, 'packages', name, 'package.json'))
}
mkdirSync(join(dir, 'node_modules/@ti'), { recursive: true })
for (const name of PACKAGES) symlinkSync(join(dir, 'packages', name), join(dir, 'node_modules/@ti', name))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}

function tool(bin: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules', bin), ...args], { cwd: dir })
  return `${stdout}${stderr}`
}
const lint = (path: string): string => tool('@biomejs/biome/bin/biome', 'lint', path)

const USES = "import { value } from 'FROM'\nexport const other = value\n"
const TARGETS = ['base', 'config', 'log', 'faces/http', 'faces/live', 'observe/outbound', 'observe/lists']
for (const folder of TARGETS) write(`packages/service/src/${folder}/value.ts`, 'export const value = 1\n')
write('packages/core/src/engine/value.ts', 'export const value = 1\n')

for (const [from, target, isAllowed] of [
  ['packages/core/src/engine', '@ti/service/base/value.ts', false],
  ['packages/core/src/decode', '../engine/value.ts', false],
  ['packages/service/src/log', '../config/value.ts', false],
  ['packages/service/src/log', '../base/value.ts', true],
  ['packages/service/src/log/segments', '../../config/value.ts', false],
  ['packages/service/src/config', '../log/value.ts', false],
  ['packages/service/src/log', '@ti/core/engine/value.ts', false],
  ['packages/service/src/faces/live', '../http/value.ts', false],
  ['packages/service/src/source', '../observe/lists/value.ts', false],
  ['packages/service/src/source', '../observe/outbound/value.ts', true],
  ['packages/service/src/cli', '@ti/lab/value.ts', false],
  ['packages/service/src/cli', '../faces/http/value.ts', true],
  ['packages/sandbox/src', '@ti/lab/value.ts', false],
  ['packages/page/src', '@ti/core/engine/value.ts', false],
  ['packages/page/src', '@ti/service/base/value.ts', false],
] as const)
  test(`${from} may ${isAllowed ? '' : 'not '}import ${target}`, () => {
    const path = `${from}/planted.ts`
    write(path, USES.replace('FROM', target))
    assert.equal(/noRestrictedImports/.test(lint(path)), !isAllowed)
    rmSync(join(dir, path))
  })

test('files that import each other are a circle', () => {
  write('packages/service/src/base/one.ts', "import { two } from './two.ts'\nexport const one = () => two\n")
  write('packages/service/src/base/two.ts', "import { one } from './one.ts'\nexport const two = () => one\n")
  assert.match(lint('packages/service/src/base'), /noImportCycles/)
})

test('a function of more lines than the bound is too long', () => {
  const rules = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')).linter.rules
  const { maxLines } = rules.complexity.noExcessiveLinesPerFunction.options
  const function_ = (lines: number) => `export function long(): void {\n${'  console.log()\n'.repeat(lines)}}\n`
  write('packages/service/src/base/long.ts', function_(maxLines + 1))
  assert.match(lint('packages/service/src/base/long.ts'), /noExcessiveLinesPerFunction/)
  write('packages/service/src/base/long.ts', function_(maxLines - 10))
  assert.doesNotMatch(lint('packages/service/src/base/long.ts'), /noExcessiveLinesPerFunction/)
})

test('an export, a file and a package that nothing but a test uses are found', () => {
  write('packages/service/src/main.ts', "import { used } from './used.ts'\nconsole.log(used)\n")
  write('packages/service/src/used.ts', 'export const used = 1\nexport const onlyTested = 2\n')
  write('packages/service/src/alone.ts', 'export const alone = 1\n')
  write(
    'packages/service/src/used.test.ts',
    "import { onlyTested } from './used.ts'\nimport './alone.ts'\nconsole.log(onlyTested)\n",
  )
  const dead = tool('knip/bin/knip.js', '--production', '--include', 'files,exports,types,duplicates')
  assert.match(dead, /onlyTested/)
  assert.match(dead, /alone\.ts/)
  assert.doesNotMatch(dead, /^used /m)
  write(
    'packages/service/src/main.ts',
    "import kysely from 'kysely'\nimport leftPad from 'left-pad'\nconsole.log(kysely, leftPad)\n",
  )
  const packages = tool('knip/bin/knip.js', '--include', 'dependencies,unlisted')
  assert.match(packages, /left-pad/)
  assert.match(packages, /undici/)
})
