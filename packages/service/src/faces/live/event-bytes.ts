import { type AnyTopic, eventOf } from '@ti/core/contract/streams.ts'
import type { StreamMessage } from '@ti/core/query/streams.ts'

/** One server-sent event (HTML standard, 9.2). JSON text has no line breaks, so a block has one line of data. */
interface Block {
  readonly event: string
  /** JSON text */
  readonly data: string
  /** the client repeats it as `Last-Event-ID` when it reconnects */
  readonly id?: number
  /** milliseconds after which the client reconnects */
  readonly retryMs?: number
}

const block = ({ event, data, id, retryMs }: Block): string =>
  `${retryMs === undefined ? '' : `retry: ${retryMs}\n`}${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

export const eventBytes = (one: Block): Buffer => Buffer.from(block(one))

/** Messages of a topic as events, each with its seq as id. */
export const eventsOf = (topic: AnyTopic, messages: readonly StreamMessage[]): Buffer =>
  Buffer.from(messages.map(({ seq, payload }) => block({ id: seq, event: eventOf(topic), data: payload })).join(''))

/** A comment between messages: proxies close a connection that is silent for a minute. */
export const BEAT = Buffer.from(': beat\n\n')
