import type { Draws } from './auc.ts'
import type { Random } from './random.ts'

/** The ends of an interval move by about 0.15 standard errors between seeds. */
const RESAMPLES = 300
/** Two-sided. */
const LEVEL = 0.9

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

/** An estimate with its percentile interval; null if it cannot be computed. */
export interface Interval {
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

export interface Estimate {
  /** The value on the original samples. */
  readonly value: number
  /** The values on each resample, which all statistics of one call share. */
  readonly replicates: Float64Array
}

/**
 * Draws clusters with replacement and computes the statistics on each draw, from the number of draws per cluster. A
 * statistic is NaN if a draw lacks the needed samples.
 */
export function bootstrap<Name extends string>(
  clusters: number,
  statistics: (draws: Draws) => Readonly<Record<Name, number>>,
  random: Pick<Random, 'int'>,
  resamples = RESAMPLES,
): Record<Name, Estimate> {
  const whole = statistics(null)
  const names = Object.keys(whole) as Name[]
  const replicates = names.map(() => new Float64Array(resamples))
  const draws = new Uint32Array(clusters)
  for (let r = 0; r < resamples; r++) {
    draws.fill(0)
    for (let i = 0; i < clusters; i++) {
      const drawn = random.int(clusters)
      draws[drawn] = draws[drawn]! + 1
    }
    const values = statistics(draws)
    names.forEach((name, s) => {
      replicates[s]![r] = values[name]
    })
  }
  const entries = names.map((name, s) => [name, { value: whole[name], replicates: replicates[s]! }])
  return Object.fromEntries(entries) as Record<Name, Estimate>
}

/** a − b on the same resamples, so that common variation cancels. */
export const difference = (a: Estimate, b: Estimate): Estimate => ({
  value: a.value - b.value,
  replicates: a.replicates.map((value, i) => value - b.replicates[i]!),
})

/** Percentile interval. Draws without a value are dropped; if they are more than half, there is no interval. */
export function interval({ value, replicates }: Estimate, level = LEVEL): Interval {
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
