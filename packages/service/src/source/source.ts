import type { Counts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import type { Fact, FundingFact } from '@ti/core/model/facts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import type { Funders } from './followed-funders.ts'
import type { Holding } from './followed-holders.ts'

/** Raw chain data for one slot, still to be decoded. */
export interface RawItem {
  readonly kind: 'raw'
  readonly block: RawBlock
}

/** Material that never was raw here (a CSV of trades): already events, marked as such wherever it is stored. */
export interface DecodedItem {
  readonly kind: 'decoded'
  readonly slot: number
  readonly parent: number
  readonly time: number
  readonly events: readonly ChainEvent[]
}

export interface FactsItem {
  readonly kind: 'facts'
  /** Unix seconds */
  readonly time: number
  readonly facts: readonly Fact[]
}

/** Slots that could not be had in time: [from, to], inclusive. What comes later about them is not taken. */
export interface GapItem {
  readonly kind: 'gap'
  readonly from: number
  readonly to: number
}

export type SourceItem = RawItem | DecodedItem | FactsItem | GapItem

/** The status of a live source, for readiness and metrics. */
export interface SourceStatus {
  /** endpoints that are configured, and those that deliver now */
  readonly endpoints: number
  readonly connected: number
  /** newest slot any endpoint has named, -1 none */
  readonly newestSlot: number
  /** slots being fetched one by one, and those that wait for it */
  readonly filling: number
  /** slots that were given up */
  readonly missing: number
  /** bytes held back until earlier slots are there */
  readonly heldBytes: number
  /** mints and token accounts of holders whose transfers it asks for now, and wallets whose payments */
  readonly followed?: { readonly mints: number; readonly holders: number; readonly funders: number }
  /** the problem that stops it and that the operator has to fix, in words; null or absent: none */
  readonly problem?: string | null
  /** events by name: reconnects, duplicates, filled slots, dead slots, ... */
  readonly counts: Counts
}

/**
 * A source of chain data. `items` starts right after the cursor and ends when the material ends or `signal` aborts. Pull only:
 * a slow reader slows the source.
 */
export interface Source {
  readonly name: string
  /**
   * The name of its chain: the genesis hash as its node says, or that of a simulated market. It waits for the node; null when
   * the material does not say, or `signal` aborts. Absent: the material never says
   */
  chain?(signal: AbortSignal): Promise<string | null>
  /** live sources only; cheap */
  status?(): SourceStatus
  /** a token was launched: its transfers between wallets are followed too, as far as there is room; live sources only */
  follow?(mint: Key): void
  /**
   * Transfers of these holders are followed too, most important first, as far as there is room: also transfers that do not name
   * the mint. Replaces the list before it. Live sources only
   */
  followHolders?(holdings: readonly Holding[]): Promise<void>
  /** Payments of these wallets to new ones are followed too, as far as there is room. Replaces the list before it. Live sources only */
  followFunders?(funders: Funders): void
  /** First payments to wallets of these events, of what `items` has delivered so far; each once. Live sources only */
  fundingsOf?(events: readonly ChainEvent[]): readonly FundingFact[]
  items(cursor: SourceCursor, signal: AbortSignal): AsyncIterable<SourceItem>
}

export interface SourceCursor {
  /** last slot whose block is durable; -1 on an empty store */
  readonly slot: number
  /** block time of that slot, Unix seconds; 0 on an empty store */
  readonly time: number
  /** facts items already folded since that slot's block; a source that repeats itself skips as many */
  readonly facts: number
  /** name of the log's chain; '' or absent: no source has named it yet */
  readonly chain?: string
}
