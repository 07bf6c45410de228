import type { AppNeighbours } from '@ti/core/contract/app.ts'
import type { WalletPosition } from '@ti/core/contract/positions.ts'
import type { Trader } from '@ti/core/contract/resources.ts'
import type { Fact } from '../../ui/facts.tsx'
import {
  compact,
  count,
  counted,
  duration,
  NONE,
  pct,
  SLOT_S,
  shortAddress,
  signed,
  signedSol,
  sol,
  toneOf,
} from '../../ui/format.ts'

/** A wallet's history in words and figures. */

/** closed positions, trades or tokens from which a share of them says something */
const COUNTED = 20
/** thresholds of a dumper and a chart nuker, percentage points of price */
const [DUMPS, NUKES] = [-0.61, -3.6]

type Sold = Pick<WalletPosition, 'mint' | 'symbol' | 'name' | 'realised_sol' | 'last_sell_slot'>

/** "Made +3.2 SOL: 12 tokens with a gain, 20 with a loss. Sells after 3 min. Prices fall 4% within ten seconds of its sales." */
export function traderInWords(trader: Trader, positions: readonly Pick<WalletPosition, 'realised_sol'>[]): string {
  const { pnl_sol: made, median_hold_slots: hold, sell_impact: impact } = trader
  const [won, lost] = [1, -1].map((sign) => positions.filter((one) => Math.sign(one.realised_sol ?? 0) === sign).length)
  const closed = won! + lost! === 0 ? '' : `: ${counted(won!, 'token')} with a gain, ${count(lost!)} with a loss`
  return [
    made === null ? 'Its result is not known' : `${made < 0 ? 'Lost' : 'Made'} ${sol(Math.abs(made))} SOL${closed}`,
    ...(hold === null ? [] : [`Half of what it sold, it held for less than ${duration(hold * SLOT_S)}`]),
    ...(impact !== null && impact < DUMPS ? [`Prices fall by ${pct(-impact)} within ten seconds of its sales`] : []),
    ...(trader.smart_money
      ? ['Smart money: patient, rarely in groups, and among the best in profit, return and wins']
      : []),
  ]
    .join('. ')
    .concat('.')
}

export const impactInWords = (value: number): string =>
  value < NUKES ? 'nukes charts' : value < DUMPS ? 'dumps' : 'prices hold'

const returnOf = (value: number): string =>
  signed(value, Math.abs(value) >= 100 ? `${compact(value)}×` : pct(100 * value))

/** `seen`: trades and tokens that the shares are of. */
export function habitsOf(trader: Trader, seen: { readonly trades: number; readonly tokens: number }): Fact[] {
  const read = <T>(value: T | null, shown: (value: T) => string): string => (value === null ? NONE : shown(value))
  const share = (value: number | null, n: number): string =>
    value === null || n < COUNTED ? `too few yet` : pct(100 * value)
  const tone = (value: number | null) => toneOf(value ?? 0) ?? 'plain'
  return [
    {
      label: 'Lifetime profit',
      means: 'Realised over all its trades; dead tokens are written off.',
      value: read(trader.pnl_sol, signedSol),
      tone: tone(trader.pnl_sol),
    },
    {
      label: 'Lifetime return',
      means: 'Profit relative to the cost of closed positions.',
      value: read(trader.roi, returnOf),
      tone: tone(trader.roi),
    },
    {
      label: 'Spent on buys',
      means: 'All SOL ever spent on buys, fees included.',
      value: read(trader.total_buys_sol, (value) => `${sol(value)} SOL`),
    },
    {
      label: 'Holds for',
      means: 'Half of what it sold, by cost, was held for less time.',
      value: read(trader.median_hold_slots, (value) => duration(value * SLOT_S)),
    },
    {
      label: 'After its sales',
      means: 'Average price move within ten seconds of its sales.',
      value: read(trader.sell_impact, (value) => `${signed(value, pct(value))}, ${impactInWords(value)}`),
    },
    {
      label: 'Healthy picks',
      means: 'Share of its picks that were still healthy an hour later.',
      value: share(trader.healthy_coins_rate, seen.tokens),
    },
    {
      label: 'Trades in groups',
      means: 'Share of its trades made as a member of a group of wallets that act together.',
      value: share(trader.bundled_trades_rate, seen.trades),
    },
  ]
}

/** "7 of its 12 newest tokens: 4Xvo…j5vX bought within 10 s after it. It bought within 10 s after 9abc…1234 on 3." */
export function neighboursInWords({ within_s: within, tokens, wallets }: AppNeighbours): string {
  if (tokens === 0) return 'None of its newest purchases could be read, so nothing can be said.'
  const of = `of the ${counted(tokens, 'newest token')} that could be read`
  const most = (side: 'after' | 'before') =>
    wallets.reduce<AppNeighbours['wallets'][number] | null>(
      (best, one) => (one[side] > Math.max(1, best?.[side] ?? 0) ? one : best),
      null,
    )
  const nameOf = ({ name, wallet }: AppNeighbours['wallets'][number]): string => name ?? shortAddress(wallet)
  const [follower, leader] = [most('after'), most('before')]
  const follows =
    follower === null
      ? `Nobody bought within ${within} s after it on more than one ${of}`
      : `${nameOf(follower)} bought within ${within} s after it on ${count(follower.after)} ${of}`
  const led = leader === null ? '' : ` It bought within ${within} s after ${nameOf(leader)} on ${count(leader.before)}.`
  return `${follows}.${led}`
}

interface Step {
  /** slot of the last sale of this token */
  readonly at: number
  readonly token: string
  /** SOL realised on this token */
  readonly made: number
  /** running total */
  readonly value: number
}

/** One step per sold token, at its last sale; positions without a result are omitted. */
export function profitSteps(positions: readonly Sold[]): Step[] {
  let value = 0
  return positions
    .flatMap(({ mint, symbol, name, realised_sol: made, last_sell_slot: at }) =>
      made === null || at === null ? [] : [{ at, made, token: symbol || name || mint }],
    )
    .sort((a, b) => a.at - b.at)
    .map((step) => {
      value += step.made
      return { ...step, value }
    })
}
