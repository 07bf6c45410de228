import type { BundleBook } from '../model/bundles.ts'
import type { Token, Wallet } from '../model/state.ts'
import { BUCKET, LISTS, SLOTS } from './constants.ts'
import { isSerialFailure, withoutLaunch } from './deployers.ts'
import type { Crowd } from './reading/crowd.ts'
import type { Market } from './reading/market.ts'
import type { Reading } from './reading/reading.ts'
import type { Condition } from './reading/signals.ts'
import { countDump, countPump } from './reading/signals.ts'
import type { LiveToken } from './resident.ts'
import { isDead, isMigrated, priceOf } from './tokens.ts'
import { hasPrice, toLamports } from './units.ts'
import { isRedByPast } from './verdict/said.ts'
import { sumWindow } from './windows.ts'

/**
 * Selects the tokens of the lists (methodology, section 6). Live tokens pass cheap tests first. Holders are scanned
 * only for tokens that passed those, and only while places are left.
 */
export interface ListMarket extends Market {
  live(): Iterable<LiveToken>
  /** The view of a token that the filters judge. */
  candidate(live: LiveToken): Candidate
}

/** A token as of one slot: the newest, or the slot of the last scan for a token with many holders. */
export interface Candidate {
  readonly live: { readonly token: Token; readonly bundles: BundleBook }
  readonly slot: number
  crowd(): Readonly<Crowd>
  reading(): Pick<Reading, 'shares' | 'bundles'>
  /** Null until the token has traded. */
  conditions(): readonly Condition[] | null
  /** A wallet's record as of the slot, at least the deployer's. */
  wallet(id: number): Wallet
}

/** A list, the tokens above its end that the filter leaves out, and how many of those are forbidden. */
export interface Selection {
  readonly tokens: readonly LiveToken[]
  readonly hidden: readonly LiveToken[]
  readonly dropped: number
}

/** Newest launch first. */
export function newTokens(market: ListMarket, limit: number): Selection {
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    if (market.slot - token.createdSlot <= LISTS.newSlots && token.createdKnown) found.push(live)
  }
  return best(market, found, limit, ({ token }) => token.createdSlot, passesRugFilter)
}

/** Strongest 5-minute net inflow first. */
export function pumpingTokens(market: ListMarket, limit: number): Selection {
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
    market,
    [...inflow.keys()],
    limit,
    (live) => inflow.get(live)!,
    (candidate) =>
      candidate.crowd().buyers5m >= LISTS.pumps.buyers5m && passesRugFilter(candidate) && pumps(candidate.conditions()),
  )
}

/** Percent of a full curve, at most 100; null if there is no curve or its fill is unknown. */
export function curvePct(token: Token, solUsd: number): number | null {
  if (isMigrated(token) || token.startQuote === 0 || !hasPrice(token)) return null
  return Math.min(100, (100 * toLamports(token.quote, token.realQuote, solUsd)) / LISTS.graduating.fullLamports)
}

/** Half of the curve is filled, fullest first. */
export function graduatingTokens(market: ListMarket, limit: number): Selection {
  const filled = new Map<LiveToken, number>()
  for (const live of market.live()) {
    const { token } = live
    const pct = curvePct(token, market.solUsd) ?? 0
    const isQuiet = market.slot - token.lastTradeSlot > LISTS.graduating.tradeSlots || isDead(token, market.slot)
    if (pct >= 100 * LISTS.graduating.filled && !isQuiet) filled.set(live, pct)
  }
  return best(market, [...filled.keys()], limit, (live) => filled.get(live)!, passesRugFilter)
}

/** Newest migration first. */
export function graduatedTokens(market: ListMarket, limit: number): Selection {
  const found: LiveToken[] = []
  for (const live of market.live()) {
    const { token } = live
    if (isMigrated(token) && market.slot - token.migratedSlot < LISTS.graduatedSlots) found.push(live)
  }
  return best(market, found, limit, ({ token }) => token.migratedSlot, passesRugFilter)
}

/** Highest market cap first. */
export function survivingTokens(market: ListMarket, limit: number): Selection {
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
    market,
    found,
    limit,
    ({ token }) => token.mcap,
    (candidate) => candidate.crowd().traders1h >= survivors.traders1h && passesRugFilter(candidate),
  )
}

function pumps(conditions: readonly Condition[] | null): boolean {
  if (conditions === null) return false
  const pump = countPump(conditions)
  return pump >= LISTS.pumps.conditions && pump - countDump(conditions) >= LISTS.pumps.lead
}

/** True for what no list may name: its money is gone, or its own people have just sold. */
export const isForbidden = ({ live: { token }, slot }: Candidate): boolean => isDead(token, slot) || isRedByPast(token)

/** False for obvious rugs (methodology, section 6). */
export function passesRugFilter(candidate: Candidate): boolean {
  const { live, crowd, reading, wallet } = candidate
  const { token, bundles } = live
  if (token.buyers < LISTS.buyersMin || token.deployerDumped || isForbidden(candidate)) return false
  if (token.deployer >= 0 && isSerialFailure(withoutLaunch(wallet(token.deployer), token))) return false
  const counted = crowd()
  if (token.buyers - counted.bundledBuyers < LISTS.buyersMin) return false
  if (counted.largestBalance >= token.supply * LISTS.largestHolderMax) return false
  if (bundles.groups.length === 0) return true
  const { bundles: held, shares } = reading()
  return shares.bundle < LISTS.bundlePctMax || held.redCount === 0
}

/**
 * The tokens with the highest value that pass, younger ones first among equals. Candidates are tested in that order and
 * only until the limit is reached, because testing is expensive.
 */
function best(
  market: ListMarket,
  candidates: LiveToken[],
  limit: number,
  value: (live: LiveToken) => number,
  passes: (candidate: Candidate) => boolean,
): Selection {
  candidates.sort((a, b) => value(b) - value(a) || b.token.id - a.token.id)
  const tokens: LiveToken[] = []
  const hidden: LiveToken[] = []
  let dropped = 0
  for (const live of candidates) {
    if (tokens.length === limit) break
    const candidate = market.candidate(live)
    if (passes(candidate)) {
      tokens.push(live)
      continue
    }
    hidden.push(live)
    if (isForbidden(candidate)) dropped++
  }
  return { tokens, hidden, dropped }
}
