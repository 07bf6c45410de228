import type { Socket } from 'node:net'
import { OWN_TOPIC } from '@ti/core/contract/streams.ts'
import type { WebSocket } from 'ws'
import type { Shared } from '../../access/shared/shared.ts'
import type { Logger } from '../../base/log.ts'
import type { Ticket } from './admission.ts'
import type { LiveBounds } from './bounds.ts'
import {
  type Channel,
  type Context,
  type Input,
  joinsOwn,
  NO_CHANNELS,
  type Output,
  pushRef,
  reduce,
  type TopicPosition,
} from './channels.ts'
import { type ClientMessage, decodeBinary, decodeText, encode, type ServerMessage, type Version } from './codec.ts'
import type { Hub, Reader } from './hub.ts'
import type { Meters } from './metrics.ts'
import type { OwnReader, OwnTopic } from './own-topic.ts'
import { createStallWatch } from './stall.ts'
import { frameTexts } from './wire.ts'

/** One open socket: its messages go through the channels' reducer, and its subscriptions are fed by the hub. */
export interface Connection {
  /** called every few seconds: closes the socket if it is idle, stalled, or no longer allowed */
  visit(): void
  /** the server stops */
  drain(): void
  /** cuts the connection if it is still open */
  cut(): void
  /** bytes written that the kernel has not taken */
  unread(): number
}

interface ConnectionOptions {
  readonly webSocket: WebSocket
  /** the socket below it; shared frames are written here directly, always whole and between others */
  readonly socket: Socket
  readonly version: Version
  readonly ticket: Ticket
  readonly shared: Shared
  readonly hub: Hub
  /** null: there are no alerts on this node */
  readonly own: OwnTopic | null
  readonly meters: Meters
  readonly logger: Logger
  /** milliseconds that only go forward */
  readonly now: () => number
  readonly bounds: LiveBounds
  readonly onGone: (connection: Connection) => void
}

