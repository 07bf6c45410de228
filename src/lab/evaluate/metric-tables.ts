import { LIMITS } from '../../config/limits.ts'
import { auroc, rank } from './auc.ts'
import { bootstrap, clusterBy, difference, type Interval, interval } from './bootstrap.ts'
import { type Cohort, IS_GOOD } from './cohort.ts'
import { orientation } from './metrics.ts'
import type { Random } from './random.ts'
import type { Sample } from './sample.ts'

/** One metric alone, turned so that its good side foretells a good outcome: below 0.5 it points the wrong way. */
export interface MetricResult {
  readonly name: string
  /** samples with a reading; the others are left out */
  readonly n: number
  readonly positives: number
  readonly auroc: Interval
}

const namesIn = (samples: readonly Sample[], pick: (sample: Sample) => object): string[] =>
  [...new Set(samples.flatMap((sample) => Object.keys(pick(sample))))].sort()

export function singleMetrics(cohort: Cohort, random: Random): MetricResult[] {
  const sign = IS_GOOD[cohort.label] ? 1 : -1
  return namesIn(cohort.samples, (sample) => sample.metrics).map((name) => {
    const direction = sign * orientation(name)
    const inside = cohort.samples.flatMap((sample, i) => ((sample.metrics[name] ?? null) === null ? [] : [i]))
    const positive = Uint8Array.from(inside, (i) => cohort.positive[i]!)
    const clusters = clusterBy(inside.map((i) => cohort.samples[i]!.deployer))
    const values = inside.map((i) => cohort.samples[i]!.metrics[name]! * direction)
    const ranking = rank(values, positive, clusters.of)
    const resamples = LIMITS.evaluateTableResamples
    const { area } = bootstrap(clusters.count, { area: (draws) => auroc(ranking, draws) }, resamples, random)
    const positives = positive.reduce((sum, one) => sum + one, 0)
    return { name, n: inside.length, positives, auroc: interval(area) }
  })
}

/** The raw score with one metric taken out. */
export interface LeftOut {
  readonly name: string
  readonly auroc: number | null
  /** AUROC with the metric minus without it: below 0 the score is better off without */
  readonly worth: Interval
}

/** entry of `withoutMetric` that leaves nothing out */
const NONE = 'none'

/** The reference is the raw score with every metric, or the served one where the samples do not carry it. */
export function leaveOneOut(cohort: Cohort, random: Random): LeftOut[] {
  const sign = IS_GOOD[cohort.label] ? 1 : -1
  const clusters = clusterBy(cohort.samples.map((sample) => sample.deployer))
  const full = (sample: Sample): number => sample.withoutMetric[NONE] ?? sample.score
  const area = (read: (sample: Sample) => number) => {
    const values = cohort.samples.map((sample) => read(sample) * sign)
    const ranking = rank(values, cohort.positive, clusters.of)
    return (draws: Uint32Array | null): number => auroc(ranking, draws)
  }
  const names = namesIn(cohort.samples, (sample) => sample.withoutMetric).filter((name) => name !== NONE)
  const without = names.map(
    (name) => [`-${name}`, area((sample) => sample.withoutMetric[name] ?? full(sample))] as const,
  )
  const statistics = Object.fromEntries([['full', area(full)] as const, ...without])
  const estimates = bootstrap(clusters.count, statistics, LIMITS.evaluateTableResamples, random)
  return names.map((name) => {
    const left = estimates[`-${name}`]!
    const auroc = Number.isNaN(left.value) ? null : left.value
    return { name, auroc, worth: interval(difference(estimates.full!, left)) }
  })
}
