import { compact, count, duration, NONE, pct, SLOT_S, signed, sol } from '../../ui/format.ts'

/** Names, thresholds and numbers of the 24 paired conditions, in the order of the methodology. */

interface Signal {
  readonly name: string
  readonly value: number | 'infinite' | null
  readonly pump: boolean
  readonly dump: boolean
}

export type Side = 'pump' | 'dump' | 'none' | 'unread'

interface SignalRow {
  readonly name: string
  readonly no: number
  readonly label: string
  /** formatted number; a dash without a reading */
  readonly shown: string
  readonly side: Side
  readonly pumpEdge: string
  readonly dumpEdge: string
}

/** formats: signed share, unsigned share, percent, SOL, ratio, count, slots, points */
type As = 'share' | 'distance' | 'percent' | 'sol' | 'times' | 'count' | 'slots' | 'points'

const WORDS: Record<string, readonly [no: number, label: string, as: As, pump: string, dump: string]> = {
  net_to_pool_1m: [1, 'Net inflow to pool, 1 min', 'share', '≥ 5%', '≤ −5%'],
  net_to_pool_5m: [2, 'Net inflow to pool, 5 min', 'share', '≥ 10%', '≤ −10%'],
  buys_to_sells_1m: [3, 'Buys to sells, 1 min', 'times', '≥ 2', '≤ 0.67'],
  buyers_to_sellers_1m: [4, 'Buyers to sellers, 1 min', 'times', '≥ 1.5', '≤ 0.75'],
  holder_change_1m: [5, 'Change of holders, 1 min', 'share', '≥ 5%', '≤ −2%'],
  return_1m: [6, 'Return, 1 min', 'share', '≥ 8%', '≤ −8%'],
  return_5m: [7, 'Return, 5 min', 'share', '≥ 20%', '≤ −20%'],
  drawdown_from_ath: [8, 'Below the peak', 'distance', '≤ 10%', '≥ 40%'],
  volume_burst_net_sol_1m: [9, 'Net SOL in a burst', 'sol', '> 0 in a burst', '< 0 in a burst'],
  smart_net_sol_5m: [10, 'Smart money net, 5 min', 'sol', '> 0', '< 0'],
  alpha_hands_pct: [11, 'Alpha hands', 'percent', '> 30%', '< 25%'],
  kols_in_5m: [12, 'KOLs in minus out, 5 min', 'count', 'in, none out', 'any out'],
  bundle_pct: [13, 'Bundled', 'percent', '< 50%', '≥ 65%'],
  bundle_net_sell_5m_pct: [14, 'Bundles’ net sell, 5 min', 'percent', '≤ 0%', '≥ 2% of supply'],
  dirty_pct: [15, 'Dirty', 'percent', '< 50%', '> 60%'],
  dumpers_pct: [16, 'Dumpers', 'percent', '< 50%', '> 65%'],
  jeets_pct: [17, 'Quick sellers', 'percent', '< 10%', '> 20%'],
  in_profit_pct: [18, 'In profit', 'percent', '> 55%', '< 40%'],
  conviction_score: [19, 'Conviction', 'points', '> 60', '< 50'],
  cooktimer_slots: [20, 'Cook timer', 'slots', '≥ 16 min 40 s', '< 6 min 40 s'],
  top_10_pct: [21, 'Ten largest holders', 'percent', '≤ 30%', '≥ 50%'],
  deployer_bag_pct: [22, 'Deployer’s position', 'percent', 'unsold, ≤ 5%', 'sold ≥ half'],
  median_buy_to_sell_5m: [23, 'Median buy to sell, 5 min', 'times', '≥ 1.5', '≤ 0.67'],
  overdue_pct: [24, 'Overdue supply', 'percent', '≤ 20%', '≥ 50%'],
}

function write(value: Signal['value'], as: As): string {
  if (value === null) return NONE
  if (value === 'infinite') return '∞'
  switch (as) {
    case 'share':
      return signed(value, inPercent(100 * value))
    case 'distance':
      return inPercent(100 * value)
    case 'percent':
      return inPercent(value)
    case 'sol':
      return signed(value, `${sol(value)} SOL`)
    case 'times':
      return `${compact(value)}×`
    case 'count':
      return signed(value, count(value))
    case 'slots':
      return value < 0 ? `overdue ${duration(-value * SLOT_S)}` : duration(value * SLOT_S)
    case 'points':
      return compact(value)
  }
}

const inPercent = (value: number): string => (Math.abs(value) >= 1000 ? `${compact(value)}%` : pct(value, 1))

export function signalRows(signals: readonly Signal[]): SignalRow[] {
  return signals
    .map(({ name, value, pump, dump }): SignalRow => {
      const words = WORDS[name]
      const [no, label, as, pumpEdge, dumpEdge] = words ?? [99, name.replaceAll('_', ' '), 'points', '', '']
      return {
        name,
        no,
        label,
        shown: write(value, as),
        side: value === null ? 'unread' : pump ? 'pump' : dump ? 'dump' : 'none',
        pumpEdge,
        dumpEdge,
      }
    })
    .sort((a, b) => a.no - b.no)
}

export function countSides(rows: readonly Pick<SignalRow, 'side'>[]): Record<Side, number> {
  const counts = { pump: 0, dump: 0, none: 0, unread: 0 }
  for (const { side } of rows) counts[side]++
  return counts
}
