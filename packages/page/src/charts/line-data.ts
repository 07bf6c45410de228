import type { AppLine } from '@ti/core/contract/app.ts'
import type { Trade } from '@ti/core/contract/resources.ts'

/** The market cap's line as columns, with what happened since it was read. */

export type LinePoint = AppLine['points'][number]
export type LineMark = AppLine['marks'][number]

/** points that the stream may add before the line is read again */
const LIVE_MAX = 120
/** marks that are drawn; the list below the chart has all of them */
export const MARKS_DRAWN = 60

/** Adds trades newer than the last point, in spans as long as those of the answer. */
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

/** Mean distance of two points, at least a second. */
function spanOf(points: readonly LinePoint[]): number {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return 1
  return Math.max(1, (last.time - first.time) / (points.length - 1))
}

interface Columns {
  readonly time: number[]
  readonly mcap: number[]
  readonly buys: number[]
  /** below zero, so that they hang from the same line */
  readonly sells: number[]
}

/** Times ascend strictly, as the chart needs them: a point at the time of the one before takes its place. */
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
  readonly peak: LinePoint
  readonly low: LinePoint
  readonly buys: number
  readonly sells: number
  readonly trades: number
}

export function factsOf(points: readonly LinePoint[]): LineFacts | null {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  let [peak, low, buys, sells, trades] = [first, first, 0, 0, 0]
  for (const point of points) {
    if (point.mcap > peak.mcap) peak = point
    if (point.mcap < low.mcap) low = point
    buys += point.buys_sol
    sells += point.sells_sol
    trades += point.trades
  }
  return { first, last, peak, low, buys, sells, trades }
}

export const MARK_WORDS: Record<LineMark['kind'], string> = {
  bundle_exit: 'bundle sells',
  kol_sell: 'KOL sells',
  graduated: 'graduated',
}
