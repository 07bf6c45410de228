import type { AppLine } from '@ti/core/contract/app.ts'
import type { Trade } from '@ti/core/contract/resources.ts'

/** Turns the points of the market cap into columns, and adds trades from the stream. */

export type LinePoint = AppLine['points'][number]
export type LineMark = AppLine['marks'][number]

/** points added from the stream before the line is fetched again */
const LIVE_MAX = 120
/** marks drawn; the list below the chart has all */
export const MARKS_DRAWN = 60

/** Adds trades newer than the last point, in intervals as long as the answer's. */
export function withTrades(points: readonly LinePoint[], trades: readonly Trade[]): LinePoint[] {
  const last = points.at(-1)
  const since = last?.time ?? Number.NEGATIVE_INFINITY
  const timed = trades
    .flatMap((trade) => (trade.timestamp === null ? [] : [{ trade, time: Date.parse(trade.timestamp) / 1000 }]))
    .filter(({ trade, time }) => time > since && trade.slot > (last?.slot ?? -1))
    .sort((a, b) => a.trade.slot - b.trade.slot)
  const span = spanOf(points)
  const added: LinePoint[] = []
  let from = since
  for (const { trade, time } of timed) {
    const sol = trade.sol_amount
    const [buys, sells] = trade.is_buy ? [sol, 0] : [0, sol]
    const open = added.at(-1)
    const { mcap, slot } = trade
    if (open === undefined || time - from >= span) {
      added.push({ time, slot, mcap, buys_sol: buys, sells_sol: sells, trades: 1 })
      from = time
    } else {
      const sums = { buys_sol: open.buys_sol + buys, sells_sol: open.sells_sol + sells, trades: open.trades + 1 }
      added[added.length - 1] = { time: Math.max(open.time, time), slot, mcap, ...sums }
    }
  }
  return [...points, ...added.slice(-LIVE_MAX)]
}

/** Mean distance of two points in seconds, at least 1. */
function spanOf(points: readonly LinePoint[]): number {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return 1
  return Math.max(1, (last.time - first.time) / (points.length - 1))
}

interface Columns {
  readonly time: number[]
  readonly mcap: number[]
  readonly buys: number[]
  /** negative, so that bars point down */
  readonly sells: number[]
}

/** Makes times strictly ascending, as the chart requires: a point with the time of the previous one replaces it. */
export function columnsOf(points: readonly LinePoint[]): Columns {
  const columns: Columns = { time: [], mcap: [], buys: [], sells: [] }
  for (const { time, mcap, buys_sol, sells_sol } of points) {
    const at = columns.time.length
    const last = columns.time[at - 1]
    if (last !== undefined && time <= last) {
      columns.mcap[at - 1] = mcap
      columns.buys[at - 1] = (columns.buys[at - 1] ?? 0) + buys_sol
      columns.sells[at - 1] = (columns.sells[at - 1] ?? 0) - sells_sol
      continue
    }
    columns.time.push(time)
    columns.mcap.push(mcap)
    columns.buys.push(buys_sol)
    columns.sells.push(sells_sol === 0 ? 0 : -sells_sol)
  }
  return columns
}

export interface LineFacts {
  readonly first: LinePoint
  readonly last: LinePoint
  readonly buys: number
  readonly sells: number
  readonly trades: number
}

export function factsOf(points: readonly LinePoint[]): LineFacts | null {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  let [buys, sells, trades] = [0, 0, 0]
  for (const point of points) {
    buys += point.buys_sol
    sells += point.sells_sol
    trades += point.trades
  }
  return { first, last, buys, sells, trades }
}

export const MARK_WORDS: Record<LineMark['kind'], string> = {
  bundle_exit: 'bundle sells',
  kol_sell: 'KOL sells',
  graduated: 'graduated',
}
