// Runs lists of test files in processes (worker.mjs) under node:test's runner, and tells what became of every file.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { reaches } from './suites.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const WORKER = new URL('worker.mjs', import.meta.url).href
/** Their hooks close what the files of a process share. */
const SHARED = ['test/support/database.ts', 'test/browser/market.ts']
const MINUTE_MS = 60_000
/** A process that hangs fails after these minutes, so that the others go on. */
const PROCESS_MINUTES = Number(process.env.TEST_FILE_MINUTES ?? 20)

function temporary(parent) {
  const path = mkdtempSync(join(parent, 'tests-'))
  process.on('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}
const folder = temporary(tmpdir())
let lists = 0

const MEMORY = '/dev/shm'
/** Tests never had more than a small share of this in it. */
const MEMORY_BYTES = 4 * 2 ** 30

/** Environment in which temporary files are made in memory where it has room: tests sync many small files. */
export function inMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize < MEMORY_BYTES ? {} : { TMPDIR: temporary(MEMORY) }
}

/**
 * A list of files for processes that share it: the processes' scripts, and what became of each file so far. No file begins after
 * `untilMs`. `compiled` tells where a file's compiled form is.
 */
export function listOf(files, { compiled, workers = 1, env = {}, untilMs = Number.MAX_VALUE }) {
  const id = lists++
  const notes = join(folder, String(id))
  mkdirSync(notes)
  const paths = files.map((name) => ({
    name,
    path: compiled(join(root, name)),
    note: join(notes, name.replaceAll('/', '-')),
  }))
  const first = SHARED.filter((module) => files.some((file) => reaches(file, module))).map((module) =>
    compiled(join(root, module)),
  )
  // each process begins with a file that is only its own: node:test would count one without tests as a test
  const scripts = paths.slice(0, workers).map((own, i) => {
    const script = join(folder, `${id}-${i}.mjs`)
    const task = { files: [own, ...paths.slice(workers)], untilMs, env, first }
    writeFileSync(script, `import { work } from '${WORKER}'\nawait work(${JSON.stringify(task)})\n`)
    return script
  })
  const outcomeOf = ({ name: file, note }) => {
    const text = existsSync(note) ? readFileSync(note, 'utf8') : null
    if (text) return { file, outcome: 'ended', ...JSON.parse(text) }
    return { file, outcome: text === null && Date.now() > untilMs ? 'left' : 'cut off' }
  }
  return { scripts, outcomes: () => paths.map(outcomeOf) }
}

/** Runs scripts in their order, `concurrency` at a time. Resolves to the numbers of tests and to the failures with their files. */
export async function runScripts(scripts, concurrency, options = {}) {
  const { say = (chunk) => process.stdout.write(chunk), signal, minutes = PROCESS_MINUTES } = options
  const total = { passed: 0, skipped: 0, failures: [] }
  if (scripts.length === 0) return total
  const report = run({ files: scripts, concurrency, timeout: minutes * MINUTE_MS, signal })
    .on('test:pass', ({ name, skip, details }) => {
      if (details.type !== 'suite' && !scripts.includes(name)) total[skip === undefined ? 'passed' : 'skipped']++
    })
    .on('test:fail', ({ name, file, details: { error } }) => {
      // a suite or process that failed by its tests is no failure itself
      if (error.failureType === 'subtestsFailed') return
      const message = String(error.cause?.message ?? error.cause ?? error.message)
      total.failures.push({ file: file ?? name, name, message })
    })
    .compose(new spec())
  for await (const chunk of report) say(chunk)
  return total
}

export const clock = (ms) => `${Math.floor(ms / MINUTE_MS)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`
