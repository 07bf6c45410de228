// Runs test files with node:test, compiled beforehand (compiled.mjs). An explicit list, because Node 20 finds nothing by itself
// and calls that a success; no file, or no test in the files, is a failure. Words choose the files whose path has all of them; a
// word may be several by commas, of which one is enough. One file alone also runs without this:
// `node --import tsx --test FILE`, after `npm run build` where it needs the program.
//
//   npm test [-- words]           what a change usually breaks: NAME.test.ts in src, packages/page/src and test, properties with a tenth of
//                                 their runs, databases embedded
//   npm run test:all [-- words]   everything: also NAME.slow.test.ts, properties with all their runs, what uses a database once more
//                                 on PostgreSQL where it is installed, and the suites below
//   npm run test:rest             what test:all runs beyond npm test: CI runs both
//   TEST_MINUTES=40 npm run test:all   as much of it as begins within 40 minutes; the files that are left out are named
//   npm run test:hunt -- MINUTES [words]   other seeds (hunt.mjs)
//
// Quick files share processes (together.mjs). What a file's name says of it stands in suites.mjs. The seeds are always the same;
// regressions.mjs has those that are run besides.
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
// The page is tested in Chromium by test/browser/NAME.browser.ts, after everything else; how fast it is, is measured by
// `npm run bench -- page`. Where Chromium is elsewhere than usual CHROMIUM names it; without one these tests are skipped.
//
// Tests that can use a PostgreSQL server find it in TEST_DATABASE_URL, as a user who may create databases; a server of
// yours named there is used as it is. Without one they are skipped with the reason.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compiled.mjs'
import { startPostgres } from './postgres.mjs'
import { minutes, quickly, run } from './processes.mjs'
import { REGRESSIONS } from './regressions.mjs'
import { reaches, SUITES, testFiles } from './suites.mjs'
import { ended, printFailures, printSlowest } from './times.mjs'
import { groups, scriptOf } from './together.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const judges = join(root, 'test/judges')
const began = performance.now()
const rest = process.argv[2] === '--rest'
const all = rest || process.argv[2] === '--all'
const words = process.argv.slice(all ? 3 : 2)
const notes = []
/** what each file took, written by timed.mjs */
const times = join(mkdtempSync(join(tmpdir(), 'test-times-')), 'times')
/** what failed, written by in-order.mjs */
const failures = join(dirname(times), 'failures')
process.on('exit', () => rmSync(dirname(times), { recursive: true, force: true }))
/** share of the runs that properties make */
const QUICK_DEPTH = 0.1

/**
 * The same lists of files, those that take long and mostly wait evenly among the first half of the others: so that neither several of
 * them run at once for long, nor one alone at the end.
 */
function spread(lists) {
  const isLong = (files) => files.some((file) => /\.slow\.|properties\//.test(file))
  const [long, short] = [lists.filter(isLong), lists.filter((files) => !isLong(files))]
  const step = Math.floor(short.length / (2 * Math.max(1, long.length)))
  return [
    ...long.flatMap((files, i) => [files, ...short.slice(i * step, (i + 1) * step)]),
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
  console.log('installing the judges (about 1 GB in test/judges/node_modules)')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: judges,
    stdio: 'inherit',
  })
  if (status !== 0) give('the judges could not be installed; `npm test` runs without them')
  writeFileSync(stamp, lock)
}

const given = process.env.TEST_DATABASE_URL
delete process.env.TEST_DATABASE_URL

/** Environment of tests on a PostgreSQL server; null where there is none. */
async function preparePostgres() {
  if (given) return { TEST_DATABASE_URL: given }
  const server = await startPostgres().catch((error) => give(error.message))
  if (server.missing !== undefined) {
    notes.push(`${server.missing}: database tests ran on the embedded one only, those that need a server were skipped`)
    return null
  }
  process.on('exit', server.stop)
  return { TEST_DATABASE_URL: server.url }
}

// so that what runs on exit runs
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const found = testFiles(words)
const { quick, slow, nodes, judges: judging, attacks, browser: browsing } = found
if (!all) for (const list of [slow, nodes, judging, attacks, browsing]) list.splice(0)
// npm test has run the others, and nothing of them differs
const repeated = rest ? quick.filter((file) => reaches(file, 'test/support/chance.ts')) : quick
const tests = [...repeated, ...slow]
// what takes longest begins first
const longest = nodes.findIndex((file) => file.endsWith('faults.nodes.ts'))
if (longest > 0) nodes.unshift(...nodes.splice(longest, 1))
if (Object.values(found).every((list) => list.length === 0)) {
  const elsewhere = Object.values(testFiles(words)).flat().length
  give(
    elsewhere > 0
      ? `${elsewhere} files match, none of them quick: npm run test:all -- ${words.join(' ')}`
      : `no test file${words.length > 0 ? ` matches ${words.join(' ')}` : ' found'}`,
  )
}

