import { parentPort, workerData } from 'node:worker_threads'
import type { Counts } from '@ti/core/base/counts.ts'
import { createUnknownBook, UNKNOWN, type UnknownBook } from '@ti/core/decode/unknown.ts'
import { OperatorError } from '../base/errors.ts'
import { createPoller } from '../base/poller.ts'
import { processTroubles } from '../base/troubles.ts'
import type { Holding } from '../source/followed-holders.ts'
import { openSource } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import { openPoolReader } from '../store/pool-reader.ts'
import { BATCH_BYTES, createEntryStream, type EncodedBatch } from './entries.ts'
import { type FromThread, type FromThreadLast, MORE, STOP, type ThreadData, type ToThread } from './thread.ts'

/** milliseconds between two words of a live source about itself */
const SOURCE_STATUS_MS = 1_000

/**
 * The decoding thread: opens the source, decodes, and sends encoded entries as credit allows. It sends its last message
 * when everything it opened is closed.
 */
const port = parentPort!
const { spec, dataDir, cursor, followed, unknownAfter } = workerData as ThreadData
let credit = 0
let wake = (): void => {}
const stop = new AbortController()
let source: Source | null = null

port.on('message', (message: ToThread) => {
  if (message === STOP) stop.abort()
  else if (message === MORE) credit++
  else if (message.kind === 'holders') followHolders(message.holdings)
  else source?.followFunders?.(message.funders)
  wake()
})

function followHolders(holdings: readonly Holding[]): void {
  const following = source?.followHolders?.(holdings)
  following?.catch((error: unknown) => processTroubles.note('following holders', error))
}

async function run(): Promise<FromThreadLast> {
  const pools = openPoolReader(dataDir)
  const unknown = unknownAfter === null ? null : createUnknownBook(UNKNOWN, unknownAfter)
  let isFirst = true
  try {
    source = await openSource(spec)
    const sendStatus = createStatusSender(source)
    for (const mint of followed) source.follow?.(mint)
    const noted = unknown === null ? {} : { unknown }
    const stream = createEntryStream(source, BATCH_BYTES, { resolvePool: pools.resolve, ...noted })
    for await (const batch of stream.batches(cursor, stop.signal)) {
      while (credit === 0 && !stop.signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (stop.signal.aborted) break
      credit--
      // before the first block, so that the source's status is known with it
      if (isFirst) sendStatus()
      isFirst = false
      send(batch, stream.counts, unknown)
    }
    return { kind: 'end', counts: stream.counts, unknown: unknown?.drain() ?? [] }
  } finally {
    await pools.close()
  }
}

/** Also runs while no blocks arrive, when the status matters most. */
function createStatusSender(source: Source): () => void {
  if (source.status === undefined) return () => {}
  const sendStatus = (): void => port.postMessage({ kind: 'status', status: source.status!() } satisfies FromThread)
  createPoller({ what: 'status of the source', everyMs: SOURCE_STATUS_MS, run: sendStatus })
  return sendStatus
}

function send(batch: EncodedBatch, counts: Counts, book: UnknownBook | null): void {
  const bytes = new Uint8Array(Buffer.concat(batch as Buffer[]))
  const lengths = Uint32Array.from(batch, (entry) => entry.length)
  const unknown = book?.drain() ?? []
  const message: FromThread = { kind: 'batch', bytes, lengths, counts, unknown }
  port.postMessage(message, [bytes.buffer, lengths.buffer])
}

function refusal(error: unknown): FromThreadLast {
  if (!(error instanceof OperatorError)) throw error
  return { kind: 'refused', message: error.message, exitCode: error.exitCode }
}

run()
  .catch(refusal)
  .then((last) => port.postMessage(last))
  .finally(() => port.close())
