import { confirmedGroup, holdingGroups, isRed } from '../bundles/groups.ts'
import type { Group } from '../bundles/state.ts'
import { BUCKET, CLASSES, CONVICTION, COVERAGE, SCORE } from '../constants.ts'
import { isOriginal } from '../duplication.ts'
import * as history from '../history.ts'
import { addHolder, emptyHolders, type Holders } from '../holders.ts'
import type { Position, Token, Wallet } from '../state.ts'
import type { LiveToken } from '../token-book.ts'
import { holderMinimum, priceOf, toLamports } from '../tokens.ts'
import { windowStart } from '../windows.ts'
import { hasHistory, healthyRateOf, isAlphaHands, isDirty, isJeet } from './classes.ts'
import { type Cohorts, countCohorts, emptyCohorts } from './cohorts.ts'
import { convictionOf, populationHold, usualHold } from './habit.ts'
import type { Market } from './market.ts'
import { type Metrics, type Score, scoreOf } from './score.ts'

/** Everything one scan over a token's holders tells: methodology, sections 3 to 5. Nothing is rounded here. */
export interface Reading {
  readonly holders: Holders
  readonly bundles: BundleReading
  /** share of the owned supply in hands with history, 0 to 1 */
  readonly coverage: number
  /** percent of owned supply */
  readonly shares: Readonly<Record<ShareName, number>>
  /** 0 to 100; null with few holders or little history */
  readonly conviction: number | null
  /** slots until the average holder is expected to sell, whole; 0 without a reading */
  readonly cooktimer: number
  /** percent of owned supply whose holders are expected to have sold by now */
  readonly overduePct: number
  readonly smartWallets: number
  /** null = no reading */
  readonly metrics: Metrics
  readonly score: Score
  readonly cohorts: Cohorts
  readonly kols: readonly KolHolding[]
  /** wallets that bought, and that sold, in the last minute */
  readonly minute: { readonly buyers: number; readonly sellers: number }
}

export interface BundleReading {
  /** confirmed groups holding more than a trace, and how many of them sell heavily */
  readonly count: number
  readonly redCount: number
  /** base units: of all members of confirmed groups, of the red ones, of the largest three */
  readonly owned: number
  readonly redOwned: number
  readonly largest: readonly number[]
}

export type ShareName = 'bundle' | 'dirty' | 'dumpers' | 'jeets' | 'alphaHands' | 'nukers' | 'diamond' | 'inProfit'

export interface KolHolding {
  readonly wallet: Wallet
  /** base units */
  readonly balance: number
  readonly expectedSellSlot: number | null
}

/** Sums over the scan, base units unless said otherwise. */
interface Sums {
  known: number
  bundle: number
  dirty: number
  dumpers: number
  jeets: number
  alphaHands: number
  nukers: number
  diamond: number
  inProfit: number
  overdue: number
  /** Σ share · (expected sell slot − now), Σ share · conviction, in whole PARTS */
  cook: number
  conviction: number
  smartWallets: number
  readonly smartGroups: Set<Group>
  readonly holders: Holders
  /** holders outside every confirmed group */
  independent: number
  /** wallets that bought or sold in the last minute, holders or not */
  buyers: number
  sellers: number
}

/**
 * Weighted means are summed in whole parts of a slot and of a point: such sums are exact, so that the order of the
 * holders, which is another one after a restart, changes no bit of the answer.
 */
const PARTS = { slot: 2_097_152, point: 1_099_511_627_776 } as const

export function readToken(live: LiveToken, market: Market): Reading {
  const { token } = live
  const bundles = readBundles(live, market.slot)
  const sums: Sums = {
    ...{ known: 0, bundle: 0, dirty: 0, dumpers: 0, jeets: 0, alphaHands: 0, nukers: 0, diamond: 0, inProfit: 0 },
    ...{ overdue: 0, cook: 0, conviction: 0, smartWallets: 0, smartGroups: new Set<Group>() },
    ...{ holders: emptyHolders(), independent: 0, buyers: 0, sellers: 0 },
  }
  const cohorts = emptyCohorts()
  const kols: KolHolding[] = []
  const { holders } = sums
  const { owned } = token
  scan(live, market, sums, cohorts, kols)

  const hasReading = token.lastTradeSlot >= 0 && owned > 0
  const coverage = owned > 0 ? sums.known / owned : 0
  const pct = (part: number): number => (owned > 0 ? (100 * part) / owned : 0)
  const shares = {
    bundle: pct(sums.bundle),
    dirty: pct(sums.dirty),
    dumpers: pct(sums.dumpers),
    jeets: pct(sums.jeets),
    alphaHands: pct(sums.alphaHands),
    nukers: pct(sums.nukers),
    diamond: pct(sums.diamond),
    inProfit: pct(sums.inProfit),
  }
  const historic = hasReading && coverage >= COVERAGE.min
  const conviction = historic && holders.count >= CONVICTION.holdersMin ? sums.conviction / PARTS.point : null
  const cooktimer = hasReading ? Math.round(sums.cook / PARTS.slot) : 0
  const smartWallets = sums.smartWallets + sums.smartGroups.size
  const ifKnown = (x: number): number | null => (historic ? x : null)
  const metrics: Metrics = {
    bundle: hasReading ? shares.bundle : null,
    dirty: hasReading ? shares.dirty : null,
    dumpers: ifKnown(shares.dumpers),
    jeets: ifKnown(shares.jeets),
    alphaHands: ifKnown(shares.alphaHands),
    inProfit: hasReading ? shares.inProfit : null,
    conviction,
    cooktimer: ifKnown(cooktimer),
    smartWallets: hasReading ? smartWallets : null,
    independentHolders: hasReading ? sums.independent : null,
  }
  const score = scoreOf({
    metrics,
    coverage,
    redSupplyPct: ofSupply(token, bundles.redOwned),
    top10Pct: ofSupply(
      token,
      holders.top.reduce((sum, { balance }) => sum + balance, 0),
    ),
    deployerSoldShare: hadBag(live) ? deployerSoldShare(live) : 0,
    isOriginal: isOriginal(token),
  })
  kols.sort((a, b) => b.balance - a.balance || a.wallet.id - b.wallet.id)
  return {
    ...{ holders, bundles, coverage, shares, conviction, cooktimer, smartWallets, metrics, score, cohorts, kols },
    overduePct: pct(sums.overdue),
    minute: { buyers: sums.buyers, sellers: sums.sellers },
  }
}

