// node FLAGS test/in-order.mjs CONCURRENCY FILES: test files in the order that is given, where `node --test` sorts them.
// Flags are handed on to the process of each file.
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const [concurrency, ...files] = process.argv.slice(2)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
run({ files, concurrency: Number(concurrency), signal: stop.signal })
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)
