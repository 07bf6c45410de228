import { type Counts, count, createCounts } from '../base/counts.ts'
import { NO_SIG, type Sig } from '../base/ids.ts'
import type { RawBlock, RawTransaction } from '../source/types.ts'
import type { Block, ChainEvent } from './events.ts'
import { createPoolBook, type ResolvePool } from './pools.ts'
import { decodeTransaction } from './transaction.ts'

export interface Decoder {
  decodeBlock(block: RawBlock): Block
  /** what was skipped, by reason */
  readonly counts: Counts
}

export interface DecoderOptions {
  /** asked for the pair of a pool that neither the transaction nor an earlier event names */
  readonly resolvePool?: ResolvePool
}

export function createDecoder(options: DecoderOptions = {}): Decoder {
  const counts = createCounts()
  const pools = createPoolBook(options.resolvePool)
  return {
    counts,
    decodeBlock(block) {
      const events: ChainEvent[] = []
      const transactions = distinct(block.transactions, counts)
      for (let i = 0; i < transactions.length; i++) {
        const tx = transactions[i]!
        decodeTransaction(tx, tx.index >= 0 ? tx.index : i, events, counts, pools)
      }
      return {
        kind: 'block',
        slot: block.slot,
        parent: block.parent,
        time: block.time,
        events: ordered(events, counts),
      }
    },
  }
}

/** One transaction for each signature: a source may repeat itself, and a full reading replaces one from logs. */
function distinct(transactions: readonly RawTransaction[], counts: Counts): readonly RawTransaction[] {
  const placeOf = new Map<Sig, number>()
  const kept: RawTransaction[] = []
  for (const tx of transactions) {
    const place = tx.signature === NO_SIG ? undefined : placeOf.get(tx.signature)
    if (place === undefined) {
      if (tx.signature !== NO_SIG) placeOf.set(tx.signature, kept.length)
      kept.push(tx)
      continue
    }
    count(counts, 'duplicate_transaction')
    if (kept[place]!.inner === null && tx.inner !== null) kept[place] = tx
  }
  return kept
}

const compare = (a: ChainEvent, b: ChainEvent): number =>
  a.txIndex - b.txIndex || a.outer - b.outer || a.inner - b.inner

/** The order of truth, each (signature, outer, inner) once. */
function ordered(events: ChainEvent[], counts: Counts): ChainEvent[] {
  let clean = true
  for (let i = 1; i < events.length && clean; i++) clean = compare(events[i - 1]!, events[i]!) < 0
  if (clean) return events
  events.sort(compare)
  return events.filter((event, i) => {
    const previous = i === 0 ? undefined : events[i - 1]!
    const repeated = previous !== undefined && compare(previous, event) === 0 && previous.sig === event.sig
    if (repeated) count(counts, 'duplicate_event')
    return !repeated
  })
}
