import type { Key } from '../base/ids.ts'
import { emptyWallet } from '../model/generated/empty.ts'
import type { Population } from '../model/population.ts'
import type { Wallet } from '../model/state.ts'
import { HISTORY, SMART } from './constants.ts'
import { medianHold } from './hold-histogram.ts'

/** A wallet's statistics as served (methodology, section 3). Null means no reading. */

export function newWallet(id: number, address: Key, slot: number): Wallet {
  const wallet = emptyWallet(id, address)
  wallet.firstSlot = slot
  return wallet
}

/** Slots: the cost-weighted mean over sells. */
export const avgHoldSlots = (wallet: Wallet): number | null =>
  wallet.holdCost > 0 ? wallet.holdCostSlots / wallet.holdCost : null

export const medianHoldSlots = (wallet: Wallet): number | null => medianHold(wallet.holdBins, wallet.holdBinCosts)

/** Lamports. */
export const pnlLamports = (wallet: Wallet): number | null => (wallet.realisations > 0 ? wallet.realised : null)

export const roi = (wallet: Wallet): number | null =>
  wallet.closedCost >= HISTORY.roiCostMin ? wallet.realised / wallet.closedCost : null

export const winRate = (wallet: Wallet): number | null => (wallet.closed > 0 ? wallet.won / wallet.closed : null)

/** The share of all resolved picks that were healthy, with its own prior. */
export const populationHealthyRate = (population: Population): number =>
  (population.healthyPicks + HISTORY.populationHealthy) / (population.picks + HISTORY.populationPicks)

/** The wallet's healthy rate, shrunk to the population's. Unlike `healthyRate`, it needs no minimum of picks. */
export const shrunkHealthyRate = (wallet: Wallet, population: Population): number =>
  healthyRateOf(wallet, populationHealthyRate(population))

/** Like `shrunkHealthyRate`, for a population rate that was computed before. */
export const healthyRateOf = (wallet: Wallet, populationRate: number): number =>
  (wallet.picksHealthy + HISTORY.healthyPrior * populationRate) / (wallet.picksResolved + HISTORY.healthyPrior)

export const healthyRate = (wallet: Wallet, population: Population): number | null =>
  wallet.picksResolved < HISTORY.healthyPicksMin ? null : shrunkHealthyRate(wallet, population)

/** The SOL-weighted mean impact, percentage points. */
export const sellImpact = (wallet: Wallet): number | null =>
  wallet.impactWeight > 0 ? wallet.impactWeighted / wallet.impactWeight : null

export const bundledRate = (wallet: Wallet): number | null =>
  wallet.trades > 0 ? wallet.bundledTrades / wallet.trades : null

/** The lower bound of the Wilson interval for `won` of `closed`. */
export function wilsonLowerBound(won: number, closed: number): number {
  if (closed === 0) return 0
  const z2 = SMART.wilsonZ * SMART.wilsonZ
  const p = won / closed
  const spread = SMART.wilsonZ * Math.sqrt((p * (1 - p) + z2 / (4 * closed)) / closed)
  return Math.max(0, (p + z2 / (2 * closed) - spread) / (1 + z2 / closed))
}

/** Moves `token` to the front of the wallet's recent mints. */
export function rememberMint(wallet: Wallet, token: number): void {
  const recent = wallet.recent
  if (recent[0] === token) return
  const at = recent.indexOf(token)
  if (at > 0) recent.splice(at, 1)
  recent.unshift(token)
  if (recent.length > HISTORY.recentMints) recent.pop()
}
