import type { AppExplain } from '@ti/core/contract/app.ts'
import { compact, count, duration, NONE, pct, SLOT_S, signed, sol } from '../../ui/format.ts'
import { clock } from './words.ts'

/** Names and numbers of the 24 paired conditions, in the order of the methodology. */

type Signal = Omit<NonNullable<AppExplain['signals']>[number], 'also'>

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

const WORDS: Record<string, readonly [label: string, as: As]> = {
  net_to_pool_1m: ['Net inflow to pool, 1 min', 'share'],
  net_to_pool_5m: ['Net inflow to pool, 5 min', 'share'],
  buys_to_sells_1m: ['Buys to sells, 1 min', 'times'],
  buyers_to_sellers_1m: ['Buyers to sellers, 1 min', 'times'],
  holder_change_1m: ['Change of holders, 1 min', 'share'],
  return_1m: ['Return, 1 min', 'share'],
  return_5m: ['Return, 5 min', 'share'],
  drawdown_from_ath: ['Below the peak', 'distance'],
  volume_burst_net_sol_1m: ['Net SOL in a burst', 'sol'],
  smart_net_sol_5m: ['Smart money net, 5 min', 'sol'],
  alpha_hands_pct: ['Alpha hands', 'percent'],
  kols_in_5m: ['KOLs in minus out, 5 min', 'count'],
  bundle_pct: ['Bundled', 'percent'],
  bundle_net_sell_5m_pct: ['Bundles’ net sell, 5 min', 'percent'],
  dirty_pct: ['Suspicious', 'percent'],
  dumpers_pct: ['Dumpers', 'percent'],
  jeets_pct: ['Quick sellers', 'percent'],
  in_profit_pct: ['In profit', 'percent'],
  conviction_score: ['Conviction', 'points'],
  cooktimer_slots: ['Cook timer', 'slots'],
  top_10_pct: ['Ten largest holders', 'percent'],
  deployer_bag_pct: ['Deployer’s position', 'percent'],
  median_buy_to_sell_5m: ['Median buy to sell, 5 min', 'times'],
  overdue_pct: ['Overdue supply', 'percent'],
}
const ORDER = Object.keys(WORDS)

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

/** An edge of the value alone, as "≥ 0.05", in the value's unit; one with names keeps them. */
function edge(text: string, as: As): string {
  const [, sign = '', number = ''] = /^([≥≤<>]) (-?[\d.]+)$/.exec(text) ?? []
  if (number === '') return text.replaceAll('_', ' ')
  const value = Number(number)
  return `${sign} ${as === 'slots' ? clock(value * SLOT_S) : write(value, as).replace('+', '')}`
}

export function signalRows(signals: readonly Signal[]): SignalRow[] {
  return signals
    .map(({ name, value, pump, dump, edges }): SignalRow => {
      const no = ORDER.indexOf(name)
      const [label, as] = WORDS[name] ?? [name.replaceAll('_', ' '), 'points']
      return {
        name,
        no: no < 0 ? ORDER.length : no,
        label,
        shown: write(value, as),
        side: value === null ? 'unread' : pump ? 'pump' : dump ? 'dump' : 'none',
        pumpEdge: edge(edges.pump, as),
        dumpEdge: edge(edges.dump, as),
      }
    })
    .sort((a, b) => a.no - b.no)
}

export function countSides(rows: readonly Pick<SignalRow, 'side'>[]): Record<Side, number> {
  const counts = { pump: 0, dump: 0, none: 0, unread: 0 }
  for (const { side } of rows) counts[side]++
  return counts
}
