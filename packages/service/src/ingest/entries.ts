import type { Counts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createDecoder, type Decoder, type DecoderOptions } from '@ti/core/decode/block.ts'
import type { Block, Facts, LogEntry } from '@ti/core/model/entries.ts'
import { isAtHand } from '../base/arrival.ts'
import { isLogToBeNamed } from '../log/chain.ts'
import { encodeEntry } from '../log/codec.ts'
import type { Funders } from '../source/followed-funders.ts'
import type { Holding } from '../source/followed-holders.ts'
import type { Source, SourceCursor, SourceItem, SourceStatus } from '../source/source.ts'

/** encoded bytes of one batch of entries */
export const BATCH_BYTES = 256 << 10

/** Encoded log entries in order. */
export type EncodedBatch = readonly Buffer[]

/** A source of entries, decoded and encoded in this thread or another. */
export interface EntryStream {
  batches(cursor: SourceCursor, signal: AbortSignal): AsyncIterable<EncodedBatch>
  /** Items the decoder skipped so far, by reason. */
  readonly counts: Counts
  /** The status of a live source; null before its first report. */
  status?(): SourceStatus | null
  /** See Source; effective while batches are taken. */
  followHolders?(holdings: readonly Holding[]): void
  followFunders?(funders: Funders): void
}

/** Decodes and encodes in the caller's thread. A batch ends when it is large, or when the source is not ready. */
export function createEntryStream(
  source: Source,
  bytesMax = BATCH_BYTES,
  decoderOptions: DecoderOptions = {},
): EntryStream {
  const decoder = createDecoder(decoderOptions)
  return {
    counts: decoder.counts,
    batches: (cursor, signal) => batchesOf(source, decoder, bytesMax, cursor, signal),
  }
}

async function* batchesOf(
  source: Source,
  decoder: Decoder,
  bytesMax: number,
  cursor: SourceCursor,
  signal: AbortSignal,
): AsyncIterable<EncodedBatch> {
  const chain = (await source.chain?.(signal)) ?? null
  if (signal.aborted) return
  // alone, so that it is the first entry also where others add theirs
  if (isLogToBeNamed(cursor.chain ?? '', chain)) yield [encodeEntry({ kind: 'chain', name: chain! })]
  const items = source.items(cursor, signal)[Symbol.asyncIterator]()
  let batch: Buffer[] = []
  let bytes = 0
  try {
    for (let next = items.next(); ; next = items.next()) {
      if (batch.length > 0 && (bytes >= bytesMax || !(await isAtHand(next)))) {
        yield batch
        batch = []
        bytes = 0
      }
      const { done, value } = await next
      if (done === true || signal.aborted) break
      const entry = toEntry(value, decoder)
      if (source.follow !== undefined) followLaunches(entry, source.follow)
      for (const one of withFundings(entry, source)) {
        const encoded = encodeEntry(one)
        bytes += encoded.length
        batch.push(encoded)
      }
    }
    if (batch.length > 0) yield batch
  } finally {
    await items.return?.()
  }
}

function followLaunches(entry: LogEntry, follow: (mint: Key) => void): void {
  if (entry.kind === 'block') for (const event of entry.events) if (event.kind === 'create') follow(event.mint)
}

/**
 * A block with the first fundings of its wallets that the source saw. Payments of earlier slots come before the block,
 * so that the first trade finds them and no lookup is needed; those of its own slot come after it.
 */
function withFundings(entry: LogEntry, source: Source): readonly LogEntry[] {
  if (entry.kind !== 'block') return [entry]
  const fundings = source.fundingsOf?.(entry.events) ?? []
  if (fundings.length === 0) return [entry]
  const earlier = fundings.filter(({ slot }) => slot < entry.slot)
  const now = fundings.filter(({ slot }) => slot >= entry.slot)
  return [...factsAt(entry, earlier), entry, ...factsAt(entry, now)]
}

/** Facts marked as not the source's own: a live source does not repeat them, so its cursor must not count them. */
const factsAt = ({ time }: Block, facts: Facts['facts']): Facts[] =>
  facts.length === 0 ? [] : [{ kind: 'facts', time, byOperator: true, facts }]

function toEntry(item: SourceItem, decoder: Decoder): LogEntry {
  if (item.kind === 'raw') return decoder.decodeBlock(item.block)
  if (item.kind === 'facts') return { ...item, byOperator: false }
  if (item.kind === 'gap') return item
  return { kind: 'block', slot: item.slot, parent: item.parent, time: item.time, events: item.events }
}
