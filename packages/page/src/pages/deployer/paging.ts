/** Pages of a deployer's launches. */

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
