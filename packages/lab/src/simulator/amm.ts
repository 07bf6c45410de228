import { feeOf, mulDiv, mulDivUp } from './curve.ts'

/** A PumpSwap pool in whole base units: constant product over the base, and the quote plus a virtual part. */
export interface Pool {
  base: number
  quote: number
  readonly virtualQuote: number
}

export const LP_FEE_BPS = 20
export const PROTOCOL_FEE_BPS = 5
export const CREATOR_FEE_BPS = 5

export interface Swap {
  readonly base: number
  /** By the constant product, without fees. */
  readonly quote: number
  readonly lpFee: number
  readonly protocolFee: number
  readonly creatorFee: number
  /** The trader's amount with fees. */
  readonly userQuote: number
}

/** The price of `base` tokens from the pool; the caller keeps base well below the pool's. */
export function swapBuy(pool: Pool, base: number): Swap {
  const quote = mulDivUp(pool.quote + pool.virtualQuote, base, pool.base - base)
  return withFees(base, quote, 1)
}

/** Tokens for about `quote`: the inverse of swapBuy, rounded down. */
export const baseFor = (pool: Pool, quote: number): number =>
  mulDiv(quote, pool.base, pool.quote + pool.virtualQuote + quote)

/** Null if the pool's real quote is too small (the virtual part cannot pay). */
export function swapSell(pool: Pool, base: number): Swap | null {
  const quote = mulDiv(pool.quote + pool.virtualQuote, base, pool.base + base)
  return quote < pool.quote ? withFees(base, quote, -1) : null
}

function withFees(base: number, quote: number, sign: 1 | -1): Swap {
  const lpFee = feeOf(quote, LP_FEE_BPS)
  const protocolFee = feeOf(quote, PROTOCOL_FEE_BPS)
  const creatorFee = feeOf(quote, CREATOR_FEE_BPS)
  const userQuote = Math.max(0, quote + sign * (lpFee + protocolFee + creatorFee))
  return { base, quote, lpFee, protocolFee, creatorFee, userQuote }
}
