import type { Ratings } from '../contract/resources.ts'
import { COVERAGE, SCORE, SIGNALS } from '../engine/constants.ts'
import { VERDICT } from '../engine/constants-verdict.ts'
import { MILLION } from '../engine/outlook/counts.ts'
import type { Reading } from '../engine/reading/reading.ts'
import { type Condition, countDump, countPump } from '../engine/reading/signals.ts'
import { percent } from './round.ts'
import { scoreGroup } from './score.ts'

type Colour = Ratings[keyof Ratings]

/**
 * The specification's ratings, derived from the served numbers, so that readers can reproduce each one that is not
 * `neutral`. Neutral means no reading: not traded, nothing owned, or too little history; for the score also a dead
 * token or an unseen launch. A rating is also neutral if the number would pass only because the bad actors have left,
 * no holders are left, or similar tokens fell (methodology, section 4).
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
  // the outlook affects only the score
  const of = (name: string): HeldBack[] => reasons.filter((reason) => name === 'score' || !OF_OUTLOOK.has(reason))
  const isHeldBack = (name: string, rating: Colour): boolean =>
    (rating === 'green' && of(name).length > 0) || (rating === 'yellow' && of(name).some((one) => OF_YELLOW.has(one)))
  const served = (name: string, rating: Colour): Colour => (isHeldBack(name, rating) ? 'neutral' : rating)
  return Object.fromEntries(Object.entries(now).map(([name, rating]) => [name, served(name, rating)])) as Ratings
}

type HeldBack = 'sold_in_hour' | 'sold_ever' | 'rugged' | 'dead' | 'phantom' | 'outlook' | 'outlook_yellow'

const OF_OUTLOOK: ReadonlySet<HeldBack> = new Set(['outlook', 'outlook_yellow'])
/** reasons that also hold back yellow */
const OF_YELLOW: ReadonlySet<HeldBack> = new Set(['sold_in_hour', 'outlook'])

/**
 * The reasons that hold back a token's ratings. `sold_in_hour` excludes green and yellow for all ratings. A red drain
 * or halving probability (`outlook`) excludes both for the score, and `outlook_yellow` excludes green. The others
 * exclude green. Excluded ratings become neutral.
 */
export function heldBackBy({ past, life, outlook }: Reading): HeldBack[] {
  const fear = Math.max(outlook.drain?.p ?? 0, outlook.halving?.p ?? 0) / MILLION
  const { yellow, red } = VERDICT.outlookP
  const reasons: Record<HeldBack, boolean> = {
    sold_in_hour: past.soldHourPct >= SCORE.caps.soldHourPct,
    sold_ever: past.soldEverPct >= SCORE.caps.soldEverPct,
    rugged: past.rugged,
    dead: life.dead,
    phantom: life.phantomPct > COVERAGE.phantomPct,
    outlook: fear >= red,
    outlook_yellow: fear >= yellow && fear < red,
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
