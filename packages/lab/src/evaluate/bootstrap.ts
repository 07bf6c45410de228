import type { Draws } from './auc.ts'
import type { Random } from './random.ts'

export const RESAMPLES = {
  /** resamples of a headline interval (its ends move by about 0.1 standard errors between seeds), of one in a table (0.15) and of
   * one over 20,000 real launches, whose standard error is small enough */
  headline: 1_000,
  table: 300,
  real: 100,
}

/** Clusters: tokens of one deployer resemble each other, so they are drawn together. */
interface Clusters {
  /** The cluster of each sample. */
  readonly of: Uint32Array
  readonly count: number
}

export function clusterBy(keys: readonly (string | null)[]): Clusters {
  const ids = new Map<string, number>()
  let count = 0
  const of = Uint32Array.from(keys, (key) => {
    const known = key === null ? undefined : ids.get(key)
    if (known !== undefined) return known
    if (key !== null) ids.set(key, count)
    return count++
  })
  return { of, count }
}

/** An estimate with its percentile 95 % interval; null if it cannot be computed. */
export interface Interval {
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

/** Computes an estimate from the number of draws per cluster. NaN if a draw lacks the needed samples. */
type Statistic = (draws: Draws) => number

export interface Estimate {
  /** The value on the original samples. */
  readonly value: number
  /** The values on each resample, which all statistics of one call share. */
  readonly replicates: Float64Array
}

/** Draws clusters with replacement `resamples` times and computes every statistic on each draw. */
export function bootstrap<Name extends string>(
  clusters: number,
  statistics: Readonly<Record<Name, Statistic>>,
  resamples: number,
  random: Random,
): Record<Name, Estimate> {
  const names = Object.keys(statistics) as Name[]
  const replicates = names.map(() => new Float64Array(resamples))
  const draws = new Uint32Array(clusters)
  for (let r = 0; r < resamples; r++) {
    draws.fill(0)
    for (let i = 0; i < clusters; i++) {
      const drawn = random.int(clusters)
      draws[drawn] = draws[drawn]! + 1
    }
    for (let s = 0; s < names.length; s++) replicates[s]![r] = statistics[names[s]!](draws)
  }
  const entries = names.map((name, s) => [name, { value: statistics[name](null), replicates: replicates[s]! }])
  return Object.fromEntries(entries) as Record<Name, Estimate>
}

/** a − b on the same resamples, so that common variation cancels. */
export const difference = (a: Estimate, b: Estimate): Estimate => ({
  value: a.value - b.value,
  replicates: a.replicates.map((value, i) => value - b.replicates[i]!),
})

/** Percentile interval. Draws without a value are dropped; if they are more than half, there is no interval. */
export function interval({ value, replicates }: Estimate, level = 0.95): Interval {
  const finite = replicates.filter(Number.isFinite).sort()
  if (!Number.isFinite(value)) return { value: null, low: null, high: null }
  if (finite.length === 0 || finite.length * 2 < replicates.length) return { value, low: null, high: null }
  const tail = (1 - level) / 2
  return { value, low: quantile(finite, tail), high: quantile(finite, 1 - tail) }
}

/** Linear between order statistics; `sorted` is ascending and not empty. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const at = q * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(sorted.length - 1, below + 1)
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (at - below)
}
