import type { AppLine } from '@ti/core/contract/app.ts'
import type { Trade } from '@ti/core/contract/resources.ts'
import { pct, SLOT_S, sol } from '../ui/format.ts'

/** Turns the points of the market cap into columns, and adds trades from the stream. */

export type LinePoint = AppLine['points'][number]
export type LineMark = AppLine['marks'][number]

/** points added from the stream before the line is fetched again */
const LIVE_MAX = 120

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

export const MARK_WORDS: Record<LineMark['kind'], string> = {
  launcher_sell: 'deployer',
  insider_sell: 'insiders',
  group_sell: 'group',
  kol_sell: 'KOL',
  graduated: 'graduates',
  liquidity: 'liquidity',
}

/** "deployer sold for 16.2 SOL" */
export function markLabel({ kind, name, sol: got, pct: sold }: LineMark): string {
  if (kind === 'graduated') return MARK_WORDS.graduated
  if (kind === 'liquidity') return `liquidity withdrawn${got === null ? '' : `: ${sol(got)} SOL`}`
  const who = kind === 'kol_sell' && name !== null ? name : MARK_WORDS[kind]
  return `${who} sold ${got === null ? pct(sold) : `for ${sol(got)} SOL`}`
}

/** Lines of labels, the first free one for each; labels are in order of their places. */
export function levelsOf(labels: readonly { readonly from: number; readonly width: number }[]): number[] {
  const ends: number[] = []
  return labels.map(({ from, width }) => {
    const free = ends.findIndex((end) => end <= from)
    const level = free < 0 ? ends.length : free
    ends[level] = from + width
    return level
  })
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The visitor's time of day of a moment in Unix milliseconds: 5:59:20. */
export function timeToSecond(at: number): string {
  const date = new Date(at)
  return `${date.getHours()}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** seconds that the time axis covers at least */
const SPAN_LEAST_S = 30

/** Unix seconds of the ends of the time axis. */
export function axisOf(times: ArrayLike<number>): [from: number, to: number] {
  const from = times[0] ?? 0
  return [from, Math.max(times[times.length - 1] ?? from, from + SPAN_LEAST_S)]
}

/** A moment that is known by slot and time. */
export interface Anchor {
  readonly slot: number
  /** Unix seconds */
  readonly time: number
}

/** Unix seconds of a slot, between the moments that are known; null without one. They are ascending. */
export function timeOfSlot(anchors: readonly Anchor[], slot: number): number | null {
  const next = anchors.findIndex((one) => one.slot >= slot)
  const after = anchors[next]
  const before = anchors[next < 0 ? anchors.length - 1 : next - 1]
  if (after === undefined) return before === undefined ? null : before.time + (slot - before.slot) * SLOT_S
  if (before === undefined || after.slot === before.slot) return after.time - (after.slot - slot) * SLOT_S
  return before.time + ((slot - before.slot) / (after.slot - before.slot)) * (after.time - before.time)
}

/** The slot of a time, likewise. */
export function slotOfTime(anchors: readonly Anchor[], time: number): number | null {
  const turned = anchors.map((one) => ({ slot: one.time, time: one.slot }))
  const next = turned.findIndex((one) => one.slot > time)
  const before = turned[next < 0 ? turned.length - 1 : next - 1]
  const after = turned[next]
  if (before === undefined) return after === undefined ? null : Math.floor(after.time - (after.slot - time) / SLOT_S)
  if (after === undefined) return Math.floor(before.time + (time - before.slot) / SLOT_S)
  const share = (time - before.slot) / (after.slot - before.slot)
  return Math.floor(before.time + share * (after.time - before.time))
}