/** Percent of total supply. */
export const ofSupply = (token: Token, balance: number): number =>
  token.supply > 0 ? (100 * balance) / token.supply : 0

/** The wallet's record, from the position where it is at hand. */
export function ownerOf(position: Position, market: Pick<Market, 'wallet'>): Wallet {
  const { owner } = position
  if (owner !== null && !owner.stale) return owner
  const wallet = market.wallet(position.wallet)
  position.owner = wallet
  return wallet
}

/** One pass over the holders. The weights of the means, shares of what is owned, must be known before they are summed. */
function scan(live: LiveToken, market: Market, sums: Sums, cohorts: Cohorts, kols: KolHolding[]): void {
  const { token, bundles } = live
  const { slot, population, solUsd } = market
  const minimum = holderMinimum(token)
  const { owned } = token
  const price = priceOf(token)
  const populationRate = history.populationHealthyRate(population)
  const populationSlots = populationHold(population)
  const minute = windowStart(slot, BUCKET.minute)
  for (const position of live.positions.values()) {
    const { balance } = position
    if (position.lastBuySlot >= minute) sums.buyers++
    if (position.lastSellSlot >= minute) sums.sellers++
    if (balance < minimum) continue
    addHolder(sums.holders, position.wallet, balance)
    const wallet = ownerOf(position, market)
    const group = position.group < 0 ? null : confirmedGroup(bundles, position)
    if (hasHistory(wallet)) sums.known += balance
    if (group !== null) sums.bundle += balance
    else sums.independent++
    if (isDirty(token, position, wallet, group !== null, market)) sums.dirty += balance
    const impact = history.sellImpact(wallet)
    if (impact !== null && impact < CLASSES.dumperImpact) {
      sums.dumpers += balance
      if (impact < CLASSES.nukerImpact) sums.nukers += balance
    }
    if (isJeet(wallet)) sums.jeets += balance
    if (isAlphaHands(wallet, populationRate)) sums.alphaHands += balance
    if (slot - position.acquiredSlot >= CLASSES.diamondSlots) sums.diamond += balance
    if (position.cost <= toLamports(token.quote, price * balance, solUsd)) sums.inProfit += balance
    if (history.isSmartAt(wallet, slot)) {
      if (group === null) sums.smartWallets++
      else sums.smartGroups.add(group)
    }
    const hold = usualHold(wallet, populationSlots)
    const left = position.acquiredSlot + hold - slot
    sums.cook += Math.round((balance / owned) * left * PARTS.slot)
    if (left < 0) sums.overdue += balance
    sums.conviction += Math.round((balance / owned) * convictionOf(position, wallet, hold) * PARTS.point)
    countCohorts(cohorts, position, wallet, healthyRateOf(wallet, populationRate), impact, slot)
    if (wallet.kol) {
      const expectedSellSlot = wallet.holdCost > 0 ? Math.round(position.acquiredSlot + hold) : null
      kols.push({ wallet, balance, expectedSellSlot })
    }
  }
}

function readBundles(live: LiveToken, slot: number): BundleReading {
  const { token, bundles } = live
  let owned = 0
  let redOwned = 0
  let redCount = 0
  if (bundles.groups.length > 0) {
    const minimum = holderMinimum(token)
    for (const position of live.positions.values()) {
      if (position.group < 0 || position.balance < minimum) continue
      const group = confirmedGroup(bundles, position)
      if (group === null) continue
      owned += position.balance
      if (isRed(group, slot)) redOwned += position.balance
    }
  }
  const holding = holdingGroups(bundles, token)
  for (const group of holding) if (isRed(group, slot)) redCount++
  const largest = holding.map(({ balance }) => balance).sort((a, b) => b - a)
  return { count: holding.length, redCount, owned, redOwned, largest: largest.slice(0, 3) }
}

/** Share of the deployer's bag that was sold, 0 to 1; 0 without a bag. */
export function deployerSoldShare({ token, positions }: LiveToken): number {
  const position = token.deployer < 0 ? undefined : positions.get(token.deployer)
  const bag = position === undefined ? 0 : position.bought + position.received
  return bag > 0 ? Math.min(1, position!.sold / bag) : 0
}

/** The deployer once had a bag worth speaking of. */
function hadBag({ token, positions }: LiveToken): boolean {
  const position = token.deployer < 0 ? undefined : positions.get(token.deployer)
  const bag = position === undefined ? 0 : position.bought + position.received
  return ofSupply(token, bag) >= SCORE.caps.deployerBagPct
}
