import { type Graduate, LAUNCHPAD, QUOTE, type TradeEvent } from '../model/events.ts'
import type { Globals, Token } from '../model/state.ts'
import { isAmm, VENUES } from '../model/venues.ts'
import { CURVE } from './constants.ts'
import type { LiveToken } from './resident.ts'
import { isMigrated, marketCap } from './tokens.ts'
import { changeUnit, hasPrice, sameUnit } from './units.ts'

/** Deduces facts about a token whose launch is not in the log (methodology, section 1). */

/** The `migratedSlot` of a token that graduated before it was first seen; no slot of the log. */
export const MIGRATED_BEFORE = 0

/**
 * True if the trade shows a better market, in another unit, of a token whose launch was not seen: its curve if only a
 * pool was known, or a pool with a known price if the first one had none. Anybody can open such a pool.
 */
function isBetterMarket(token: Token, event: TradeEvent): boolean {
  if (token.createdKnown || token.curve !== null || isMigrated(token)) return false
  if (token.lastTradeSlot < 0 || sameUnit(token, event)) return false
  return !isAmm(event.venue) || hasPrice(event)
}

/** True for a pool that anyone could open and that does not decide the quote: curve or graduation is known. */
const isBeside = (token: Token, event: TradeEvent): boolean =>
  isAmm(event.venue) && event.pool !== token.pool && (token.curve !== null || isMigrated(token))

/** Fills in what a trade reveals about a token whose creation was not seen. */
export function learnFromTrade(live: LiveToken, event: TradeEvent): void {
  const { token } = live
  if (isBetterMarket(token, event)) {
    changeUnit(live, event)
    token.decimals = event.decimals
    token.pool = null
  }
  const { supply, sameStart, launchpad } = VENUES[event.venue]
  // a launch that was seen came with its supply, which is better than a computed one
  if (event.supply > 0 && (token.supply === 0 || supply === 'stated')) token.supply = event.supply
  else if (token.supply === 0 && sameStart) token.supply = CURVE.supply
  if (token.launchpad === LAUNCHPAD.unknown) token.launchpad = launchpad
  if (event.mayhem) token.mayhem = true
  if (isAmm(event.venue)) {
    if (token.pool === null && token.curve === null && event.pool !== null) token.pool = event.pool
  } else if (token.curve === null && event.pool !== null) token.curve = event.pool
  learnDecimals(token, event)
  if (token.trades === 0 && isFirstOfCurve(event)) token.fromStart = true
  if (token.lastTradeSlot >= 0 || (isBeside(token, event) && !sameUnit(token, event))) return
  token.quote = event.quote
  token.asset = event.asset ?? null
  token.decimals = event.decimals
  if (token.startQuote === 0) token.startQuote = startOf(event)
}

/** Adds the quote's decimals, which not every transaction states. */
function learnDecimals(token: Token, { asset }: TradeEvent): void {
  if (token.asset === null || asset === undefined || token.asset.decimals >= 0) return
  if (asset.mint === token.asset.mint) token.asset = asset
}

const isFirstOfCurve = ({ isBuy, realToken, tokenAmount }: TradeEvent): boolean =>
  isBuy && realToken + tokenAmount === CURVE.realTokenAtStart

/** The curve's initial quote reserve if the trade reveals it, else 0. */
function startOf(event: TradeEvent): number {
  if (isFirstOfCurve(event)) return event.quoteReserve - event.quoteAmount
  if (!VENUES[event.venue].sameStart || event.quote !== QUOTE.SOL) return 0
  // the product of the reserves never changes on a normal curve; on those of the mayhem program it is another
  const product = (event.quoteReserve / CURVE.startLamports) * (event.baseReserve / CURVE.virtualTokenAtStart)
  return Math.abs(product - 1) <= CURVE.productTolerance ? CURVE.startLamports : 0
}

/** True if the first seconds were seen. Otherwise snipers and early evidence are unknown. */
export const isLaunchSeen = ({ createdKnown, fromStart }: Token): boolean => createdKnown || fromStart

/** True if every movement since the launch was seen. */
export const isWhole = ({ fromStart, createdSlot }: Token, { gapSlot }: Pick<Globals, 'gapSlot'>): boolean =>
  fromStart && gapSlot < createdSlot

/** Fills in what a graduation reveals about an unknown token. `solUsd`: USD of one SOL, 0 if unknown. */
export function learnFromGraduation(token: Token, graduate: Graduate, solUsd: number): void {
  token.launchpad = graduate.launchpad
  token.quote = graduate.quote
  token.asset = graduate.asset ?? null
  token.decimals = graduate.decimals
  if (graduate.launchpad === LAUNCHPAD.pumpfun) token.supply = CURVE.supply
  token.quoteReserve = graduate.quoteReserve
  token.baseReserve = graduate.baseReserve
  token.mcap = marketCap(token, solUsd)
}
