/** Values counted by upper bounds, as plain numbers: a hot path pays an addition. */
export interface Histogram {
  /** `buckets[i]` counts values ≤ bounds[i] and above the previous bound; values above the last bound count only in `count` */
  readonly buckets: Float64Array
  readonly sum: number
  readonly count: number
  add(value: number): void
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const buckets = new Float64Array(bounds.length)
  const histogram = {
    buckets,
    sum: 0,
    count: 0,
    add(value: number): void {
      const bucket = bounds.findIndex((bound) => value <= bound)
      if (bucket >= 0) buckets[bucket]!++
      histogram.sum += value
      histogram.count++
    },
  }
  return histogram
}