export function createConnection(options: ConnectionOptions): Connection {
  const { webSocket, socket, version, ticket, shared, hub, own, meters, logger, now, bounds } = options
  const { taker } = ticket
  const account = own === null ? null : ticket.account
  let ownPosition: TopicPosition | null = null
  const context: Context = {
    position: (topic) => (topic === OWN_TOPIC ? ownPosition : hub.position(topic)),
    mayJoin: () => shared.take('joins', taker).ok,
    admits: (topic, filter) => topic === OWN_TOPIC || hub.admits(topic, filter, taker),
    channelsMax: bounds.channels,
  }
  const readers = new Map<number, () => void>()
  /** the messages that wait for a join's database read; null: none is in progress */
  let waiting: ClientMessage[] | null = null
  const rate = createRate(bounds.messagesPerSecond, now)
  let channels = NO_CHANNELS
  let closing = false
  let heardMs = now()

  const unread = (): number => socket.writableLength
  const stall = createStallWatch(socket, unread, now)

  function write(bytes: Buffer, messages: number): void {
    // the client has sent its close, after which it gets no more frames; the hub learns of it when the connection ends
    if (webSocket.readyState !== webSocket.OPEN) return
    socket.write(bytes)
    meters.wrote(messages, bytes.length)
  }

  function send(message: ServerMessage): void {
    write(frameTexts([encode(version, message)]), 1)
  }

  function close(code: number): void {
    closing = true
    meters.closed(`${code}`)
    webSocket.close(code)
    // the client may keep sending until the close reaches it; those messages are not read
    if (code === FLOOD) webSocket.pause()
  }

  function carryOut(output: Output): void {
    switch (output.kind) {
      case 'send':
        return send(output.message)
      case 'subscribe':
        return subscribe(output.channel, output.after)
      case 'unsubscribe': {
        readers.get(output.channel.id)?.()
        readers.delete(output.channel.id)
        return
      }
      case 'close':
        return close(output.code)
    }
  }

  function apply(input: Input): void {
    if (closing && input.kind !== 'gone') return
    const step = reduce(channels, input, context)
    channels = step.channels
    step.outputs.forEach(carryOut)
  }

  function subscribe(channel: Channel, after: number | null): void {
    const { id, topic, filter } = channel
    const reader = readerOf(channel)
    if (topic === OWN_TOPIC) {
      readers.set(id, () => own!.remove(reader))
      return own!.add(account!, reader, after ?? ownPosition!.seq)
    }
    const one: Reader = { ...reader, topic, taker, ...(filter !== undefined && { filter }) }
    readers.set(id, () => hub.remove(one))
    hub.add(one, after)
  }

  /** A join of the caller's own topic must first read its position. Later messages wait, so that order is preserved. */
  async function joinOwn(message: ClientMessage): Promise<void> {
    const queue: ClientMessage[] = []
    waiting = queue
    try {
      ownPosition = await own!.position(account!)
    } catch (error) {
      logger.debug({ err: error }, 'the place of alerts could not be read')
      ownPosition = null
    }
    waiting = null
    apply({ kind: 'message', message })
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      take(next)
      // it waits itself, and takes over the rest
      if (waiting !== null) return void (waiting as ClientMessage[]).push(...queue)
    }
  }

  function take(message: ClientMessage | null): void {
    if (waiting !== null && message !== null) {
      if (waiting.length >= bounds.waiting) apply({ kind: 'flood' })
      else waiting.push(message)
    } else if (message !== null && account !== null && joinsOwn(message)) void joinOwn(message)
    else apply({ kind: 'message', message })
  }

  const readerOf = (channel: Channel): OwnReader => ({
    wire: version,
    pushRef: pushRef(channel),
    unread,
    write,
    tooSlow: () => apply({ kind: 'slow' }),
    lost: () => apply({ kind: 'end', channel: channel.id, how: 'error' }),
  })

  /** Returns false if the frame is to be ignored. */
  function hear(): boolean {
    if (closing) return false
    heardMs = now()
    if (!rate.take()) apply({ kind: 'flood' })
    else if (unread() > bounds.unreadBytes) apply({ kind: 'slow' })
    return !closing
  }

  const connection: Connection = {
    visit() {
      const stalledMs = stall.look()
      if (now() - heardMs >= bounds.idleMs) apply({ kind: 'idle' })
      else if (stalledMs >= bounds.stallMs) apply({ kind: 'slow' })
      else if (!ticket.holds()) apply({ kind: 'dismissed' })
    },
    drain: () => apply({ kind: 'drain' }),
    cut: () => webSocket.terminate(),
    unread,
  }

  webSocket.on('message', (data: Buffer, isBinary) => {
    if (!hear()) return
    const message = isBinary ? decodeBinary(version, data) : decodeText(version, data.toString('utf8'))
    take(message)
  })
  webSocket.on('ping', hear)
  webSocket.on('pong', hear)
  // a protocol error: the library has sent the matching close code (1002, 1007, 1008, 1009)
  webSocket.on('error', (error: NodeJS.ErrnoException) => {
    apply({ kind: 'gone' })
    if (!closing) meters.closed(error.code ?? 'fault')
    closing = true
    logger.debug({ err: error }, 'a socket failed')
  })
  webSocket.on('close', (code) => {
    apply({ kind: 'gone' })
    if (!closing) meters.closed(code === LOST ? 'lost' : 'client')
    closing = true
    options.onGone(connection)
  })
  socket.on('drain', hub.wake)
  return connection
}

const FLOOD = 1008
/** the library's code for a connection that ended without a close */
const LOST = 1006

/** Counts the messages of the current second; more than `most` are refused. */
function createRate(most: number, now: () => number) {
  let second = 0
  let taken = 0
  return {
    take(): boolean {
      const current = Math.floor(now() / 1000)
      if (current !== second) taken = 0
      second = current
      return ++taken <= most
    },
  }
}
