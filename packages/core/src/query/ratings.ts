import type { Ratings } from '../contract/resources.ts'
import { SCORE, SIGNALS } from '../engine/constants.ts'
import type { Reading } from '../engine/reading/reading.ts'
import { type Condition, countDump, countPump } from '../engine/reading/signals.ts'
import { scoreGroup } from './score.ts'

type Colour = Ratings[keyof Ratings]

/**
 * The specification's ratings, each by its table from the number served beside it. Neutral only where there is no
 * number: not traded, nothing owned, or too little history.
 */
export function ratingsOf(reading: Reading, conditions: readonly Condition[] | null): Ratings {
  const { metrics } = reading
  const values = scoreGroup(reading)
  const colour = (metric: number | null, judge: () => Colour): Colour => (metric === null ? 'neutral' : judge())
  return {
    alpha_hands: colour(metrics.alphaHands, () => above(values.alpha_hands_pct, SIGNALS.alphaHands)),
    bundle: colour(metrics.bundle, () => bundleColour(values.bundle_pct)),
    conviction: colour(metrics.conviction, () => above(values.conviction_score!, SIGNALS.conviction)),
    cooktimer: colour(metrics.cooktimer, () => from(values.cooktimer_slots, SIGNALS.cooktimer)),
    dirty: colour(metrics.dirty, () => below(values.dirty_pct, SIGNALS.dirty)),
    dumpers: colour(metrics.dumpers, () => below(values.dumpers_pct, SIGNALS.dumpers)),
    in_profit: colour(metrics.inProfit, () => above(values.in_profit_pct, SIGNALS.inProfit)),
    jeets: colour(metrics.jeets, () => below(values.jeets_pct, SIGNALS.jeets)),
    pump_dump: conditions === null ? 'neutral' : pumpOrDump(countPump(conditions) - countDump(conditions)),
    score: reading.score.hasReading ? from(values.value, SCORE.rated) : 'neutral',
  }
}

function bundleColour(pct: number): Colour {
  const [green, red] = SIGNALS.bundle
  return high(pct < green, pct < red)
}

const high = (green: boolean, yellow: boolean): Colour => (green ? 'green' : yellow ? 'yellow' : 'red')

/** Edges of green and of yellow. */
type Edges = readonly [green: number, yellow: number]
const above = (x: number, [green, yellow]: Edges): Colour => high(x > green, x >= yellow)
const below = (x: number, [green, yellow]: Edges): Colour => high(x < green, x <= yellow)
const from = (x: number, [green, yellow]: Edges): Colour => high(x >= green, x >= yellow)

const pumpOrDump = (lead: number): Colour => high(lead >= SIGNALS.lead, lead > -SIGNALS.lead)
