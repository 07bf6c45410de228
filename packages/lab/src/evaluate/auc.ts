/**
 * Measures of how well a predictor ranks an outcome. Ties are handled symmetrically: a pair of equal predictions counts
 * half, and a cut through a group of ties takes the group's mean, so that the order of the input never matters.
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

/** Pairs of a positive and a negative sample, and those in which the positive ranks higher (ties count half). */
export interface Pairs {
  readonly won: number
  readonly all: number
}

export function rankedPairs({ positive, cluster, ends }: Ranking, draws: Draws = null): Pairs {
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
  return { won, all: positives * negatives }
}

/** Area under the ROC curve: the probability that a positive ranks above a negative. NaN unless there are both. */
export function auroc(ranking: Ranking, draws: Draws = null): number {
  const { won, all } = rankedPairs(ranking, draws)
  return all === 0 ? Number.NaN : won / all
}

/** AUROC over pairs within the same stratum. NaN if no stratum has both classes. */
export function stratifiedAuroc(strata: readonly Ranking[], draws: Draws = null): number {
  let won = 0
  let all = 0
  for (const stratum of strata) {
    const pairs = rankedPairs(stratum, draws)
    won += pairs.won
    all += pairs.all
  }
  return all === 0 ? Number.NaN : won / all
}

/** Area under the precision-recall curve as average precision: the mean precision at the ranks of positives. */
export function averagePrecision({ positive, cluster, ends }: Ranking, draws: Draws = null): number {
  let seen = 0
  let positives = 0
  let sum = 0
  let i = 0
  for (const end of ends) {
    let group = 0
    for (; i < end; i++) {
      const weight = draws === null ? 1 : draws[cluster[i]!]!
      seen += weight
      if (positive[i] === 1) group += weight
    }
    positives += group
    if (group > 0) sum += group * (positives / seen)
  }
  return positives === 0 ? Number.NaN : sum / positives
}

export interface Bin {
  /** Samples; fractional if a group of ties crosses an edge. */
  readonly n: number
  readonly positives: number
  /** Lowest and highest value, and their mean. */
  readonly low: number
  readonly high: number
  readonly mean: number
}

/** Bins of equal count, lowest values first; fewer than `count` if there are fewer samples. */
export function equalCountBins(ranking: Ranking, count: number): Bin[] {
  const n = ranking.values.length
  const bins = Math.min(count, n)
  return Array.from({ length: bins }, (_, k) => slice(ranking, (n * (bins - 1 - k)) / bins, (n * (bins - k)) / bins))
}

/** Outcome rate among the top `share` of samples, at least one. */
export function precisionAtTop(ranking: Ranking, share: number): number {
  if (ranking.values.length === 0) return Number.NaN
  const top = slice(ranking, 0, Math.max(1, Math.ceil(ranking.values.length * share)))
  return top.positives / top.n
}

/** Ranks `from` to `to` (fractions allowed) as one bin; groups of ties contribute their mean. */
function slice({ values, positive, ends }: Ranking, from: number, to: number): Bin {
  let positives = 0
  let sum = 0
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let start = 0
  for (const end of ends) {
    const inside = Math.min(end, to) - Math.max(start, from)
    if (inside > 1e-9) {
      let group = 0
      for (let i = start; i < end; i++) group += positive[i]!
      positives += (group * inside) / (end - start)
      sum += values[start]! * inside
      low = Math.min(low, values[start]!)
      high = Math.max(high, values[start]!)
    }
    start = end
  }
  return { n: to - from, positives, low, high, mean: sum / (to - from) }
}

/** At most `count` points of the ROC curve from (0, 0) to (1, 1), spread evenly over the ranks. */
export function rocPoints({ positive, ends }: Ranking, count: number): [number, number][] {
  let positives = 0
  let i = 0
  const corners = [...ends].map((end): [number, number] => {
    for (; i < end; i++) positives += positive[i]!
    return [end - positives, positives]
  })
  const last = corners.at(-1)
  if (last === undefined || last[0] === 0 || last[1] === 0) return []
  const step = Math.max(1, Math.ceil(corners.length / (count - 1)))
  const kept = corners.filter((_, k) => k % step === step - 1 || k === corners.length - 1)
  return [[0, 0], ...kept.map(([x, y]): [number, number] => [x / last[0], y / last[1]])]
}

/** The rank of every value from the lowest; ties share their mean rank. */
export function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + end - 1) / 2
    start = end
  }
  return ranks
}
