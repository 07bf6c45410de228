import { LIMITS } from '../../config/limits.ts'
import { auroc, rank } from './auc.ts'
import { quantile } from './bootstrap.ts'
import type { Random } from './random.ts'

/** AUROC with the labels dealt out at random: anything but 0.5 is a fault of the machinery, not of the market. */
export interface Permuted {
  readonly permutations: number
  readonly mean: number
  readonly low: number
  readonly high: number
  /** share of permutations at least as high as the true labels' AUROC, itself included */
  readonly pValue: number
  /** the interval holds 0.5, and the mean is within four standard errors of it */
  readonly passed: boolean
}

const STANDARD_ERRORS_MAX = 4

/** Null when there is only one outcome. */
export function permuted(values: readonly number[], positive: Uint8Array, random: Random): Permuted | null {
  const cluster = new Uint32Array(values.length)
  const ranking = rank(values, positive, cluster)
  const actual = auroc(ranking)
  if (Number.isNaN(actual)) return null
  const permutations = LIMITS.evaluatePermutations
  const areas = new Float64Array(permutations)
  for (let k = 0; k < permutations; k++) {
    random.shuffle(ranking.positive)
    areas[k] = auroc(ranking)
  }
  const mean = areas.reduce((sum, area) => sum + area, 0) / permutations
  const variance = areas.reduce((sum, area) => sum + (area - mean) * (area - mean), 0) / (permutations - 1)
  const error = Math.sqrt(variance / permutations)
  const pValue = (1 + areas.filter((area) => area >= actual).length) / (permutations + 1)
  areas.sort()
  const low = quantile(areas, 0.025)
  const high = quantile(areas, 0.975)
  const passed = low <= 0.5 && high >= 0.5 && Math.abs(mean - 0.5) <= STANDARD_ERRORS_MAX * error
  return { permutations, mean, low, high, pValue, passed }
}
