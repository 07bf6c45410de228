import type { EncodedBatch, EntryStream } from '@ti/service/ingest/entries.ts'
import { encodeEntry } from '@ti/service/log/codec.ts'
import type { Node } from '@ti/service/service/node.ts'
import type { Market } from './market.ts'

/** Entries that are made ahead of the pipeline. */
const BATCH = 64

export interface FeedOptions {
  /** first entry that is not fed any more */
  readonly end: number
  /** events of a commit; the market's own where it is left out */
  readonly commitEvents?: number
  readonly onCommit?: () => void
  /** of another build, whose log has its own version */
  readonly encode?: typeof encodeEntry
  readonly signal?: AbortSignal
}

/** Feeds the market's entries through the service's own pipeline, from the one after the newest in the node's log on. */
export async function feedMarket(node: Node, market: Market, options: FeedOptions): Promise<void> {
  const { end, commitEvents, onCommit } = options
  const signal = options.signal ?? new AbortController().signal
  for (let seq = node.store.log.newest() + 1; seq < end && !signal.aborted; seq = node.store.log.newest() + 1) {
    const phaseEnd = commitEvents === undefined ? Math.min(end, market.phaseEnd(seq)) : end
    const commit = { events: commitEvents ?? market.commitEvents(seq), delayMs: 60_000 }
    const pipeline = node.feed(entriesOf(market, seq, phaseEnd, signal, options.encode), {
      commit,
      ...(onCommit && { onCommit }),
    })
    await pipeline.run(signal)
    if (signal.aborted) return
    const newest = node.store.log.newest()
    if (newest !== phaseEnd - 1) throw new Error(`fed entries up to ${phaseEnd - 1}, the log ends at ${newest}`)
  }
}

function entriesOf(market: Market, from: number, end: number, signal: AbortSignal, encode = encodeEntry): EntryStream {
  async function* batches(): AsyncIterable<EncodedBatch> {
    for (let seq = from; seq < end && !signal.aborted; ) {
      const batch: Buffer[] = []
      // the encoder's buffer is its own
      while (batch.length < BATCH && seq < end) batch.push(Buffer.from(encode(market.entry(seq++))))
      yield batch
    }
  }
  return { batches, counts: new Map() }
}
