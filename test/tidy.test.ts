import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import * as constants from '@ti/core/engine/constants.ts'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { LIMITS } from '@ti/service/config/limits.ts'
import { EXEMPT, ROWS } from './outside/rows.ts'
import { sourceConstants } from './outside/source.ts'
import { complaints } from './outside/table.ts'
import { REGRESSIONS } from './regressions.mjs'
import { SUITES, suiteOf, sources as testSources } from './suites.mjs'

/** The code base as data: what nobody should have to remember is checked here. */
const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name))
const webSources = readdirSync(join(ROOT, 'packages/page/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|css)$/.test(name))
  .map((name) => join('packages/page/src', name))
const isTest = (path: string): boolean => path.endsWith('.test.ts')

/** folder → what it may import, besides itself; a path stands for that one file */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'packages/service/src/base': [],
  'packages/service/src/config': ['packages/service/src/base'],
  'packages/core/src/contract': ['packages/service/src/base', 'packages/service/src/config'],
  'packages/core/src/model': ['packages/service/src/base'],
  'packages/service/src/source': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/model',
    'packages/lab/src/simulator/simulator.ts',
  ],
  'packages/core/src/decode': ['packages/service/src/base', 'packages/core/src/model'],
  'packages/service/src/observe': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/model',
  ],
  'packages/service/src/log': ['packages/service/src/base', 'packages/core/src/model'],
  'packages/core/src/engine': ['packages/service/src/base', 'packages/core/src/model'],
  'packages/service/src/store': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/engine',
    'packages/core/src/model',
    'packages/service/src/log',
  ],
  'packages/service/src/checkpoints': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/service/src/store',
    'packages/service/src/log',
  ],
  'packages/service/src/export': [
    'packages/service/src/base',
    'packages/core/src/engine',
    'packages/service/src/store',
    'packages/core/src/model',
    'packages/core/src/query/bundle-name.ts',
  ],
  'packages/core/src/query': [
    'packages/service/src/base',
    'packages/core/src/contract',
    'packages/core/src/engine',
    'packages/service/src/store',
    'packages/core/src/model',
  ],
  'packages/service/src/access': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/contract',
    'packages/core/src/query/envelope.ts',
    'packages/core/src/query/operations.ts',
  ],
  'packages/service/src/alerts': [
    ...[
      'packages/service/src/base',
      'packages/service/src/config',
      'packages/core/src/contract',
      'packages/service/src/access',
      'packages/core/src/model',
      'packages/core/src/query',
      'packages/service/src/observe/outbound',
    ],
    ...['packages/core/src/engine/engine.ts', 'packages/core/src/engine/tokens.ts'],
  ],
  'packages/service/src/faces': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/contract',
    'packages/service/src/access',
    'packages/core/src/query',
    'packages/service/src/alerts',
  ],
  'packages/service/src/ingest': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/model',
    'packages/service/src/source',
    'packages/core/src/decode',
    'packages/service/src/log',
    'packages/core/src/engine',
    'packages/service/src/store',
  ],
  'packages/lab/src/simulator': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/service/src/source',
    'packages/core/src/model',
  ],
  'packages/lab/src/import': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/model',
    'packages/service/src/source',
    'packages/core/src/decode',
  ],
  'packages/lab/src/evaluate': [
    'packages/service/src/base',
    'packages/service/src/config',
    'packages/core/src/model',
    'packages/core/src/engine',
    'packages/core/src/query',
    'packages/lab/src/simulator/truth.ts',
  ],
  'packages/lab/src/flatter': [
    ...[
      'packages/service/src/base',
      'packages/service/src/config',
      'packages/core/src/contract',
      'packages/core/src/model',
      'packages/core/src/engine',
      'packages/core/src/query',
      'packages/service/src/log',
      'packages/service/src/ingest',
    ],
    ...['packages/lab/src/simulator', 'packages/lab/src/evaluate'],
  ],
  'packages/sandbox/src': ['packages/service/src/base', 'packages/service/src/config'],
  'packages/service/src/service': [
    ...[
      'base',
      'config',
      'contract',
      'model',
      'source',
      'decode',
      'observe',
      'log',
      'engine',
      'store',
      'checkpoints',
      'query',
    ],
    ...['access', 'alerts', 'faces', 'ingest', 'lab/sandbox'],
  ].map((folder) => `src/${folder}`),
  'packages/service/src/cli': ['src'],
}

const importsOf = (path: string): string[] =>
  [...read(path).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(path), match[1]!)),
  )

const folderOf = (path: string): string | undefined => {
  const [, folder] = /^(src\/(?:lab\/)?\w+)\//.exec(path) ?? []
  return folder
}

