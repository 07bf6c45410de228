import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DEFINITIONS, GROUPS } from '@ti/service/cli/definitions.ts'
import { startService } from '../simulation/service.ts'

/** What the built program loads, as the engine itself counts it, and what goes to which stream. */
const dir = mkdtempSync(join(tmpdir(), 'start-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const ROOT = resolve(import.meta.dirname, '../..')

/** The sources that a built file was made from, by its map; a file of a package outside the build is its own. */
function sourcesOf(url: string): string[] {
  const file = fileURLToPath(url)
  if (!file.startsWith(join(ROOT, 'dist/'))) return [file]
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] }
  return sources.map((source) => relative(ROOT, resolve(dirname(file), source)))
}

/** Sources that a run loaded, and how many files they were in. */
async function run(...args: string[]) {
  const NODE_V8_COVERAGE = mkdtempSync(join(dir, 'loaded-'))
  const ended = await startService({ NODE_V8_COVERAGE, DATA_DIR: join(dir, `none-${args.join('-')}`) }, args).exit
  const loaded = readdirSync(NODE_V8_COVERAGE).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(NODE_V8_COVERAGE, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  })
  assert.ok(loaded.length > 0, 'nothing was counted')
  return { ...ended, files: loaded.length, loaded: loaded.flatMap(sourcesOf).sort() }
}

/** All that the table of commands needs: no package, nothing of the service. */
const TABLE = [
  'packages/core/src/base/plain-text.ts',
  'packages/lab/src/cli/definitions.ts',
  'packages/lab/src/register.ts',
  'packages/sandbox/src/register.ts',
  'packages/service/src/base/errors.ts',
  'packages/service/src/base/private-files.ts',
  'packages/service/src/base/system-error.ts',
  'packages/service/src/base/thread.ts',
  'packages/service/src/cli/command-line.ts',
  'packages/service/src/cli/definition.ts',
  'packages/service/src/cli/definitions-account.ts',
  'packages/service/src/cli/definitions-capture.ts',
  'packages/service/src/cli/definitions-service.ts',
  'packages/service/src/cli/definitions-store.ts',
  'packages/service/src/cli/definitions.ts',
  'packages/service/src/cli/help.ts',
  'packages/service/src/cli/parse.ts',
  'packages/service/src/cli/terminal-text.ts',
  'packages/service/src/config/environment.ts',
  'packages/service/src/config/invocation.ts',
  'packages/service/src/config/kinds.ts',
  'packages/service/src/extensions.ts',
  'packages/service/src/main.ts',
  'packages/service/src/service/payments-kinds.ts',
  'packages/service/src/source/kinds.ts',
]

test('help, --help, --version and wrong usage load the table of commands and nothing else', async () => {
  const cases: [string[], number][] = [
    [[], 0],
    [['help'], 0],
    [['--version'], 0],
    [['serve', '--help'], 0],
    [['help', 'capture', 'simulate'], 0],
    [['replai'], 2],
    [['verify', '--jsno'], 2],
    [['checkpoint', 'make'], 2],
  ]
  const ended = await Promise.all(cases.map(([args]) => run(...args)))
  for (const [i, { code, stdout, stderr, loaded }] of ended.entries()) {
    const [args, expected] = cases[i]!
    assert.equal(code, expected, args.join(' '))
    assert.deepEqual(loaded, TABLE, args.join(' '))
    assert.equal((expected === 0 ? stderr : stdout).trim(), '', args.join(' '))
    assert.notEqual((expected === 0 ? stdout : stderr).trim(), '', args.join(' '))
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  assert.equal(ended[2]!.stdout, version)
})

test('a command loads what it uses: keys asks a socket before it opens a database', async () => {
  const { code, stdout, stderr, loaded } = await run('keys', 'list')
  assert.equal(code, 1, stdout)
  assert.match(stderr, /no service has run with this data directory/)
  const heavy = loaded.filter((path) => /kysely|@solana|sqlite|engine\//.test(path))
  assert.deepEqual(heavy, [])
})

test('every command has its code', async () => {
  for (const { name, load, operands } of DEFINITIONS) {
    assert.equal(typeof (await load()), 'function', name)
    assert.ok(operands.least <= operands.most, name)
    const [group = '', word] = name.split(' ')
    if (word !== undefined) assert.ok(Object.hasOwn(GROUPS, group), group)
  }
})
