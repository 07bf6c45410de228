import { auroc, rank } from './auc.ts'
import { bootstrap, clusterBy, difference, type Interval, interval, RESAMPLES } from './bootstrap.ts'
import type { Case } from './cases.ts'
import { answered, EVERYBODY, type Population, sum, yesOf } from './populations.ts'
import { IS_GOOD, type Question } from './questions.ts'
import { createRandom } from './random.ts'

/** Predictors that need no service. */
const BASELINES = {
  'market cap': ({ mcap }: Case) => mcap,
  'price multiple': ({ multiple }: Case) => multiple ?? 0,
  holders: ({ holders }: Case) => holders,
  liquidity: ({ real }: Case) => real ?? 0,
} as const
type Baseline = keyof typeof BASELINES
export const BASELINE_NAMES = Object.keys(BASELINES) as Baseline[]

/** The ranking of a question's answer in one population. Intervals resample deployers with all their tokens. */
export interface Ranked {
  readonly question: Question
  readonly population: Population | typeof WITH_EXITS
  readonly n: number
  readonly yes: number
  readonly tokens: number
  readonly clusters: number
  /** True with at least `OUTCOMES_MIN` of both answers. */
  readonly judged: boolean
  /** Null if the service makes no prediction. */
  readonly outlook: Interval | null
  readonly score: Interval
  readonly baselines: Readonly<Record<Baseline, Interval>>
  readonly best: Baseline
  /** outlook − best baseline, on the same resamples. */
  readonly ahead: Interval | null
}

/**
 * All cases, by the served prediction. For an hour after an exit that is no better than before it, which is a rule and
 * not a frequency.
 */
export const WITH_EXITS = 'all, held back after an exit' as const

/** With fewer of either answer a ranking neither passes nor fails. */
const OUTCOMES_MIN = 20

export function rankCases(
  all: readonly Case[],
  question: Question,
  population: Ranked['population'],
  seed: number,
): Ranked {
  const isServed = population === WITH_EXITS
  const asked = answered(all, question, isServed ? EVERYBODY : population)
  const foretold = asked.filter(({ foretold }) => foretold[question] !== null)
  // without an outlook the other predictors are compared on all cases
  const cases = foretold.length > 0 ? foretold : asked
  const positive = yesOf(cases, question)
  const yes = sum(positive)
  const clusters = clusterBy(cases.map(({ deployer, mint }) => deployer ?? mint))
  const sign = IS_GOOD[question] ? 1 : -1
  const by = (read: (one: Case) => number) => rank(cases.map(read), positive, clusters.of)
  /** In hindsight: a baseline claims no direction, so it gets the better one. */
  const either = (read: (one: Case) => number) => {
    const ranking = by(read)
    return auroc(ranking) < 0.5 ? by((one) => -read(one)) : ranking
  }
  const rankings = {
    ...Object.fromEntries(BASELINE_NAMES.map((name) => [name, either(BASELINES[name])])),
    score: by(({ score }) => sign * score),
    ...(foretold.length > 0 ? { outlook: by((one) => one.foretold[question]![isServed ? 'served' : 'p']) } : {}),
  }
  const statistics = Object.fromEntries(
    Object.entries(rankings).map(([name, ranking]) => [name, (draws: Uint32Array | null) => auroc(ranking, draws)]),
  )
  const resamples = population === EVERYBODY ? RESAMPLES.headline : RESAMPLES.table
  const random = createRandom(seed, `${question} ${population}`)
  const estimates = bootstrap(clusters.count, statistics, resamples, random)
  const best = BASELINE_NAMES.reduce((a, b) => (estimates[b]!.value > estimates[a]!.value ? b : a))
  const { outlook } = estimates
  return {
    question,
    population,
    n: cases.length,
    yes,
    tokens: new Set(cases.map(({ mint }) => mint)).size,
    clusters: clusters.count,
    judged: Math.min(yes, cases.length - yes) >= OUTCOMES_MIN,
    outlook: outlook === undefined ? null : interval(outlook),
    score: interval(estimates.score!),
    baselines: Object.fromEntries(
      BASELINE_NAMES.map((name) => [name, interval(estimates[name]!)]),
    ) as Ranked['baselines'],
    best,
    ahead: outlook === undefined ? null : interval(difference(outlook, estimates[best]!)),
  }
}
