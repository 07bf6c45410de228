import { baseUnits } from '../base/decimal.ts'
import type { Key } from '../base/ids.ts'
import { QUOTE } from '../model/events.ts'
import { emptyToken } from '../model/generated/empty.ts'
import type { Token } from '../model/state.ts'
import { DEAD, HOLDER_MIN_TOKENS } from './constants.ts'
import { hasPrice, quoteUnit } from './units.ts'

/** Token basics (methodology, section 1). */

export function newToken(id: number, mint: Key, slot: number, time: number): Token {
  const token = emptyToken(id, mint)
  token.createdSlot = slot
  token.createdTime = time
  return token
}

/** Quote base units per token base unit; 0 before the first trade. */
export const priceOf = (token: Token): number => (token.baseReserve > 0 ? token.quoteReserve / token.baseReserve : 0)

/** Whole USD: floor(price × supply × quote in USD); 0 if the quote has no known price. */
export function marketCap(token: Token, solUsd: number): number {
  if (!hasPrice(token)) return Math.floor((priceOf(token) * token.supply * token.rate * solUsd) / 1e9)
  const usd = token.quote === QUOTE.SOL ? solUsd : 1
  return Math.floor((priceOf(token) * token.supply * usd) / quoteUnit(token)!)
}

/** Market cap in whole units of the quote, as of the last trade; null if its decimals are unknown. */
export function marketCapInQuote(token: Token): number | null {
  const unit = quoteUnit(token)
  return unit === null ? null : (priceOf(token) * token.supply) / unit
}

export const isMigrated = (token: Token): boolean => token.migratedSlot >= 0

/** True if the curve's reserve is within 2% of its start. A launch without buys never left it. */
const isBackAtStart = (token: Token): boolean =>
  !isMigrated(token) &&
  token.startQuote > 0 &&
  (token.lastTradeSlot < 0 || token.quoteReserve <= token.startQuote * (1 + DEAD.nearStart))

/** The exact definition of dead as of `slot`, for readers. The fold acts on `dies`. */
export function isDead(token: Token, slot: number): boolean {
  if (slot - token.createdSlot <= DEAD.ageSlots) return false
  return idleSlots(token, slot) >= DEAD.idleSlots || isBackAtStart(token)
}

/** Slots since the last trade, or since the launch if there was none. */
export const idleSlots = (token: Token, slot: number): number => slot - lastActivity(token)

const lastActivity = (token: Token): number => Math.max(token.lastTradeSlot, token.createdSlot)

/**
 * True if the token dies at `slot`. The idle rule applies from its exact slot on. The reserve rule is checked every 750
 * slots of age, so that a price hovering at the start does not settle positions at every trade.
 */
export function dies(token: Token, slot: number): boolean {
  const age = slot - token.createdSlot
  if (age <= DEAD.ageSlots) return false
  if (idleSlots(token, slot) >= DEAD.idleSlots) return true
  return (age - 1) % DEAD.checkEverySlots === 0 && isBackAtStart(token)
}

/** The next slot after `slot` at which the token may die without a trade. */
export function nextDeathCheck(token: Token, slot: number): number {
  const idle = lastActivity(token) + DEAD.idleSlots
  if (isMigrated(token) || token.startQuote === 0) return idle
  const checks = Math.max(1, Math.floor((slot - token.createdSlot - 1) / DEAD.checkEverySlots) + 1)
  return Math.min(idle, token.createdSlot + 1 + checks * DEAD.checkEverySlots)
}

export const holderMinimum = (token: Token): number => HOLDER_MIN_TOKENS * baseUnits(token.decimals)

/** Base units on record beyond what was given out: someone sold tokens without having been seen to get them. */
export const phantomOf = ({ fromStart, owned, outstanding }: Token): number =>
  fromStart ? Math.max(0, owned - Math.max(0, outstanding)) : 0

/** Updates the token's holder count and owned supply when a balance changes. */
export function countHolder(token: Token, before: number, after: number): void {
  const minimum = holderMinimum(token)
  if (before >= minimum) {
    token.holders--
    token.owned -= before
  }
  if (after < minimum) return
  token.holders++
  token.owned += after
}
