import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { suiteOf } from './suites.mjs'
import { circlesIn, importsOf, lengthsOf, type Texts, unusedExports } from './support/code-graph.ts'

/** Who imports what from where: circles, and what nobody asks for; and how long functions are. */
const ROOT = resolve(import.meta.dirname, '..')
const CODE = ['src', 'packages/page/src', 'test', 'bench', 'scripts']
const texts: Texts = new Map(
  CODE.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
  ),
)
const isChecked = (path: string): boolean => /^(src|web\/src)\//.test(path) && !/\.test(-data)?\.tsx?$/.test(path)
// made alike for every record
const isWritten = (path: string): boolean => isChecked(path) && !path.startsWith('packages/core/src/model/generated/')

test('no files import values from each other in a circle', () => {
  const imports = importsOf(texts)
  assert.ok(imports.size > 500 && [...imports.values()].flat().length > 2_000)
  assert.deepEqual(circlesIn(imports, isChecked), [])
})

test('no file imports a test file: its tests would run with those of another, or with those of all that share a process', () => {
  const imported = [...importsOf(texts).values()].flat().filter(({ isOfTypes }) => !isOfTypes)
  assert.deepEqual(
    imported.filter(({ target }) => suiteOf(target) !== null),
    [],
  )
})

test('every export is imported by somebody', () => {
  assert.deepEqual(unusedExports(texts, isWritten), [])
})

const OWN_LINES_MAX = 70
const LINES_MAX = 260
/** one list or one step after the other, each of which says in its place what it does */
const LISTED = new Set([
  'packages/core/src/engine/trade.ts applyTrade',
  'packages/core/src/engine/reading/reading.ts readingOf',
  'packages/page/src/pages/account/key-row.tsx KeyRow',
  'packages/page/src/pages/board/column.tsx Column',
  'packages/page/src/pages/status/page.tsx Standing',
  'packages/page/src/pages/token/identity.tsx Identity',
  'packages/page/src/pages/trader/fields.ts figureGroups',
])

test('functions fit in the head: 70 lines, in factories without those of the functions inside', () => {
  const lengths = [...texts].filter(([path]) => isWritten(path)).flatMap(([path, text]) => lengthsOf(path, text))
  assert.ok(lengths.length > 5_000)
  const long = lengths.filter(({ lines, ownLines }) => ownLines > OWN_LINES_MAX || lines > LINES_MAX)
  assert.deepEqual(
    long.filter(({ path, name }) => !LISTED.has(`${path} ${name}`)),
    [],
  )
})

/** What runs before the program knows which command it is: nothing of servers, stores or the page, and no package. */
const LOADED_FOR_HELP = [
  ...['errors', 'private-files', 'system-error'].map((name) => `packages/service/src/base/${name}.ts`),
  ...[
    'definition',
    'definitions',
    'definitions-capture',
    'definitions-service',
    'definitions-store',
    'definitions-watches',
  ].map((name) => `packages/service/src/cli/${name}.ts`),
  ...['command-line', 'help', 'nearest', 'parse'].map((name) => `packages/service/src/cli/${name}.ts`),
  ...[
    'packages/service/src/config/environment.ts',
    'packages/service/src/config/invocation.ts',
    'packages/service/src/main.ts',
  ],
]

test('help and --version load the table of commands and nothing else', () => {
  const imports = importsOf(texts)
  const loaded = new Set(['packages/service/src/main.ts'])
  for (const path of loaded)
    for (const { target, isOfTypes, isLater } of imports.get(path)!) if (!isOfTypes && !isLater) loaded.add(target)
  assert.deepEqual([...loaded].sort(), LOADED_FOR_HELP.sort())
  const packages = [...loaded].flatMap((path) => [
    ...texts.get(path)!.matchAll(/^(?:import|\}).* from '(?!node:|\.)[^']+'/gm),
  ])
  assert.deepEqual(
    packages.map(([line]) => line),
    [],
  )
})

/** Made-up files, with what is wrong in them. `$` stands for `./`: imports in this file are compiled, also those in a text. */
const madeUp = (files: Readonly<Record<string, string>>): Texts =>
  new Map(Object.entries(files).map(([path, text]) => [path, text.replaceAll("'$", "'./")]))
const all = (): boolean => true

test('a circle of values is found, however it is imported; one of types, or of files loaded later, is none', () => {
  const circles = (first: string, second: string): string[][] =>
    circlesIn(importsOf(madeUp({ 'packages/service/src/a.ts': first, 'packages/service/src/b/c.ts': second })), all)
  const back = "import { a } from '$../a.ts'\nexport const c = a\n"
  for (const forth of [
    "import { c } from '$b/c.ts'",
    "import { type C, c } from '$b/c.ts'",
    "import {\n  c,\n} from '$b/c.ts'",
    "import * as all from '$b/c.ts'",
    "import c from '$b/c.ts'",
    "import '$b/c.ts'",
    "export { c } from '$b/c.ts'",
    "export * from '$b/c.ts'",
  ])
    assert.deepEqual(circles(`${forth}\n`, back), [['packages/service/src/a.ts', 'packages/service/src/b/c.ts']], forth)
  for (const forth of ["import type { C } from '$b/c.ts'", "const c = () => import('$b/c.ts')"])
    assert.deepEqual(circles(`${forth}\n`, back), [], forth)
})

test('an export that nobody imports is found', () => {
  const texts = madeUp({
    'packages/service/src/a.ts':
      'export const used = 1\nexport interface Unused {}\nconst b = 2\nexport { b as renamed }\n',
    'packages/service/src/b.ts': "import { used } from '$a.ts'\nexport async function* alone() {}\n",
    'packages/service/src/whole.ts': 'export const any = 1\n',
    'packages/service/src/c.ts': "import * as whole from '$whole.ts'\n",
  })
  assert.deepEqual(unusedExports(texts, all), [
    'packages/service/src/a.ts Unused',
    'packages/service/src/a.ts renamed',
    'packages/service/src/b.ts alone',
  ])
})

test('a function that is too long is found, whatever kind it is; a factory is as long as it is without its functions', () => {
  const body = '  work()\n'.repeat(80)
  const longest = (text: string) =>
    lengthsOf('packages/service/src/a.ts', text).map(({ name, lines, ownLines }) => [name, lines, ownLines])
  for (const text of [
    `function long(): void {\n${body}}\n`,
    `const long = async () => {\n${body}}\n`,
    `const all = {\n  long() {\n${body}}\n}\n`,
    `class A {\n  long() {\n${body}}\n}\n`,
  ])
    assert.deepEqual(longest(text), [['long', 82, 82]], text.slice(0, 30))
  const inner = `  function inner() {\n${body}  }\n`
  assert.deepEqual(longest(`function outer() {\n  let state = 0\n${inner}  return inner\n}\n`), [
    ['inner', 82, 82],
    ['outer', 86, 4],
  ])
})
