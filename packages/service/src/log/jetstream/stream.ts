import type { Delivered, LogMessage } from './message.ts'

/** The message that must be the newest one at a write. */
interface Expected {
  readonly sequence: number
  /** The id of that message, if the same writer has just sent it and does not know its position yet. */
  readonly messageId: string | null
}

/** A message was rejected because another one came first. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/**
 * A stream with many writers and readers. A write that was rejected or not answered can be retried after reading on.
 */
export interface LogStream {
  /** The largest message, bytes. */
  readonly partBytes: number
  /** Resolves to the sequence number. Rejects with Overtaken if `expected` is wrong; other errors: outcome unknown. */
  write(message: Omit<LogMessage, 'sequence'>, expected: Expected): Promise<number>
  /** Batches of available messages after `after`. Survives lost connections until `signal` aborts. */
  messages(after: number, signal: AbortSignal): AsyncIterable<readonly Delivered[]>
  /** Sequence number of the newest message, 0 if none. Like `locate`, retries until it succeeds or the node stops. */
  last(): Promise<number>
  /** Locates everything newer than entry `seq`. */
  locate(seq: number): Promise<Located>
  close(): Promise<void>
}

/**
 * `after`: behind this message. `behind`: the log begins only at this entry. `ahead`: the log ends at this entry,
 * before the requested one.
 */
export type Located = { readonly after: number } | { readonly behind: number } | { readonly ahead: number }

/** Unique per message of an attempt, because servers deduplicate by it. */
export const messageId = ({ id, part }: Pick<LogMessage, 'id' | 'part'>): string => `${id}.${part}`
