import { OperatorError } from '../../base/errors.ts'
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
 * The stream is not the one that was read: its servers came back without it, it was made anew, or it ends before a message
 * that was read. `renew` takes what is there now.
 */
export class LogLost extends OperatorError {}

/**
 * A stream with many writers and readers. A write that was rejected or not answered can be retried after reading on.
 * Everything except `renew` and `close` rejects with LogLost once the stream is lost.
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
  /** The chain in the newest message, '' if none was named; null if there is no message. */
  chain(): Promise<string | null>
  /** Makes the stream if it is missing. It is the one to read and write from now on. */
  renew(): Promise<void>
  /** True once no server has answered for some seconds. */
  isAway(): boolean
  close(): Promise<void>
}

/**
 * `after`: behind this message. `behind`: the log begins only at this entry. `ahead`: the log ends at this entry (-1: it is
 * empty), before the requested one, with the message `sequence`.
 */
export type Located = { readonly after: number } | { readonly behind: number } | Short
export interface Short {
  readonly ahead: number
  readonly sequence: number
}

/** Unique per message of an attempt, because servers deduplicate by it. */
export const messageId = ({ id, part }: Pick<LogMessage, 'id' | 'part'>): string => `${id}.${part}`
