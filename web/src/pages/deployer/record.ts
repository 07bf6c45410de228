import type { DevSummary, DevToken } from '../../../../src/contract/resources.ts'

/** What a deployer's record says, and how its launches are paged. */

export const PAGE_SIZE = 25

export interface Paging {
  /** from 1 */
  readonly page: number
  readonly pages: number
  readonly offset: number
  readonly first: number
  readonly last: number
}

export function pagingOf(asked: string | null, total: number): Paging {
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = pageOf(asked)
  const offset = (page - 1) * PAGE_SIZE
  return { page, pages, offset, first: Math.min(total, offset + 1), last: Math.min(total, offset + PAGE_SIZE) }
}

/** What stands in the address may be anything; the offset stays a whole number that a service can count to. */
const PAGE_MAX = 1_000_000

export function pageOf(asked: string | null): number {
  const page = asked === null || !/^\d{1,7}$/.test(asked) ? 1 : Number(asked)
  return Math.min(PAGE_MAX, Math.max(1, page))
}

/** the rug filter's rule for deployers: launches at least, and the 75th percentile of peaks below, USD */
const FAILING_LAUNCHES = 10
const FAILING_PEAK = 7_000

interface Verdict {
  /** kept out of the lists for its record */
  readonly failing: boolean
  readonly text: string
}

export function verdictOf(summary: DevSummary): Verdict {
  const { total_deployed: total, bonded_count: bonded, ath_mcap_percentiles: peaks } = summary
  if (total >= FAILING_LAUNCHES && bonded === 0 && peaks.p75 !== null && peaks.p75 < FAILING_PEAK) {
    return {
      failing: true,
      text: `None of its ${total} launches has graduated, and three of four peaked below $7k. Its tokens do not appear in the lists.`,
    }
  }
  if (total === 1) {
    return { failing: false, text: bonded === 1 ? 'Its only launch graduated.' : 'Its only launch has not graduated.' }
  }
  const many = bonded === 0 ? 'None' : bonded === total ? 'All' : bonded === 1 ? 'One' : String(bonded)
  return {
    failing: false,
    text: `${many} of its ${total} launches ${bonded > 1 ? 'have' : 'has'} graduated to a decentralized exchange.`,
  }
}

/** Seconds from the launch to the peak; null while one of the two is unknown. */
export function timeToPeak({ deployed_at, ath_at }: Pick<DevToken, 'deployed_at' | 'ath_at'>): number | null {
  if (deployed_at === null || ath_at === null) return null
  return Math.max(0, (Date.parse(ath_at) - Date.parse(deployed_at)) / 1000)
}
