// Runs every test file with node:test, compiled beforehand (compiled.mjs). An explicit list, because Node 20 finds nothing
// by itself and calls that a success; no file, or no test in the files, is a failure. Words choose the files whose path has
// all of them; a word may be several by commas, of which one is enough. One file alone also runs without this:
// `node --import tsx --test FILE`, after `npm run build` where it needs the program.
//
//   npm test [-- words]           what a clean clone can run: *.test.ts in src, web/src and test
//   npm run test:all [-- words]   also several nodes, the judges, the attacks that need the machine for themselves, the page in a
//                                 browser, and PostgreSQL where it is installed
//
// Several nodes over real servers are test/nodes/NAME.nodes.ts. They take minutes and mostly wait, so they run beside the
// others, and what they say comes when they are done.
// nats-server is looked for where Debian puts it, or where NATS_SERVER says; without one they are skipped.
//
// A judge is a file test/judges/NAME.judge.ts: a test that lets a client or linter of others judge the service. To add
// one, add its package with the exact version to test/judges/package.json, refresh the lock (`npm install
// --package-lock-only` in that folder), and write the file; it is found by its name. tools.ts there runs a package's
// command (`bin`, `runNode`) and knows a Node 22 for those that need it (`NODE_22`, null off Linux on x64: skip with
// the reason). A judge that imports a package does so by a name the compiler does not follow, because the judges' folder
// is not installed when types are checked: `const { wrapFetchWithPayment } = await import('x402-fetch' as string)`.
//
// The page is tested in Chromium by test/browser/NAME.browser.ts, after everything else; speed.browser.ts last and alone,
// because it measures. Where Chromium is elsewhere than usual CHROMIUM names it; without one these tests are skipped.
//
// Tests that can use a PostgreSQL server find it in TEST_DATABASE_URL, as a user who may create databases; a server of
// yours named there is used as it is. Without one they use the embedded database or skip themselves with the reason.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compiled.mjs'
import { startPostgres } from './postgres.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const judges = join(root, 'test/judges')
const all = process.argv[2] === '--all'
const wanted = process.argv.slice(all ? 3 : 2)
const notes = []

const has = (file) => (word) => word.split(',').some((one) => file.includes(one))

const find = (folder, ending) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.includes('node_modules') && wanted.every(has(file)))

/**
 * The same files, those that take long and mostly wait evenly among the first half of the others: so that neither several of
 * them run at once for long, nor one alone at the end.
 */
function spread(files, isLong) {
  const [long, short] = [files.filter(isLong), files.filter((file) => !isLong(file))]
  const step = Math.floor(short.length / (2 * Math.max(1, long.length)))
  return [
    ...long.flatMap((file, i) => [file, ...short.slice(i * step, (i + 1) * step)]),
    ...short.slice(long.length * step),
  ]
}

function give(message) {
  console.error(message)
  process.exit(1)
}

