import type { WalletPosition } from '@ti/core/contract/positions.ts'
import type { Trade } from '@ti/core/contract/resources.ts'

/** What a wallet made over time, and what it traded last: from its positions and from the trades of their tokens. */

type Sold = Pick<WalletPosition, 'mint' | 'symbol' | 'name' | 'realised_sol' | 'last_sell_slot'>

interface Step {
  /** slot of the last sale of this token */
  readonly slot: number
  readonly token: string
  /** SOL realised on this token */
  readonly made: number
  /** on this and all tokens before it */
  readonly sum: number
}

/** A step for each token it sold, at its last sale; what was given away has no result and is left out. */
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

/** tokens whose trades are asked for: each is a read of the page's window */
const TOKENS_MAX = 4
/** rows that are shown */
const TRADES_MAX = 12

export const lastTraded = (positions: readonly Pick<WalletPosition, 'mint' | 'last_slot'>[]): string[] =>
  [...positions]
    .sort((a, b) => b.last_slot - a.last_slot)
    .slice(0, TOKENS_MAX)
    .map(({ mint }) => mint)

/** Its own among the newest trades of some tokens, newest first. */
export const ownTrades = (wallet: string, trades: readonly Trade[]): Trade[] =>
  trades
    .filter(({ user_address }) => user_address === wallet)
    .sort((a, b) => b.slot - a.slot)
    .slice(0, TRADES_MAX)
