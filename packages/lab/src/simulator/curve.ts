/**
 * The pump bonding curve in whole base units: x·y = k over virtual reserves (checked on 2,501 real trades). Products
 * exceed 2^53, so they are computed in BigInt; results are safe integers.
 */
export interface Curve {
  virtualQuote: number
  virtualToken: number
  realQuote: number
  realToken: number
}

export const TOTAL_SUPPLY = 1_000_000_000_000_000
export const START_VIRTUAL_TOKEN = 1_073_000_000_000_000
export const START_REAL_TOKEN = 793_100_000_000_000
export const START_VIRTUAL_SOL = 30_000_000_000
/** Base units of a USDC curve at launch, worth about 30 SOL. */
export const START_VIRTUAL_USDC = 4_500_000_000

/** LaunchLab's usual curve at launch: 10^9 tokens, 793.1 million for sale, 85 SOL raised. */
export const LAUNCHLAB_START: Curve = {
  virtualQuote: 30_000_852_951,
  virtualToken: 1_073_025_605_596_382,
  realQuote: 0,
  realToken: START_REAL_TOKEN,
}

export const PROTOCOL_FEE_BPS = 95
export const CREATOR_FEE_BPS = 30

export const createCurve = (virtualQuote: number): Curve => ({
  virtualQuote,
  virtualToken: START_VIRTUAL_TOKEN,
  realQuote: 0,
  realToken: START_REAL_TOKEN,
})

/** floor(a · b / c), exact. */
export const mulDiv = (a: number, b: number, c: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(c))

/** ceil(a · b / c), exact. */
export const mulDivUp = (a: number, b: number, c: number): number =>
  Number((BigInt(a) * BigInt(b) + BigInt(c) - 1n) / BigInt(c))

/** ceil(amount · bps / 10^4), exact; BigInt only above 2^53 / 10^4. */
export const feeOf = (amount: number, bps: number): number =>
  amount < 900_000_000_000 ? Math.ceil((amount * bps) / 10_000) : mulDivUp(amount, bps, 10_000)

export interface Fill {
  readonly quote: number
  readonly tokens: number
}

/** The tokens that `quote` buys now. The rest of the curve limits them, and their price is then rounded up. */
export function quoteBuy(curve: Curve, quote: number): Fill {
  const tokens = mulDiv(quote, curve.virtualToken, curve.virtualQuote + quote)
  if (tokens < curve.realToken) return { quote, tokens }
  return {
    quote: mulDivUp(curve.realToken, curve.virtualQuote, curve.virtualToken - curve.realToken),
    tokens: curve.realToken,
  }
}

/** The quote that `tokens` bring now, at most what the curve holds. */
export function quoteSell(curve: Curve, tokens: number): Fill {
  const quote = mulDiv(tokens, curve.virtualQuote, curve.virtualToken + tokens)
  return { quote: Math.min(quote, curve.realQuote), tokens }
}
