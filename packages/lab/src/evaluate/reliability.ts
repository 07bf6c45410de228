import type { Case } from './cases.ts'
import { answered, EVERYBODY, sum, yesOf } from './populations.ts'
import type { Question } from './questions.ts'
import { type Rate, wilson } from './wilson.ts'

/** Evaluates whether served probabilities match observed rates. */
export interface Reliability {
  readonly question: Question
  readonly n: number
  /** Mean squared error of the outlook, and of the overall rate, known in hindsight. */
  readonly brier: { readonly outlook: number; readonly constant: number } | null
  /** By served probability, ten bins of equal width. */
  readonly bins: readonly Bin[]
  /** By band of the card, lowest first, without empty ones. */
  readonly bands: readonly (Bin & { readonly band: number })[]
  /** True if every bin with enough cases is close enough to its rate; null if there is none. */
  readonly calibrated: boolean | null
  /** True if the rates of bands with enough cases never fall; null if there are fewer than two. */
  readonly monotone: boolean | null
}

interface Bin extends Rate {
  /** Mean of the served probabilities, 0 to 1. */
  readonly mean: number
}

/** The fewest cases of a judged bin, and the largest deviation of its rate. */
export const JUDGED = { cases: 200, within: 0.05 }
const BINS = 10
const MILLION = 1_000_000

export function reliabilityOf(all: readonly Case[], question: Question): Reliability {
  const cases = answered(all, question, EVERYBODY).filter(({ foretold }) => foretold[question] !== null)
  const served = (one: Case): number => one.foretold[question]!.p / MILLION
  const binOf = (those: readonly Case[]): Bin => ({
    ...wilson(sum(yesOf(those, question)), those.length),
    mean: sum(those.map(served)) / those.length,
  })
  const by = (key: (one: Case) => number): [number, Bin][] => {
    const keys = [...new Set(cases.map(key))].sort((a, b) => a - b)
    return keys.map((k) => [k, binOf(cases.filter((one) => key(one) === k))])
  }
  const bins = by((one) => Math.min(BINS - 1, Math.floor(served(one) * BINS))).map(([, bin]) => bin)
  const bands = by((one) => one.foretold[question]!.band).map(([band, bin]) => ({ band, ...bin }))
  const enough = <T extends Bin>(of: readonly T[]): T[] => of.filter(({ n }) => n >= JUDGED.cases)
  const rates = enough(bands).map(({ rate }) => rate!)
  const rate = sum(yesOf(cases, question)) / cases.length
  const error = (p: (one: Case) => number): number =>
    sum(cases.map((one) => (p(one) - (one.answers[question] ? 1 : 0)) ** 2)) / cases.length
  return {
    question,
    n: cases.length,
    brier: cases.length === 0 ? null : { outlook: error(served), constant: error(() => rate) },
    bins,
    bands,
    calibrated: enough(bins).length === 0 ? null : enough(bins).every(isNear),
    monotone: rates.length < 2 ? null : rates.every((one, i) => i === 0 || one >= rates[i - 1]!),
  }
}

const isNear = ({ mean, rate }: Bin): boolean => Math.abs(mean - rate!) <= JUDGED.within
