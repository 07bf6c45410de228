import { SCORE } from '../../engine/constants.ts'
import type { Colour } from './sample.ts'

/** A metric of the score as the methodology means it. */
export interface Metric {
  /** name in the API */
  readonly name: string
  /** its rating; null = it has none */
  readonly rating: string | null
  readonly better: 'low' | 'high'
  /** the edges of green and red, and whether the edge itself is green, or red */
  readonly green: number
  readonly red: number
  readonly greenEdge: boolean
  readonly redEdge: boolean
}

/** score points at the edges of red and green */
const POINTS = { red: 3, green: 5 } as const

type Knots = keyof typeof SCORE.knots

function metric(name: string, knots: Knots, rating: string | null, greenEdge = false, redEdge = false): Metric {
  const { x, points } = SCORE.knots[knots]
  const at = (wanted: number): number => x[(points as readonly number[]).indexOf(wanted)]!
  const better = points[0]! > points.at(-1)! ? 'low' : 'high'
  return { name, rating, better, green: at(POINTS.green), red: at(POINTS.red), greenEdge, redEdge }
}

export const METRICS: readonly Metric[] = [
  metric('bundle_pct', 'bundle', 'bundle', false, true),
  metric('dirty_pct', 'dirty', 'dirty'),
  metric('dumpers_pct', 'dumpers', 'dumpers'),
  metric('jeets_pct', 'jeets', 'jeets'),
  metric('alpha_hands_pct', 'alphaHands', 'alpha_hands'),
  {
    ...{ name: 'in_profit_pct', rating: 'in_profit', better: 'high', green: 55, red: 40 },
    greenEdge: false,
    redEdge: false,
  },
  metric('conviction_score', 'conviction', 'conviction'),
  metric('cooktimer_slots', 'cooktimer', 'cooktimer', true),
  metric('smart_wallets_count', 'smartWallets', null),
]

/** metrics without weight in the score whose good side is known all the same */
const LOWER_IS_BETTER = new Set(['chart_nukers_pct', 'top_10_pct', 'bundled', 'dump_conditions_met'])

/** +1 when a high value should be good, −1 when a low one should */
export function orientation(name: string): 1 | -1 {
  const known = METRICS.find((metric) => metric.name === name)
  return known?.better === 'low' || LOWER_IS_BETTER.has(name) ? -1 : 1
}

/** The specification's colour of a reading. */
export function colourOf(metric: Metric, value: number): Colour {
  const beyond = (edge: number, edgeIncluded: boolean, side: 1 | -1): boolean =>
    edgeIncluded ? (value - edge) * side >= 0 : (value - edge) * side > 0
  const up = metric.better === 'high' ? 1 : -1
  if (beyond(metric.green, metric.greenEdge, up)) return 'green'
  return beyond(metric.red, metric.redEdge, up === 1 ? -1 : 1) ? 'red' : 'yellow'
}
