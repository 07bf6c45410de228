import type { RawBlock } from '../../model/raw.ts'
import type { GapItem, SourceItem } from '../source.ts'

/**
 * The order of what was had: blocks with increasing slots, and before each of them the gap that lies there. A block says by
 * its parent what exists: whatever lies after the newest block had and up to that parent exists and was not had, or would
 * be here. Where a block names no parent, the slots that could not be asked about are the gap. Pure.
 */
export interface Chain {
  /** slot of the newest block had, or where it began; -1 when nothing is known yet */
  readonly reach: number
  /** slots given up so far */
  readonly missing: number
  /** the block as items; nothing when it is not newer than what was had */
  take(block: RawBlock): SourceItem[]
  /** nobody could say whether these slots have blocks; to be told in order */
  giveUp(from: number, to?: number): void
  /** what was given up and is not in a gap yet, up to the end */
  end(): GapItem[]
}

/** Stretches of slots that are kept apart; more of them are joined, so that much trouble needs no memory. */
const RUNS_MAX = 1_000

export function createChain(start: { readonly slot: number; readonly time: number }): Chain {
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
    get reach() {
      return reach
    },
    get missing() {
      return missing
    },
    take(block) {
      if (block.slot <= reach) return []
      const items: SourceItem[] = asItems(gapsBefore(block))
      // a block without a time is as old as the one before it
      time = block.time > 0 ? block.time : time
      items.push({ kind: 'raw', block: block.time === time ? block : { ...block, time } })
      reach = block.slot
      lost = []
      return items
    },
    giveUp(first, to = first) {
      const last = lost.at(-1)
      const from = Math.max(first, reach + 1, (last?.to ?? -1) + 1)
      if (from > to) return
      if (last !== undefined && (from === last.to + 1 || lost.length >= RUNS_MAX)) last.to = to
      else lost.push({ from, to })
    },
    end() {
      const items = asItems(lost)
      lost = []
      return items
    },
  }
}
