import { LIMITS } from '../../config/limits.ts'
import {
  auroc,
  averagePrecision,
  type Bin,
  type Draws,
  equalCountBins,
  precisionAtTop,
  type Ranking,
  rank,
  rocPoints,
  stratifiedAuroc,
} from './auc.ts'
import { bootstrap, clusterBy, difference, type Interval, interval } from './bootstrap.ts'
import { byPart, type Calibration, calibrate, type PartResult } from './calibration.ts'
import { type Cohort, cohortOf, IS_GOOD } from './cohort.ts'
import { type ColourTable, colourTables } from './colours.ts'
import { type LeftOut, leaveOneOut, type MetricResult, singleMetrics } from './metric-tables.ts'
import { type Permuted, permuted } from './permuted.ts'
import { predictors, strata } from './predictors.ts'
import { createRandom } from './random.ts'
import type { Decision, Evaluation, Label } from './sample.ts'
import { type Split, splitByTime } from './split.ts'

/** With fewer of either outcome an interval is not to be trusted, and nothing is called passed or missed. */
export const OUTCOMES_MIN = 20

const DECILES = 10

/** One decision time and one label in full. Rates of `rugged_1h` and `falls_20m` count the bad outcome. */
export interface Judgement {
  readonly decision: Decision
  readonly label: Label
  readonly good: boolean
  readonly n: number
  readonly positives: number
  readonly clusters: number
  readonly left: { readonly unknown: number; readonly censored: number; readonly settled: number }
  /** at least OUTCOMES_MIN of both outcomes */
  readonly judged: boolean
  readonly auroc: Readonly<Record<'score' | 'mcap' | 'trades' | 'buyers' | 'both', Interval>>
  /** paired differences of AUROC */
  readonly ahead: Readonly<Record<'mcap' | 'trades' | 'buyers' | 'bothOfMcap', Interval>>
  readonly auprc: Readonly<Record<'score' | 'mcap', Interval>>
  /** outcome rate among the most likely 1 % and 5 % */
  readonly top: Readonly<
    Record<'score' | 'mcap', { readonly percent1: number | null; readonly percent5: number | null }>
  >
  /** by score, lowest first */
  readonly deciles: readonly Bin[]
  /** among tokens of about the same market cap: what the score knows beyond it, and what is left of the cap itself */
  readonly withinMcap: Readonly<Record<'score' | 'mcap', Interval>> & { readonly byDecile: readonly (number | null)[] }
  readonly split: Omit<Split, 'parts'>
  readonly parts: readonly PartResult[]
  /** null: a part of the log lacks one of the outcomes */
  readonly calibration: Calibration | null
  readonly colours: readonly ColourTable[]
  readonly metrics: readonly MetricResult[]
  readonly leaveOneOut: readonly LeftOut[]
  readonly permuted: Permuted | null
  readonly roc: Readonly<Record<'score' | 'mcap', readonly (readonly [number, number])[]>>
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

export function judge(evaluation: Evaluation, decision: Decision, label: Label, seed: number): Judgement {
  const cohort = cohortOf(evaluation, decision, label)
  const { samples, positive, positives } = cohort
  const clusters = clusterBy(samples.map((sample) => sample.deployer))
  const { parts, ...split } = splitByTime(samples.map((sample) => sample.createdSlot))
  const by = predictors(cohort, { parts, ...split })
  const rankOf = (values: readonly number[]): Ranking => rank(values, positive, clusters.of)
  const score = rankOf(by.score)
  const mcap = rankOf(by.mcap)
  const random = (purpose: string) => createRandom(seed, `${decision} ${label} ${purpose}`)
  const good = IS_GOOD[label]
  const byRawScore = good ? score : rankOf(by.score.map((value) => -value))
  const top = (ranking: Ranking) => ({
    percent1: orNull(precisionAtTop(ranking, 0.01)),
    percent5: orNull(precisionAtTop(ranking, 0.05)),
  })
  return {
    decision,
    label,
    good,
    n: samples.length,
    positives,
    clusters: clusters.count,
    left: { unknown: cohort.unknown, censored: cohort.censored, settled: cohort.settled },
    judged: Math.min(positives, samples.length - positives) >= OUTCOMES_MIN,
    ...areas(cohort, by, random('areas')),
    top: { score: top(score), mcap: top(mcap) },
    deciles: equalCountBins(byRawScore, DECILES),
    split,
    parts: byPart(cohort, { parts, ...split }, by.score, by.mcap),
    calibration: calibrate(cohort, { parts, ...split }, by.score, by.mcap, random('calibration')),
    colours: colourTables(cohort),
    metrics: singleMetrics(cohort, random('metrics')),
    leaveOneOut: leaveOneOut(cohort, random('leave one out')),
    permuted: permuted(by.score, positive, random('permuted')),
    roc: { score: rocPoints(score, LIMITS.evaluatePlotPoints), mcap: rocPoints(mcap, LIMITS.evaluatePlotPoints) },
  }
}

/** Every figure with an interval, all on the same resamples, so that differences are paired. */
function areas(
  { samples, positive }: Cohort,
  by: ReturnType<typeof predictors>,
  random: ReturnType<typeof createRandom>,
): Pick<Judgement, 'auroc' | 'ahead' | 'auprc' | 'withinMcap'> {
  const clusters = clusterBy(samples.map((sample) => sample.deployer))
  const rankings = Object.fromEntries(
    Object.entries(by).map(([name, values]) => [name, rank(values, positive, clusters.of)]),
  ) as Record<keyof typeof by, Ranking>
  const area = (name: keyof typeof by) => (draws: Draws) => auroc(rankings[name], draws)
  const scoreStrata = strata(by.score, by.mcap, positive, clusters, DECILES)
  const mcapStrata = strata(by.mcap, by.mcap, positive, clusters, DECILES)
  const estimates = bootstrap(
    clusters.count,
    {
      score: area('score'),
      mcap: area('mcap'),
      trades: area('trades'),
      buyers: area('buyers'),
      both: area('both'),
      precision: (draws) => averagePrecision(rankings.score, draws),
      mcapPrecision: (draws) => averagePrecision(rankings.mcap, draws),
      within: (draws) => stratifiedAuroc(scoreStrata, draws),
      mcapWithin: (draws) => stratifiedAuroc(mcapStrata, draws),
    },
    LIMITS.evaluateResamples,
    random,
  )
  const { score, mcap, trades, buyers, both, precision, mcapPrecision, within, mcapWithin } = estimates
  return {
    auroc: {
      score: interval(score),
      mcap: interval(mcap),
      trades: interval(trades),
      buyers: interval(buyers),
      both: interval(both),
    },
    ahead: {
      mcap: interval(difference(score, mcap)),
      trades: interval(difference(score, trades)),
      buyers: interval(difference(score, buyers)),
      bothOfMcap: interval(difference(both, mcap)),
    },
    auprc: { score: interval(precision), mcap: interval(mcapPrecision) },
    withinMcap: {
      score: interval(within),
      mcap: interval(mcapWithin),
      byDecile: scoreStrata.map((stratum) => orNull(auroc(stratum))),
    },
  }
}

/** One line of the compact table. */
export interface Cell {
  readonly decision: Decision
  readonly label: Label
  readonly n: number
  readonly positives: number
  readonly score: Interval
  readonly mcap: Interval
  readonly ahead: Interval
}

/** The comparison alone, for every decision and label. */
export function compare(evaluation: Evaluation, decision: Decision, label: Label, seed: number): Cell {
  const cohort = cohortOf(evaluation, decision, label)
  const { samples, positive, positives } = cohort
  const clusters = clusterBy(samples.map((sample) => sample.deployer))
  const by = predictors(cohort, splitByTime(samples.map((sample) => sample.createdSlot)))
  const score = rank(by.score, positive, clusters.of)
  const mcap = rank(by.mcap, positive, clusters.of)
  const estimates = bootstrap(
    clusters.count,
    { score: (draws) => auroc(score, draws), mcap: (draws) => auroc(mcap, draws) },
    LIMITS.evaluateTableResamples,
    createRandom(seed, `${decision} ${label} table`),
  )
  const ahead = interval(difference(estimates.score, estimates.mcap))
  const { length: n } = samples
  return { decision, label, n, positives, score: interval(estimates.score), mcap: interval(estimates.mcap), ahead }
}
