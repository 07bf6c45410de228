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
    rule: 'green from 5, yellow from 3, red below',
    read: ({ score }) => score.value,
  },
  {
    rating: 'bundle',
    label: 'Bundled',
    unit: 'percent',
    means: 'Share of holders’ coins held by coordinated wallet groups.',
    rule: 'green below 50%, yellow below 65%, red from 65%',
    read: ({ score }) => score.bundle_pct,
  },
  {
    rating: 'dirty',
    label: 'Suspicious',
    unit: 'percent',
    means:
      'Share of holders’ coins held by suspicious wallets: bundled, snipers, insiders, fresh, serial ruggers or wash traders.',
    rule: 'green below 50%, yellow to 60%, red above',
    read: ({ score }) => score.dirty_pct,
  },
  {
    rating: 'dumpers',
    label: 'Dumpers',
    unit: 'percent',
    means: 'Share of holders’ coins held by wallets whose past sells pushed prices down.',
    rule: 'green below 50%, yellow to 65%, red above',
    read: ({ score }) => score.dumpers_pct,
  },
  {
    rating: 'jeets',
    label: 'Quick sellers',
    unit: 'percent',
    means: 'Share of holders’ coins held by wallets that usually sell within a minute.',
    rule: 'green below 10%, yellow to 20%, red above',
    read: ({ score }) => score.jeets_pct,
  },
  {
    rating: 'alpha_hands',
    label: 'Alpha hands',
    unit: 'percent',
    means: 'Share of holders’ coins held by wallets with a record of picking winners.',
    rule: 'green above 30%, yellow from 25%, red below',
    read: ({ score }) => score.alpha_hands_pct,
  },
  {
    rating: 'in_profit',
    label: 'In profit',
    unit: 'percent',
    means: 'Share of holders’ coins that are worth at least what their holders paid.',
    rule: 'green above 55%, yellow from 40%, red below',
    read: ({ score }) => score.in_profit_pct,
  },
  {
    rating: 'conviction',
    label: 'Conviction',
    unit: 'points',
    means: 'How patient and how invested the holders are, weighted by what they hold; 0 to 100.',
    rule: 'green above 60, yellow from 50, red below',
    read: ({ score }) => score.conviction_score,
  },
  {
    rating: 'cooktimer',
    label: 'Cook timer',
    unit: 'slots',
    means: 'Time until the average holder is expected to sell, by how long each usually holds.',
    rule: 'green from 16 min 40 s, yellow from 6 min 40 s, red below',
    read: ({ score }) => score.cooktimer_slots,
  },
  {
    rating: 'pump_dump',
    label: 'Pump v dump',
    unit: 'count',
    means: 'Pump conditions that hold now minus dump conditions, of 24 pairs.',
    rule: 'green when pump leads by at least 4, red when dump does, yellow between',
    read: ({ signals: { pump_conditions_met: pump, dump_conditions_met: dump } }) =>
      pump === null || dump === null ? null : pump - dump,
  },
]
