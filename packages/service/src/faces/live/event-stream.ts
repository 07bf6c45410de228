import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type EventsAsked, OWN_TOPIC } from '@ti/core/contract/streams.ts'
import type { Ticket } from './admission.ts'
import type { LiveBounds } from './bounds.ts'
import { resumableAfter, type TopicPosition } from './channels.ts'
import type { Connection } from './connection.ts'
import { BEAT, eventBytes } from './event-bytes.ts'
import type { Hub, Reader } from './hub.ts'
import type { Meters } from './metrics.ts'
import type { OwnReader, OwnTopic } from './own-topic.ts'
import { createStallWatch } from './stall.ts'

/** The caller's own topic, its account and its position. */
export interface OwnPlace {
  readonly topic: OwnTopic
  readonly account: string
  readonly position: TopicPosition
}

interface EventStreamOptions {
  readonly asked: EventsAsked
  readonly response: ServerResponse
  /** the socket below it */
  readonly socket: Socket
  readonly ticket: Ticket
  readonly hub: Hub
  /** for a stream of OWN_TOPIC */
  readonly own: OwnPlace | null
  readonly meters: Meters
  /** monotonic milliseconds */
  readonly now: () => number
  readonly bounds: LiveBounds
  readonly onGone: (connection: Connection) => void
}

/** The reason the service ends a stream. The client reconnects by itself, and the status tells it whether it may continue. */
type Ending = 'restart' | 'dismissed' | 'lost'

/** One open response that follows a topic. Its head is already written. */
export function createEventStream(options: EventStreamOptions): Connection {
  const { asked, response, socket, ticket, meters, now, bounds } = options
  const { topic } = asked
  const unread = (): number => response.writableLength
  const stall = createStallWatch(socket, unread, now)
  let ended: string | null = null
  let wroteMs = now()

  function write(bytes: Buffer, messages: number): void {
    if (ended !== null) return
    response.write(bytes)
    wroteMs = now()
    meters.wrote(messages, bytes.length)
  }

  function end(why: Ending): void {
    if (ended !== null) return
    write(eventBytes({ event: 'end', data: JSON.stringify({ reason: why }) }), 1)
    ended = why
    place.remove()
    response.end()
  }

  function cut(why: string): void {
    ended ??= why
    socket.destroy()
  }

  const reader: OwnReader = {
    wire: 'events',
    pushRef: 'null',
    unread,
    write,
    tooSlow: () => cut('slow'),
    lost: () => end('lost'),
  }

  const connection: Connection = {
    visit() {
      if (stall.look() >= bounds.stallMs) cut('slow')
      else if (!ticket.holds()) end('dismissed')
      else if (now() - wroteMs >= bounds.eventsBeatMs) write(BEAT, 0)
    },
    drain: () => end('restart'),
    cut: () => cut('lost'),
    unread,
  }

  const place = placeOf(options, reader)
  response.on('drain', options.hub.wake)
  response.once('close', () => {
    place.remove()
    meters.closed(`events ${ended ?? 'client'}`)
    ticket.release()
    options.onGone(connection)
  })
  const { position } = place
  const { seq, oldestSeq } = position
  const after = resumableAfter(position, asked.after)
  const joined = JSON.stringify({ topic, seq, oldest_seq: oldestSeq, resumed: after !== null })
  // with an id, so that a client cut off before its first message knows its position
  write(eventBytes({ retryMs: bounds.eventsRetryMs, id: after ?? seq, event: 'joined', data: joined }), 1)
  place.add(after)
  return connection
}

function placeOf({ asked, hub, own, ticket: { taker } }: EventStreamOptions, reader: OwnReader) {
  const { topic, filter } = asked
  if (topic === OWN_TOPIC) {
    const { topic: alerts, account, position } = own!
    const add = (after: number | null): void => alerts.add(account, reader, after ?? position.seq)
    return { position, add, remove: () => alerts.remove(reader) }
  }
  const one: Reader = { ...reader, topic, taker, ...(filter !== null && { filter }) }
  const add = (after: number | null): void => hub.add(one, after)
  return { position: hub.position(topic), add, remove: () => hub.remove(one) }
}
