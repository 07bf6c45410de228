import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import * as constants from '@ti/core/engine/constants.ts'
import { EXEMPT, ROWS } from './outside/rows.ts'
import { sourceConstants } from './outside/source.ts'
import { judgeOf } from './outside/table.ts'
import { REGRESSIONS } from './regressions.mjs'
import { SUITES, suiteOf, sources as testSources } from './suites.mjs'

/** The code base as data: what nobody should have to remember is checked here. */
const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => join(folder, path))

const sources = ['core', 'service', 'lab', 'sandbox'].flatMap((name) => filesIn(`packages/${name}/src`, /\.ts$/))
const webSources = filesIn('packages/page/src', /\.(tsx?|css)$/)
const isTest = (path: string): boolean => path.endsWith('.test.ts')

const importsOf = (path: string): string[] =>
  [...read(path).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(path), match[1]!)),
  )

test('the model, the engine and the decoder know no clock, no chance, no platform-dependent mathematics', () => {
  const banned =
    /\bDate\b|Math\.(random|exp|log\w*|pow|sin|cos|tan|cbrt|hypot)|\bperformance\b|\bprocess\b|setTimeout|setInterval|crypto|node:|toLocale|\*\*/
  for (const path of sources) {
    if (!/^packages\/core\/src\/(model|engine|decode)\//.test(path) || isTest(path)) continue
    const code = read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    assert.equal(banned.exec(code)?.[0], undefined, path)
  }
})

test('every thread that is started is there', () => {
  const started = sources
    .filter((path) => !isTest(path))
    .flatMap((path) => [...read(path).matchAll(/\bstartThread\('([^']+)'/g)])
    .map(([, name]) => `packages/service/src/${name}.ts`)
  assert.ok(started.length > 3)
  assert.deepEqual(
    started.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
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

const webCode = webSources.filter((path) => !path.endsWith('.css'))

/** the icons of installed wallets, which come as data: and from nowhere else */
const WALLET_ICONS = 'packages/page/src/pages/account/connect-wallet.tsx'

/** the theme, and how far alerts were read */
const KEEP = ['theme/theme.ts', 'alerts/kept.ts', 'pages/board/intro.ts'].map((file) => `packages/page/src/${file}`)

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

/** the unit of a bound, at the end of its name */
const UNIT = /(?:^|_)(?:MAX|MS|S|SECONDS|BYTES|LENGTH|ROWS|SLOTS|KEPT|CACHED|WAITING|AHEAD|AT_ONCE)$/
const CALENDAR = /^(?:DAY|HOUR|MINUTE|SECOND)_MS$/
const CONST = /^(?:export )?const ([A-Z][A-Z\d_]*) = (.*)$/
const NUMBER = /^(?:-?\d[\d_ .*/<()+-]*|(?:memoryShare|Math\.floor)\(.*\))$/
const CONSTANT = /^[A-Z][A-Z\d_]*$/
const TABLE = /^(?:export )?const ([A-Z][A-Z\d_]*) = \{$/
const FIELD = /^ {2}(\w+): (.+),$/

interface Bound {
  readonly name: string
  readonly hasReason: boolean
}

/** true if the comment above `at`, or above the lines like it before it, says something */
function hasReason(lines: readonly string[], at: number, like: RegExp): boolean {
  const above = lines.slice(0, at).findLast((line) => !like.test(line)) ?? ''
  return /\*\/$|^\s*\/\//.test(above)
}

/** Constants that end in a unit, and all fields of objects in which one field does or has a comment. */
function boundsIn(text: string): Bound[] {
  const lines = text.split('\n')
  const snake = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase()
  return lines.flatMap((line, at) => {
    const [, table] = TABLE.exec(line) ?? []
    if (table !== undefined) {
      const rest = lines.slice(at + 1)
      const inside = rest.slice(
        0,
        rest.findIndex((one) => one.startsWith('}')),
      )
      const fields = inside.flatMap((one, i) => {
        const [, name, value] = FIELD.exec(one) ?? []
        return name === undefined ? [] : [{ name, value: value!, hasReason: hasReason(inside, i, FIELD) }]
      })
      const isTold = hasReason(lines, at, TABLE)
      const areBounds = fields.some((field) => UNIT.test(snake(field.name)) || (field.hasReason && !isTold))
      const areNumbers = fields.every(({ value }) => NUMBER.test(value) || CONSTANT.test(value))
      if (!areBounds || !areNumbers) return []
      return fields.map(({ name, hasReason }) => ({ name: `${table}.${name}`, hasReason }))
    }
    const [, name, value] = CONST.exec(line) ?? []
    if (name === undefined || !/_/.test(name) || !UNIT.test(name) || CALENDAR.test(name) || !NUMBER.test(value!))
      return []
    return [{ name, hasReason: hasReason(lines, at, CONST) }]
  })
}

test('every bound stands with its reason', () => {
  const bare = (text: string): string[] => boundsIn(text).flatMap(({ name, hasReason }) => (hasReason ? [] : [name]))
  assert.deepEqual(bare('/** bytes of a name */\nconst NAME_MAX = 3\nconst WAIT_MS = 2'), [])
  assert.deepEqual(bare('\nconst NAME_MAX = 3\nconst HOUR_MS = 3'), ['NAME_MAX'])
  assert.deepEqual(bare('const NAMES = {\n  /** names, and bytes of one */\n  most: 3,\n  bytes: 2,\n}'), [])
  assert.deepEqual(bare('const NAMES = {\n  bytes: 3,\n  /** names */\n  most: 2,\n}'), ['NAMES.bytes'])
  // numbers of the simulated market are a model, those of formulas have their reasons in docs/methodology.md
  const others = /^packages\/(?:lab\/src\/simulator\/|core\/src\/engine\/constants\.ts)|\.test\.|\.css$/
  const product = [...sources, ...webSources].filter((path) => !others.test(path))
  const bounds = product.flatMap((path) => boundsIn(read(path)).map((bound) => ({ path, ...bound })))
  assert.ok(bounds.length > 500, `only ${bounds.length} bounds were found`)
  assert.deepEqual(
    bounds.filter((bound) => !bound.hasReason).map(({ path, name }) => `${path} ${name}`),
    [],
  )
})

test('every address, discriminator and error code of the outside world has its witness', () => {
  assert.deepEqual(judgeOf(ROWS, EXEMPT)(sourceConstants()), [])
})

/** where the environment is read; everything else is given it, and reads it through a schema */
const ENVIRONMENT = 'packages/service/src/config/environment.ts'

test('the environment is read in one place', () => {
  const readers = sources.filter(
    (path) =>
      !isTest(path) && /\bprocess\s*\.\s*env\b|\bprocess\s*\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(read(path)),
  )
  assert.deepEqual(readers, [ENVIRONMENT])
})

test('files fit in the head', () => {
  // what a program makes of the tables is not read
  const written = sources.filter((path) => !path.startsWith('packages/core/src/model/generated/'))
  const long = [...written, ...webSources].filter((path) => read(path).split('\n').length > 400)
  assert.deepEqual(long, [])
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
        ? [...text.matchAll(/[\n(]\s*'([A-Z][A-Z_]{3,})'/g)]
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
      link || !name.includes('node_modules/') || integrity?.startsWith('sha512-') ? [] : [name],
    )
  })
  assert.deepEqual(
    open.filter((name) => !WITHOUT_INTEGRITY.test(name)),
    [],
  )
  assert.ok(open.length <= 7, `${open.length} without a hash: there were 7`)
})
