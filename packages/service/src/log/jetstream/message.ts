/** A message of the stream: a log entry or a part of one. */
export interface LogMessage {
  /** Sequence number in the stream, from 1. */
  readonly sequence: number
  /** Writer and attempt, the same for all parts of one attempt to write an entry. */
  readonly id: string
  /** The number of the entry in the log, if the stream is as its writer knew it. */
  readonly seq: number
  readonly part: number
  readonly parts: number
  readonly bytes: Buffer
  /** The chain that its writer took the log for, '' if none was named. */
  readonly chain: string
}

/** A received message. */
export interface Delivered extends LogMessage {
  /** The number of messages after it in the stream when it was sent. */
  readonly pending: number
}

export const SUBJECT = 'ti.log'
export const HEADER = { seq: 'Ti-Seq', id: 'Ti-Id', part: 'Ti-Part', chain: 'Ti-Chain' } as const

/** Splits `bytes` into as few parts as fit. */
export function cut(bytes: Buffer, most: number): Buffer[] {
  const parts = Math.max(1, Math.ceil(bytes.length / most))
  return Array.from({ length: parts }, (_, i) => bytes.subarray(i * most, (i + 1) * most))
}

/**
 * Assembles entries from messages in stream order.
 * An entry's parts count only together: parts interrupted by another writer's message were never in the log. Their
 * writer notices and writes all of them again.
 */
export function createJoiner() {
  let open: LogMessage[] = []
  return {
    /** The entry that this message completes, or null. */
    take(message: LogMessage): Buffer | null {
      if (message.parts === 1) {
        open = []
        return message.bytes
      }
      const before = open.at(-1)
      const goesOn =
        before !== undefined &&
        before.id === message.id &&
        before.parts === message.parts &&
        before.part + 1 === message.part &&
        before.sequence + 1 === message.sequence
      if (!goesOn && message.part > 0) {
        open = []
        return null
      }
      open = goesOn ? [...open, message] : [message]
      if (open.length < message.parts) return null
      const bytes = Buffer.concat(open.map((part) => part.bytes))
      open = []
      return bytes
    },
  }
}
