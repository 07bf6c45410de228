import type { Deployer } from '../model/deployer.ts'
import type { Token, Wallet } from '../model/state.ts'
import { ATH_RUNGS, LISTS } from './constants.ts'

/** A deployer's record over all its launches (methodology, section 6). */

interface Launch {
  /** USD; null if no trade was seen. */
  readonly ath: number | null
  readonly bonded: boolean
}

export const launchOf = (token: Token): Launch => ({
  ath: token.athSlot >= 0 ? token.ath : null,
  bonded: token.migratedSlot >= 0,
})

export interface DeployerRecord {
  readonly total: number
  readonly bonded: number
  /** Launches with a recorded peak. */
  readonly sample: number
  /** USD, nearest rank; null if the sample is empty. */
  readonly percentiles: { p25: number | null; p50: number | null; p75: number | null; p90: number | null }
  readonly best: number | null
  readonly rungs: readonly { readonly mcap: number; readonly reached: number }[]
}

export function deployerRecord(launches: readonly Launch[]): DeployerRecord {
  const peaks: number[] = []
  let bonded = 0
  for (const launch of launches) {
    if (launch.ath !== null) peaks.push(launch.ath)
    if (launch.bonded) bonded++
  }
  peaks.sort((a, b) => a - b)
  return {
    total: launches.length,
    bonded,
    sample: peaks.length,
    percentiles: {
      p25: nearestRank(peaks, 25),
      p50: nearestRank(peaks, 50),
      p75: nearestRank(peaks, 75),
      p90: nearestRank(peaks, 90),
    },
    best: peaks[peaks.length - 1] ?? null,
    rungs: ATH_RUNGS.map((mcap) => ({ mcap, reached: peaks.length - firstAtLeast(peaks, mcap) })),
  }
}

/** The smallest value with at least `percent` % of the sorted sample at or below it; null if empty. */
export function nearestRank(ascending: readonly number[], percent: number): number | null {
  if (ascending.length === 0) return null
  return ascending[Math.max(0, Math.ceil((percent * ascending.length) / 100) - 1)]!
}

function firstAtLeast(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! >= value) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * A deployer as if it had not launched `token`, which is judged by the others. A launch that is no longer among the newest
 * 20 leaves the counts; what it brought stays in the means and sums.
 */
export function withoutLaunch(wallet: Wallet, token: Token): Wallet {
  const { deployer } = wallet
  const { ath, bonded } = launchOf(token)
  return {
    ...wallet,
    launches: wallet.launches - 1,
    launchesBonded: wallet.launchesBonded - Number(bonded),
    launchesTraded: wallet.launchesTraded - Number(ath !== null),
    launchesAboveFloor: wallet.launchesAboveFloor - Number(ath !== null && ath >= LISTS.serialAthP75Usd),
    deployer: deployer && bookWithout(deployer, token),
  }
}

function bookWithout(book: Deployer, { id, drainedSlot, ruggedSlot }: Token): Deployer {
  const { taken, firstSale, bought, bundled } = book.recent.find(({ token }) => token === id) ?? NOTHING_KNOWN
  return {
    drained: book.drained - Number(drainedSlot >= 0),
    rugged: book.rugged - Number(ruggedSlot >= 0),
    taken: book.taken - taken,
    seen: book.seen - Number(bought >= 0),
    bought: book.bought - Math.max(0, bought),
    sales: book.sales - Number(firstSale >= 0),
    saleSlots: book.saleSlots - Math.max(0, firstSale),
    minutes: book.minutes - Number(bundled >= 0),
    bundled: book.bundled - Math.max(0, bundled),
    recent: book.recent.filter(({ token }) => token !== id),
  }
}

const NOTHING_KNOWN = { taken: 0, firstSale: -1, bought: -1, bundled: -1 }

/**
 * True for a deployer of many launches, none graduated, with a 75th percentile ATH below the floor. Computed from
 * counters of the fold: that percentile is below the floor if at least three quarters of the recorded peaks are.
 */
export function isSerialFailure(deployer: Wallet): boolean {
  if (deployer.launches < LISTS.serialLaunches || deployer.launchesBonded > 0) return false
  const below = deployer.launchesTraded - deployer.launchesAboveFloor
  return deployer.launchesTraded > 0 && below >= Math.ceil((75 * deployer.launchesTraded) / 100)
}

/** A deployer's record. Means are over launches with a known value, null if there are none. */
export interface Deeds {
  readonly launches: number
  readonly drained: number
  readonly rugged: number
  /** Lamports: proceeds of its sales less the cost of its buys, so negative if it put in more. */
  readonly taken: number
  /**
   * Launches it sold in, and slots from creation to its first sale: mean over all, or nearest-rank median of the
   * newest.
   */
  readonly sold: number
  readonly firstSale: number | null
  /** Shares of supply, 0 to 1: bought in the slot of the creation, and held by confirmed groups a minute later. */
  readonly bought: number | null
  readonly bundled: number | null
}

const MILLION = 1_000_000
const meanOf = (sum: number, count: number): number | null => (count > 0 ? sum / count : null)

export const allDeeds = ({ launches, deployer }: Wallet): Deeds | null =>
  deployer && {
    launches,
    drained: deployer.drained,
    rugged: deployer.rugged,
    taken: deployer.taken,
    sold: deployer.sales,
    firstSale: meanOf(deployer.saleSlots, deployer.sales),
    bought: meanOf(deployer.bought / MILLION, deployer.seen),
    bundled: meanOf(deployer.bundled / MILLION, deployer.minutes),
  }

/** The record over the newest 20 launches. */
export function recentDeeds({ recent }: Deployer): Deeds {
  const known = (values: readonly number[]): number[] => values.filter((value) => value >= 0)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const sales = known(recent.map(({ firstSale }) => firstSale)).sort((a, b) => a - b)
  const bought = known(recent.map((launch) => launch.bought))
  const bundled = known(recent.map((launch) => launch.bundled))
  return {
    launches: recent.length,
    drained: recent.filter(({ drained }) => drained).length,
    rugged: recent.filter(({ rugged }) => rugged).length,
    taken: sum(recent.map(({ taken }) => taken)),
    sold: sales.length,
    firstSale: nearestRank(sales, 50),
    bought: meanOf(sum(bought) / MILLION, bought.length),
    bundled: meanOf(sum(bundled) / MILLION, bundled.length),
  }
}
