import type { AnyOperationId } from '../contract/endpoints.ts'
import type { Cursor, Parsed } from '../contract/parameters.ts'
import type { SnapshotGroup } from '../contract/resources.ts'
import type { Arguments } from './operations.ts'
import type { Views } from './view.ts'

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
  /** who is behind a token, in full and in short; null when the mint is not tracked */
  who(mint: string): Rendered | null
  check(mint: string): Rendered | null
  /** of that, the verdict alone */
  verdict(mint: string): Rendered | null
  explain(mint: string): Rendered | null
  /** by stable name or number */
  actor(id: string): Rendered | null
  /** resolves when actors can be found by their names, null: they can be */
  named(id: string): Promise<unknown> | null
  positions(wallet: string, limit: number, cursor: Cursor | null): PositionsAnswer | null
  /** all trades of a token, newest first; null also when the cursor is not one of them */
  history(mint: string, limit: number, cursor: Cursor | null): HistoryAnswer | null
  traderWindows(address: string): Rendered | null
  deployerWindows(address: string): Rendered | null
  /** how many of the mints are tracked; reads no token */
  tracked(mints: readonly string[]): number
  /** null when none is tracked */
  batch(mints: readonly string[], groups: readonly SnapshotGroup[]): Rendered | null
  /** of the newest block */
  slot(): number
  /** what was answered after `at_slot`; null: it is the newest slot, read it; or the message of a 400 */
  recall(id: AnyOperationId, args: AtSlot): Parsed<Rendered | null>
  /** `work`, which asks the above, at once or when a token with very many holders has been read for it */
  settled<T>(work: () => T): T | Promise<T>
}

/** The arguments of an answer of the past. */
export type AtSlot = Readonly<Pick<Arguments, 'mint' | 'fields' | 'at_slot'>>

interface HistoryAnswer {
  readonly data: Rendered
  readonly returned: number
  readonly next: Cursor | null
}

/** `data` is the page, `summary` is of the wallet. */
interface PositionsAnswer extends HistoryAnswer {
  readonly summary: Buffer
}

export interface DeployerAnswer {
  readonly data: Rendered
  readonly summary: Buffer
  readonly returned: number
}

/** What the page needs of the lists besides their cards. */
export interface Listings {
  /** ids of the tokens of all lists as they are now, each once */
  listed(): ReadonlySet<number>
  /** what rendered them: readings in it are not made again for the same log entry */
  readonly views: Views
}
