import type { WalletPosition } from '@ti/core/contract/positions.ts'
import type { Trade } from '@ti/core/contract/resources.ts'

/** Profit over time from a wallet's positions, and its recent trades from those of its tokens. */

type Sold = Pick<WalletPosition, 'mint' | 'symbol' | 'name' | 'realised_sol' | 'last_sell_slot'>

interface Step {
  /** slot of the last sale of this token */
  readonly slot: number
  readonly token: string
  /** SOL realised on this token */
  readonly made: number
  /** running total */
  readonly sum: number
}

/** One step per sold token, at its last sale; positions without a result are omitted. */
export function profitSteps(positions: readonly Sold[]): Step[] {
  let sum = 0
  return positions
    .flatMap(({ mint, symbol, name, realised_sol: made, last_sell_slot: slot }) =>
      made === null || slot === null ? [] : [{ slot, made, token: symbol || name || mint }],
    )
    .sort((a, b) => a.slot - b.slot)
    .map((step) => {
      sum += step.made
      return { ...step, sum }
    })
}

/** tokens to read trades of; each is one call of the rate limit */
const TOKENS_MAX = 4
/** rows shown */
const TRADES_MAX = 12

export const lastTraded = (positions: readonly Pick<WalletPosition, 'mint' | 'last_slot'>[]): string[] =>
  [...positions]
    .sort((a, b) => b.last_slot - a.last_slot)
    .slice(0, TOKENS_MAX)
    .map(({ mint }) => mint)

/** Filters trades to the wallet's own, newest first. */
export const ownTrades = (wallet: string, trades: readonly Trade[]): Trade[] =>
  trades
    .filter(({ user_address }) => user_address === wallet)
    .sort((a, b) => b.slot - a.slot)
    .slice(0, TRADES_MAX)
