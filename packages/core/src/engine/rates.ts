import { QUOTE, type Quote, type TradeEvent } from '../model/events.ts'
import type { Token } from '../model/state.ts'
import type { TokenBook } from './token-book.ts'
import { priceOf } from './tokens.ts'
import { isInAsset } from './units.ts'

/** Prices through coins that are followed themselves (methodology, section 1). */

/** Markets between a token and SOL or a dollar coin, besides its own. Launchpads allow one. */
const DEPTH_MAX = 2

type Finder = Pick<TokenBook, 'find'>

/** Takes the rate of the token's quote asset before a trade in it. Trades in quotes of known price cost one comparison. */
export function takeRate(tokens: Finder, token: Token, event: TradeEvent, solUsd: number): void {
  if (event.asset === undefined || !isInAsset(token, event)) return
  // another market may hold less of the coin than the one that sets the price
  const reserve = Math.max(event.quoteReserve, token.quoteReserve)
  token.rate = rateOf(tokens, event.asset.mint, reserve, solUsd, DEPTH_MAX)
}

/**
 * Lamports for a base unit of a followed coin, of which a market holds `reserve`: at its price, but no more than would
 * let the whole reserve be sold for all the money in the coin's own market. So a coin made for the purpose, with a price
 * and without money, cannot give a token more value than that money gives.
 */
function rateOf(tokens: Finder, mint: TradeEvent['mint'], reserve: number, solUsd: number, depth: number): number {
  const coin = depth === 0 ? undefined : tokens.find(mint)?.token
  if (coin === undefined || coin.realQuote <= 0 || reserve <= 0) return 0
  const price = Math.min(priceOf(coin), coin.realQuote / reserve)
  const { asset, quote } = coin
  return (
    price *
    (asset === null ? lamportsOf(quote, solUsd) : rateOf(tokens, asset.mint, coin.quoteReserve, solUsd, depth - 1))
  )
}

/** Lamports for a base unit of a quote of known price; 0 while the price of SOL is unknown. */
const lamportsOf = (quote: Quote, solUsd: number): number => (quote === QUOTE.SOL ? 1 : solUsd > 0 ? 1000 / solUsd : 0)
