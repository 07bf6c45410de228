// node FLAGS test/in-order.mjs CONCURRENCY FILES: test files in the order that is given, where `node --test` sorts them.
// Flags are handed on to the process of each file.
import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** milliseconds a file may take: what hangs is to fail, and not to hold up the others */
const FILE_MS = Number(process.env.TEST_FILE_MINUTES ?? 20) * 60_000

/** milliseconds between two looks for what ended files have left running */
const LOOK_MS = 10_000

const [concurrency, ...files] = process.argv.slice(2)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
run({ files, concurrency: Number(concurrency), timeout: FILE_MS, signal: stop.signal })
  .on('test:fail', ({ name, file, details: { error } }) => {
    process.exitCode = 1
    // a suite or file that failed by its tests is none itself
    if (error.failureType === 'subtestsFailed') return
    const failure = { file: file ?? name, name, message: String(error.cause?.message ?? error.cause ?? error.message) }
    if (process.env.TEST_FAILURES) appendFileSync(process.env.TEST_FAILURES, `${JSON.stringify(failure)}\n`)
  })
  .compose(new spec())
  .pipe(process.stdout)

// What a file that was ended leaves running holds its output, and the run would wait for that for ever. This process leads a
// group (processes.mjs): whoever is in it without a parent in it has lost its test.
setInterval(() => {
  execFile('ps', ['-eo', 'pid=,ppid=,pgid='], (error, stdout) => {
    if (error !== null) return
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
    const group = new Map(rows.filter(([, , leader]) => leader === process.pid))
    for (const [pid, parent] of group) if (pid !== process.pid && !group.has(parent)) end(pid)
  })
}, LOOK_MS).unref()

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}
