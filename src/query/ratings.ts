import type { Ratings } from '../contract/resources.ts'
import { COVERAGE, SIGNALS } from '../engine/constants.ts'
import type { Reading } from '../engine/reading/reading.ts'
import { type Condition, countDump, countPump } from '../engine/reading/signals.ts'
import { scoreGroup } from './score.ts'

type Colour = Ratings[keyof Ratings]

/**
 * The specification's verdicts, from the numbers as they are served, so that a reader can reproduce every one that is
 * not `neutral`. Neutral = no reading: not traded, nothing owned, or too little history among the holders; for the score also a dead
 * token or one whose launch was not seen.
 */
export function ratingsOf(reading: Reading, conditions: readonly Condition[] | null): Ratings {
  const { metrics } = reading
  const served = scoreGroup(reading)
  const colour = (metric: number | null, judge: () => Colour): Colour => (metric === null ? 'neutral' : judge())
  return {
    alpha_hands: colour(metrics.alphaHands, () => high(served.alpha_hands_pct > 30, served.alpha_hands_pct >= 25)),
    bundle: colour(metrics.bundle, () => high(served.bundle_pct < 50, served.bundle_pct < 65)),
    conviction: colour(metrics.conviction, () => high(served.conviction_score! > 60, served.conviction_score! >= 50)),
    cooktimer: colour(metrics.cooktimer, () => high(served.cooktimer_slots >= 2500, served.cooktimer_slots >= 1000)),
    dirty: colour(metrics.dirty, () => high(served.dirty_pct < 50, served.dirty_pct <= 60)),
    dumpers: colour(metrics.dumpers, () => high(served.dumpers_pct < 50, served.dumpers_pct <= 65)),
    in_profit: colour(metrics.inProfit, () => high(served.in_profit_pct > 55, served.in_profit_pct >= 40)),
    jeets: colour(metrics.jeets, () => high(served.jeets_pct < 10, served.jeets_pct <= 20)),
    pump_dump: conditions === null ? 'neutral' : pumpOrDump(countPump(conditions) - countDump(conditions)),
    score: isRated(reading) ? high(served.value >= 5, served.value >= 3) : 'neutral',
  }
}

const isRated = ({ score, coverage, life }: Reading): boolean =>
  score.hasReading && coverage >= COVERAGE.min && life.launchSeen && !life.dead

const high = (green: boolean, yellow: boolean): Colour => (green ? 'green' : yellow ? 'yellow' : 'red')

const pumpOrDump = (lead: number): Colour => high(lead >= SIGNALS.lead, lead > -SIGNALS.lead)
