// Which test file belongs to which command, by the ending of its name. tidy.test.ts sees to it that every file has its place.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** the first ending that fits counts */
export const SUITES = [
  { name: 'slow', ending: '.slow.test.ts', command: 'npm run test:all', holds: 'slow files' },
  { name: 'quick', ending: '.test.ts', command: 'npm test', holds: 'quick files' },
  { name: 'nodes', ending: '.nodes.ts', command: 'npm run test:all', holds: 'files with several nodes' },
  { name: 'judges', ending: '.judge.ts', command: 'npm run test:all', holds: 'files with judges' },
  {
    name: 'attacks',
    ending: '.attack.ts',
    command: 'npm run test:all',
    holds: 'attack files that need the machine for themselves',
  },
  { name: 'browser', ending: '.browser.ts', command: 'npm run test:all', holds: 'files in a browser' },
]
/** Folders with tests; CODE are all that tests load. */
const FOLDERS = [...['core', 'service', 'lab', 'sandbox', 'page'].map((name) => `packages/${name}/src`), 'test']
export const CODE = [...FOLDERS, 'scripts', 'bench', 'clients', 'examples']

export const suiteOf = (path) => SUITES.find(({ ending }) => path.endsWith(ending))?.name ?? null

/** Every TypeScript file that may be a test, from the root of the project. */
export const sources = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
      .filter((file) => !file.includes('node_modules')),
  ).sort()

/** Suite → its files whose path has all the words; a word may be several by commas, of which one is enough. */
export function testFiles(words = []) {
  const wanted = (file) => words.every((word) => word.split(',').some((one) => file.includes(one)))
  const files = sources().filter(wanted)
  return Object.fromEntries(SUITES.map(({ name }) => [name, files.filter((file) => suiteOf(file) === name)]))
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^'\n]+\.ts)'/g

/** Whether a file imports another, itself or through the helpers of tests. */
export function reaches(file, target, seen = new Set()) {
  if (file === target) return true
  if (seen.has(file)) return false
  seen.add(file)
  const imported = [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
    .map(([, path]) => resolve(root, dirname(file), path).slice(root.length))
    // a test may write files of its own, whose text has imports
    .filter((path) => path.startsWith('test/') && existsSync(join(root, path)))
  return imported.some((path) => reaches(path, target, seen))
}

/**
 * What a process has once: a file that replaces it has a process of its own, as has one that listens to all of it. What `t.mock`
 * replaces is back when its test ends.
 */
const PROCESS_WIDE =
  /(?<!\bt\.)\bmock\.|\bglobalThis\b|\bconsole\.\w+ = |\bassign\(process\.env\b|\bprocess\.env\.\w+ = |\bprocess\.on\(/

/** Suites whose files share processes. */
const TOGETHER = new Set(['quick', 'browser'])
/** Whether a file has a process of its own: all but those of some suites, and those that replace what belongs to the process. */
export const isAlone = (file) =>
  !TOGETHER.has(suiteOf(file)) || PROCESS_WIDE.test(readFileSync(join(root, file), 'utf8'))
