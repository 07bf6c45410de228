import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { HISTORY } from '@ti/core/engine/constants.ts'
import { type Resource, SHARED } from '@ti/service/access/shared/table.ts'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'

/** The documents compared with the code they describe. */
const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const isFile = (path: string): boolean => statSync(join(ROOT, path)).isFile()

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(isFile)

const pages = ['README.md', 'SECURITY.md', ...filesIn('docs').filter((path) => path.endsWith('.md'))]
const withReports = [...pages, ...filesIn('reports').filter((path) => path.endsWith('.md'))]

test('documents name commands that exist', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const commands = new Set(DEFINITIONS.map(({ name }) => name.split(' ')[0]!))
  for (const page of pages) {
    const text = read(page)
    for (const [, script] of text.matchAll(/npm (?:run )?(?:--silent )?(start|test|[a-z:]+)(?= |`|\n|$)/g)) {
      if (!['ci', 'run', 'pack', 'install', 'publish'].includes(script!))
        assert.ok(scripts.includes(script!), `${page}: npm run ${script}`)
    }
    for (const [, command] of text.matchAll(/npm run (?:--silent )?cli -- ([a-z-]+)/g)) {
      assert.ok(commands.has(command!), `${page}: cli -- ${command}`)
    }
  }
})

/** Paths that a text names in backticks, without those of patterns. */
const pathsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /`((?:packages|test|docs|bench|reports|clients|scripts|deploy|examples)\/[\w./-]+|openapi\.json)`/g,
    ),
  ].map(([, path]) => path!)

test('documents name files that exist, and their links lead somewhere', () => {
  const missing = withReports.flatMap((page) => {
    const text = read(page)
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to]) => join(dirname(page), to!))
    return [...pathsIn(text), ...links]
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`)
  })
  assert.deepEqual(missing, [])
})

test('the README has at most 90 lines', () => {
  assert.ok(read('README.md').trimEnd().split('\n').length <= 90)
})

const ARCHITECTURE = read('docs/ARCHITECTURE.md')

/** Each figure of ARCHITECTURE.md, from the code that has it. Measurements stand in reports, with a date. */
const FIGURES = [
  `a price ${HISTORY.impactSlots} slots later`,
  `a verdict ${HISTORY.pickSlots.toLocaleString('en')} slots later`,
]
const UNIT =
  /\d[\d.,]* ?(?:%|(?:[kMG]?B|bytes|[nµm]?s|seconds?|minutes?|hours?|days?|slots|lines|times|trades|observations|recent|hashes|statements|files|packages)\b)/

/** A row of the table in operating.md. */
function sharedRow([name, { how, cost, pool, share }]: readonly [string, Resource]): string {
  const figure = (most: number | null): string => (most === null ? '–' : most.toLocaleString('en'))
  const most = [pool.pro, pool.free, share.pro, share.free, share.address, share.network].map(figure)
  return `| ${name} | ${how} | ${cost} | ${most.join(' | ')} |`
}

test('operating.md has the table of what callers share', () => {
  const section = read('docs/operating.md').split('## What callers share')[1]!.split('\n## ')[0]!
  const rows = section.split('\n').filter((line) => /^\| [a-z_]+ \| (held|a minute|kept) \|/.test(line))
  assert.deepEqual(rows, Object.entries(SHARED).map(sharedRow))
})

test('every figure of the architecture is one of the code', () => {
  let rest = ARCHITECTURE
  for (const figure of FIGURES) {
    assert.ok(rest.includes(figure), figure)
    rest = rest.replace(figure, '')
  }
  assert.equal(UNIT.exec(rest)?.[0], undefined)
})

const PACKAGES = ['core', 'service', 'lab', 'sandbox', 'page'].map((name) => `packages/${name}/src`)
const CODE = [...PACKAGES, 'scripts', 'clients', 'examples']

/** Code by path, without its comments and without tests. */
const code = new Map(
  [...CODE.flatMap(filesIn), 'openapi.json']
    .filter((path) => /\.(tsx?|mjs|py|json)$/.test(path) && !/\.test(-data)?\.tsx?$|node_modules/.test(path))
    .map((path) => [path, read(path).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')]),
)

/** What is to be added, its examples, and the places where the row sends its reader. */
const additions = [...ARCHITECTURE.matchAll(/^\| ([^|]*?), as (`[^|]*`) \| (.*) \|$/gm)].map(([, what, as, where]) => ({
  what: what!,
  examples: [...as!.matchAll(/`(\w+)`/g)].map(([, word]) => word!),
  places: pathsIn(where!),
}))

test('the rows with an example name every file in which the example stands, and no other', () => {
  assert.ok(additions.length >= 3, 'the rows have lost their examples')
  for (const { what, examples, places } of additions) {
    const example = new RegExp(examples.join('|'), 'i')
    const standing = [...code].filter(([, text]) => example.test(text)).map(([path]) => path)
    const isAt = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
    const forgotten = standing.filter((path) => !places.some((place) => isAt(path, place)))
    assert.deepEqual(forgotten, [], `${what}: not in the row`)
    const others = places.filter((place) =>
      code.has(place) || !isFile(place) ? !standing.some((path) => isAt(path, place)) : !example.test(read(place)),
    )
    assert.deepEqual(others, [], `${what}: without the example`)
  }
})

const TYPE = /^export (?:abstract )?(?:interface|type|class) ([A-Z][a-z]+)\b/gm
const terms = [...read('docs/glossary.md').matchAll(/^\| (\*\*.*?) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/\*\*(.+?)\*\*/g)].map(([, term]) => term!.toLowerCase()),
)

/** A word as names and terms have it in common: without case and plural. */
const bare = (word: string): string => word.toLowerCase().replace(/s$/, '')

test('every term of the glossary stands in names of the code', () => {
  const names = new Set([...code.values()].flatMap((text) => text.toLowerCase().match(/\b[a-z_]\w+/g) ?? []))
  const isNamed = (word: string): boolean => [...names].some((name) => name.includes(bare(word)))
  assert.deepEqual(
    terms.filter((term) => !term.split(' ').every(isNamed)),
    [],
  )
})

/** From this many folders on, a shared noun belongs to the common language. */
const SHARED_BY = 4

test('every noun of the domain that four folders share has its row in the glossary', () => {
  const folderOf = (path: string): string => /^packages\/\w+\/src\/(\w+)\//.exec(path)?.[1] ?? ''
  const sources = [...code].filter(([path]) => !['', 'base', 'config'].includes(folderOf(path)))
  const users = new Map<string, Set<string>>()
  for (const [path, text] of sources)
    for (const [, name] of text.matchAll(TYPE)) users.set(`${path} ${name}`, new Set([folderOf(path)]))
  const targetOf = (path: string, from: string): string =>
    from.startsWith('@ti/') ? from.replace(/^@ti\/(\w+)\//, 'packages/$1/src/') : join(dirname(path), from)
  for (const [path, text] of sources)
    for (const [, names, from] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '((?:\.|@ti\/)[^']*)'/gm))
      for (const [name] of names!.matchAll(/\b[A-Z]\w+/g))
        users.get(`${targetOf(path, from!)} ${name}`)?.add(folderOf(path))
  const shared = [...users].filter(([, folders]) => folders.size >= SHARED_BY).map(([at]) => at.split(' ')[1]!)
  assert.ok(shared.length > 10, 'nouns are not found any more')
  const known = new Set(terms.map(bare))
  assert.deepEqual(shared.filter((noun) => !known.has(bare(noun))).sort(), [])
})
