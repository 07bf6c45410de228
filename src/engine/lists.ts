import { confirmedGroup } from './bundles/groups.ts'
import { BUCKET, LISTS, SLOTS } from './constants.ts'
import { isSerialFailure } from './deployers.ts'
import type { Market } from './reading/market.ts'
import type { Reading } from './reading/reading.ts'
import type { Condition } from './reading/signals.ts'
import { countDump, countPump } from './reading/signals.ts'
import type { Position } from './state.ts'
import type { LiveToken } from './token-book.ts'
import { isDead, isMigrated, priceOf } from './tokens.ts'
import { hasPrice } from './units.ts'
import { sumWindow } from './windows.ts'

/**
 * Which tokens the lists show: methodology, section 6. Candidates are the live tokens, prefiltered by the cheap tests
 * first; a token's holders are scanned only where everything cheaper has let it pass, and only for places left.
 */
export interface ListMarket extends Market {
  live(): Iterable<LiveToken>
  reading(live: LiveToken): Reading
  /** null until the token has traded */
  signals(live: LiveToken): readonly Condition[] | null
}

/** Newest launch first. */
export function newTokens(market: ListMarket, limit: number): LiveToken[] {
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    if (market.slot - token.createdSlot <= LISTS.newSlots && token.createdKnown) found.push(live)
  }
  return best(
    found,
    limit,
    ({ token }) => token.createdSlot,
    (live) => passesRugFilter(market, live),
  )
}

/** Strongest 5-minute net inflow first. */
export function pumpingTokens(market: ListMarket, limit: number): LiveToken[] {
  const inflow = new Map<LiveToken, number>()
  for (const live of market.live()) {
    const { token } = live
    if (market.slot - token.lastTradeSlot > SLOTS.fiveMinutes) continue
    if (market.slot - token.createdSlot < LISTS.pumps.ageSlots || !hasPrice(token)) continue
    const sums = sumWindow(token, market.slot, BUCKET.fiveMinutes)
    if (sums.open === 0 || priceOf(token) / sums.open - 1 < LISTS.pumps.return5m) continue
    if (sums.buyLamports + sums.sellLamports < LISTS.pumps.volume5mLamports) continue
    inflow.set(live, sums.buyLamports - sums.sellLamports)
  }
  return best(
    [...inflow.keys()],
    limit,
    (live) => inflow.get(live)!,
    (live) =>
      countSince(live, market.slot - SLOTS.fiveMinutes, boughtAt) >= LISTS.pumps.buyers5m &&
      passesRugFilter(market, live) &&
      pumps(market.signals(live)),
  )
}

/** Newest migration first. */
export function graduatedTokens(market: ListMarket, limit: number): LiveToken[] {
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    if (isMigrated(token) && market.slot - token.migratedSlot < LISTS.graduatedSlots) found.push(live)
  }
  return best(
    found,
    limit,
    ({ token }) => token.migratedSlot,
    (live) => passesRugFilter(market, live),
  )
}

/** Highest market cap first. */
export function survivingTokens(market: ListMarket, limit: number): LiveToken[] {
  const { survivors } = LISTS
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    const age = market.slot - token.createdSlot
    if (age < survivors.ageMinSlots || age > survivors.ageMaxSlots || !hasPrice(token)) continue
    if (market.slot - token.lastTradeSlot > survivors.lastTradeSlots) continue
    if (token.mcap >= Math.max(survivors.mcapSol * market.solUsd, survivors.mcapAthShare * token.ath)) found.push(live)
  }
  return best(
    found,
    limit,
    ({ token }) => token.mcap,
    (live) =>
      countSince(live, market.slot - SLOTS.hour, tradedAt) >= survivors.traders1h && passesRugFilter(market, live),
  )
}

function pumps(conditions: readonly Condition[] | null): boolean {
  if (conditions === null) return false
  const pump = countPump(conditions)
  return pump >= LISTS.pumps.conditions && pump - countDump(conditions) >= LISTS.pumps.lead
}

/** Not an obvious rug. */
export function passesRugFilter(market: ListMarket, live: LiveToken): boolean {
  const { token } = live
  if (token.buyers < LISTS.buyersMin || token.ruggedSlot >= 0 || token.deployerDumped) return false
  if (isDead(token, market.slot)) return false
  if (token.deployer >= 0 && isSerialFailure(market.wallet(token.deployer))) return false
  if (token.buyers - bundledBuyers(live) < LISTS.buyersMin) return false
  if (largestBalance(live) >= token.supply * LISTS.largestHolderMax) return false
  if (live.bundles.groups.length === 0) return true
  const { bundles, shares } = market.reading(live)
  return shares.bundle < LISTS.bundlePctMax || bundles.redCount === 0
}

function bundledBuyers({ bundles, positions }: LiveToken): number {
  if (bundles.groups.length === 0) return 0
  let total = 0
  for (const position of positions.values()) {
    if (position.group >= 0 && position.bought > 0 && confirmedGroup(bundles, position) !== null) total++
  }
  return total
}

function largestBalance(live: LiveToken): number {
  let largest = 0
  for (const { balance } of live.positions.values()) if (balance > largest) largest = balance
  return largest
}

const boughtAt = (position: Position): number => position.lastBuySlot
const tradedAt = ({ lastBuySlot, lastSellSlot }: Position): number => Math.max(lastBuySlot, lastSellSlot)

function countSince(live: LiveToken, slot: number, at: (position: Position) => number): number {
  let total = 0
  for (const position of live.positions.values()) if (at(position) >= slot) total++
  return total
}

/**
 * Highest value first, ties by the younger token, of those that pass: asked in that order, because passing is what costs,
 * and only until there are enough.
 */
function best(
  candidates: LiveToken[],
  limit: number,
  value: (live: LiveToken) => number,
  passes: (live: LiveToken) => boolean,
): LiveToken[] {
  candidates.sort((a, b) => value(b) - value(a) || b.token.id - a.token.id)
  const found: LiveToken[] = []
  for (const live of candidates) {
    if (found.length === limit) break
    if (passes(live)) found.push(live)
  }
  return found
}
