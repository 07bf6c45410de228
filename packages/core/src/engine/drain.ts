import type { Bucket, Sale } from '../model/buckets.ts'
import type { TradeEvent } from '../model/events.ts'
import { RUGGED_BY, type Token } from '../model/state.ts'
import { isAmm, VENUES } from '../model/venues.ts'
import { BUCKET, DRAIN } from './constants.ts'
import type { LiveToken } from './resident.ts'
import { isMigrated } from './tokens.ts'
import { hasPrice, toLamports } from './units.ts'
import { bucketIndex } from './windows.ts'

/** Detects drained and rugged tokens from the quote reserve and the sales since its high (methodology, section 1). */

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

/**
 * Judges the token by its window, after a sale and when sellers are identified as insiders later. A token drained
 * before can be drained again, from a lower high.
 */
export function judgeDrain({ token, bounds }: Drained, slot: number, solUsd: number): void {
  if (token.ruggedSlot >= 0 || !hasPrice(token)) return
  // the reserve is too high for a drain in any window, whatever the high was; this covers most sales
  if (token.realQuote > bounds.reserve * (1 - DRAIN.fall)) return
  const high = highestOf(token.buckets, slot)
  bounds.reserve = high
  if (token.realQuote > high * (1 - DRAIN.fall)) return
  if (toLamports(token.quote, high, solUsd) < DRAIN.reserveLamports) return
  if (token.drainedSlot < 0) token.drainedSlot = slot
  const { sold, deployerSold, groupSold, insiderSold, insideTook, from } = soldFrom(token.buckets, high)
  const together = leftTogether(token, from)
  const inside = deployerSold + groupSold + insiderSold + together.tokens
  const gone = high - token.realQuote
  if (inside < sold * DRAIN.insiderShare && insideTook + together.took < gone * DRAIN.insiderShare) return
  token.ruggedSlot = slot
  token.ruggedBy =
    (deployerSold > 0 ? RUGGED_BY.deployer : 0) |
    (groupSold > 0 ? RUGGED_BY.groups : 0) |
    (insiderSold > 0 ? RUGGED_BY.insiders : 0) |
    (together.took > 0 ? RUGGED_BY.together : 0)
}

/**
 * The tokens and quote taken by strangers that left together: the run of buckets from `from` on with the largest take.
 */
function leftTogether({ sales, supply }: Token, from: number): { readonly tokens: number; readonly took: number } {
  let most = { tokens: 0, took: 0 }
  const isLeaver = ({ left, counted, index, tokens }: Sale): boolean =>
    left && !counted && index >= from && tokens >= supply * DRAIN.togetherSupplyShare
  for (const { index } of sales) {
    const wallets = new Set<number>()
    const sums = { tokens: 0, took: 0 }
    for (const sale of sales) {
      if (!isLeaver(sale) || sale.index < index || sale.index >= index + DRAIN.togetherBuckets) continue
      wallets.add(sale.wallet)
      sums.tokens += sale.tokens
      sums.took += sale.took
    }
    if (wallets.size >= DRAIN.togetherWallets && sums.took > most.took) most = sums
  }
  return most
}

/** The window's highest reserve, in a plain loop because it runs after sales. */
function highestOf(buckets: readonly Bucket[], slot: number): number {
  const from = bucketIndex(slot) - DRAIN.windowSlots / BUCKET.slots
  let high = 0
  for (let i = buckets.length - 1; i >= 0 && buckets[i]!.index >= from; i--)
    if (buckets[i]!.reserve > high) high = buckets[i]!.reserve
  return high
}

/** Sums over the buckets from the last one with that reserve on. */
function soldFrom(buckets: readonly Bucket[], high: number) {
  const first = buckets.findLastIndex(({ reserve }) => reserve === high)
  const sums = { sold: 0, deployerSold: 0, groupSold: 0, insiderSold: 0, insideTook: 0, from: buckets[first]!.index }
  for (let i = first; i < buckets.length; i++) {
    const bucket = buckets[i]!
    sums.sold += bucket.sold
    sums.deployerSold += bucket.deployerSold
    sums.groupSold += bucket.groupSold
    sums.insiderSold += bucket.insiderSold
    sums.insideTook += bucket.insideTook
  }
  return sums
}

type NewSale = Omit<Sale, 'index'> & { readonly slot: number }

/**
 * Records a sale while a drain can still be judged by it, because its seller may be identified later. `counted`:
 * already credited to groups or insiders.
 */
export function rememberSale({ sales }: Token, { wallet, slot, tokens, took, left, counted }: NewSale): void {
  const index = bucketIndex(slot)
  const from = index - DRAIN.windowSlots / BUCKET.slots
  let expired = 0
  while (expired < sales.length && sales[expired]!.index < from) expired++
  if (expired > 0) sales.splice(0, expired)
  for (let i = sales.length - 1; i >= 0 && sales[i]!.index === index; i--) {
    const sale = sales[i]!
    if (sale.wallet !== wallet || sale.counted !== counted) continue
    sale.tokens += tokens
    sale.took += took
    sale.left ||= left
    return
  }
  sales.push({ wallet, index, tokens, took, left, counted })
  if (sales.length <= DRAIN.salesMax) return
  let least = 0
  for (let i = 1; i < sales.length; i++) if (sales[i]!.tokens < sales[least]!.tokens) least = i
  sales.splice(least, 1)
}

/**
 * Credits a wallet's earlier sales to groups once it belongs to a confirmed one. Returns true if a verdict may change.
 */
export function creditGroup({ sales, buckets }: Token, wallet: number, slot: number): boolean {
  const from = bucketIndex(slot) - DRAIN.windowSlots / BUCKET.slots
  let any = false
  for (const sale of sales) {
    if (sale.wallet !== wallet || sale.counted) continue
    sale.counted = true
    if (sale.index >= from) any = true
    const bucket = buckets.find(({ index }) => index === sale.index)
    if (bucket === undefined) continue
    bucket.groupSold += sale.tokens
    bucket.insideTook += sale.took
  }
  return any
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
