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
// Quick files share processes, and so do those in a browser (worker.mjs). suites.mjs has the folders and what a file's name says of it. The seeds are always the
// same; regressions.mjs has more of them.
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
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compiled.mjs'
import { startPostgres } from './postgres.mjs'
import { clock, inMemory, listOf, runScripts } from './processes.mjs'
import { REGRESSIONS } from './regressions.mjs'
import { isAlone, reaches, SUITES, testFiles } from './suites.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const judges = join(root, 'test/judges')
const beganMs = Date.now()
const rest = process.argv[2] === '--rest'
const all = rest || process.argv[2] === '--all'
const words = process.argv.slice(all ? 3 : 2)
const notes = []
const CHANCE = 'test/support/chance.ts'
/** What is shared by browser tests of a process. */
const MARKET = 'test/browser/market.ts'
/** Share of the runs that properties make. */
const DEPTH = all ? 1 : 0.1
/** Processes side by side: more than processors, because many tests wait for something half of their time. */
const AT_ONCE = availableParallelism() + 2
const { TEST_MINUTES } = process.env
const untilMs = TEST_MINUTES ? beganMs + Number(TEST_MINUTES) * 60_000 : Number.MAX_VALUE

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
  console.log('installing the judges (about 1.3 GB in test/judges/node_modules)')
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

// handlers of exit run only so
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

const memory = inMemory()
const total = { passed: 0, skipped: 0, failures: [], outcomes: [] }

/** Runs files, those that `isAlone` names in a process of their own, the others in shared ones. */
async function runFiles(files, concurrency, { env = {}, isAlone = () => true, ...how } = {}) {
  const options = { compiled, env: { TEST_DEPTH: String(DEPTH), ...env }, untilMs }
  const alone = files.filter(isAlone).map((file) => listOf([file], options))
  const shared = listOf(
    files.filter((file) => !isAlone(file)),
    { ...options, workers: concurrency },
  )
  // half of the workers run beside the files that are alone, which mostly wait
  const half = Math.ceil(concurrency / 2)
  const scripts = [
    ...shared.scripts.slice(0, half),
    ...alone.flatMap((list) => list.scripts),
    ...shared.scripts.slice(half),
  ]
  const { passed, skipped, failures } = await runScripts(scripts, concurrency, how)
  total.passed += passed
  total.skipped += skipped
  total.failures.push(...failures)
  total.outcomes.push(...[shared, ...alone].flatMap(({ outcomes }) => outcomes()))
}

/** Runs quick and slow files. */
const runTests = (files, env = {}) =>
  runFiles(files, AT_ONCE, {
    env: { ...memory, ...env },
    // with all their runs, some properties take minutes
    isAlone: (file) => isAlone(file) || (all && reaches(file, CHANCE)),
  })

/** Runs the pinned seeds of these files. */
async function runRegressions(files, { env, say = (text) => process.stdout.write(text), ...how }) {
  for (const { file, seed, depth, found: what } of REGRESSIONS.filter((one) => files.includes(one.file))) {
    say(`\n${file} with seed ${seed}: ${what}\n`)
    const pinned = { ...env, TEST_SEED: String(seed), TEST_DEPTH: String(depth) }
    await runFiles([file], 1, { ...how, say, env: pinned })
  }
}

async function runNodes() {
  const said = []
  const how = { env: server ?? {}, minutes: 40, say: (chunk) => said.push(chunk) }
  // one at a time: each is several programs and servers, and the others run beside it
  await runFiles(nodes, 1, how)
  await runRegressions(nodes, how)
  for (const chunk of said) process.stdout.write(chunk)
}

async function runAll() {
  const beside = runNodes()
  await runTests(tests)
  await runRegressions(tests, { env: memory })
  const onServer =
    server === null ? [] : [...quick, ...slow].filter((file) => reaches(file, 'test/support/database.ts'))
  if (onServer.length > 0) console.log(`\n${onServer.length} files once more, on PostgreSQL`)
  await runTests(onServer, server ?? {})
  await runTests(judging, server ?? {})
  await beside
  // they take descriptors, ports and the processor, and measure
  await runFiles(attacks, 1, { env: server ?? {} })
  // one market for those that only look at it; the others begin services of their own beside them
  const looking = browsing.filter((file) => reaches(file, MARKET))
  const others = browsing.filter((file) => !looking.includes(file))
  await Promise.all([looking, others].map((files) => runFiles(files, 1, { isAlone })))
}

// node:test catches what nobody else does, and the runner would wait for ever
await runAll().catch((error) => give(error.stack))

printSlowest()
const left = total.outcomes.filter(({ outcome }) => outcome === 'left').map(({ file }) => file)
if (left.length > 0)
  console.log(`not run, because ${TEST_MINUTES} minutes were over: ${left.length} files: ${left.join(', ')}`)
for (const note of notes) console.log(note)
if (!all) {
  const others = testFiles(words)
  const list = SUITES.filter(({ name }) => name !== 'quick' && others[name].length > 0)
  const files = list.map(({ name, holds }) => `${others[name].length} ${holds}`)
  console.log(`not run: ${[...files, "nine tenths of the properties' runs"].join(', ')}. All of it: npm run test:all`)
}
const failed = printFailures()
console.log(`${clock(Date.now() - beganMs)} minutes`)
console.log(`${total.passed} passed, ${failed} failed, ${total.skipped} skipped`)
process.exit(failed > 0 || total.passed === 0 ? 1 : 0)

/** Prints the files that took most, with what they took of the clock and of processors. */
function printSlowest() {
  const ended = total.outcomes.filter(({ outcome }) => outcome === 'ended').sort((a, b) => b.wallS - a.wallS)
  const sum = ended.reduce((seconds, { cpuS }) => seconds + cpuS, 0)
  console.log(`\nslowest of ${ended.length} files, ${Math.round(sum)} s of processors in all (wall, processor)`)
  const seconds = (value) => `${value.toFixed(1).padStart(6)} s`
  for (const { file, wallS, cpuS } of ended.slice(0, 15)) console.log(`${seconds(wallS)} ${seconds(cpuS)}  ${file}`)
}

/** Prints and counts what failed, in its order. A file whose process ended before it has failed, whatever its tests said. */
function printFailures() {
  const cut = total.outcomes.filter(({ outcome }) => outcome === 'cut off')
  for (const { file, name, message } of total.failures)
    console.log(`failed: ${sourceOf(file)}: ${name}: ${message.slice(0, 400).replaceAll(/\s+/g, ' ')}`)
  for (const { file } of cut) console.log(`failed: ${file}: its process ended before it did`)
  return Math.max(total.failures.length, cut.length)
}

/** Path of a compiled file's source from the root of the project. */
function sourceOf(file) {
  const path = file.replace(/^.*\/node_modules\/\.tests-[^/]+\//, '').replace(root, '')
  return path.replace(/(\.tsx)?\.js$/, (_, tsx) => tsx ?? '.ts')
}
