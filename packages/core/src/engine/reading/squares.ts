/**
 * An exact sum of squares of whole numbers below 2^53 without a BigInt for each. Numbers are split into digits of 18
 * bits, whose products stay exact while fewer than 32,768 of them are added.
 */
export interface Squares {
  /** Sums of the digit products 0·0, 0·1, 1·1 plus twice 0·2, 1·2, 2·2. */
  d0: number
  d1: number
  d2: number
  d3: number
  d4: number
  pending: number
  sum: bigint
}

const DIGIT = 262_144
const TWO_DIGITS = DIGIT * DIGIT
/** additions between two carries: each adds less than 3 · 2³⁶ to a digit, which has to stay below 2⁵³ */
const PENDING_MAX = 32_767

export const noSquares = (): Squares => ({ d0: 0, d1: 0, d2: 0, d3: 0, d4: 0, pending: 0, sum: 0n })

export function addSquare(squares: Squares, value: number): void {
  const high = Math.floor(value / TWO_DIGITS)
  const rest = value - high * TWO_DIGITS
  const middle = Math.floor(rest / DIGIT)
  const low = rest - middle * DIGIT
  squares.d0 += low * low
  squares.d1 += low * middle
  squares.d2 += middle * middle + 2 * low * high
  squares.d3 += middle * high
  squares.d4 += high * high
  if (++squares.pending === PENDING_MAX) settle(squares)
}

/** The sum of all squares added so far. */
export function sumOfSquares(squares: Squares): bigint {
  settle(squares)
  return squares.sum
}

function settle(squares: Squares): void {
  const { d0, d1, d2, d3, d4 } = squares
  squares.sum += BigInt(d0) + (BigInt(d1) << 19n) + (BigInt(d2) << 36n) + (BigInt(d3) << 55n) + (BigInt(d4) << 72n)
  squares.d0 = squares.d1 = squares.d2 = squares.d3 = squares.d4 = squares.pending = 0
}
