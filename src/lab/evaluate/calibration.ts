import { LIMITS } from '../../config/limits.ts'
import { auroc, type Bin, equalCountBins, rank } from './auc.ts'
import { quantile } from './bootstrap.ts'
import type { Cohort } from './cohort.ts'
import { fitIsotonic, predict } from './isotonic.ts'
import type { Random } from './random.ts'
import { PARTS, type Part, type Split } from './split.ts'

/** An isotonic probability learnt on the earliest part of the log, judged on the latest. */
export interface Calibration {
  readonly trained: number
  readonly tested: number
  /** outcome rate in each part: when it moves, no probability learnt before can be right */
  readonly trainRate: number
  readonly testRate: number
  /** mean squared error: of the score's probability, of the market cap's, of the training rate for all */
  readonly brier: { readonly score: number; readonly mcap: number; readonly constant: number }
  /** expected calibration error: mean distance of probability and rate over bins of equal count */
  readonly ece: number
  /** what a perfectly calibrated probability would show on so few samples: mean, and 95 % stay below */
  readonly eceByChance: { readonly mean: number; readonly high: number }
  /** the bins: mean probability, count, positives */
  readonly bins: readonly Bin[]
}

const CALIBRATION_BINS = 10

export function brier(probabilities: readonly number[], positive: Uint8Array): number {
  let sum = 0
  probabilities.forEach((p, i) => {
    sum += (p - positive[i]!) * (p - positive[i]!)
  })
  return sum / probabilities.length
}

export function reliability(probabilities: readonly number[], positive: Uint8Array): { ece: number; bins: Bin[] } {
  const bins = equalCountBins(rank(probabilities, positive, new Uint32Array(positive.length)), CALIBRATION_BINS)
  const sum = bins.reduce((total, bin) => total + Math.abs(bin.mean * bin.n - bin.positives), 0)
  return { ece: sum / probabilities.length, bins }
}

/** The error of outcomes drawn from the probabilities themselves: bins of few samples are never exactly right. */
function errorByChance(probabilities: readonly number[], random: Random): Calibration['eceByChance'] {
  const drawn = new Uint8Array(probabilities.length)
  const errors = Array.from({ length: LIMITS.evaluatePermutations }, () => {
    probabilities.forEach((p, i) => {
      drawn[i] = random.float() < p ? 1 : 0
    })
    return reliability(probabilities, drawn).ece
  }).sort((a, b) => a - b)
  return { mean: errors.reduce((sum, error) => sum + error, 0) / errors.length, high: quantile(errors, 0.95) }
}

/** `score` and `mcap` oriented so that high foretells the label. Null when a part lacks one of the two outcomes. */
export function calibrate(
  cohort: Cohort,
  split: Split,
  score: readonly number[],
  mcap: readonly number[],
  random: Random,
): Calibration | null {
  const indexes = (part: Part): number[] => split.parts.flatMap((p, i) => (p === part ? [i] : []))
  const train = indexes('train')
  const test = indexes('test')
  const outcomes = (of: readonly number[]): Uint8Array => Uint8Array.from(of, (i) => cohort.positive[i]!)
  const trained = outcomes(train)
  const tested = outcomes(test)
  const rate = (of: Uint8Array): number => of.reduce((sum, one) => sum + one, 0) / of.length
  if (![rate(trained), rate(tested)].every((r) => r > 0 && r < 1)) return null
  const probabilities = (values: readonly number[]): number[] => {
    const curve = fitIsotonic(
      train.map((i) => values[i]!),
      trained,
    )
    return test.map((i) => predict(curve, values[i]!))
  }
  const byScore = probabilities(score)
  return {
    trained: train.length,
    tested: test.length,
    trainRate: rate(trained),
    testRate: rate(tested),
    brier: {
      score: brier(byScore, tested),
      mcap: brier(probabilities(mcap), tested),
      constant: brier(new Array<number>(test.length).fill(rate(trained)), tested),
    },
    ...reliability(byScore, tested),
    eceByChance: errorByChance(byScore, random),
  }
}

/** AUROC in each part of the log: a drift shows here. */
export interface PartResult {
  readonly part: Part
  readonly n: number
  readonly positives: number
  readonly score: number | null
  readonly mcap: number | null
}

export function byPart(cohort: Cohort, split: Split, score: readonly number[], mcap: readonly number[]): PartResult[] {
  return PARTS.map((part) => {
    const inside = split.parts.flatMap((p, i) => (p === part ? [i] : []))
    const positive = Uint8Array.from(inside, (i) => cohort.positive[i]!)
    const area = (values: readonly number[]): number | null => {
      const ranking = rank(
        inside.map((i) => values[i]!),
        positive,
        new Uint32Array(inside.length),
      )
      const value = auroc(ranking)
      return Number.isNaN(value) ? null : value
    }
    const positives = positive.reduce((sum, one) => sum + one, 0)
    return { part, n: inside.length, positives, score: area(score), mcap: area(mcap) }
  })
}
