/** Value at `x` of the line through the knots; flat before the first and after the last. `xs` ascending. */
export function between(xs: readonly number[], ys: readonly number[], x: number): number {
  if (x <= xs[0]!) return ys[0]!
  for (let i = 1; i < xs.length; i++) {
    if (x > xs[i]!) continue
    if (x === xs[i]!) return ys[i]!
    return ys[i - 1]! + ((ys[i]! - ys[i - 1]!) * (x - xs[i - 1]!)) / (xs[i]! - xs[i - 1]!)
  }
  return ys[ys.length - 1]!
}

/** Index of the bucket of `value` whose inner lower edges are `edges`: 0 below the first, edges.length from the last on. */
export function bucketOf(edges: readonly number[], value: number): number {
  let bucket = 0
  while (bucket < edges.length && value >= edges[bucket]!) bucket++
  return bucket
}
