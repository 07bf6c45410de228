import type { Deployer } from '../model/deployer.ts'
import type { Token, Wallet } from '../model/state.ts'
import { ATH_RUNGS, LISTS } from './constants.ts'

/** A deployer's record over all of its launches: methodology, section 6. */

interface Launch {
  /** USD; null when never recorded (no trade seen) */
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
  /** launches with a recorded peak */
  readonly sample: number
  /** USD, nearest rank; null when the sample is empty */
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

/** The smallest value with at least `percent` % of the sample at or below it. `ascending` is sorted. */
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
 * Many launches, none graduated, 75th percentile ATH below the floor. From counters that the fold keeps: the nearest-rank
 * percentile is below the floor when at least three quarters of the recorded peaks are.
 */
export function isSerialFailure(deployer: Wallet): boolean {
  if (deployer.launches < LISTS.serialLaunches || deployer.launchesBonded > 0) return false
  const below = deployer.launchesTraded - deployer.launchesAboveFloor
  return deployer.launchesTraded > 0 && below >= Math.ceil((75 * deployer.launchesTraded) / 100)
}

/** What a deployer did with launches of its own; means are over the launches of which it is known, null without any. */
export interface Deeds {
  readonly launches: number
  readonly drained: number
  readonly rugged: number
  /** lamports: what its sales brought less what its buys cost; negative when it put in more */
  readonly taken: number
  /** launches it sold, and the slots from the creation to its first sale: a mean over all, a nearest-rank median over the newest */
  readonly sold: number
  readonly firstSale: number | null
  /** share of supply it bought in the first slot, and of confirmed groups a minute after the creation, 0 to 1 */
  readonly bought: number | null
  readonly bundled: number | null
}

const MILLION = 1_000_000
const meanOf = (sum: number, count: number): number | null => (count > 0 ? sum / count : null)

/** Over all launches of the wallet. */
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

/** Over the newest 20 at most. */
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
