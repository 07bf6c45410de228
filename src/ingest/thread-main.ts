import { parentPort, workerData } from 'node:worker_threads'
import type { Counts } from '../base/counts.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'
import { openSource } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import { openPoolReader } from '../store/pool-reader.ts'
import { createEntryStream, type EncodedBatch } from './entries.ts'
import type { FromThread, ThreadData } from './thread.ts'

/** The decoding thread: opens the source, decodes, and sends encoded entries as far as it is asked for more. */
const port = parentPort!
const { spec, dataDir, cursor, followed } = workerData as ThreadData
let credit = 0
let wake = (): void => {}

port.on('message', () => {
  credit++
  wake()
})

async function run(): Promise<void> {
  const pools = openPoolReader(dataDir)
  try {
    const source = await openSource(spec)
    tellStatus(source)
    for (const mint of followed) source.follow?.(mint)
    const stream = createEntryStream(source, LIMITS.batchBytes, { resolvePool: pools.resolve })
    for await (const batch of stream.batches(cursor, new AbortController().signal)) {
      while (credit === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      credit--
      send(batch, stream.counts)
    }
    port.postMessage({ kind: 'end', counts: stream.counts } satisfies FromThread)
  } finally {
    await pools.close()
  }
}

/** Also while no block comes: that is when it matters. */
function tellStatus(source: Source): void {
  if (source.status === undefined) return
  const tell = (): void => port.postMessage({ kind: 'status', status: source.status!() } satisfies FromThread)
  setInterval(tell, LIMITS.sourceStatusMs).unref()
}

function send(batch: EncodedBatch, counts: Counts): void {
  const bytes = new Uint8Array(Buffer.concat(batch as Buffer[]))
  const lengths = Uint32Array.from(batch, (entry) => entry.length)
  port.postMessage({ kind: 'batch', bytes, lengths, counts } satisfies FromThread, [bytes.buffer, lengths.buffer])
}

run()
  .catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error
    const { message, exitCode = EXIT.failed } = error
    port.postMessage({ kind: 'refused', message, exitCode } satisfies FromThread)
  })
  .finally(() => port.close())
