import type { VerdictCode } from '../../base/verdict-codes.ts'
import { COVERAGE, SCORE } from '../constants.ts'
import { between } from './knots.ts'

/** The headline score (methodology, section 4). */

export type MetricName = keyof typeof SCORE.knots
export const METRICS = Object.keys(SCORE.knots) as MetricName[]

/** Null means no reading, and the metric has no part in the score. `inProfit` never has, it has only a rating. */
export type ScoreMetrics = Readonly<Record<MetricName | 'inProfit', number | null>>

export interface ScoreInput {
  readonly metrics: ScoreMetrics
  /** The share of the owned supply held by wallets with a track record, 0 to 1. */
  readonly coverage: number
  /** True if the image or a link was used by an earlier token. */
  readonly isCopy: boolean
  /** Null for the score before the verdict lowers it. */
  readonly cap: Cap | null
}

/** The most that the score can be with a verdict, and what the verdict rests on. */
export interface Cap {
  readonly code: VerdictCode
  readonly at: number
}

type ScorePart =
  | {
      readonly kind: 'metric'
      readonly metric: MetricName
      readonly x: number
      readonly points: number
      readonly weight: number
    }
  /** The pull towards the prior while little is known. */
  | { readonly kind: 'prior' }
  | { readonly kind: 'cap'; readonly cap: VerdictCode; readonly at: number }
  | { readonly kind: 'copied' }
  | { readonly kind: 'bounds' }
  | { readonly kind: 'rounding' }

export interface Contribution {
  readonly part: ScorePart
  /** Whole millionths of a point; together they add up to the value exactly. */
  readonly micro: number
}

export interface Score {
  /** 0 to 10, one decimal. */
  readonly value: number
  readonly hasReading: boolean
  readonly contributions: readonly Contribution[]
}

const MICRO = 1_000_000

export function scoreOf(input: ScoreInput): Score {
  const contributions: Contribution[] = []
  /** in points, and in the whole millionths that are served */
  let exact = 0
  let sum = 0
  const add = (part: ScorePart, points: number): void => {
    exact += points
    const micro = Math.round(points * MICRO)
    if (micro === 0 && part.kind !== 'metric') return
    contributions.push({ part, micro })
    sum += micro
  }

  let weights = 0
  for (const metric of METRICS) if (input.metrics[metric] !== null) weights += SCORE.knots[metric].weight
  if (weights === 0) return { value: 0, hasReading: false, contributions }
  const trust = Math.min(1, input.coverage / COVERAGE.full)
  for (const metric of METRICS) {
    const x = input.metrics[metric]
    if (x === null) continue
    const { x: xs, points: ys, weight } = SCORE.knots[metric]
    const points = between(xs, ys, x)
    add({ kind: 'metric', metric, x, points, weight }, (trust * weight * points) / weights)
  }
  add({ kind: 'prior' }, (1 - trust) * priorOf(input.metrics))

  if (input.isCopy) add({ kind: 'copied' }, -SCORE.copied)
  const { cap } = input
  if (cap !== null && exact > cap.at) add({ kind: 'cap', cap: cap.code, at: cap.at }, cap.at - exact)
  add({ kind: 'bounds' }, Math.max(0, Math.min(10, exact)) - exact)
  // computed from the served sum, because the served parts must add up to the value
  const tenths = Math.max(0, Math.min(100, Math.round((sum * 10) / MICRO)))
  add({ kind: 'rounding' }, (tenths * (MICRO / 10) - sum) / MICRO)
  return { value: tenths / 10, hasReading: true, contributions }
}

/** The value the score is pulled to while little is known: neutral, or less if independent holders are few. */
function priorOf({ independentHolders }: ScoreMetrics): number {
  const { x, points } = SCORE.knots.independentHolders
  return Math.min(SCORE.neutral, independentHolders === null ? 0 : between(x, points, independentHolders))
}
