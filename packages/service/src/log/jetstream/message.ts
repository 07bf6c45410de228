/** An entry of the log, or a part of one, as it stands in the stream. */
export interface LogMessage {
  /** of the stream, from 1 */
  readonly sequence: number
  /** who wrote it, and which of what it wrote: the same for all parts of one attempt to write an entry */
  readonly id: string
  /** of the log: what the entry is when the stream is as its writer knew it */
  readonly seq: number
  readonly part: number
  readonly parts: number
  readonly bytes: Buffer
}

/** A message that was read. */
export interface Delivered extends LogMessage {
  /** how many stood behind it in the stream when it was sent */
  readonly pending: number
}

export const SUBJECT = 'ti.log'
export const HEADER = { seq: 'Ti-Seq', id: 'Ti-Id', part: 'Ti-Part' } as const

/** `bytes` in as few pieces as fit. */
export function cut(bytes: Buffer, most: number): Buffer[] {
  const parts = Math.max(1, Math.ceil(bytes.length / most))
  return Array.from({ length: parts }, (_, i) => bytes.subarray(i * most, (i + 1) * most))
}

/** Entries from messages, in the order of the stream. */
interface Joiner {
  /** the entry that this message completes */
  take(message: LogMessage): Buffer | null
}

/**
 * Parts apply as one: what another writer's message interrupts has never been in the log. Its writer sees that too, and
 * writes all of it again.
 */
export function createJoiner(): Joiner {
  let open: LogMessage[] = []
  return {
    take(message) {
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
