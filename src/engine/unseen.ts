import { type Graduate, isAmm, LAUNCHPAD, type Launchpad, QUOTE, type TradeEvent, VENUE } from '../decode/events.ts'
import { CURVE } from './constants.ts'
import type { Token } from './state.ts'
import { isMigrated, marketCap } from './tokens.ts'

/** What is known of a token whose launch the log does not have: methodology, section 1. */

/** `migratedSlot` of a token that graduated before it was first seen: no slot of the log. */
export const MIGRATED_BEFORE = 0

/** By venue; an AMM does not say where a token was launched. */
const LAUNCHPADS: readonly Launchpad[] = [
  LAUNCHPAD.pumpfun,
  LAUNCHPAD.unknown,
  LAUNCHPAD.launchlab,
  LAUNCHPAD.meteora_dbc,
  LAUNCHPAD.unknown,
]

/** Fills in what a trade tells about a token whose creation was not seen. */
export function learnFromTrade(token: Token, event: TradeEvent): void {
  // a launch on LaunchLab was seen with its supply; of one that was not, its trades tell it by their reserves
  const isWorkedOut = event.venue === VENUE.launchlab
  if (event.supply > 0 && (token.supply === 0 || !isWorkedOut)) token.supply = event.supply
  else if (token.supply === 0 && event.venue === VENUE.pump) token.supply = CURVE.supply
  if (token.launchpad === LAUNCHPAD.unknown) token.launchpad = LAUNCHPADS[event.venue] ?? LAUNCHPAD.unknown
  if (event.mayhem) token.mayhem = true
  if (isAmm(event.venue)) {
    if (token.pool === null && token.curve === null && event.pool !== null) token.pool = event.pool
  } else if (token.curve === null && event.pool !== null) token.curve = event.pool
  if (token.lastTradeSlot >= 0) return
  token.quote = event.quote
  token.decimals = event.decimals
  if (token.startQuote === 0) token.startQuote = startOf(event)
}

/** The quote reserve that the curve began with, where one trade tells it: 0 otherwise. */
function startOf(event: TradeEvent): number {
  if (event.isBuy && event.realToken + event.tokenAmount === CURVE.realTokenAtStart)
    return event.quoteReserve - event.quoteAmount
  if (event.venue !== VENUE.pump || event.quote !== QUOTE.SOL) return 0
  // the product of the reserves never changes on a normal curve; on those of the mayhem program it is another
  const product = (event.quoteReserve / CURVE.startLamports) * (event.baseReserve / CURVE.virtualTokenAtStart)
  return Math.abs(product - 1) <= CURVE.productTolerance ? CURVE.startLamports : 0
}

/** What its graduation says about a token that was not seen before. `solUsd`: USD of one SOL, 0 unknown. */
export function learnFromGraduation(token: Token, graduate: Graduate, solUsd: number): void {
  token.launchpad = graduate.launchpad
  token.quote = graduate.quote
  token.decimals = graduate.decimals
  if (graduate.launchpad === LAUNCHPAD.pumpfun) token.supply = CURVE.supply
  token.quoteReserve = graduate.quoteReserve
  token.baseReserve = graduate.baseReserve
  token.mcap = marketCap(token, solUsd)
}

/** Whose launch it was: a curve says so, and the pool that the launchpad opened; any other pool names whom its opener chose. */
export const creatorOf = (token: Token, event: TradeEvent): TradeEvent['creator'] =>
  !isAmm(event.venue) || (isMigrated(token) && event.pool === token.pool) ? event.creator : null
