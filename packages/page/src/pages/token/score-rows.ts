import { RATED } from './metrics.ts'

/** Turns the score's contributions into rows of a waterfall with an exact sum. */

interface Contribution {
  readonly what: string
  readonly points: number
  readonly reading?: number | null | undefined
  /** 0 to 10 */
  readonly rated?: number | undefined
  readonly weight?: number | undefined
}

export interface ScoreRow {
  readonly key: string
  readonly label: string
  readonly means: string
  readonly unit: 'percent' | 'points' | 'slots' | 'count'
  readonly reading: number | null
  readonly rated: number | null
  readonly weight: number | null
  readonly points: number
  /** points for a rating of 10; null if it has no weight */
  readonly most: number | null
}

type Words = Pick<ScoreRow, 'label' | 'means' | 'unit'>

const OTHER_METRICS: Record<string, Words> = {
  smart_wallets_count: {
    label: 'Smart wallets',
    means: 'Smart-money holders; a coordinated group counts once.',
    unit: 'count',
  },
  independent_holders: {
    label: 'Independent holders',
    means:
      'Holders of at least 0.05 SOL outside every confirmed coordinated group, fewer where a few of them hold most: the hardest thing to fake, so it weighs most.',
    unit: 'count',
  },
}

const RATING_OF: Record<string, string> = {
  bundle_pct: 'bundle',
  dirty_pct: 'dirty',
  dumpers_pct: 'dumpers',
  jeets_pct: 'jeets',
  alpha_hands_pct: 'alpha_hands',
  conviction_score: 'conviction',
  cooktimer_slots: 'cooktimer',
}

/** Contributions that are no metrics. */
const ADJUSTMENTS: Record<string, readonly [label: string, means: string]> = {
  prior: [
    'Little known',
    'Little is known of these holders, so the score moves towards 4, or lower where independent holders are few.',
  ],
  copied: ['Copied', 'The token reuses the image or a link of an earlier one: half a point less.'],
  bounds: ['Kept within 0 and 10', 'The score cannot leave the range from 0 to 10.'],
  rounding: ['Rounding', 'The score has one decimal.'],
}

/** Points that the verdict takes off, by the code of its reason. */
const CAP = 'cap: '
const CAPPED =
  'The verdict limits the score: to 2.9 while it is red, to 3.9 after early buyers or its inner circle sold, and to 4.9 while it is not green.'

const inWords = (code: string): string => code.replaceAll('_', ' ')

function wordsOf(what: string): Words {
  const rated = RATED.find(({ rating }) => rating === RATING_OF[what])
  if (rated !== undefined) return { label: rated.label, means: rated.means, unit: rated.unit as Words['unit'] }
  if (what.startsWith(CAP)) return { label: `Limit: ${inWords(what.slice(CAP.length))}`, means: CAPPED, unit: 'points' }
  const adjustment = ADJUSTMENTS[what]
  if (adjustment !== undefined) return { label: adjustment[0], means: adjustment[1], unit: 'points' }
  return OTHER_METRICS[what] ?? { label: inWords(what), means: '', unit: 'points' }
}

export function scoreRows(contributions: readonly Contribution[]): ScoreRow[] {
  const perPoint = pointsPerWeightedTenth(contributions)
  return contributions.map(({ what, points, reading, rated, weight }) => ({
    key: what,
    ...wordsOf(what),
    reading: reading ?? null,
    rated: rated ?? null,
    weight: weight ?? null,
    points,
    most: weight === undefined || perPoint === null ? null : 10 * weight * perPoint,
  }))
}

/** Points for one rating point at weight 1. It is equal for all metrics, so the largest contribution gives it most exactly. */
function pointsPerWeightedTenth(contributions: readonly Contribution[]): number | null {
  let best: { readonly worth: number; readonly per: number } | null = null
  for (const { points, rated, weight } of contributions) {
    const worth = (rated ?? 0) * (weight ?? 0)
    if (worth > 0 && worth > (best?.worth ?? 0)) best = { worth, per: points / worth }
  }
  return best?.per ?? null
}

/** Sums whole millionths, which is exact. */
export const sumOf = (rows: readonly Pick<ScoreRow, 'points'>[]): number =>
  rows.reduce((sum, { points }) => sum + Math.round(points * 1e6), 0) / 1e6

/** "+1.0", with a sign unless zero */
export function pointsOf(points: number, digits: number): string {
  const text = Math.abs(points).toFixed(digits)
  return Number(text) === 0 ? text : `${points < 0 ? '−' : '+'}${text}`
}
