/**
 * How well a predictor ranks an outcome. Everything treats equal predictions as equal: a pair of equals counts half, and
 * a cut through a group of equals takes the group's mean, so that no result depends on the order of the input.
 */

/** Samples sorted once by a predictor, highest first. Arrays are in that order. */
export interface Ranking {
  readonly values: Float64Array
  readonly positive: Uint8Array
  /** cluster of each sample, for weighting by how often its cluster was drawn */
  readonly cluster: Uint32Array
  /** index behind each group of equal values */
  readonly ends: Uint32Array
}

/** How often each cluster was drawn; null = every sample once. */
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

/** Pairs of one positive and one negative, and in how many of them the positive ranks higher (equal: half). */
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

/** Area under the ROC curve: chance that a positive ranks above a negative. NaN without both. */
export function auroc(ranking: Ranking, draws: Draws = null): number {
  const { won, all } = rankedPairs(ranking, draws)
  return all === 0 ? Number.NaN : won / all
}

/** AUROC among samples of the same stratum only: pairs across strata do not count. NaN where no stratum has both. */
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

/** Area under the precision-recall curve as average precision: mean, over positives, of the precision down to each. */
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
  /** samples; a fraction where a group of equal values lies across an edge */
  readonly n: number
  readonly positives: number
  /** lowest and highest value, and their mean */
  readonly low: number
  readonly high: number
  readonly mean: number
}

/** Bins of equal count, lowest values first; fewer than `count` where there are fewer samples. */
export function equalCountBins(ranking: Ranking, count: number): Bin[] {
  const n = ranking.values.length
  const bins = Math.min(count, n)
  return Array.from({ length: bins }, (_, k) => slice(ranking, (n * (bins - 1 - k)) / bins, (n * (bins - k)) / bins))
}

/** Outcome rate among the highest `share` of samples, at least one. */
export function precisionAtTop(ranking: Ranking, share: number): number {
  if (ranking.values.length === 0) return Number.NaN
  const top = slice(ranking, 0, Math.max(1, Math.ceil(ranking.values.length * share)))
  return top.positives / top.n
}

/** Ranks `from` to `to` (fractions allowed) as one bin; groups of equals give their mean. */
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

/** Points of the ROC curve from (0, 0) to (1, 1), at most `count` of them, evenly spread over the ranks. */
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

/** Rank of every value counted from the lowest, equals sharing their mean rank. */
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
