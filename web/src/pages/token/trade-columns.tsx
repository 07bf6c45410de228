import type { ReactNode } from 'react'
import type { Trade } from '../../../../src/contract/resources.ts'
import { compact, count, duration, NONE, pct, SLOT_S, sol } from '../../ui/format.ts'

/** The trader's history as it stood before the trade: one column each. */
interface HistoryColumn {
  readonly key: keyof Trade
  readonly label: string
  /** one sentence */
  readonly means: string
  readonly show: (trade: Trade) => ReactNode
}

const known = <T,>(value: T | null, show: (value: T) => string): string => (value === null ? NONE : show(value))
const rate = (value: number): string => pct(100 * value, 0)
const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text)

export const HISTORY: readonly HistoryColumn[] = [
  {
    key: 'buys_count',
    label: 'Buys',
    means: 'The wallet’s earlier buys, of any token.',
    show: ({ buys_count }) => known(buys_count, (n) => (n < 10_000 ? count(n) : compact(n))),
  },
  {
    key: 'total_buys_sol',
    label: 'Spent SOL',
    means: 'SOL spent on buys before this trade.',
    show: ({ total_buys_sol }) => known(total_buys_sol, compact),
  },
  {
    key: 'user_pnl',
    label: 'Profit SOL',
    means: 'Lifetime profit in SOL before this trade.',
    show: ({ user_pnl }) =>
      known(user_pnl, (value) => signed(value, Math.abs(value) >= 1000 ? compact(value) : sol(value))),
  },
  {
    key: 'roi',
    label: 'Return',
    means: 'Lifetime profit relative to the cost of closed positions.',
    show: ({ roi }) =>
      known(roi, (value) => signed(value, Math.abs(value) >= 100 ? `${compact(value)}×` : pct(100 * value, 0))),
  },
  {
    key: 'win_rate',
    label: 'Won',
    means: 'Share of closed positions that ended in profit.',
    show: ({ win_rate }) => known(win_rate, rate),
  },
  {
    key: 'healthy_coins_rate',
    label: 'Healthy',
    means: 'Share of its picks that were still healthy an hour later.',
    show: ({ healthy_coins_rate }) => known(healthy_coins_rate, rate),
  },
  {
    key: 'avg_hold_slots',
    label: 'Holds',
    means: 'How long it usually holds before it sells.',
    show: ({ avg_hold_slots }) => known(avg_hold_slots, (slots) => duration(slots * SLOT_S)),
  },
  {
    key: 'sell_impact',
    label: 'Impact',
    means: 'Average price move within ten seconds of its past sells.',
    show: ({ sell_impact }) => known(sell_impact, (value) => signed(value, pct(value, 1))),
  },
  {
    key: 'bundled_trades_rate',
    label: 'In groups',
    means: 'Share of its trades made as part of a coordinated group.',
    show: ({ bundled_trades_rate }) => known(bundled_trades_rate, rate),
  },
  {
    key: 'user_sol_balance',
    label: 'Had SOL',
    means: 'SOL balance before this trade.',
    show: ({ user_sol_balance }) => known(user_sol_balance, (value) => (value >= 1000 ? compact(value) : sol(value))),
  },
]
