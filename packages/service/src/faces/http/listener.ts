import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { descriptorLimit } from '../../base/descriptors.ts'
import { SHUTDOWN_MS } from '../../base/parts.ts'
import { processTroubles } from '../../base/troubles.ts'
import type { Upgrade } from '../router.ts'
import { holdWhileArriving } from './arrivals.ts'
import { CONNECTIONS, guardConnections, type PeerAddress } from './connections.ts'
import { answerMalformed, HEADER_BYTES } from './malformed.ts'
import { routeUpgrades } from './upgrades.ts'

/** Answers the requests of a listener. */
interface RequestHandler {
  readonly handle: RequestListener
  /** takes over the connection of a WebSocket request */
  readonly upgradeOf: (path: string) => Upgrade | undefined
  readonly newRequestId: () => string
  /** counts an answer that came from the server rather than from a handler */
  readonly count: (status: number) => void
}

interface Address {
  readonly host: string
  readonly port: number
}

/** The port of the process and its connections. It listens from start to exit while the handler behind it changes. */
export type Listener = ReturnType<typeof createListener>

/** milliseconds for a whole request (bodies are small) and for an idle connection */
const REQUEST_MS = 10_000
const IDLE_MS = 72_000
/** connections that the kernel holds until they are accepted: what finds no room asks again only after a second */
const BACKLOG = 4_096
/** milliseconds between two checks for answers in progress */
const QUIET_LOOK_MS = 10

/** Node's types lack some of these options. */
const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: HEADER_BYTES,
  requireHostHeader: false,
  requestTimeout: REQUEST_MS,
  headersTimeout: REQUEST_MS,
  connectionsCheckingInterval: CONNECTIONS.sweepMs,
}

interface ListenerOptions {
  /** the address under which a connection is counted */
  readonly peer: PeerAddress
  /** descriptor limit of the process; left out: the system's */
  readonly descriptors?: number | null
}

export function createListener({ peer, descriptors = descriptorLimit() }: ListenerOptions) {
  let handler: RequestHandler | null = null
  const server = createServer(SERVER_OPTIONS)
  // one idle timer per connection, where keepAliveTimeout would start and stop one at every request
  server.keepAliveTimeout = 0
  server.timeout = IDLE_MS
  const connections = guardConnections(server, { descriptors, peer })

  const answer = holdWhileArriving(server, (request, response) => handler!.handle(request, response))
  const handle: RequestListener = (request, response) => {
    connections.heard(request)
    answer(request, response)
  }
  server.on('request', handle)
  // an unknown expectation may be ignored; Node's own 417 has no error envelope
  server.on('checkExpectation', handle)
  answerMalformed(server, {
    newRequestId: () => handler!.newRequestId(),
    count: (status) => handler!.count(status),
  })
  routeUpgrades(server, (path, socket) => {
    const upgrade = handler!.upgradeOf(path)
    if (upgrade !== undefined) connections.upgrading(socket)
    return upgrade
  })

  function address(): Address | null {
    const bound = server.address() as AddressInfo | null
    return bound === null ? null : { host: bound.address, port: bound.port }
  }

  return {
    /** routes all further requests to this handler */
    use(next: RequestHandler): void {
      handler = next
    },
    /** port 0 lets the system choose; a listener that listens already keeps its port */
    async listen(host: string, port: number): Promise<Address> {
      if (server.listening) return address()!
      await new Promise<void>((done, fail) => {
        server.once('error', fail)
        server.listen({ host, port, backlog: BACKLOG }, () => {
          server.off('error', fail)
          done()
        })
      })
      // later errors concern connections that could not be accepted: EMFILE, ENFILE, ENOBUFS
      server.on('error', (error) => processTroubles.note('connections', error))
      return address()!
    },
    address,
    /** resolves when no request waits for an answer, after SHUTDOWN_MS at the latest */
    async quiet(): Promise<void> {
      const end = performance.now() + SHUTDOWN_MS
      while (connections.answering() > 0 && performance.now() < end) await pause(QUIET_LOOK_MS)
    },
    /** stops accepting, lets open requests finish, and cuts the rest after SHUTDOWN_MS */
    async close(): Promise<void> {
      connections.close()
      if (!server.listening) return
      let isClosed = false
      const closed = new Promise<void>((done) =>
        server.close(() => {
          isClosed = true
          done()
        }),
      )
      const end = performance.now() + SHUTDOWN_MS
      while (!isClosed && performance.now() < end) {
        server.closeIdleConnections()
        await Promise.race([closed, pause(QUIET_LOOK_MS)])
      }
      server.closeAllConnections()
      await closed
    },
    connections,
  }
}

/** A face behind a listener, which is either shared or its own. */
export type ListeningFace = ReturnType<typeof faceBehind>

export function faceBehind(shared: Listener | null, handler: RequestHandler) {
  const listener = shared ?? createListener({ peer: ({ remoteAddress }) => remoteAddress ?? '' })
  return {
    /** answers all requests from now on; the shared listener listens already */
    show: (): void => listener.use(handler),
    listen(host: string, port: number): Promise<Address> {
      listener.use(handler)
      return listener.listen(host, port)
    },
    address: listener.address,
    /** answers or cuts the open requests */
    close: (): Promise<void> => (shared === null ? listener.close() : listener.quiet()),
  }
}

/** A minimal face for a node that does not answer readers, or not yet. */
export const createPlainFace = (
  answer: RequestListener,
  newRequestId: () => string,
  listener: Listener | null,
): ListeningFace => faceBehind(listener, { handle: answer, upgradeOf: () => undefined, newRequestId, count: () => {} })
