import type { TradeRow } from '../../model/rows.ts'

/** Finds a token's trades in one slot among the stored rows. */
export interface TradesAt {
  /** Trades in order of the fold; `count` is the total number of rows. */
  of(token: number, slot: number, count: number): readonly TradeRow[]
  /** The number of the first row, of any token, at or after a slot. */
  first(slot: number, count: number): number
}

interface TradesAtOptions {
  readonly trade: (no: number) => TradeRow | undefined
  /** See Cuts. */
  readonly spend: (positions: number) => void
  /** Slots cached. */
  readonly max: number
}

/** The cost of reading a row, in positions in memory. */
const ROW = 4

/** Rows are numbered in slot order, so a binary search finds the slot. Results never change and are cached. */
export function createTradesAt({ trade, spend, max }: TradesAtOptions): TradesAt {
  const kept = new Map<string, readonly TradeRow[]>()

  function firstAt(slot: number, count: number): number {
    spend(ROW * Math.ceil(Math.log2(count + 2)))
    let [low, high] = [0, count]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (trade(middle)!.slot < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  function read(token: number, slot: number, count: number): TradeRow[] {
    const rows: TradeRow[] = []
    for (let no = firstAt(slot, count); no < count; no++) {
      const row = trade(no)!
      if (row.slot !== slot) break
      if (row.token === token) rows.push(row)
    }
    return rows
  }

  return {
    first: firstAt,
    of(token, slot, count) {
      const name = `${token} ${slot}`
      const hit = kept.get(name)
      if (hit !== undefined) return hit
      const rows = read(token, slot, count)
      if (kept.size >= max) kept.clear()
      kept.set(name, rows)
      return rows
    },
  }
}
