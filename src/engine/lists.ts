import { BUCKET, LISTS, SLOTS } from './constants.ts'
import { isSerialFailure } from './deployers.ts'
import type { Wallet } from './state.ts'
import type { LiveToken } from './token-book.ts'
import { isDead, isMigrated, priceOf } from './tokens.ts'
import { sumWindow } from './windows.ts'

/**
 * Which tokens the lists show: methodology, section 6. Conditions that need bundles or signals come with those; until
 * then they neither admit nor reject anything. Candidates are the live tokens, prefiltered by the cheap tests first.
 */
export interface Market {
  /** last chain slot */
  readonly slot: number
  readonly solUsd: number
  live(): Iterable<LiveToken>
  wallet(id: number): Wallet
}

/** Newest launch first. */
export function newTokens(market: Market, limit: number): LiveToken[] {
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    if (market.slot - token.createdSlot <= LISTS.newSlots && token.createdKnown && passesRugFilter(market, live)) {
      found.push(live)
    }
  }
  return best(found, limit, ({ token }) => token.createdSlot)
}

/** Strongest 5-minute net inflow first. */
export function pumpingTokens(market: Market, limit: number): LiveToken[] {
  const inflow = new Map<LiveToken, number>()
  for (const live of market.live()) {
    const { token } = live
    if (market.slot - token.lastTradeSlot > SLOTS.fiveMinutes) continue
    if (market.slot - token.createdSlot < LISTS.pumps.ageSlots) continue
    const sums = sumWindow(token, market.slot, BUCKET.fiveMinutes)
    if (sums.open === 0 || priceOf(token) / sums.open - 1 < LISTS.pumps.return5m) continue
    if (sums.buyLamports + sums.sellLamports < LISTS.pumps.volume5mLamports) continue
    if (countSince(live, market.slot - SLOTS.fiveMinutes, 'lastBuySlot') < LISTS.pumps.buyers5m) continue
    if (passesRugFilter(market, live)) inflow.set(live, sums.buyLamports - sums.sellLamports)
  }
  return best([...inflow.keys()], limit, (live) => inflow.get(live)!)
}

/** Newest migration first. */
export function graduatedTokens(market: Market, limit: number): LiveToken[] {
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    if (!isMigrated(token) || market.slot - token.migratedSlot >= LISTS.graduatedSlots) continue
    if (passesRugFilter(market, live)) found.push(live)
  }
  return best(found, limit, ({ token }) => token.migratedSlot)
}

/** Highest market cap first. */
export function survivingTokens(market: Market, limit: number): LiveToken[] {
  const { survivors } = LISTS
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    const age = market.slot - token.createdSlot
    if (age < survivors.ageMinSlots || age > survivors.ageMaxSlots) continue
    if (market.slot - token.lastTradeSlot > survivors.lastTradeSlots) continue
    if (token.mcap < Math.max(survivors.mcapSol * market.solUsd, survivors.mcapAthShare * token.ath)) continue
    if (countSince(live, market.slot - SLOTS.hour, 'lastSlot') < survivors.traders1h) continue
    if (passesRugFilter(market, live)) found.push(live)
  }
  return best(found, limit, ({ token }) => token.mcap)
}

/** Not an obvious rug. */
export function passesRugFilter(market: Market, live: LiveToken): boolean {
  const { token } = live
  if (token.buyers < LISTS.buyersMin || token.ruggedSlot >= 0 || token.deployerDumped) return false
  if (isDead(token, market.slot)) return false
  if (token.deployer >= 0 && isSerialFailure(market.wallet(token.deployer))) return false
  return largestBalance(live) < token.supply * LISTS.largestHolderMax
}

function largestBalance(live: LiveToken): number {
  let largest = 0
  for (const { balance } of live.positions.values()) if (balance > largest) largest = balance
  return largest
}

function countSince(live: LiveToken, slot: number, field: 'lastSlot' | 'lastBuySlot'): number {
  let total = 0
  for (const position of live.positions.values()) if (position[field] >= slot) total++
  return total
}

/** Highest value first, ties by the younger token. */
function best(found: LiveToken[], limit: number, value: (live: LiveToken) => number): LiveToken[] {
  return found.sort((a, b) => value(b) - value(a) || b.token.id - a.token.id).slice(0, limit)
}
