import { DEPTH_ERROR } from '../model/venues.ts'
import { u64 } from './reader.ts'

/** Meteora's programs state prices as square roots in Q64.64 (the unsigned 128-bit value over 2^64). */

const TWO_64 = 0x1_0000_0000 * 0x1_0000_0000

/** Quote base units per token base unit, from the square root at `o`; 0 if it is zero. */
export function priceAt(b: Buffer, o: number): number {
  const root = u64(b, o + 8) + u64(b, o) / TWO_64
  return root * root
}

interface Reserves {
  /** Base units; quote over base is the price. */
  readonly quote: number
  readonly base: number
}

/** Exceeds DEPTH_ERROR by the most that rounding and token fees may remove, so the depth still shows as unknown. */
const UNKNOWN_BOUND = DEPTH_ERROR * 1.25
/** The smallest reserve while the depth is unknown, so that the quotient still gives the price. */
const UNKNOWN_MIN = 1e6

/**
 * Reserves of a constant-product market with this price and this trade. On a segment of the curve with liquidity L a
 * trade moves quote = L·|√P' − √P| and base = L·|1/√P − 1/√P'|. So quote / base = √P·√P', which gives √P, and L·√P' =
 * quote / |1 − (quote / base) / P'|. The result is virtual, like a pump curve's reserves, and a mean over several
 * segments. A trade too small to show the depth (`isDepthKnown` is false) gets a lower bound.
 */
export function curveReserves(quote: number, base: number, price: number): Reserves {
  const error = 1 / quote + 1 / base
  const move = Math.abs(1 - quote / base / price)
  const known = error <= move * DEPTH_ERROR
  const depth = known ? quote / move : Math.max((UNKNOWN_BOUND * quote) / error, UNKNOWN_MIN, UNKNOWN_MIN * price)
  return reservesAt(depth, price)
}

/** Whole reserves with this quote depth at this price. */
export const reservesAt = (depth: number, price: number): Reserves => ({
  quote: Math.round(depth),
  base: Math.round(depth / price),
})
