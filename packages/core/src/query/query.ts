import type { Cursor } from '../contract/parameters.ts'
import type { SnapshotGroup } from '../contract/resources.ts'
import type { Who } from '../contract/who.ts'
import type { LatestBuy } from '../engine/agents/latest.ts'
import type { LiveToken } from '../engine/resident.ts'
import type { TokenView, Views } from './view.ts'

/** Encoded JSON of `data` (or of one group), with the block that it was read after. */
export interface Rendered {
  readonly bytes: Buffer
  /** The block's time, RFC 3339 UTC, microseconds: served as `cached_at`. */
  readonly renderedAt: string
  /** The newest block in it. */
  readonly slot: number
  /** Tokens that a list leaves out because of their past; absent for other answers. */
  readonly dropped?: number
  /** Why a list is empty, if that is known. */
  readonly emptyReason?: string | null
}

export const LIST_NAMES = ['new', 'pumps', 'graduated', 'agents', 'survivors'] as const
export type ListName = (typeof LIST_NAMES)[number]

/**
 * The read side: state in, the specification's shapes out. Null means `not_found`. Every answer is durable. Serving
 * code calls these within `settled`.
 */
export interface Query {
  /** JSON text of the selected groups as one object; null if the mint is not tracked. */
  snapshot(mint: string, groups: readonly SnapshotGroup[]): Rendered | null
  trades(mint: string): Rendered | null
  list(name: ListName): Rendered
  /** The track record of the predictions. */
  accuracy(): Rendered
  trader(address: string): Rendered | null
  /** `data` is the page; `summary` covers all launches. */
  deployer(address: string, limit: number, offset: number): DeployerAnswer | null
  /** The people behind a token, in full and in short; null if the mint is not tracked. */
  who(mint: string): Rendered | null
  check(mint: string): Rendered | null
  /** Only the verdict of `who`. */
  verdict(mint: string): Rendered | null
  explain(mint: string): Rendered | null
  /** By stable name or number. */
  actor(id: string): Rendered | null
  /** Resolves when actors can be found by name; null if they already can. */
  named(id: string): Promise<unknown> | null
  positions(wallet: string, limit: number, cursor: Cursor | null): PositionsAnswer | null
  /** All trades of a token, newest first; null also if the cursor is not one of them. */
  history(mint: string, limit: number, cursor: Cursor | null): HistoryAnswer | null
  traderWindows(address: string): Rendered | null
  deployerWindows(address: string): Rendered | null
  /** The number of tracked mints among these; reads no token. */
  tracked(mints: readonly string[]): number
  /** Null if none is tracked. */
  batch(mints: readonly string[], groups: readonly SnapshotGroup[]): Rendered | null
  /** The newest log entry and its slot. */
  newest(): { readonly seq: number; readonly slot: number }
  /** Runs `work`, which calls the methods above, at once or after a token with very many holders was read. */
  settled<T>(work: () => T): T | Promise<T>
}

interface HistoryAnswer {
  readonly data: Rendered
  readonly returned: number
  readonly next: Cursor | null
}

/** `data` is the page; `summary` covers the wallet. */
interface PositionsAnswer extends HistoryAnswer {
  readonly summary: Buffer
}

export interface DeployerAnswer {
  readonly data: Rendered
  readonly summary: Buffer
  readonly returned: number
}

/** A list of the board, as views of its tokens. `buy`: of the list of agents. */
export interface Listed {
  readonly shown: readonly { readonly view: TokenView; readonly buy: LatestBuy | null }[]
  /** Tokens that the filter leaves out, in the list's order, and how many of them are forbidden. */
  readonly hidden: readonly LiveToken[]
  readonly dropped: number
}

export type BoardListName = ListName | 'near'

/** Data of the lists that the page needs besides their cards. */
export interface Listings {
  /** A list as of the last log entry. */
  listed(name: BoardListName): Listed
  /** The people behind a token without pairs, members and holders, which costs a fraction of `who`. */
  brief(view: TokenView): Who
  /** The views that rendered them, whose readings are cached for the same log entry. */
  readonly views: Views
}
