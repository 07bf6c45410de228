import type { Group } from '../../model/bundles.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { confirmedGroup } from '../bundles/groups.ts'
import { CLASS, isIn } from '../class-memory.ts'
import { BUCKET, CLASSES, INDEPENDENT } from '../constants.ts'
import * as history from '../history.ts'
import { addHolder, emptyHolders, type Holders } from '../holders.ts'
import type { LiveToken } from '../resident.ts'
import { isSmartAt } from '../smart.ts'
import { holderMinimum, priceOf } from '../tokens.ts'
import { fromLamports, isInProfit } from '../units.ts'
import { windowStart } from '../windows.ts'
import { hasHistory, isAlphaHands, isDirty, isJeet, isSettled } from './classes.ts'
import { type Cohorts, countCohorts, emptyCohorts } from './cohorts.ts'
import { convictionOf, populationHold, usualHold } from './habit.ts'
import type { KolHolding } from './holding.ts'
import type { Market } from './market.ts'
import { addSquare, noSquares, type Squares } from './squares.ts'

/**
 * Weighted means are summed in whole parts of a slot and of a point. Such sums are exact, so neither the order of
 * holders, which changes after a restart, nor the split into pieces changes a bit of the answer.
 */
export const PARTS = { slot: 2_097_152, point: 1_099_511_627_776 } as const

/** The wallet's record, cached in the position. */
export function ownerOf(position: Position, market: Pick<Market, 'wallet'>): Wallet {
  const { owner } = position
  if (owner !== null && !owner.stale) return owner
  const wallet = market.wallet(position.wallet)
  position.owner = wallet
  return wallet
}

/** The parts of a token that a scan reads besides its positions. */
export type Scanned = Pick<LiveToken, 'token' | 'bundles'>

/** Sums over all wallets that ever held a token, in base units unless a name says otherwise. */
export interface Scan {
  /**
   * Held by wallets with a track record, by those of them that are settled, by those with a known funder, by confirmed groups, and
   * by each class.
   */
  known: number
  settled: number
  traced: number
  bundle: number
  dirty: number
  dumpers: number
  jeets: number
  alphaHands: number
  nukers: number
  diamond: number
  inProfit: number
  overdue: number
  /** Σ share · (expected sell slot − now) and Σ share · conviction, in whole PARTS. */
  cook: number
  conviction: number
  /** Holders outside every confirmed group: smart ones, and non-insiders with a balance large enough to count. */
  smart: number
  independent: number
  /** Base units of all non-insiders outside confirmed groups. */
  free: number
  /** Wallets that bought or sold in the last minute, holders or not. */
  buyers: number
  sellers: number
  readonly holders: Holders
  readonly cohorts: Cohorts
  readonly kols: KolHolding[]
  readonly smartGroups: Set<Group>
  /** The sum of the squares of the balances in `free`. */
  readonly freeSquares: Squares
}

// one plain literal: small tokens are read so often that its construction matters
export const emptyScan = (): Scan => ({
  holders: emptyHolders(),
  cohorts: emptyCohorts(),
  kols: [],
  smartGroups: new Set(),
  known: 0,
  settled: 0,
  traced: 0,
  bundle: 0,
  dirty: 0,
  dumpers: 0,
  jeets: 0,
  alphaHands: 0,
  nukers: 0,
  diamond: 0,
  inProfit: 0,
  overdue: 0,
  cook: 0,
  conviction: 0,
  smart: 0,
  independent: 0,
  free: 0,
  freeSquares: noSquares(),
  buyers: 0,
  sellers: 0,
})

/**
 * Adds positions to the sums, each once. The owned supply must be known first, because it weights the means. Sums are
 * local variables, because this runs for every holder of every reading.
 */
export function scanInto(scan: Scan, { token, bundles }: Scanned, market: Market, positions: Iterable<Position>): void {
  const { slot, population, solUsd } = market
  const { holders, cohorts, kols, smartGroups, freeSquares } = scan
  const minimum = holderMinimum(token)
  const { owned } = token
  const price = priceOf(token)
  const populationRate = history.populationHealthyRate(population)
  const populationSlots = populationHold(population)
  const least = fromLamports(token, INDEPENDENT.worthLamports, solUsd)
  const minute = windowStart(slot, BUCKET.minute)
  let [known, settled, traced, bundle, dirty, dumpers, jeets, alphaHands, nukers, diamond, inProfit] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  let [overdue, cook, conviction, smart, independent, free, buyers, sellers] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (const position of positions) {
    const { balance } = position
    if (position.lastBuySlot >= minute) buyers++
    if (position.lastSellSlot >= minute) sellers++
    if (balance < minimum) continue
    addHolder(holders, position.wallet, balance)
    const wallet = ownerOf(position, market)
    const group = position.group < 0 ? null : confirmedGroup(bundles, position)
    const insider = group === null && isIn(position, CLASS.insiders)
    if (hasHistory(wallet)) {
      known += balance
      if (isSettled(wallet, slot)) settled += balance
    }
    if (wallet.funder >= 0) traced += balance
    if (group !== null) bundle += balance
    else if (!insider) {
      if (price * balance >= least) independent++
      free += balance
      addSquare(freeSquares, balance)
    }
    if (isDirty(token, position, wallet, group !== null || insider, market)) dirty += balance
    const impact = history.sellImpact(wallet)
    if (impact !== null && impact < CLASSES.dumperImpact) {
      dumpers += balance
      if (impact < CLASSES.nukerImpact) nukers += balance
    }
    if (isJeet(wallet)) jeets += balance
    if (isAlphaHands(wallet, populationRate)) alphaHands += balance
    if (slot - position.acquiredSlot >= CLASSES.diamondSlots) diamond += balance
    if (isInProfit(token, position, price, solUsd)) inProfit += balance
    if (isSmartAt(wallet, slot)) {
      if (group === null) smart++
      else smartGroups.add(group)
    }
    const hold = usualHold(wallet, populationSlots)
    const left = position.acquiredSlot + hold - slot
    cook += Math.round((balance / owned) * left * PARTS.slot)
    if (left < 0) overdue += balance
    conviction += Math.round((balance / owned) * convictionOf(position, wallet, hold) * PARTS.point)
    countCohorts(cohorts, position, wallet, history.healthyRateOf(wallet, populationRate), impact, slot)
    if (wallet.kol) {
      const expectedSellSlot = wallet.holdCost > 0 ? Math.round(position.acquiredSlot + hold) : null
      kols.push({ wallet, balance, expectedSellSlot })
    }
  }
  scan.known += known
  scan.settled += settled
  scan.traced += traced
  scan.bundle += bundle
  scan.dirty += dirty
  scan.dumpers += dumpers
  scan.jeets += jeets
  scan.alphaHands += alphaHands
  scan.nukers += nukers
  scan.diamond += diamond
  scan.inProfit += inProfit
  scan.overdue += overdue
  scan.cook += cook
  scan.conviction += conviction
  scan.smart += smart
  scan.independent += independent
  scan.free += free
  scan.buyers += buyers
  scan.sellers += sellers
}
