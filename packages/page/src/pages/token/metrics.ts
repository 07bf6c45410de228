import type { Ratings, TokenSnapshot } from '@ti/core/contract/resources.ts'

/** The ten ratings: meaning, thresholds, and the number behind each. */

type RatingName = keyof Ratings
export type Unit = 'percent' | 'points' | 'slots' | 'count' | 'score'

export interface RatedMetric {
  readonly rating: RatingName
  readonly label: string
  readonly unit: Unit
  /** one sentence */
  readonly means: string
  readonly better: 'high' | 'low'
  /** thresholds between the colours, ascending; a number outside of the scale is drawn at its end */
  readonly edges: readonly [number, number]
  readonly scale: readonly [number, number]
  /** thresholds in words */
  readonly rule: string
  readonly read: (snapshot: Pick<TokenSnapshot, 'score' | 'signals'>) => number | null
}

/** In the order of the page; the headline score leads. */
export const RATED: readonly RatedMetric[] = [
  {
    rating: 'score',
    label: 'Quality score',
    unit: 'score',
    means: 'The overall quality score, 0 to 10.',
    better: 'high',
    edges: [3, 5],
    scale: [0, 10],
    rule: 'green from 5, yellow from 3, red below',
    read: ({ score }) => score.value,
  },
  {
    rating: 'bundle',
    label: 'Bundled',
    unit: 'percent',
    means: 'Share of holders’ coins held by coordinated wallet groups.',
    better: 'low',
    edges: [50, 65],
    scale: [0, 100],
    rule: 'green below 50%, yellow below 65%, red from 65%',
    read: ({ score }) => score.bundle_pct,
  },
  {
    rating: 'dirty',
    label: 'Suspicious',
    unit: 'percent',
    means:
      'Share of holders’ coins held by suspicious wallets: bundled, snipers, insiders, fresh, serial ruggers or wash traders.',
    better: 'low',
    edges: [50, 60],
    scale: [0, 100],
    rule: 'green below 50%, yellow to 60%, red above',
    read: ({ score }) => score.dirty_pct,
  },
  {
    rating: 'dumpers',
    label: 'Dumpers',
    unit: 'percent',
    means: 'Share of holders’ coins held by wallets whose past sells pushed prices down.',
    better: 'low',
    edges: [50, 65],
    scale: [0, 100],
    rule: 'green below 50%, yellow to 65%, red above',
    read: ({ score }) => score.dumpers_pct,
  },
  {
    rating: 'jeets',
    label: 'Quick sellers',
    unit: 'percent',
    means: 'Share of holders’ coins held by wallets that usually sell within a minute.',
    better: 'low',
    edges: [10, 20],
    scale: [0, 50],
    rule: 'green below 10%, yellow to 20%, red above',
    read: ({ score }) => score.jeets_pct,
  },
  {
    rating: 'alpha_hands',
    label: 'Alpha hands',
    unit: 'percent',
    means: 'Share of holders’ coins held by wallets with a record of picking winners.',
    better: 'high',
    edges: [25, 30],
    scale: [0, 100],
    rule: 'green above 30%, yellow from 25%, red below',
    read: ({ score }) => score.alpha_hands_pct,
  },
  {
    rating: 'in_profit',
    label: 'In profit',
    unit: 'percent',
    means: 'Share of holders’ coins that are worth at least what their holders paid.',
    better: 'high',
    edges: [40, 55],
    scale: [0, 100],
    rule: 'green above 55%, yellow from 40%, red below',
    read: ({ score }) => score.in_profit_pct,
  },
  {
    rating: 'conviction',
    label: 'Conviction',
    unit: 'points',
    means: 'How patient and how invested the holders are, weighted by what they hold; 0 to 100.',
    better: 'high',
    edges: [50, 60],
    scale: [0, 100],
    rule: 'green above 60, yellow from 50, red below',
    read: ({ score }) => score.conviction_score,
  },
  {
    rating: 'cooktimer',
    label: 'Cook timer',
    unit: 'slots',
    means: 'Time until the average holder is expected to sell, by how long each usually holds.',
    better: 'high',
    edges: [1000, 2500],
    scale: [-1000, 5000],
    rule: 'green from 16 min 40 s, yellow from 6 min 40 s, red below',
    read: ({ score }) => score.cooktimer_slots,
  },
  {
    rating: 'pump_dump',
    label: 'Pump v dump',
    unit: 'count',
    means: 'Pump conditions that hold now minus dump conditions, of 24 pairs.',
    better: 'high',
    edges: [-4, 4],
    scale: [-24, 24],
    rule: 'green when pump leads by at least 4, red when dump does, yellow between',
    read: ({ signals: { pump_conditions_met: pump, dump_conditions_met: dump } }) =>
      pump === null || dump === null ? null : pump - dump,
  },
]

/** Position of a number on its scale, percent. */
export function placeOf(value: number, [low, high]: readonly [number, number]): number {
  return (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low)
}

/** The three coloured zones of a scale, widths in percent. */
export function zonesOf({ better, edges, scale }: Pick<RatedMetric, 'better' | 'edges' | 'scale'>) {
  const [first, second] = [placeOf(edges[0], scale), placeOf(edges[1], scale)]
  const colours = better === 'high' ? (['red', 'yellow', 'green'] as const) : (['green', 'yellow', 'red'] as const)
  return [
    { colour: colours[0], width: first },
    { colour: colours[1], width: second - first },
    { colour: colours[2], width: 100 - second },
  ]
}
