import type { Ratings } from '../contract/resources.ts'
import { COVERAGE, SCORE, SIGNALS } from '../engine/constants.ts'
import type { Reading } from '../engine/reading/reading.ts'
import { type Condition, countDump, countPump } from '../engine/reading/signals.ts'
import { percent } from './round.ts'
import { scoreGroup } from './score.ts'

type Colour = Ratings[keyof Ratings]

/**
 * The specification's ratings, derived from the served numbers, so that readers can reproduce each one that is not
 * `neutral`. Neutral means no reading: not traded, nothing owned, or too little history; for the score also a dead
 * token or an unseen launch. A rating is also neutral if the number would pass only because the bad actors have left
 * or no holders are left (methodology, section 4).
 */
export function ratingsOf(reading: Reading, conditions: readonly Condition[] | null): Ratings {
  const { metrics, past } = reading
  const values = scoreGroup(reading)
  const colour = (metric: number | null, judge: () => Colour): Colour => (metric === null ? 'neutral' : judge())
  const now: Ratings = {
    alpha_hands: colour(metrics.alphaHands, () => above(values.alpha_hands_pct, SIGNALS.alphaHands)),
    bundle: colour(metrics.bundle, () => bundleColour(values.bundle_pct, past.bundleKeptPct)),
    conviction: colour(metrics.conviction, () => above(values.conviction_score!, SIGNALS.conviction)),
    cooktimer: colour(metrics.cooktimer, () => from(values.cooktimer_slots, SIGNALS.cooktimer)),
    dirty: colour(metrics.dirty, () => below(values.dirty_pct, SIGNALS.dirty)),
    dumpers: colour(metrics.dumpers, () => below(values.dumpers_pct, SIGNALS.dumpers)),
    in_profit: colour(metrics.inProfit, () => above(values.in_profit_pct, SIGNALS.inProfit)),
    jeets: colour(metrics.jeets, () => below(values.jeets_pct, SIGNALS.jeets)),
    pump_dump: conditions === null ? 'neutral' : pumpOrDump(countPump(conditions) - countDump(conditions)),
    score: isRated(reading) ? from(values.value, SCORE.rated) : 'neutral',
  }
  const reasons = heldBackBy(reading)
  const isHeldBack = (rating: Colour): boolean =>
    (rating === 'green' && reasons.length > 0) || (rating === 'yellow' && reasons.includes('sold_in_hour'))
  const served = (rating: Colour): Colour => (isHeldBack(rating) ? 'neutral' : rating)
  return Object.fromEntries(Object.entries(now).map(([name, rating]) => [name, served(rating)])) as Ratings
}

type HeldBack = 'sold_in_hour' | 'sold_ever' | 'rugged' | 'dead' | 'phantom'

/**
 * The reasons that hold back a token's ratings. `sold_in_hour` excludes green and yellow, the others
 * exclude green. Excluded ratings become neutral.
 */
export function heldBackBy({ past, life }: Reading): HeldBack[] {
  const reasons: Record<HeldBack, boolean> = {
    sold_in_hour: past.soldHourPct >= SCORE.caps.soldHourPct,
    sold_ever: past.soldEverPct >= SCORE.caps.soldEverPct,
    rugged: past.rugged,
    dead: life.dead,
    phantom: life.phantomPct > COVERAGE.phantomPct,
  }
  return (Object.keys(reasons) as HeldBack[]).filter((reason) => reasons[reason])
}

/** Neutral if it is better only because groups gave tokens away. */
function bundleColour(pct: number, keptPct: number): Colour {
  const [green, red] = SIGNALS.bundle
  const colour = (x: number): Colour => high(x < green, x < red)
  return colour(pct) === colour(Math.max(pct, percent(keptPct))) ? colour(pct) : 'neutral'
}

const isRated = ({ score, coverage, life }: Reading): boolean =>
  score.hasReading && (coverage >= COVERAGE.min || score.isCappedRed) && life.launchSeen && !life.dead

const high = (green: boolean, yellow: boolean): Colour => (green ? 'green' : yellow ? 'yellow' : 'red')

/** Edges of green and of yellow. */
type Edges = readonly [green: number, yellow: number]
const above = (x: number, [green, yellow]: Edges): Colour => high(x > green, x >= yellow)
const below = (x: number, [green, yellow]: Edges): Colour => high(x < green, x <= yellow)
const from = (x: number, [green, yellow]: Edges): Colour => high(x >= green, x >= yellow)

const pumpOrDump = (lead: number): Colour => high(lead >= SIGNALS.lead, lead > -SIGNALS.lead)
