import type { AppDeployer } from '@ti/core/contract/app.ts'
import type { DevSummary, DevToken } from '@ti/core/contract/resources.ts'

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

/** peaks needed before quartiles say more than the list */
const SPREAD_PEAKS = 4
export const hasSpread = ({ ath_sample_size }: Pick<DevSummary, 'ath_sample_size'>): boolean =>
  ath_sample_size >= SPREAD_PEAKS

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

/** Seconds from the launch to the peak; null if either is unknown. */
export function timeToPeak({ deployed_at, ath_at }: Pick<DevToken, 'deployed_at' | 'ath_at'>): number | null {
  if (deployed_at === null || ath_at === null) return null
  return Math.max(0, (Date.parse(ath_at) - Date.parse(deployed_at)) / 1000)
}
