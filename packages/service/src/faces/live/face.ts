import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type EventsAsked, OWN_TOPIC } from '@ti/core/contract/streams.ts'
import type { Streams } from '@ti/core/query/streams.ts'
import { type ServerOptions, WebSocketServer } from 'ws'
import { ACCOUNTS_RETRY_S } from '../../access/refusals.ts'
import { createShared, type Shared } from '../../access/shared/shared.ts'
import type { AlertReader } from '../../alerts/alert.ts'
import type { Logger } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { createPoller } from '../../base/poller.ts'
import { write } from '../answer.ts'
import type { Route } from '../router.ts'
import {
  type AdmissionOptions,
  type Admitted,
  createAdmission,
  type Refusal,
  type SocketRefusal,
  type Ticket,
} from './admission.ts'
import { LIVE, type LiveBounds } from './bounds.ts'
import { type Connection, createConnection } from './connection.ts'
import { createEventStream, type OwnPlace } from './event-stream.ts'
import { createHub } from './hub.ts'
import { createMeters } from './metrics.ts'
import { createOwnTopic } from './own-topic.ts'
import { createWheel } from './wheel.ts'

/** The URL path that the official clients use when configured with `/socket`. */
export const SOCKET_PATH = '/socket/websocket'

export interface LiveFaceOptions extends Omit<AdmissionOptions, 'shared'> {
  readonly streams: Streams
  /** reads the accounts' alerts; null: there are none on this node */
  readonly alerts?: AlertReader | null
  readonly logger: Logger
  readonly metrics: Metrics
  /** left out: of its own */
  readonly shared?: Shared
  readonly bounds?: LiveBounds
  /** messages by which a client may be ahead, from a faster node of the same log; 0 for a single node */
  readonly ahead?: number
}

/** The streams over Phoenix Channels and as server-sent events. */
export interface LiveFace {
  /** SOCKET_PATH: takes over WebSocket requests and refuses all others */
  readonly route: Route
  /**
   * Streams a topic as the response's body. `begin` writes the head; a refusal leaves the response untouched. Null: the
   * response has been handled.
   */
  follow(
    request: IncomingMessage,
    response: ServerResponse,
    asked: EventsAsked,
    begin: () => void,
  ): Promise<Refusal | null>
  /** something was committed */
  wake(): void
  /** open sockets and streaming responses */
  readonly sockets: number
  /** disconnects all clients (1012: reconnect) and waits for them for SHUTDOWN_MS */
  close(): Promise<void>
}