/** Installs the judges' packages when the lock is not the one that was installed last. */
function installJudges() {
  const stamp = join(judges, 'node_modules/.installed')
  const lock = createHash('sha256')
    .update(readFileSync(join(judges, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log('installing the judges (about 700 MB in test/judges/node_modules)')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: judges,
    stdio: 'inherit',
  })
  if (status !== 0) give('the judges could not be installed; `npm test` runs without them')
  writeFileSync(stamp, lock)
}

async function preparePostgres() {
  if (process.env.TEST_DATABASE_URL) return
  const server = await startPostgres().catch((error) => give(error.message))
  if (server.missing !== undefined) {
    notes.push(`${server.missing}: tests ran on the embedded database, those that need a server were skipped`)
    return
  }
  process.on('exit', server.stop)
  process.env.TEST_DATABASE_URL = server.url
}

// so that what runs on exit runs
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const tests = [...find('src', '.test.ts'), ...find('web/src', '.test.ts'), ...find('test', '.test.ts')]
const judging = all ? find('test/judges', '.judge.ts') : []
const nodes = all ? find('test/nodes', '.nodes.ts').sort() : []
// what takes longest begins first
const longest = nodes.findIndex((file) => file.endsWith('faults.nodes.ts'))
if (longest > 0) nodes.unshift(...nodes.splice(longest, 1))
const attacks = all ? find('test/attacks', '.attack.ts') : []
const files = spread(
  [...tests, ...judging].sort(),
  (file) => file.includes('test/simulation/') || file.includes('test/properties/'),
)
const browsing = all ? find('test/browser', '.browser.ts').sort() : []
if (files.length + nodes.length + attacks.length + browsing.length === 0)
  give(`no test file${wanted.length > 0 ? ` matches ${wanted.join(' ')}` : ' found'}`)

// tests that need processes run the program as it is built
const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(1)
process.env.TEST_TEMPLATES ??= tmpdir()
if (judging.length > 0) installJudges()
const compiled = await compile(root)
const { makeTemplate } = await import(compiled(join(root, 'test/accounts-template.ts')))
await makeTemplate()
if (all && tests.length + nodes.length > 0) await preparePostgres()

/**
 * Databases of tests are thousands of small files: where there is room for them in memory they are made there, unless TMPDIR
 * says where. Several nodes and the page stay on the disk.
 */
function inMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < MEMORY_BYTES) return {}
  const TMPDIR = mkdtempSync(join(MEMORY, 'tests-'))
  process.on('exit', () => rmSync(TMPDIR, { recursive: true, force: true }))
  return { TMPDIR }
}
const MEMORY = '/dev/shm'
/** many times what they ever took together */
const MEMORY_BYTES = 4 * 2 ** 30
/**
 * The embedded database is WebAssembly: in processes that live for seconds compiling it well costs more than it gives. The
 * page's service runs as it does elsewhere.
 */
const quickly = () => ({ flags: ['--liftoff-only'], env: inMemory() })

/** Runs test files and counts what they did; `say` gets what they print. */
function run(paths, concurrency, { flags = [], env = {}, say = (chunk) => process.stdout.write(chunk) } = {}) {
  const args = [...flags, '--enable-source-maps', join(root, 'test/in-order.mjs'), concurrency, ...paths.map(compiled)]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill()
  process.on('exit', kill)
  let tail = ''
  child.stdout.on('data', (chunk) => {
    say(chunk)
    tail = (tail + chunk).slice(-100_000)
  })
  return new Promise((done) =>
    child.on('close', (code) => {
      process.off('exit', kill)
      const total = (name) => Number(tail.match(new RegExp(`^. ${name} (\\d+)$`, 'm'))?.[1] ?? 0)
      const [passed, failed, skipped] = ['pass', 'fail', 'skipped'].map(total)
      done({ passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped })
    }),
  )
}

/** Test files side by side: one more than processors, because many of them wait for something half of their time. */
const AT_ONCE = availableParallelism() + 1

const done = { passed: 0, failed: 0, skipped: 0 }
const measures = (file) => file.endsWith('speed.browser.ts')
const add = (counts) => {
  for (const name of Object.keys(done)) done[name] += counts[name]
}

async function runBeside(paths) {
  const said = []
  const counts = await run(paths, 2, { say: (chunk) => said.push(chunk) })
  for (const chunk of said) process.stdout.write(chunk)
  add(counts)
}

const beside = nodes.length === 0 ? null : runBeside(nodes)
for (const [paths, concurrency, how] of [
  [files, AT_ONCE, files.length > 0 ? quickly() : {}],
  // they take descriptors, ports and the processor, and measure
  [attacks, 1],
  [browsing.filter((file) => !measures(file)), 2],
  [browsing.filter(measures), 1],
]) {
  if (paths.length > 0) add(await run(paths, concurrency, how))
  // a browser has the machine for itself
  await beside
}
for (const note of notes) console.log(note)
console.log(`${done.passed} passed, ${done.failed} failed, ${done.skipped} skipped`)
process.exit(done.failed > 0 || done.passed === 0 ? 1 : 0)