test('folders import only in the direction of the data', () => {
  const wrong: string[] = []
  for (const path of sources.filter((source) => !isTest(source))) {
    const folder = folderOf(path)
    if (folder === undefined) continue
    const allowed = MAY_IMPORT[folder]
    assert.ok(allowed, `${folder} is not in the table of folders`)
    for (const target of importsOf(path)) {
      const fine = target.startsWith(`${folder}/`) || allowed.some((a) => target === a || target.startsWith(`${a}/`))
      if (!fine) wrong.push(`${path} imports ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('no face imports another', () => {
  const face = (path: string): string | undefined => /^src\/faces\/(\w+)\//.exec(path)?.[1]
  const wrong = sources
    .filter((path) => face(path) !== undefined)
    .flatMap((path) => importsOf(path).map((target) => [path, target] as const))
    .filter(([path, target]) => face(target) !== undefined && face(target) !== face(path))
  assert.deepEqual(wrong, [])
})

test('every relative import exists', () => {
  const missing = sources.flatMap((path) => importsOf(path).filter((target) => !existsSync(join(ROOT, target))))
  assert.deepEqual(missing, [])
})

test('the model, the engine and the decoder know no clock, no chance, no platform-dependent mathematics', () => {
  const banned =
    /\bDate\b|Math\.(random|exp|log\w*|pow|sin|cos|tan|cbrt|hypot)|\bperformance\b|\bprocess\b|setTimeout|setInterval|crypto|node:|toLocale|\*\*/
  for (const path of sources) {
    if (!/^src\/(model|engine|decode)\//.test(path) || isTest(path)) continue
    const code = read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    assert.equal(banned.exec(code)?.[0], undefined, path)
  }
})

const threadsOf = (path: string): string[] =>
  [...read(path).matchAll(/\bstartThread\('([^']+)'/g)].map(([, name]) => `src/${name}.ts`)

test('every file is used, and every thread is there', () => {
  const started = sources.filter((path) => !isTest(path)).flatMap(threadsOf)
  assert.deepEqual(
    started.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
  const used = new Set([
    'packages/service/src/main.ts',
    ...started,
    ...sources.filter((path) => !isTest(path)).flatMap(importsOf),
  ])
  const dead = sources.filter((path) => !isTest(path) && !used.has(path))
  assert.deepEqual(dead, [])
})

/** what makes a file one of tests: it declares them itself */
const TESTS = /^import\b[^;]*?\b(?:test|describe|it)\b[^;]*? from 'node:test'/m
const DECLARES = /^\s*(?:await )?(?:test|describe|it)(?:\.\w+)?\(/m

test('every test file belongs to npm test or npm run test:all, and every suite has files', () => {
  const files = testSources()
  const declares = (path: string): boolean => TESTS.test(read(path)) && DECLARES.test(read(path))
  // tests that several files have in common stand in a helper
  const helpers = new Set(files.flatMap(importsOf))
  const strays = files.filter((path) => suiteOf(path) === null && declares(path) && !helpers.has(path))
  assert.deepEqual(strays, [])
  const empty = files.filter((path) => suiteOf(path) !== null && ![path, ...importsOf(path)].some(declares))
  assert.deepEqual(empty, [], 'no tests in them')
  for (const { name } of SUITES) assert.ok(files.filter((path) => suiteOf(path) === name).length > 0, name)
  assert.deepEqual([...new Set(SUITES.map(({ command }) => command))].sort(), ['npm run test:all', 'npm test'])
})

test('what is run for every change runs every suite whole', () => {
  const lines = read('.ci/run').split('\n')
  for (const command of ['npm test', 'npm run test:rest'])
    assert.ok(
      lines.some((line) => new RegExp(`^shown \\d+m ${command}$`).test(line)),
      `${command}, without words`,
    )
  for (const { file, depth, seed } of REGRESSIONS) {
    assert.ok(existsSync(join(ROOT, file)), file)
    assert.ok(depth > 0 && Number.isInteger(seed), file)
  }
})

test('tests take their chances from one place, so that a failure is there again', () => {
  const own = testSources().filter(
    (path) =>
      suiteOf(path) !== null &&
      /from 'fast-check'|\bseed\b.*(?:Date\.now|Math\.random)|SEED = .*Date\.now/i.test(read(path)),
  )
  assert.deepEqual(own, ['test/tidy.test.ts'])
})

/** Statements that import or pass on: whether of types only, and the file. */
const webImportsOf = (path: string): { types: boolean; target: string }[] =>
  [...read(path).matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?from\s)?'(\.[^']+)'|import\('(\.[^']+)'\)/gm)].map(
    (found) => ({
      types: found[1] !== undefined,
      target: relative(ROOT, resolve(ROOT, dirname(path), (found[2] ?? found[3]!).replace(/\?raw$/, ''))),
    }),
  )

const webCode = webSources.filter((path) => !path.endsWith('.css'))

test('the page imports of the service only the types of its contract, and pages of the documentation as text', () => {
  const wrong = webCode
    .filter((path) => !isTest(path))
    .flatMap((path) => webImportsOf(path).map((one) => ({ path, ...one })))
    .filter(
      ({ types, target }) =>
        !target.startsWith('web/') &&
        !(types && target.startsWith('packages/core/src/contract/')) &&
        !/^docs\/\w+\.md$/.test(target),
    )
  assert.deepEqual(wrong, [])
})

test('what pages share does not know the pages, and every import of the page exists', () => {
  const shared = /^web\/src\/(alerts|api|live|shell|theme|ui|charts|wallet|watch)\//
  const wrong = webCode.flatMap((path) =>
    webImportsOf(path)
      .filter(({ target }) => !existsSync(join(ROOT, target)) || (shared.test(path) && target.includes('/pages/')))
      .map(({ target }) => `${path} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

/** the page's beginning, its pages (found by their names), and what only tests load */
const WEB_ENTRY = /^web\/src\/(main\.tsx|early\.ts|pages\/\w+\/page\.tsx|wallet\/test-wallet\.ts)$/

test('every file of the page is used', () => {
  const used = new Set(webCode.flatMap((path) => webImportsOf(path).map(({ target }) => target)))
  assert.deepEqual(
    webSources.filter((path) => !isTest(path) && !WEB_ENTRY.test(path) && !used.has(path)),
    [],
  )
})

/** the icons of installed wallets, which come as data: and from nowhere else */
const WALLET_ICONS = 'packages/page/src/pages/account/connect-wallet.tsx'

/** the theme, and how far alerts were read */
const KEEP = ['packages/page/src/theme/theme.ts', 'packages/page/src/alerts/kept.ts']

test('the page makes no markup of text, asks no other origin for pictures, and keeps little', () => {
  const banned =
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function|<iframe\b|\bindexedDB\b|\bsessionStorage\b|document\.cookie|'node:/
  for (const path of webCode) {
    if (isTest(path)) continue
    const code = read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    assert.equal(banned.exec(code)?.[0], undefined, path)
    if (path !== WALLET_ICONS) assert.doesNotMatch(code, /<img\b/, path)
    if (!KEEP.includes(path)) assert.doesNotMatch(code, /\blocalStorage\b/, path)
  }
})

test('every limit is used', () => {
  const code = sources
    .filter((path) => path !== 'packages/service/src/config/limits.ts')
    .map(read)
    .join('\n')
  const isUsed = (path: string): boolean => new RegExp(`(LIMITS|bounds)\\.${path}\\b`).test(code)
  // those of one owner are used one by one, or given to it whole
  const isWhole = (name: string): boolean => new RegExp(`LIMITS\\.${name}\\b(?!\\.)`).test(code)
  const unused = Object.entries(LIMITS).flatMap(([name, value]) =>
    typeof value !== 'object' || isWhole(name)
      ? [name].filter((one) => !isUsed(one))
      : Object.keys(value)
          .map((one) => `${name}.${one}`)
          .filter((one) => !isUsed(one)),
  )
  assert.deepEqual(unused, [])
})

test('every address, discriminator and error code of the outside world has its witness', () => {
  assert.deepEqual(complaints(sourceConstants(), ROWS, EXEMPT), [])
})

/** where the environment is read; everything else is given it, and reads it through a schema */
/** folders whose objects are not made for each call, trade or member */
const SELDOM = /^src\/(?:lab|cli|model|contract)\//

test('no object that is made often begins with a spread: in Node 20 each such object costs 5 µs', () => {
  const begins = /\{\s*\.\.\.\{ /
  assert.deepEqual(
    sources.filter((path) => !isTest(path) && !SELDOM.test(path) && begins.test(read(path))),
    [],
  )
})

const ENVIRONMENT = 'packages/service/src/config/environment.ts'

test('the environment is read in one place', () => {
  const readers = sources.filter(
    (path) =>
      !isTest(path) && /\bprocess\s*\.\s*env\b|\bprocess\s*\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(read(path)),
  )
  assert.deepEqual(readers, [ENVIRONMENT])
})

/** lines of src without tests and packages/lab/src, by folder, before the house was put in order (f55f2e0) */
const LINES_BEFORE: Readonly<Record<string, number>> = {
  access: 8070,
  base: 932,
  checkpoints: 330,
  cli: 5765,
  config: 1184,
  contract: 1641,
  decode: 3202,
  engine: 5598,
  export: 1062,
  faces: 5204,
  ingest: 963,
  log: 2842,
  main: 172,
  observe: 2228,
  query: 2556,
  source: 5963,
  store: 3299,
}

/** A row for each folder and one for all: lines now, and before. */
function linesTable(files: readonly string[]): string[] {
  const now: Record<string, number> = {}
  for (const path of files) {
    const folder = path.split('/').length > 2 ? path.split('/')[1]! : 'main'
    now[folder] = (now[folder] ?? 0) + read(path).split('\n').length - 1
  }
  const folders = [...new Set([...Object.keys(LINES_BEFORE), ...Object.keys(now)])].sort()
  const sum = (lines: Readonly<Record<string, number>>): number =>
    Object.values(lines).reduce((all, one) => all + one, 0)
  const row = (name: string, is: number, was: number): string =>
    `${name.padEnd(12)}${String(is).padStart(7)}${String(was).padStart(8)}`
  const change = (100 * (sum(now) / sum(LINES_BEFORE) - 1)).toFixed(1)
  return [
    ...folders.map((folder) => row(folder, now[folder] ?? 0, LINES_BEFORE[folder] ?? 0)),
    `${row('all', sum(now), sum(LINES_BEFORE))}  ${change} %`,
  ]
}

test('files fit in the head', (t) => {
  const counted = sources.filter((path) => !/\.test(-data)?\.ts$|^src\/lab\//.test(path))
  for (const line of ['lines of src without tests and packages/lab/src: now, before', ...linesTable(counted)])
    t.diagnostic(line)
  // what a program makes of the tables is not read
  const written = sources.filter((path) => !path.startsWith('packages/core/src/model/generated/'))
  const long = [...written, ...webSources].filter((path) => read(path).split('\n').length > 400)
  assert.deepEqual(long, [])
})

test('the README and the documents name commands and files that exist', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const commands = new Set(DEFINITIONS.map(({ name }) => name.split(' ')[0]!))
  for (const page of [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((n) => n.endsWith('.md'))
      .map((n) => `docs/${n}`),
  ]) {
    const text = read(page)
    for (const [, script] of text.matchAll(/npm (?:run )?(?:--silent )?(start|test|[a-z:]+)(?= |`|\n|$)/g)) {
      if (!['ci', 'run', 'pack', 'install'].includes(script!))
        assert.ok(scripts.includes(script!), `${page}: npm run ${script}`)
    }
    for (const [, command] of text.matchAll(/npm run (?:--silent )?cli -- ([a-z-]+)/g)) {
      assert.ok(commands.has(command!), `${page}: cli -- ${command}`)
    }
    for (const [, path] of text.matchAll(/`((?:src|test|docs|bench)\/[\w./-]+)`/g)) {
      assert.ok(existsSync(join(ROOT, path!)), `${page}: ${path}`)
    }
  }
})

/** constant's path → value, for numbers and lists of numbers */
function leaves(value: unknown, path: string): [string, string][] {
  if (typeof value === 'number') return [[path, String(value)]]
  if (Array.isArray(value)) return [[path, value.join(', ')]]
  if (value === null || typeof value !== 'object' || value instanceof Set) return []
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
}

test('methodology and constants say the same', () => {
  const rows = [...read('docs/methodology.md').matchAll(/^\| `([\w.]+)` \| ([-\d., ]+?) \|/gm)]
  const page = rows.map(([, name, value]) => [name!, value!])
  assert.deepEqual(page, leaves({ ...constants }, '').sort())
})

test('every variable that is read is documented', () => {
  const named = sources
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      const text = read(path)
      const declared = path.startsWith('packages/service/src/config/')
        ? [...text.matchAll(/^ {2}([A-Z][A-Z_]{3,}): /gm)]
        : []
      return [...declared, ...text.matchAll(/\benv\.([A-Z][A-Z_]{3,})/g)].map((match) => match[1]!)
    })
  assert.ok(named.length >= 20, `only ${named.length} variables were found`)
  const documents = `${read('docs/configuration.md')}${read('docs/payments.md')}`
  assert.deepEqual([...new Set(named)].filter((name) => !documents.includes(`\`${name}`)).sort(), [])
})

/** Native builds for platforms that no test here runs on: their hashes were not to be had when the lock was written. */
const WITHOUT_INTEGRITY = /^node_modules\/(@triton-one\/yellowstone-grpc-napi|helius-laserstream)-(darwin|linux)-/

test('every package of the locks is pinned by its hash', () => {
  const locks = ['', 'packages/page/reference/', 'test/witnesses/', 'test/judges/', 'bench/'].map(
    (at) => `${at}package-lock.json`,
  )
  const open = locks.flatMap((path) => {
    const { packages } = JSON.parse(read(path)) as { packages: Record<string, { integrity?: string; link?: boolean }> }
    return Object.entries(packages).flatMap(([name, { integrity, link = false }]) =>
      name === '' || link || integrity?.startsWith('sha512-') ? [] : [name],
    )
  })
  assert.deepEqual(
    open.filter((name) => !WITHOUT_INTEGRITY.test(name)),
    [],
  )
  assert.ok(open.length <= 7, `${open.length} without a hash: there were 7`)
})
