import { type AnyTopic, EVENT_OF } from '@ti/core/contract/streams.ts'
import type { StreamMessage } from '@ti/core/query/streams.ts'

/** One server-sent event (HTML standard, 9.2). JSON text has no line breaks, so a block has one line of data. */
interface Block {
  readonly event: string
  /** JSON text */
  readonly data: string
  /** what a client that comes back sends as `Last-Event-ID` */
  readonly id?: number
  /** milliseconds after which it comes back */
  readonly retryMs?: number
}

const block = ({ event, data, id, retryMs }: Block): string =>
  `${retryMs === undefined ? '' : `retry: ${retryMs}\n`}${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

export const eventBytes = (one: Block): Buffer => Buffer.from(block(one))

/** Messages of a topic, their seq as id. */
export const eventsOf = (topic: AnyTopic, messages: readonly StreamMessage[]): Buffer =>
  Buffer.from(messages.map(({ seq, payload }) => block({ id: seq, event: EVENT_OF[topic], data: payload })).join(''))

/** Comes between messages and is no event: proxies close what is silent for a minute. */
export const BEAT = Buffer.from(': beat\n\n')
