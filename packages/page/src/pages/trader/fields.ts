import type { Trader } from '@ti/core/contract/resources.ts'
import { compact, count, duration, NONE, pct, SLOT_S, signed, sol } from '../../ui/format.ts'

/** Figures of a wallet's history in groups, with explanations. */

export interface Figure {
  readonly key: keyof Trader
  readonly label: string
  readonly shown: string
  /** smaller text beside the number, or '' */
  readonly beside: string
  /** one sentence */
  readonly means: string
  readonly tone: 'good' | 'bad' | 'plain'
  /** 0 to 1 for a share, else null */
  readonly share: number | null
}

interface FigureGroup {
  readonly title: string
  readonly figures: readonly Figure[]
}

/** thresholds of a dumper and a chart nuker, percentage points of price */
const DUMPS = -0.61
const NUKES = -3.6

type Part = Pick<Figure, 'shown'> & Partial<Pick<Figure, 'beside' | 'tone' | 'share'>>

const NOTHING: Part = { shown: NONE, beside: 'no reading yet' }
const read = <T>(value: T | null, part: (value: T) => Part): Part => (value === null ? NOTHING : part(value))
const tone = (value: number): Figure['tone'] => (value > 0 ? 'good' : value < 0 ? 'bad' : 'plain')
const rate = (value: number): Part => ({ shown: pct(100 * value, 1), share: value })
const slots = (value: number): Part => ({ shown: duration(value * SLOT_S), beside: `${count(value)} slots` })

/** Classifies the price after the wallet's sales. */
export function impactOf(value: number): Part {
  const shown = signed(value, pct(value, 2))
  if (value < NUKES) return { shown, beside: 'a chart nuker', tone: 'bad' }
  if (value < DUMPS) return { shown, beside: 'a dumper', tone: 'bad' }
  return { shown, beside: 'prices hold', tone: 'good' }
}

function returnOf(value: number): Part {
  const shown = Math.abs(value) >= 100 ? `${compact(value)}×` : pct(100 * value, 1)
  return { shown: signed(value, shown), tone: tone(value) }
}

export function figureGroups(trader: Trader): FigureGroup[] {
  const figure = (key: keyof Trader, label: string, means: string, part: Part): Figure => ({
    key,
    label,
    means,
    beside: '',
    tone: 'plain',
    share: null,
    ...part,
  })
  return [
    {
      title: 'Result',
      figures: [
        figure(
          'pnl_sol',
          'Lifetime profit',
          'Realised over all its trades; dead tokens are written off.',
          read(trader.pnl_sol, (value) => ({ shown: `${signed(value, sol(value))} SOL`, tone: tone(value) })),
        ),
        figure(
          'roi',
          'Lifetime return',
          'Profit relative to the cost of closed positions.',
          read(trader.roi, returnOf),
        ),
        figure('win_rate', 'Won', 'Share of closed positions that ended in profit.', read(trader.win_rate, rate)),
        figure(
          'total_buys_sol',
          'Spent on buys',
          'All SOL ever spent on buys, fees included.',
          read(trader.total_buys_sol, (value) => ({ shown: `${sol(value)} SOL` })),
        ),
      ],
    },
    {
      title: 'Habit',
      figures: [
        figure(
          'median_hold_slots',
          'Median hold',
          'Half of what it sold, by cost, was held for less time.',
          read(trader.median_hold_slots, slots),
        ),
        figure(
          'avg_hold_slots',
          'Average hold',
          'Cost-weighted mean time between buying and selling; a few long holds raise it.',
          read(trader.avg_hold_slots, slots),
        ),
      ],
    },
    {
      title: 'Judgement',
      figures: [
        figure(
          'healthy_coins_rate',
          'Healthy picks',
          'Share of its picks that were still healthy an hour later; pulled towards the average while picks are few.',
          read(trader.healthy_coins_rate, rate),
        ),
      ],
    },
    {
      title: 'Effect on others',
      figures: [
        figure(
          'sell_impact',
          'After its sells',
          'Average price move within ten seconds of its sells.',
          read(trader.sell_impact, impactOf),
        ),
        figure(
          'bundled_trades_rate',
          'In coordinated groups',
          'Share of its trades made as a member of a group of wallets that act together.',
          read(trader.bundled_trades_rate, rate),
        ),
      ],
    },
  ]
}
