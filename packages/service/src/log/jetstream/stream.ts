import type { Delivered, LogMessage } from './message.ts'

/** Which message must be the newest when one is written. */
interface Expected {
  readonly sequence: number
  /** of the message with that sequence, where the same writer has only just sent it and cannot know yet where it stands */
  readonly messageId: string | null
}

/** A message was not written because another one came first. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** A stream that many write and many read; what is refused or not answered may be tried again after reading on. */
export interface LogStream {
  /** bytes of a message at the most */
  readonly partBytes: number
  /** the sequence it was given; rejects with Overtaken where `expected` does not hold, else where no answer says how it went */
  write(message: Omit<LogMessage, 'sequence'>, expected: Expected): Promise<number>
  /** messages behind `after`, as many as are at hand; goes on through lost connections until `signal` aborts */
  messages(after: number, signal: AbortSignal): AsyncIterable<readonly Delivered[]>
  /** sequence of the newest message, 0 none; like `locate` it asks until there is an answer, or until the node stops */
  last(): Promise<number>
  /** where everything newer than entry `seq` stands */
  locate(seq: number): Promise<Located>
  close(): Promise<void>
}

/**
 * `after`: behind this message. `behind`: the log begins only with this entry. `ahead`: it ends with this entry, before the
 * one that was asked for.
 */
export type Located = { readonly after: number } | { readonly behind: number } | { readonly ahead: number }

/** The same for each message of an entry's attempt and no other: a server takes what repeats it for the same message. */
export const messageId = ({ id, part }: Pick<LogMessage, 'id' | 'part'>): string => `${id}.${part}`
