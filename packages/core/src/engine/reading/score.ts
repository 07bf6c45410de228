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
  readonly redSupplyPct: number
  readonly top10Pct: number
  /** The sold share of the deployer's position, 0 to 1; 0 if the position was too small to count. */
  readonly deployerSoldShare: number
  /** True if the image or a link was used by an earlier token. */
  readonly isCopy: boolean
  /** Percent of supply sold by the deployer, insiders and confirmed groups: within the last hour, and ever. */
  readonly soldHourPct: number
  readonly soldEverPct: number
  /** True if recorded balances exceed what was given out. */
  readonly isPhantom: boolean
  readonly isRugged: boolean
  /** True if the value is the last known one and describes no market. */
  readonly isDead: boolean
}

type CapName = 'red' | 'top10' | 'dead' | 'sold_in_hour' | 'sold_ever' | 'rugged' | 'phantom' | 'deployer_sold'

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
  | { readonly kind: 'cap'; readonly cap: CapName; readonly at: number }
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
  /** True if a past event keeps the value red, however little is known about the holders. */
  readonly isCappedRed: boolean
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
  const caps = capsOf(input)
  if (weights === 0) return { value: 0, hasReading: false, isCappedRed: false, contributions }
  const trust = Math.min(1, input.coverage / COVERAGE.full)
  for (const metric of METRICS) {
    const x = input.metrics[metric]
    if (x === null) continue
    const { x: xs, points: ys, weight } = SCORE.knots[metric]
    const points = between(xs, ys, x)
    add({ kind: 'metric', metric, x, points, weight }, (trust * weight * points) / weights)
  }
  add({ kind: 'prior' }, (1 - trust) * priorOf(input.metrics))

  for (const { cap, at } of caps) {
    const over = exact - at
    if (over > 0) add({ kind: 'cap', cap, at }, -over)
  }
  if (input.isCopy) add({ kind: 'copied' }, -SCORE.caps.copied)
  add({ kind: 'bounds' }, Math.max(0, Math.min(10, exact)) - exact)
  // computed from the served sum, because the served parts must add up to the value
  const tenths = Math.max(0, Math.min(100, Math.round((sum * 10) / MICRO)))
  add({ kind: 'rounding' }, (tenths * (MICRO / 10) - sum) / MICRO)
  const isCappedRed = caps.some(({ cap }) => HAPPENED.has(cap))
  return { value: tenths / 10, hasReading: true, isCappedRed, contributions }
}

/** The value the score is pulled to while little is known: neutral, or less if independent holders are few. */
function priorOf({ independentHolders }: ScoreMetrics): number {
  const { x, points } = SCORE.knots.independentHolders
  return Math.min(SCORE.neutral, independentHolders === null ? 0 : between(x, points, independentHolders))
}

/** Caps below the yellow edge that follow from actions instead of holdings. */
const HAPPENED: ReadonlySet<CapName> = new Set(['red', 'sold_in_hour'])

type Cap = Extract<ScorePart, { kind: 'cap' }>

function capsOf(input: ScoreInput): Pick<Cap, 'cap' | 'at'>[] {
  const { redSupplyPct, top10Pct, isDead, deployerSoldShare } = input
  const { caps } = SCORE
  const found: Pick<Cap, 'cap' | 'at'>[] = []
  if (redSupplyPct >= caps.redSupplyPct) found.push({ cap: 'red', at: caps.red })
  if (top10Pct > caps.top10Pct) found.push({ cap: 'top10', at: caps.top10 })
  if (isDead) found.push({ cap: 'dead', at: caps.dead })
  if (input.soldHourPct >= caps.soldHourPct) found.push({ cap: 'sold_in_hour', at: caps.soldHour })
  if (input.soldEverPct >= caps.soldEverPct) found.push({ cap: 'sold_ever', at: caps.soldEver })
  if (input.isRugged) found.push({ cap: 'rugged', at: caps.rugged })
  if (input.isPhantom) found.push({ cap: 'phantom', at: caps.phantom })
  if (deployerSoldShare >= caps.deployerSoldShare) found.push({ cap: 'deployer_sold', at: caps.deployerSold })
  return found
}
