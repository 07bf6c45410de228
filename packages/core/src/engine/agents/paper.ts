import { QUOTE } from '../../model/events.ts'
import type { Token } from '../../model/state.ts'
import { AGENTS } from '../constants.ts'
import { isMigrated } from '../tokens.ts'
import { hasPrice, toLamports } from '../units.ts'

/** Paper trades at the token's reserves, with their own price impact and a fee, without moving the market. */

/** False between the end of the curve and the opening of the pool, and for quotes without a price. */
const isTradable = (token: Token): boolean =>
  hasPrice(token) && token.baseReserve > 0 && token.quoteReserve > 0 && (token.completeSlot < 0 || isMigrated(token))

/** Token base units for the stake; 0 if nothing can be bought. */
export function paperBuy(token: Token, solUsd: number): number {
  if (!isTradable(token)) return 0
  const net = AGENTS.stakeLamports / (1 + AGENTS.fee)
  const quote = token.quote === QUOTE.SOL ? net : (net * solUsd) / 1000
  if (quote <= 0) return 0
  return Math.floor(token.baseReserve * (quote / (token.quoteReserve + quote)))
}

/** Lamports for `tokens` base units after the fee. A token that cannot be traded is valued at its reserves. */
export function paperSell(token: Token, tokens: number, solUsd: number): number {
  if (token.baseReserve <= 0) return 0
  const out = Math.floor(token.quoteReserve * (tokens / (token.baseReserve + tokens)))
  return Math.floor(toLamports(token.quote, out, solUsd) * (1 - AGENTS.fee))
}
