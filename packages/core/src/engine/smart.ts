import type { Population } from '../model/population.ts'
import type { Wallet } from '../model/state.ts'
import { SMART } from './constants.ts'
import { bundledRate, medianHoldSlots, roi, wilsonLowerBound } from './history.ts'
import { holdBin } from './hold-histogram.ts'

/**
 * Smart money (methodology, section 3). A veteran, a wallet with enough closed positions, is measured after each of its
 * trades. The population counts veterans per bin of each measure, so a quantile costs one pass over 64 numbers.
 */
interface Measures {
  readonly pnl: number
  readonly roi: number
  readonly win: number
}

const BINS = 64

/** Profit in quarter octaves of 0.01 SOL, return in quarter octaves of 1%, win bound in 64ths. */
const measuresOf = (wallet: Wallet): Measures => ({
  pnl: holdBin(wallet.realised / SMART.pnlUnitLamports),
  roi: holdBin(100 * (roi(wallet) ?? 0)),
  win: Math.floor(BINS * wilsonLowerBound(wallet.won, wallet.closed)),
})

const toRank = ({ pnl, roi, win }: Measures): number => pnl + BINS * (roi + BINS * win)

const fromRank = (rank: number): Measures => ({
  pnl: rank % BINS,
  roi: Math.floor(rank / BINS) % BINS,
  win: Math.floor(rank / (BINS * BINS)),
})

/** True if there are enough veterans to compare with. */
export const hasVeterans = ({ veterans }: Population): boolean => veterans >= SMART.veterans

/** Updates the wallet's bins after its trade and returns whether it is smart money. */
export function judgeSmart(wallet: Wallet, population: Population): boolean {
  if (wallet.closed < SMART.closed) return false
  const own = measuresOf(wallet)
  if (wallet.rank < 0) population.veterans++
  else countIn(population, fromRank(wallet.rank), -1)
  wallet.rank = toRank(own)
  countIn(population, own, 1)
  if (!hasVeterans(population)) return false
  const slack = wallet.smart ? 1 : 0
  const isHigh = (bin: number, bins: readonly number[]): boolean =>
    bin + slack >= Math.max(1, quantileBin(bins, population.veterans))
  return (
    isHigh(own.pnl, population.veteranPnl) &&
    isHigh(own.roi, population.veteranRoi) &&
    isHigh(own.win, population.veteranWin) &&
    (bundledRate(wallet) ?? 0) <= SMART.bundledRate * (1 + slack * SMART.hysteresis) &&
    (medianHoldSlots(wallet) ?? 0) >= SMART.medianHoldSlots * (1 - slack * SMART.hysteresis)
  )
}

function countIn({ veteranPnl, veteranRoi, veteranWin }: Population, { pnl, roi, win }: Measures, by: 1 | -1): void {
  veteranPnl[pnl] = veteranPnl[pnl]! + by
  veteranRoi[roi] = veteranRoi[roi]! + by
  veteranWin[win] = veteranWin[win]! + by
}

/** The highest bin that holds, with those above it, the upper share of all veterans. */
function quantileBin(bins: readonly number[], veterans: number): number {
  let above = 0
  let bin = bins.length
  while (bin > 0 && above < SMART.upperShare * veterans) above += bins[--bin]!
  return bin
}

/** Smart money as of `slot`: the wallet also traded within 14 days (20% more before it loses the flag). */
export const isSmartAt = (wallet: Wallet, slot: number): boolean =>
  wallet.smart && slot - wallet.lastSlot <= SMART.activeSlots * (1 + SMART.hysteresis)
