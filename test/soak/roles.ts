import type { Pattern } from './market.ts'

/** What the soak's processes say to each other. */
export interface MarketOf {
  readonly seed: number
  readonly pattern: Pattern
}

export interface WriterTask extends MarketOf {
  readonly role: 'writer'
  readonly dir: string
  readonly acknowledged: string
}

export interface ReaderTask extends MarketOf {
  readonly role: 'reader'
  readonly dir: string
  readonly no: number
}

export interface CopierTask extends MarketOf {
  readonly role: 'copier'
  readonly dir: string
  readonly aside: string
  readonly what: 'checkpoint' | 'export'
}

export interface TwinTask extends MarketOf {
  readonly role: 'twin'
  readonly dir: string
  readonly untilSeq: number
}

export type Task = WriterTask | ReaderTask | CopierTask | TwinTask

/** Words to the writer: to close, and to say the hash of its state before. */
export const STOP = 'stop'
export const STOP_AND_HASH = 'stop and hash'

export type News =
  | { readonly kind: 'opened'; readonly seq: number; readonly ms: number }
  /** pool lookups of the thread in the writing process */
  | { readonly kind: 'closed'; readonly seq: number; readonly hash: string | null; readonly poolReads: number }
  /** values read so far by a reader */
  | { readonly kind: 'read'; readonly values: number; readonly seq: number }
  | { readonly kind: 'copied'; readonly seq: number; readonly hash: string | null; readonly bytes: number }
  | { readonly kind: 'folded'; readonly seq: number; readonly hash: string }
  | { readonly kind: 'failed'; readonly what: string }
