/** Linear interpolation at `x` between the knots, constant outside them. `xs` is ascending. */
export function between(xs: readonly number[], ys: readonly number[], x: number): number {
  if (x <= xs[0]!) return ys[0]!
  for (let i = 1; i < xs.length; i++) {
    if (x > xs[i]!) continue
    if (x === xs[i]!) return ys[i]!
    return ys[i - 1]! + ((ys[i]! - ys[i - 1]!) * (x - xs[i - 1]!)) / (xs[i]! - xs[i - 1]!)
  }
  return ys[ys.length - 1]!
}

/**
 * The index of the bucket of `value`: 0 below the first edge, edges.length from the last one on. `edges` are the lower
 * edges of the inner buckets.
 */
export function bucketOf(edges: readonly number[], value: number): number {
  let bucket = 0
  while (bucket < edges.length && value >= edges[bucket]!) bucket++
  return bucket
}
