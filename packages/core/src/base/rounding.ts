/** Above 2^53 a number is the nearest one, and a sum of two may be off by their last bits. */
export const EXACT_MAX = 0x20_0000_0000_0000
const LAST_BITS = 1 / 0x8_0000_0000_0000

/** True if a difference of amounts, the largest of which is `largest`, is none but for rounding. */
export const isZeroOf = (difference: number, largest: number): boolean =>
  difference === 0 || (largest > EXACT_MAX && Math.abs(difference) <= largest * LAST_BITS)
