import type { ChainEvent, Fact } from '../decode/events.ts'
import type { RawBlock } from './types.ts'

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

export type SourceItem = RawItem | DecodedItem | FactsItem

/**
 * Where chain data comes from. `items` starts right after the cursor and ends when the material ends or `signal` aborts. Pull only: a slow reader slows the source.
 */
export interface Source {
  readonly name: string
  items(cursor: SourceCursor, signal: AbortSignal): AsyncIterable<SourceItem>
}

export interface SourceCursor {
  /** last slot whose block is durable; -1 on an empty store */
  readonly slot: number
  /** block time of that slot, Unix seconds; 0 on an empty store */
  readonly time: number
  /** facts items already folded since that slot's block; a source that repeats itself skips as many */
  readonly facts: number
}
