import type { RawBlock } from '@ti/core/model/raw.ts'
import type { GapItem, SourceItem } from '../source.ts'

/**
 * Blocks that arrive in the order of their slots, with the gap before each. A block's parent shows what exists: slots after
 * the newest block taken and up to that parent exist and were not delivered. Where a block names no parent, the slots that
 * could not be fetched are the gap. Pure.
 */
export type SlotOrder = ReturnType<typeof createSlotOrder>

/** Runs of slots that are kept apart; beyond this number they are joined, to bound the memory. */
const RUNS_MAX = 1_000

export function createSlotOrder(start: { readonly slot: number; readonly time: number }) {
  let reach = start.slot
  let time = start.time
  let missing = 0
  let lost: { from: number; to: number }[] = []

  function gapsBefore(block: RawBlock): readonly { from: number; to: number }[] {
    if (reach < 0) return []
    if (block.parent >= 0) return block.parent > reach ? [{ from: reach + 1, to: block.parent }] : []
    return lost.map(({ from, to }) => ({ from, to: Math.min(to, block.slot - 1) })).filter(({ from, to }) => from <= to)
  }

  const asItems = (gaps: readonly { from: number; to: number }[]): GapItem[] =>
    gaps.map(({ from, to }) => {
      missing += to - from + 1
      return { kind: 'gap', from, to }
    })

  return {
    /** slot of the newest block taken, or where it began; -1 when nothing is known yet */
    get reach(): number {
      return reach
    },
    /** slots given up so far */
    get missing(): number {
      return missing
    },
    /** the block as items; nothing when it is not newer than the newest one */
    take(block: RawBlock): SourceItem[] {
      if (block.slot <= reach) return []
      const items: SourceItem[] = asItems(gapsBefore(block))
      // a block without a time is as old as the one before it
      time = block.time > 0 ? block.time : time
      items.push({ kind: 'raw', block: block.time === time ? block : { ...block, time } })
      reach = block.slot
      lost = []
      return items
    },
    /** it is unknown whether these slots have blocks; called in ascending order */
    giveUp(first: number, to = first): void {
      const last = lost.at(-1)
      const from = Math.max(first, reach + 1, (last?.to ?? -1) + 1)
      if (from > to) return
      if (last !== undefined && (from === last.to + 1 || lost.length >= RUNS_MAX)) last.to = to
      else lost.push({ from, to })
    },
    /** the slots given up that are in no gap yet */
    end(): GapItem[] {
      const items = asItems(lost)
      lost = []
      return items
    },
  }
}
