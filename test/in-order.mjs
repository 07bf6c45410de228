// node FLAGS test/in-order.mjs CONCURRENCY FILES: test files in the order that is given, where `node --test` sorts them.
// Flags are handed on to the process of each file.
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** milliseconds a file may take: what hangs is to fail, and not to hold up the others */
const FILE_MS = Number(process.env.TEST_FILE_MINUTES ?? 20) * 60_000

const [concurrency, ...files] = process.argv.slice(2)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
run({ files, concurrency: Number(concurrency), timeout: FILE_MS, signal: stop.signal })
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)
