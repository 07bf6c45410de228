import type { AppDeployer } from '@ti/core/contract/app.ts'
import type { DevSummary, DevToken } from '@ti/core/contract/resources.ts'
import { count, duration, SLOT_S, sol } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'

/** Summarizes a deployer's record and pages its launches. */

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

/** The query may contain anything; this keeps the offset a safe integer. */
const PAGE_MAX = 1_000_000

export function pageOf(asked: string | null): number {
  const page = asked === null || !/^\d{1,7}$/.test(asked) ? 1 : Number(asked)
  return Math.min(PAGE_MAX, Math.max(1, page))
}

/** the rug filter's rule for deployers: minimum launches, and 75th percentile of peaks in USD */
const FAILING_LAUNCHES = 10
const FAILING_PEAK = 7_000

/** peaks needed before quartiles say more than the list */
const SPREAD_PEAKS = 4
export const hasSpread = ({ ath_sample_size }: Pick<DevSummary, 'ath_sample_size'>): boolean =>
  ath_sample_size >= SPREAD_PEAKS

interface Verdict {
  /** excluded from the lists because of its record */
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

export type Fate = 'rugged' | 'drained' | 'graduated' | 'neither drained nor graduated'

/** Outcome of a launch and its letter. */
export function fateOf({
  rugged,
  drained,
  graduated,
}: Pick<AppDeployer['launches'][number], 'rugged' | 'drained' | 'graduated'>): {
  fate: Fate
  mark: string
} {
  if (rugged) return { fate: 'rugged', mark: 'R' }
  if (drained) return { fate: 'drained', mark: 'D' }
  return graduated ? { fate: 'graduated', mark: 'G' } : { fate: 'neither drained nor graduated', mark: '·' }
}

/** Describes a deployer in a sentence or two; red if half of its launches were drained. */
export function deedsInWords({ launched, graduated, all }: Pick<AppDeployer, 'launched' | 'graduated' | 'all'>): {
  severity: RatingValue
  text: string
} {
  const drained = all?.drained ?? 0
  const severity = drained > 0 && drained * 2 >= launched ? 'red' : drained > 0 ? 'yellow' : 'neutral'
  const ended =
    drained === 0
      ? ''
      : `, ${count(drained)} drained${all!.rugged > 0 ? ` (${count(all!.rugged)} by its own people)` : ''}`
  const took = all === null ? '' : all.taken_sol > 0 ? ` It took out ${sol(all.taken_sol)} SOL` : ''
  const soon =
    all?.first_sale_slots == null ? '' : `first sells ${duration(all.first_sale_slots * SLOT_S)} after the launch`
  const habit =
    took !== '' && soon !== '' ? `${took} and ${soon}.` : took !== '' ? `${took}.` : soon !== '' ? ` It ${soon}.` : ''
  return { severity, text: `${count(launched)} launched, ${count(graduated)} graduated${ended}.${habit}` }
}

/** Seconds from the launch to the peak; null if either is unknown. */
export function timeToPeak({ deployed_at, ath_at }: Pick<DevToken, 'deployed_at' | 'ath_at'>): number | null {
  if (deployed_at === null || ath_at === null) return null
  return Math.max(0, (Date.parse(ath_at) - Date.parse(deployed_at)) / 1000)
}
