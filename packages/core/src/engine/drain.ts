import type { Bucket } from '../model/buckets.ts'
import type { TradeEvent } from '../model/events.ts'
import { RUGGED_BY, type Token } from '../model/state.ts'
import { isAmm, VENUES } from '../model/venues.ts'
import { CLASS, type Class, classOf } from './class-memory.ts'
import { BUCKET, DRAIN } from './constants.ts'
import type { LiveToken } from './resident.ts'
import { isMigrated } from './tokens.ts'
import { hasPrice, toLamports } from './units.ts'
import { bucketIndex } from './windows.ts'

/** Detects drained tokens from the quote reserve, and rugged ones from who gained (methodology, section 1). */

type Drained = Pick<LiveToken, 'token' | 'bounds'>

/** The market's real quote after a trade that sets the price, base units of the quote; 0 if unknown. */
function realQuote(token: Token, event: TradeEvent): number {
  const { quoteReserve, quoteBefore, quoteAmount, isBuy } = event
  if (isAmm(event.venue)) {
    if (quoteBefore < 0) return quoteReserve
    return Math.max(0, isBuy ? quoteBefore + quoteAmount : quoteBefore - quoteAmount)
  }
  // a computed depth is virtual, and another in each segment of the curve
  if (VENUES[event.venue].reserves === 'computed' || token.startQuote === 0) return 0
  return Math.max(0, quoteReserve - token.startQuote)
}

/** Raises the bucket's reserve high, and judges the token after a sale. */
export function noticeReserve(
  { token, bounds }: Drained,
  bucket: Bucket,
  event: TradeEvent,
  slot: number,
  solUsd: number,
): void {
  const after = realQuote(token, event)
  token.realQuote = after
  const before = event.isBuy ? after : after + event.quoteAmount
  if (before > bucket.reserve) bucket.reserve = before
  if (before > bounds.reserve) bounds.reserve = before
  if (!event.isBuy) judgeDrain({ token, bounds }, slot, solUsd)
}

/** Judges the token by its window, after a sale. */
function judgeDrain({ token, bounds }: Drained, slot: number, solUsd: number): void {
  if (token.drainedSlot >= 0) return judgeRug(token, slot)
  if (!hasPrice(token)) return
  // the reserve is too high for a drain in any window, whatever the high was; this covers most sales
  if (token.realQuote > bounds.reserve * (1 - DRAIN.fall)) return
  const high = highestOf(token.buckets, slot)
  bounds.reserve = high
  if (token.realQuote > high * (1 - DRAIN.fall)) return
  if (toLamports(token.quote, high, solUsd) < DRAIN.reserveLamports) return
  token.drainedSlot = slot
  judgeRug(token, slot)
}

/**
 * A drained token is rugged if its own people gained over its life, at least as much as all others who gained, and a
 * good part of what the others lost; those who signed have to gain themselves. Judged after each sale, and when more
 * wallets turn out to be its own people.
 */
export function judgeRug(token: Token, slot: number): void {
  if (token.drainedSlot < 0 || token.ruggedSlot >= 0) return
  const gain = resultOf(token, CLASS.own)
  if (gain < DRAIN.ownLamports || resultOf(token, CLASS.signed) <= 0) return
  if (gain < token.gained || gain < lostByOthers(token) * DRAIN.ownShare) return
  token.ruggedSlot = slot
  token.ruggedBy = takers(token)
}

/** Lamports: the losses of all others who lost. What they hold counts for nothing. */
export function lostByOthers(token: Token): number {
  return token.gained - resultOf(token, CLASS.others)
}

/** Lamports that a class got more than it paid. */
export function resultOf(token: Token, which: Class): number {
  const { paid, got } = classOf(token, which)
  return got - paid
}

/** The kinds of its own people who sold. */
function takers(token: Token): number {
  const sold = (which: Class): number => classOf(token, which).sold
  const insiders = sold(CLASS.insiders)
  return (
    (sold(CLASS.deployer) > 0 ? RUGGED_BY.deployer : 0) |
    (sold(CLASS.bundled) > 0 ? RUGGED_BY.groups : 0) |
    (insiders > sold(CLASS.deployer) ? RUGGED_BY.insiders : 0) |
    (sold(CLASS.own) > sold(CLASS.signed) ? RUGGED_BY.first_block : 0)
  )
}

/** The window's highest reserve, in a plain loop because it runs after sales. */
function highestOf(buckets: readonly Bucket[], slot: number): number {
  const from = bucketIndex(slot) - DRAIN.windowSlots / BUCKET.slots
  let high = 0
  for (let i = buckets.length - 1; i >= 0 && buckets[i]!.index >= from; i--)
    if (buckets[i]!.reserve > high) high = buckets[i]!.reserve
  return high
}

/** The parties that the rug is attributed to; empty if there was none. */
export const ruggedBy = ({ ruggedBy: bits }: Token): string[] =>
  Object.entries(RUGGED_BY).flatMap(([who, bit]) => ((bits & bit) !== 0 ? [who] : []))

/** Detects liquidity withdrawn between two trades from the pool the token graduated to. */
export function noticeWithdrawal(token: Token, event: TradeEvent, slot: number): void {
  if (token.ruggedSlot >= 0 || !isMigrated(token) || event.quoteBefore < 0 || token.quoteReserve === 0) return
  // until its first trade, the reserves known are those of the curve
  if (VENUES[event.venue].isShallower && token.lastTradeSlot <= token.migratedSlot) return
  if (slot - token.lastTradeSlot > DRAIN.withdrawalSlots) return
  if (event.quoteBefore > token.quoteReserve * (1 - DRAIN.withdrawalFall)) return
  if (token.drainedSlot < 0) token.drainedSlot = slot
  token.ruggedSlot = slot
  token.ruggedBy = RUGGED_BY.liquidity
}
