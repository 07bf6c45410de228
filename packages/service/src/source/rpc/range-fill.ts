import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import type { Clock } from '../../base/clock.ts'
import type { SourceItem } from '../source.ts'
import { ahead } from './ahead.ts'
import type { BlockFetcher } from './fetcher.ts'
import type { SlotOrder } from './slot-order.ts'

/** blocks fetched ahead of the reader */
const BLOCKS_AHEAD = 4
/** slots of one getBlocks, and the hole from which it is asked how far back the node reaches */
export const SLOTS_LISTED = 1_000
/** blocks followed back by their parents where the node's list left them out; held in memory meanwhile */
const PARENTS_WALKED = 64

interface RangeFillOptions {
  readonly fetcher: Pick<BlockFetcher, 'fetch' | 'produced'>
  readonly order: SlotOrder
  readonly counts: Counts
  readonly signal: AbortSignal
  /**
   * Decides about another request for a slot after a useless answer, or from a node that is too old for it: it was requested
   * `asked` times, first at `since`. May wait, or throw to end the fill.
   */
  readonly retry: (miss: 'unanswered' | 'too_old', asked: number, since: number) => Promise<boolean>
  readonly clock: Pick<Clock, 'now'>
  /** called with slots that are settled, in order */
  readonly onSlot?: (slot: number) => void
}

const slotsOf = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/**
 * Slots after the end of a list, which may come from a node that is a little behind the one that named the slots. They are
 * requested, because blocks made from logs name no parent; slots left out in the middle are found by the next block's parent.
 */
const afterList = (listed: readonly number[], from: number, to: number): number[] =>
  slotsOf(Math.max(listed.at(-1) ?? from - 1, to - PARENTS_WALKED) + 1, to)

/** Up to this many slots it takes fewer requests to ask for each than to ask first which of them have a block. */
const SMALL_HOLE = 3

export function createRangeFill(options: RangeFillOptions) {
  const { fetcher, order, counts, signal, retry, clock, onSlot } = options
  /** slots requested since the newest block: once is enough */
  const asked = new Set<number>()
  let filling = 0

  async function get(slot: number): Promise<RawBlock | 'skipped' | 'unavailable'> {
    asked.add(slot)
    filling++
    const since = clock.now()
    try {
      for (let n = 1; ; n++) {
        const got = await fetcher.fetch(slot, signal)
        if (got !== 'unanswered' && got !== 'too_old') return got
        if (signal.aborted || !(await retry(got, n, since))) return 'unavailable'
      }
    } finally {
      filling--
    }
  }

  /** By the parents: each of them exists, so no request is in vain. */
  async function before(block: RawBlock): Promise<RawBlock[]> {
    const found: RawBlock[] = []
    let { parent } = block
    while (order.reach >= 0 && parent > order.reach && !asked.has(parent) && found.length < PARENTS_WALKED) {
      const got = await get(parent)
      if (typeof got === 'string') break
      count(counts, 'unlisted_block')
      found.push(got)
      parent = got.parent
    }
    return found.reverse()
  }

  async function* join(block: RawBlock): AsyncGenerator<SourceItem> {
    for (const one of await before(block)) yield* order.take(one)
    if (signal.aborted) return
    asked.clear()
    yield* order.take(block)
  }

  async function* fill(from: number, to: number): AsyncGenerator<SourceItem> {
    for (let at = from; at <= to && !signal.aborted; ) {
      const end = Math.min(to, at + SLOTS_LISTED - 1)
      const listed = end - at < SMALL_HOLE ? null : await fetcher.produced(at, end, signal)
      const slots = listed === null ? slotsOf(at, end) : [...listed, ...afterList(listed, at, end)]
      for await (const [slot, got] of ahead(slots, BLOCKS_AHEAD, get)) {
        if (signal.aborted) return
        if (got === 'unavailable') order.giveUp(slot)
        if (typeof got === 'string') count(counts, got === 'skipped' ? 'skipped_slot' : 'unavailable_slot')
        else {
          count(counts, 'filled_slot')
          yield* join(got)
        }
        onSlot?.(slot)
      }
      if (!signal.aborted) onSlot?.(end)
      at = end + 1
    }
  }

  return {
    /** Fetches the blocks of [from, to] in order, some ahead of the reader. */
    fill,
    /** Takes `block`, after the missing blocks between the newest one and its parent, which `fill` did not find. */
    join,
    /** slots being requested */
    get filling(): number {
      return filling
    },
  }
}
