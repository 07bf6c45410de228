/** A doubling, as `log2` counts. */
export const DOUBLING = 64

const ONE = 4_294_967_296

/** By k: the least whole number t for which t / 2^32 is at least 2^(k/64). Found by halving, in whole numbers. */
const EDGES = Array.from({ length: DOUBLING }, (_, k) => {
  const power = 1n << BigInt(32 * DOUBLING + k)
  let [below, edge] = [BigInt(ONE) - 1n, 2n * BigInt(ONE)]
  while (edge - below > 1n) {
    const middle = (below + edge) >> 1n
    if (powered(middle) >= power) edge = middle
    else below = middle
  }
  return Number(edge)
})

/** x^64, as six squares. */
function powered(x: bigint): bigint {
  let power = x
  for (let square = 0; square < 6; square++) power *= power
  return power
}

/**
 * The logarithm to base 2 of a whole number from 1 to 2^32 - 1, in 64ths and rounded down: the largest k for which
 * 2^k is at most x^64. It takes whole numbers only, so every machine gets the same.
 */
export function log2(x: number): number {
  const whole = 31 - Math.clz32(x)
  const mantissa = x * (ONE / ((1 << whole) >>> 0))
  let part = 0
  for (let half = DOUBLING / 2; half >= 1; half /= 2) if (mantissa >= EDGES[part + half]!) part += half
  return DOUBLING * whole + part
}
