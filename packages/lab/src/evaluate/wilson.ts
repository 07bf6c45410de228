/** z of the two-sided 95 % interval */
const Z = 1.959963984540054

export interface Rate {
  readonly n: number
  readonly positives: number
  /** Null without samples; Wilson 95 % interval. */
  readonly rate: number | null
  readonly low: number | null
  readonly high: number | null
}

/** Wilson's score interval, which keeps its coverage for rates near 0 and 1, where most outcomes here lie. */
export function wilson(positives: number, n: number): Rate {
  if (n === 0) return { n, positives, rate: null, low: null, high: null }
  const p = positives / n
  const spread = (Z * Math.sqrt((p * (1 - p) + (Z * Z) / (4 * n)) / n)) / (1 + (Z * Z) / n)
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n)
  // at the ends the formula gives 0 and 1 only up to rounding
  const low = positives === 0 ? 0 : middle - spread
  return { n, positives, rate: p, low, high: positives === n ? 1 : middle + spread }
}
