import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import type { Clock } from '../../base/clock.ts'
import type { SourceItem } from '../source.ts'
import { ahead } from './ahead.ts'
import type { BlockFetcher, SignatureEntry } from './fetcher.ts'
import { RETRIES } from './fetcher.ts'
import { placed } from './places.ts'
import { createRangeFill } from './range-fill.ts'
import { createSlotOrder } from './slot-order.ts'

/** slots of transactions fetched ahead */
const TRANSACTIONS_AHEAD = 8

/** It cannot go on now; what was had stays. */
export class BackfillStopped extends Error {
  override readonly name = 'BackfillStopped'
  readonly reason: 'budget' | 'unanswered' | 'too_old' | 'interrupted'

  constructor(reason: BackfillStopped['reason']) {
    super(`backfill stopped: ${reason}`)
    this.reason = reason
  }
}

export interface BackfillOptions {
  readonly fetcher: BlockFetcher
  readonly counts: Counts
  readonly clock: Clock
  readonly signal: AbortSignal
  /** newest slot that is there already, -1 none */
  readonly reached: number
  /** slots that are done */
  readonly onSlot: (slot: number) => void
}

/** Blocks of [from, to] behind what is there, and the gaps among them. Throws BackfillStopped. */
export async function* backfillSlots(from: number, to: number, options: BackfillOptions): AsyncGenerator<SourceItem> {
  const { fetcher, counts, clock, signal, onSlot } = options
  const before = Math.max(from - 1, options.reached)
  const order = createSlotOrder({ slot: before, time: 0 })
  const rangeFill = createRangeFill({
    fetcher,
    order,
    counts,
    clock,
    signal,
    onSlot,
    retry: async (miss, asked) => stopOr(fetcher, miss, asked),
  })
  const kept = Math.min(to + 1, await fetcher.firstAvailable(signal))
  if (kept > before + 1) {
    count(counts, 'slots_the_node_no_longer_has', kept - before - 1)
    order.giveUp(before + 1, kept - 1)
  }
  yield* rangeFill.fill(Math.max(before + 1, kept), to)
  if (signal.aborted) throw new BackfillStopped('interrupted')
  yield* order.end()
}

/** True: it may be asked again. */
function stopOr({ rpc }: BlockFetcher, miss: 'unanswered' | 'too_old', asked: number): boolean {
  if (miss === 'too_old') throw new BackfillStopped('too_old')
  if (rpc.exhausted) throw new BackfillStopped('budget')
  if (asked >= RETRIES) throw new BackfillStopped('unanswered')
  return true
}

/**
 * The successful transactions of a list in the order of the chain, as blocks that hold them alone, with their places where
 * the node gives all of them; parents are not known. Throws BackfillStopped.
 */
export async function* backfillTransactions(
  newestFirst: readonly SignatureEntry[],
  { fetcher, counts, signal, reached, onSlot }: BackfillOptions,
): AsyncGenerator<SourceItem> {
  const get = async (entries: readonly SignatureEntry[]): Promise<RawBlock | null> => {
    const { slot } = entries[0]!
    const found = await Promise.all(entries.map((entry) => transactionOf(entry, fetcher, counts, signal)))
    const had = found.filter((one) => one !== null)
    if (had.length === 0) return null
    const time = Math.max(0, ...had.map((one) => one.time))
    return { slot, parent: -1, time, transactions: placed(had.map((one) => one.transaction)) }
  }
  const order = createSlotOrder({ slot: reached, time: 0 })
  for await (const [entries, block] of ahead(bySlot(newestFirst, reached, counts), TRANSACTIONS_AHEAD, get)) {
    if (signal.aborted) throw new BackfillStopped('interrupted')
    if (block !== null) yield* order.take(block)
    onSlot(entries[0]!.slot)
  }
}

async function transactionOf(entry: SignatureEntry, fetcher: BlockFetcher, counts: Counts, signal: AbortSignal) {
  for (let asked = 1; ; asked++) {
    const got = await fetcher.transaction(entry.signature, signal)
    if (signal.aborted) throw new BackfillStopped('interrupted')
    if ((got === 'unanswered' || got === 'too_old') && stopOr(fetcher, got, asked)) continue
    if (typeof got !== 'string' && got.slot === entry.slot) return got
    count(counts, 'transaction_missing')
    return null
  }
}

/** From the oldest on; within a slot the list is in the order of the block, turned round. */
function* bySlot(newestFirst: readonly SignatureEntry[], reached: number, counts: Counts): Generator<SignatureEntry[]> {
  let group: SignatureEntry[] = []
  for (let i = newestFirst.length - 1; i >= 0; i--) {
    const entry = newestFirst[i]!
    if (entry.slot <= reached) continue
    if (entry.failed) {
      count(counts, 'failed_transaction')
      continue
    }
    if (group.length > 0 && group[0]!.slot !== entry.slot) {
      yield group
      group = []
    }
    group.push(entry)
  }
  if (group.length > 0) yield group
}