export function createLiveFace(options: LiveFaceOptions): LiveFace {
  const { streams, keys, trials, clientAddress, alerts = null, logger, metrics } = options
  const { page = null, isServing = () => true, shared = createShared(), bounds = LIVE, ahead = 0 } = options
  const now = () => performance.now()
  const meters = createMeters()
  const hub = createHub({
    streams,
    bounds,
    shared,
    ahead,
    onMessages: (topic, messages, readers) => {
      if (readers > 0) meters.lag(topic, messages, Date.now())
    },
    onLost: (topic, error) => logger.error({ err: error, topic }, 'messages cannot be read: their channels are closed'),
  })
  const onTrouble = (error: unknown): void => logger.error({ err: error }, 'alerts cannot be read: tried again')
  const own = alerts && createOwnTopic({ alerts, bounds, onTrouble })
  const admission = createAdmission({ keys, trials, clientAddress, page, isServing, shared })
  const connections = new Set<Connection>()
  const wheel = createWheel<Connection>(bounds.visitSlots, (connection) => connection.visit())
  const visits = createPoller({
    what: 'streams',
    everyMs: bounds.visitMs / bounds.visitSlots,
    run: wheel.tick,
  })
  let stopping = false
  let whenEmpty = (): void => {}
  meters.show(metrics, { hub, sockets: () => connections.size, queuedBytes: () => queuedBytes(connections) })

  const server = new WebSocketServer(serverOptions(bounds))

  function refuse(socket: Socket, { status, reason, retryAfterS }: SocketRefusal): void {
    meters.refused(reason)
    const retry = retryAfterS === undefined ? '' : `Retry-After: ${retryAfterS}\r\n`
    socket.end(`HTTP/1.1 ${status} ${PHRASES[status]}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`)
    socket.destroySoon()
  }

  function gone(connection: Connection): void {
    wheel.remove(connection)
    connections.delete(connection)
    if (connections.size === 0) whenEmpty()
  }

  function keep(connection: Connection): void {
    connections.add(connection)
    wheel.add(connection)
    if (stopping) connection.drain()
  }

  function open(request: IncomingMessage, socket: Socket, head: Buffer, admitted: Extract<Admitted, { ok: true }>) {
    const { ticket, version } = admitted
    // the library answers a failed handshake, and a client may leave before it is done
    socket.once('close', ticket.release)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const parts = { webSocket, socket, version, ticket, shared, hub, own, meters, logger, now, bounds }
      keep(createConnection({ ...parts, onGone: gone }))
    })
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const ignore = (): void => void socket.destroy()
    socket.on('error', ignore)
    const admitted: Admitted = stopping ? STOPPING : await admission.admit(request)
    if (!admitted.ok) return refuse(socket, admitted)
    if (socket.destroyed) return admitted.ticket.release()
    socket.off('error', ignore)
    open(request, socket, head, admitted)
  }

  async function follow(
    request: IncomingMessage,
    response: ServerResponse,
    asked: EventsAsked,
    begin: () => void,
  ): Promise<Refusal | null> {
    const { socket } = request
    // a stream queued behind another answer of its connection would wait in memory
    if (response.socket !== socket) socket.destroy()
    if (socket.destroyed) return null
    const entered = stopping ? STOPPING : await admission.enter(request)
    if (!entered.ok) {
      meters.refused(entered.reason)
      return entered
    }
    const { ticket } = entered
    const join = shared.take('joins', ticket.taker)
    if (!join.ok) {
      ticket.release()
      return { ok: false, status: 429, reason: 'joins', retryAfterS: join.retryAfterS }
    }
    const place = asked.topic === OWN_TOPIC ? await placeOf(ticket) : null
    if (asked.topic === OWN_TOPIC && place === null) {
      ticket.release()
      return own === null || ticket.account === null ? NO_ACCOUNT : AWAY
    }
    if (asked.topic !== OWN_TOPIC && asked.filter !== null && !hub.admits(asked.topic, asked.filter, ticket.taker)) {
      ticket.release()
      return TOO_MANY_FILTERS
    }
    if (socket.destroyed || request.method === 'HEAD') ticket.release()
    if (socket.destroyed) return null
    begin()
    if (request.method === 'HEAD') response.end()
    else
      keep(createEventStream({ asked, response, socket, ticket, hub, own: place, meters, now, bounds, onGone: gone }))
    return null
  }

  /** Null: the topic does not exist, or it cannot be read now. */
  async function placeOf({ account }: Ticket): Promise<OwnPlace | null> {
    if (own === null || account === null) return null
    try {
      return { topic: own, account, position: await own.position(account) }
    } catch (error) {
      onTrouble(error)
      return null
    }
  }

  return {
    follow,
    route: {
      method: '*',
      path: SOCKET_PATH,
      readsBody: true,
      upgrade(request, socket, head) {
        upgrade(request, socket, head).catch((error: unknown) => {
          logger.error({ err: error }, 'an upgrade failed')
          socket.destroy()
        })
      },
      handle: (_request, response) => void write(response, 400, ['connection', 'close', 'content-length', '0']),
    },
    wake: hub.wake,
    get sockets() {
      return connections.size
    },
    async close() {
      stopping = true
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve
      })
      for (const connection of connections) connection.drain()
      const deadline = setTimeout(() => {
        for (const connection of connections) connection.cut()
      }, bounds.shutdownMs)
      if (connections.size > 0) await empty
      clearTimeout(deadline)
      void visits.stop()
      own?.close()
    },
  }
}

/** The library's types lack these options. */
interface MoreOptions extends ServerOptions {
  readonly closeTimeout: number
  readonly maxPendingAutoPongs: number
}

const serverOptions = (bounds: LiveBounds): MoreOptions => ({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: bounds.frameBytes,
  maxBufferedChunks: bounds.frameChunks,
  maxFragments: bounds.fragments,
  closeTimeout: bounds.closeMs,
  // the library cuts the connection without a close above this limit: a flood of pings meets the message limit first
  maxPendingAutoPongs: bounds.messagesPerSecond + 1,
  handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
})

/** the subprotocol of clients that send their key as another subprotocol */
const PROTOCOL = 'phoenix'

const PHRASES = { 403: 'Forbidden', 429: 'Too Many Requests', 503: 'Service Unavailable' } as const

const NO_ACCOUNT: Refusal = { ok: false, status: 403, reason: 'account' }
const AWAY: Refusal = { ok: false, status: 503, reason: 'accounts', retryAfterS: ACCOUNTS_RETRY_S }
const TOO_MANY_FILTERS: Refusal = { ok: false, status: 503, reason: 'filters', retryAfterS: 60 }
const STOPPING: Refusal = { ok: false, status: 503, reason: 'stopping', retryAfterS: 1 }

function queuedBytes(connections: Iterable<Connection>): number {
  let bytes = 0
  for (const connection of connections) bytes += connection.unread()
  return bytes
}
