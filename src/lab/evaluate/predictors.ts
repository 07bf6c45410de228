import { auroc, midRanks, type Ranking, rank } from './auc.ts'
import type { Clusters } from './bootstrap.ts'
import { type Cohort, IS_GOOD } from './cohort.ts'
import type { Split } from './split.ts'

/** What the label is foretold from, each turned so that high foretells the label. */
interface Predictors {
  readonly score: readonly number[]
  readonly mcap: readonly number[]
  readonly trades: readonly number[]
  readonly buyers: readonly number[]
  /** mean rank of score and market cap: whether the score adds anything to it, without fitting */
  readonly both: readonly number[]
}

/**
 * The score's direction is its claim: high foretells the good label, low the bad one. A baseline claims nothing, so it
 * takes the direction that suits the training part.
 */
export function predictors({ samples, label, positive }: Cohort, split: Split): Predictors {
  const sign = IS_GOOD[label] ? 1 : -1
  const train = split.parts.flatMap((part, i) => (part === 'train' ? [i] : []))
  const baseline = (values: readonly number[]): number[] => {
    const ranking = rank(
      train.map((i) => values[i]!),
      Uint8Array.from(train, (i) => positive[i]!),
      new Uint32Array(train.length),
    )
    const area = auroc(ranking)
    const direction = Number.isNaN(area) ? sign : area >= 0.5 ? 1 : -1
    return values.map((value) => value * direction)
  }
  const score = samples.map((sample) => sample.score * sign)
  const mcap = baseline(samples.map((sample) => sample.mcap))
  const mcapRanks = midRanks(mcap)
  return {
    score,
    mcap,
    trades: baseline(samples.map((sample) => sample.trades)),
    buyers: baseline(samples.map((sample) => sample.buyers)),
    both: midRanks(score).map((r, i) => r + mcapRanks[i]!),
  }
}

/** `values` ranked within each of `count` groups of equal size by `by`; equals of `by` stay together. */
export function strata(
  values: readonly number[],
  by: readonly number[],
  positive: Uint8Array,
  clusters: Clusters,
  count: number,
): Ranking[] {
  const members: number[][] = Array.from({ length: count }, () => [])
  midRanks(by).forEach((r, i) => {
    members[Math.min(count - 1, Math.floor((r * count) / by.length))]!.push(i)
  })
  return members.map((inside) =>
    rank(
      inside.map((i) => values[i]!),
      Uint8Array.from(inside, (i) => positive[i]!),
      Uint32Array.from(inside, (i) => clusters.of[i]!),
    ),
  )
}
