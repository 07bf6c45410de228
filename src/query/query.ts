import type { SnapshotGroup } from '../contract/resources.ts'

/** Encoded JSON that is the value of `data` (or of one group), with the moment it was rendered. */
export interface Rendered {
  readonly bytes: Buffer
  /** RFC 3339 UTC, microseconds */
  readonly renderedAt: string
  /** newest block in it */
  readonly slot: number
}

export const LIST_NAMES = ['new', 'pumps', 'graduated', 'agents', 'survivors'] as const
export type ListName = (typeof LIST_NAMES)[number]

/**
 * The read side: state in, exactly the shapes of the specification out. Null answers mean `not_found`. Every answer is
 * durable. Serving code reads within `settled`; elsewhere nothing waits.
 */
export interface Query {
  /** JSON text of the selected groups as one object; null when the mint is not tracked */
  snapshot(mint: string, groups: readonly SnapshotGroup[]): Rendered | null
  trades(mint: string): Rendered | null
  list(name: ListName): Rendered
  /** how good the outlook was */
  accuracy(): Rendered
  trader(address: string): Rendered | null
  /** `data` is the page, `summary` covers all launches */
  deployer(address: string, limit: number, offset: number): DeployerAnswer | null
  /** `work`, which asks the above, at once or when a token with very many holders has been read for it */
  settled<T>(work: () => T): T | Promise<T>
}

export interface DeployerAnswer {
  readonly data: Rendered
  readonly summary: Buffer
  readonly returned: number
}

/** What the page needs of the lists besides their cards. */
export interface ListShares {
  /** mint → percent of the owned supply with coordinated groups, for the tokens of all lists as they are now */
  bundleShares(): Record<string, number>
}
