import { type Counts, count, createCounts } from '../base/counts.ts'
import { NO_SIG, type Sig } from '../base/ids.ts'
import type { Block, TransactionTerms } from '../model/entries.ts'
import type { ChainEvent } from '../model/events.ts'
import type { RawBlock, RawTransaction } from '../model/raw.ts'
import { createPoolBook, type ResolvePool } from './pools.ts'
import { noteRoles } from './roles.ts'
import { termsOf, tipOf, type Versioned } from './terms.ts'
import { decodeTransaction } from './transaction.ts'
import type { UnknownBook } from './unknown.ts'

export interface Decoder {
  decodeBlock(block: RawBlock): Block
  /** Skipped items by reason. */
  readonly counts: Counts
}

export interface DecoderOptions {
  /** Looks up the pair of a pool that neither the transaction nor an earlier event names. */
  readonly resolvePool?: ResolvePool
  /** Collects unknown events and instructions. */
  readonly unknown?: UnknownBook
}

export function createDecoder(options: DecoderOptions = {}): Decoder {
  const counts = createCounts()
  const pools = createPoolBook(options.resolvePool)
  const { unknown = null } = options
  return {
    counts,
    decodeBlock(block) {
      unknown?.begin(block.slot, block.time)
      const events: ChainEvent[] = []
      const transactions = distinct(block.transactions, counts)
      const terms: TransactionTerms[] = []
      let inOrder = true
      for (let i = 0; i < transactions.length; i++) {
        const tx = transactions[i]!
        const before = events.length
        const tip = decodeTransaction(tx, tx.index >= 0 ? tx.index : i, events, counts, pools, unknown)
        if (!isOrdered(events, before)) inOrder = order(events, before) && inOrder
        if (events.length > before && isVersioned(tx)) terms.push(termsOf(tx, tip, events, before))
      }
      const { slot, parent, time } = block
      const read = {
        kind: 'block' as const,
        slot,
        parent,
        time,
        events: inOrder ? events : distinctEvents(events, counts),
      }
      if (terms.length === 0) return read
      return { ...read, terms: inOrder ? terms : termsAmong(read.events, transactions) }
    },
  }
}

const isVersioned = (tx: RawTransaction): tx is Versioned => tx.version !== null && tx.signature !== NO_SIG

/** Terms of the transactions that have events, at each one's first event, if events were reordered. */
function termsAmong(
  events: readonly ChainEvent[],
  transactions: readonly RawTransaction[],
): readonly TransactionTerms[] {
  const bySig = new Map(transactions.filter(isVersioned).map((tx) => [tx.signature, tx]))
  const all: TransactionTerms[] = []
  for (let event = 0; event < events.length; ) {
    const { sig } = events[event]!
    let end = event + 1
    while (end < events.length && events[end]!.sig === sig) end++
    const tx = bySig.get(sig)
    if (tx !== undefined) {
      noteRoles(tx.keys)
      all.push(termsOf(tx, tipOf(tx), events, event, end))
    }
    bySig.delete(sig)
    event = end
  }
  return all
}

/** One transaction per signature: a source may repeat itself, and a full transaction replaces one from logs. */
function distinct(transactions: readonly RawTransaction[], counts: Counts): readonly RawTransaction[] {
  const seen = new Set<Sig>()
  let unsigned = 0
  for (let i = 0; i < transactions.length; i++) {
    const { signature } = transactions[i]!
    if (signature === NO_SIG) unsigned++
    else seen.add(signature)
  }
  return seen.size + unsigned === transactions.length ? transactions : withoutRepeated(transactions, counts)
}

function withoutRepeated(transactions: readonly RawTransaction[], counts: Counts): readonly RawTransaction[] {
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

/** One payload may give events of several kinds, in the order in which they were pushed. */
const follows = (a: ChainEvent, b: ChainEvent): boolean => {
  const order = compare(a, b)
  return order < 0 || (order === 0 && a.sig === b.sig && a.kind !== b.kind)
}

/** True if each event from `start` on follows the one before it. */
function isOrdered(events: readonly ChainEvent[], start: number): boolean {
  for (let i = Math.max(start, 1); i < events.length; i++) if (!follows(events[i - 1]!, events[i]!)) return false
  return true
}

/** Orders the events of one transaction, from `start` on; false if that is not enough. */
function order(events: ChainEvent[], start: number): boolean {
  events.push(...events.splice(start).sort(compare))
  return isOrdered(events, start)
}

/** Events in chain order, each (signature, outer, inner, kind) once. */
function distinctEvents(events: ChainEvent[], counts: Counts): ChainEvent[] {
  events.sort(compare)
  return events.filter((_, i) => {
    const repeated = isRepeated(events, i)
    if (repeated) count(counts, 'duplicate_event')
    return !repeated
  })
}

function isRepeated(events: readonly ChainEvent[], i: number): boolean {
  const event = events[i]!
  for (let j = i - 1; j >= 0 && compare(events[j]!, event) === 0; j--)
    if (events[j]!.sig === event.sig && events[j]!.kind === event.kind) return true
  return false
}
