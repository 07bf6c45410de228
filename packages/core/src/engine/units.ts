import { baseUnits } from '../base/decimal.ts'
import { QUOTE, QUOTE_DECIMALS, type Quote, type QuoteAsset, type Quoted } from '../model/events.ts'
import type { Position, Token } from '../model/state.ts'
import { dropPicks } from './picks.ts'
import type { LiveToken } from './resident.ts'

/**
 * The unit of amounts (methodology, section 1). A token whose quote has a price is followed in lamports, any other
 * token in base units of its quote; then no wallet's SOL is affected.
 */
type Unit = { readonly quote: Quote; readonly asset?: QuoteAsset | null }

/** True if amounts are known in SOL and USD. */
export const hasPrice = ({ quote }: Pick<Quoted, 'quote'>): boolean => quote !== QUOTE.other

/** True if amounts of both can be compared and added. All quotes of known price can. */
export function sameUnit(a: Unit, b: Unit): boolean {
  if (hasPrice(a) && hasPrice(b)) return true
  return a.quote === b.quote && a.asset?.mint === b.asset?.mint
}

/** Lamports for an amount of the quote. Dollars convert at the last SOL price; 0 if the needed price is unknown. */
export function toLamports(quote: Quote, amount: number, solUsd: number): number {
  if (quote === QUOTE.SOL) return amount
  if (quote === QUOTE.other) return 0
  return solUsd > 0 ? Math.round((amount * 1000) / solUsd) : 0
}

/** Lamports in base units of the token's quote, not rounded; 0 while unknown, so that nothing is worth less. */
export function fromLamports({ quote }: Pick<Token, 'quote'>, lamports: number, solUsd: number): number {
  if (quote === QUOTE.SOL) return lamports
  return quote === QUOTE.other ? 0 : (lamports * solUsd) / 1000
}

/** True if amounts in the token's unit have a value in lamports: the quote's own, or that of a followed coin. */
export const hasValue = (token: Pick<Token, 'quote' | 'rate'>): boolean => hasPrice(token) || token.rate > 0

/** Lamports for an amount in the token's unit; 0 if unknown. */
export const valueIn = (token: Pick<Token, 'quote' | 'rate'>, amount: number, solUsd: number): number =>
  hasPrice(token) ? toLamports(token.quote, amount, solUsd) : Math.round(amount * token.rate)

/** True for a trade in the asset that the token is followed in, or that its first trade decides. */
export const isInAsset = (token: Token, { asset }: Quoted): boolean =>
  asset !== undefined && (token.asset === null ? token.lastTradeSlot < 0 : token.asset.mint === asset.mint)

/** Lamports for an amount of a trade with the token; null if unknown. */
export function valueOfTrade(token: Token, event: Quoted, amount: number, solUsd: number): number | null {
  if (hasPrice(event)) return toLamports(event.quote, amount, solUsd)
  return token.rate > 0 && isInAsset(token, event) ? Math.round(amount * token.rate) : null
}

/** An amount of a trade in the token's unit; 0 if it cannot be converted. */
export function inUnit(token: Token, event: Quoted, amount: number, solUsd: number): number {
  if (token.asset === null) return toLamports(event.quote, amount, solUsd)
  return sameUnit(token, event) ? amount : 0
}

/** Base units per whole unit of the quote; null if its decimals are unknown. */
export function quoteUnit({ quote, asset }: Pick<Token, 'quote' | 'asset'>): number | null {
  const decimals = asset === null ? QUOTE_DECIMALS[quote]! : asset.decimals
  return decimals < 0 ? null : baseUnits(decimals)
}

/** True if the holding's cost is at most its value; false if the price or both values are unknown. */
export function isInProfit(token: Token, position: Position, price: number, solUsd: number): boolean {
  const { balance, unpriced, cost } = position
  if (!hasValue(token) || (unpriced > 0 && balance <= unpriced)) return false
  return cost <= valueIn(token, price * (balance - unpriced), solUsd)
}

/** Changes the unit the token is followed in and discards what was counted in the previous one. */
export function changeUnit(live: LiveToken, { quote, asset }: Quoted): void {
  const { token } = live
  token.quote = quote
  token.asset = asset ?? null
  token.quoteReserve = 0
  token.baseReserve = 0
  token.startQuote = 0
  token.mcap = 0
  token.rate = 0
  token.buckets = []
  token.impacts = []
  dropPicks(token)
  token.watched = []
  token.asked = []
  token.realQuote = 0
  token.startPrice = 0
  live.sizes = null
  live.bundles.recent.length = 0
}
