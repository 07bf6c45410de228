/**
 * Measures of how well a predictor ranks an outcome. Ties are handled symmetrically: a pair of equal predictions counts
 * half, so that the order of the input never matters.
 */

/** Samples sorted by a predictor, in descending order, as parallel arrays. */
export interface Ranking {
  readonly values: Float64Array
  readonly positive: Uint8Array
  /** The cluster of each sample, for weighting by the cluster's draws. */
  readonly cluster: Uint32Array
  /** The end index of each group of ties. */
  readonly ends: Uint32Array
}

/** The number of draws per cluster; null if every sample counts once. */
export type Draws = Uint32Array | null

export function rank(values: readonly number[], positive: Uint8Array, cluster: Uint32Array): Ranking {
  const order = new Uint32Array(values.length).map((_, i) => i)
  order.sort((a, b) => values[b]! - values[a]! || a - b)
  const ends: number[] = []
  for (let i = 0; i < order.length; i++) {
    if (i + 1 === order.length || values[order[i + 1]!] !== values[order[i]!]) ends.push(i + 1)
  }
  return {
    values: Float64Array.from(order, (i) => values[i]!),
    positive: Uint8Array.from(order, (i) => positive[i]!),
    cluster: Uint32Array.from(order, (i) => cluster[i]!),
    ends: Uint32Array.from(ends),
  }
}

/**
 * Area under the ROC curve: of the pairs of a positive and a negative sample, the share in which the positive ranks higher; ties
 * count half. NaN unless there are both.
 */
export function auroc({ positive, cluster, ends }: Ranking, draws: Draws = null): number {
  let positives = 0
  let negatives = 0
  let won = 0
  let i = 0
  for (const end of ends) {
    let groupPositives = 0
    let groupNegatives = 0
    for (; i < end; i++) {
      const weight = draws === null ? 1 : draws[cluster[i]!]!
      if (positive[i] === 1) groupPositives += weight
      else groupNegatives += weight
    }
    won += groupNegatives * (positives + groupPositives / 2)
    positives += groupPositives
    negatives += groupNegatives
  }
  return positives * negatives === 0 ? Number.NaN : won / (positives * negatives)
}

/** Mean squared error of probabilities. */
export function brier(p: readonly number[], positive: Uint8Array, cluster: Uint32Array, draws: Draws = null): number {
  let [n, sum] = [0, 0]
  for (let i = 0; i < p.length; i++) {
    const weight = draws === null ? 1 : draws[cluster[i]!]!
    n += weight
    sum += weight * (p[i]! - positive[i]!) ** 2
  }
  return sum / n
}