// tests that need processes run the program as it is built
const building = once(spawn('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }), 'exit')
if (judging.length > 0) installJudges()
const compiled = await compile(root)
const [status] = await building
if (status !== 0) process.exit(1)
const server = all && tests.length + judging.length + nodes.length > 0 ? await preparePostgres() : null

/** Test files side by side: one more than processors, because many of them wait for something half of their time. */
const AT_ONCE = availableParallelism() + 1

const done = { passed: 0, failed: 0, skipped: 0 }
/** TEST_MINUTES: no file begins after so many; what is left is named, and nothing is said of it. Without it everything runs. */
const untilMs = began + Number(process.env.TEST_MINUTES ?? Number.POSITIVE_INFINITY) * 60_000
const left = []
/** processes between two looks at the clock */
const PIECE = 20

/** Each file in a process of its own. */
const runFiles = (files, concurrency, how) =>
  runLists(
    files.map((file) => [file]),
    concurrency,
    how,
  )

/** Each list of files in a process of its own; those that a process did not come to the end of once more, each by itself. */
async function runTogether(files, how) {
  const before = ended(times).length
  // with all their runs some take minutes
  const isLong = (file) => all && reaches(file, 'test/support/chance.ts')
  const lists = spread(groups(files, AT_ONCE, isLong))
  await runLists(lists, AT_ONCE, how)
  const done = new Set([
    ...ended(times)
      .slice(before)
      .map(({ file }) => file),
    ...left,
  ])
  const shared = lists.filter((list) => list.length > 1).flat()
  await runFiles(
    shared.filter((file) => !done.has(file)),
    AT_ONCE,
    how,
  )
}

async function runLists(lists, concurrency, how = {}) {
  if (!Number.isFinite(untilMs)) return runPiece(lists, concurrency, how)
  for (let i = 0; i < lists.length; i += PIECE) {
    const piece = lists.slice(i, i + PIECE)
    if (performance.now() < untilMs) await runPiece(piece, concurrency, how)
    else left.push(...piece.flat())
  }
}

async function runPiece(lists, concurrency, how) {
  if (lists.length === 0) return
  const paths = lists.map((files) => scriptOf(files, compiled))
  const env = { TEST_DEPTH: String(all ? 1 : QUICK_DEPTH), TEST_TIMES: times, TEST_FAILURES: failures, ...how.env }
  const counts = await run(paths, concurrency, { ...how, env })
  for (const name of Object.keys(done)) done[name] += counts[name]
}

/** Seeds that are run besides, of these files. */
async function runRegressions(files, how) {
  for (const { file, seed, depth, found: what } of REGRESSIONS.filter((one) => files.includes(one.file))) {
    const { say = (text) => process.stdout.write(text) } = how
    say(`\n${file} with seed ${seed}: ${what}\n`)
    const env = { ...how.env, TEST_SEED: String(seed), TEST_DEPTH: String(depth) }
    await runFiles([file], 1, { ...how, env })
  }
}

async function runNodes() {
  const said = []
  const how = { env: { ...server, TEST_FILE_MINUTES: '40' }, say: (chunk) => said.push(chunk) }
  // one at a time: each is several programs and servers, and the others run beside it
  await runFiles(nodes, 1, how)
  await runRegressions(nodes, how)
  for (const chunk of said) process.stdout.write(chunk)
}

const beside = runNodes()
await runTogether(tests, quickly())
await runRegressions(tests, quickly())
const onServer = server === null ? [] : [...quick, ...slow].filter((file) => reaches(file, 'test/support/database.ts'))
if (onServer.length > 0) console.log(`\n${onServer.length} files once more, on PostgreSQL`)
await runTogether(onServer, quickly(server ?? {}))
await runFiles(judging, AT_ONCE, quickly(server ?? {}))
await beside
// they take descriptors, ports and the processor, and measure
await runFiles(attacks, 1, { env: server ?? {} })
// a browser has the machine for itself
await runFiles(browsing, 2)

printSlowest(times)
if (left.length > 0)
  console.log(
    `not run, because ${process.env.TEST_MINUTES} minutes were over: ${left.length} files: ${left.join(', ')}`,
  )
for (const note of notes) console.log(note)
if (!all) {
  const others = testFiles(words)
  const list = SUITES.filter(({ name }) => name !== 'quick' && others[name].length > 0)
  const files = list.map(({ name, holds }) => `${others[name].length} ${holds}`)
  console.log(`not run: ${[...files, "nine tenths of the properties' runs"].join(', ')}. All of it: npm run test:all`)
}
printFailures(failures)
console.log(`${minutes(performance.now() - began)} minutes`)
console.log(`${done.passed} passed, ${done.failed} failed, ${done.skipped} skipped`)
process.exit(done.failed > 0 || done.passed === 0 ? 1 : 0)
