import { auroc, brier, type Draws, rank } from './auc.ts'
import { bootstrap, clusterBy, difference, type Interval, interval } from './bootstrap.ts'
import {
  AGES,
  ageName,
  BASELINES,
  type Bar,
  type Baseline,
  type Look,
  QUESTIONS,
  type Question,
  type Section,
} from './looks.ts'
import { table } from './markdown-table.ts'
import { fixed, percent, signed, withInterval } from './numbers.ts'
import { createRandom } from './random.ts'

/** The outlook against a constant and the best single number on the same tokens. */

const POPULATIONS = {
  'at risk': () => true,
  '40 holders': ({ single }: Look) => single.holders >= 40,
} as const
type Population = keyof typeof POPULATIONS
const POPULATION_NAMES = Object.keys(POPULATIONS) as Population[]

/** With fewer of either answer nothing is judged. */
const ANSWERS_MIN = 10

export interface Foresight {
  readonly question: Question
  readonly population: Population
  /** Null for all ages together. */
  readonly age: number | null
  readonly n: number
  readonly yes: number
  readonly outlook: Interval
  /** The best of the baselines, each turned the way that suits it in hindsight. */
  readonly best: Baseline
  readonly baseline: Interval
  readonly ahead: Interval
  /** Brier scores of what was served, and less that of a constant that knew the overall rate. */
  readonly brier: number
  readonly overConstant: Interval
}

const ANSWER = { drain: 'drained', halving: 'halved', buyer: 'gained' } as const

export function foresight(
  looks: readonly Look[],
  question: Question,
  population: Population,
  age: number | null,
  seed: number,
): Foresight | null {
  const cases = looks.filter(
    (look) =>
      (age === null || look.age === age) &&
      look.asked[question] &&
      look.foretold[question] !== null &&
      look[ANSWER[question]] !== null &&
      POPULATIONS[population](look),
  )
  const positive = Uint8Array.from(cases, (look) => (look[ANSWER[question]] ? 1 : 0))
  const yes = positive.reduce((sum, one) => sum + one, 0)
  if (Math.min(yes, cases.length - yes) < ANSWERS_MIN) return null
  const clusters = clusterBy(cases.map(({ launch }) => launch.deployer ?? launch.mint))
  const by = (read: (look: Look) => number) => rank(cases.map(read), positive, clusters.of)
  const rankings = Object.fromEntries(
    BASELINES.map((name) => {
      const ranking = by(({ single }) => single[name])
      return [name, auroc(ranking) < 0.5 ? by(({ single }) => -single[name]) : ranking]
    }),
  ) as Record<Baseline, ReturnType<typeof rank>>
  const best = BASELINES.reduce((a, b) => (auroc(rankings[b]) > auroc(rankings[a]) ? b : a))
  const served = cases.map(({ foretold }) => foretold[question]!.p)
  const outlook = by((look) => look.foretold[question]!.p)
  const rate = yes / cases.length
  const statistics = (draws: Draws) => ({
    outlook: auroc(outlook, draws),
    baseline: auroc(rankings[best], draws),
    brier: brier(served, positive, clusters.of, draws),
    constant: brier(
      served.map(() => rate),
      positive,
      clusters.of,
      draws,
    ),
  })
  const estimates = bootstrap(clusters.count, statistics, createRandom(seed, `${question} ${population} ${age}`))
  return {
    ...{ question, population, age, n: cases.length, yes, best },
    outlook: interval(estimates.outlook),
    baseline: interval(estimates.baseline),
    ahead: interval(difference(estimates.outlook, estimates.baseline)),
    brier: estimates.brier.value,
    overConstant: interval(difference(estimates.brier, estimates.constant)),
  }
}

export function outlookSection(looks: readonly Look[], seed: number): Section {
  const all = QUESTIONS.flatMap((question) =>
    POPULATION_NAMES.flatMap((population) =>
      [...AGES, null].flatMap((age) => foresight(looks, question, population, age, seed) ?? []),
    ),
  )
  const row = (one: Foresight): string[] => [
    `${one.question}, ${one.population}`,
    one.age === null ? 'all' : ageName(one.age),
    `${one.n}`,
    percent(one.yes / one.n),
    withInterval(one.outlook),
    `${one.best} ${withInterval(one.baseline)}`,
    withInterval(one.ahead, signed),
    fixed(one.brier, 3),
    withInterval(one.overConstant, (value) => signed(value, 3)),
  ]
  return {
    title: 'Outlook',
    lines: [
      'AUC of the served probability and of the best single number on the same tokens (its direction chosen in hindsight), with the difference; the Brier score, and how far it is above (+) or below (−) that of a constant that knew the rate.',
      all.length === 0
        ? `No question has ${ANSWERS_MIN} of both answers.`
        : table(['question', 'age', 'n', 'yes', 'AUC', 'best single', 'ahead', 'Brier', 'less constant'], all.map(row)),
    ],
    bars: QUESTIONS.flatMap((question) => barsOf(question, all)),
    figures: Object.fromEntries(
      all
        .filter(({ age, population }) => age === null && population === 'at risk')
        .map(({ question, outlook }) => [`AUC ${question}`, withInterval(outlook)]),
    ),
  }
}

/** Behind means that the interval of the difference is below zero. */
function barsOf(question: Question, all: readonly Foresight[]): Bar[] {
  const of = all.filter((one) => one.question === question)
  const where = ({ population, age }: Foresight): string => `${population}, ${age === null ? 'all ages' : ageName(age)}`
  const behind = of.filter(({ ahead }) => ahead.high !== null && ahead.high < 0)
  const above = of.filter(({ overConstant }) => overConstant.value !== null && overConstant.value >= 0)
  const bar = (what: string, wrong: readonly Foresight[], of: readonly Foresight[]): Bar => ({
    bar: `${question}: ${what}`,
    passed: of.length === 0 ? null : wrong.length === 0,
    detail: wrong.length === 0 ? `${of.length} populations` : `not ${wrong.map(where).join('; ')}`,
  })
  return [
    bar('the outlook is nowhere behind the best single number', behind, of),
    bar('its Brier score is below a constant everywhere', above, of),
  ]
}
