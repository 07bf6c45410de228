import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { descriptorLimit } from '../../base/descriptors.ts'
import { processTroubles } from '../../base/troubles.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Upgrade } from '../router.ts'
import { type Connections, guardConnections, type PeerAddress } from './connections.ts'
import { answerMalformed } from './malformed.ts'
import { routeUpgrades } from './upgrades.ts'

/** Answers the requests of a listener. */
interface RequestHandler {
  readonly handle: RequestListener
  /** takes over a connection whose request asks for a WebSocket */
  readonly upgradeOf: (path: string) => Upgrade | undefined
  readonly newRequestId: () => string
  /** counts an answer that no listener gave */
  readonly count: (status: number) => void
}

interface Address {
  readonly host: string
  readonly port: number
}

/** The port of the process and its connections. It listens from start to exit, and the handler behind it changes. */
export interface Listener {
  /** from now on this handler answers */
  use(handler: RequestHandler): void
  /** port 0 lets the system choose; where it listens already, it goes on */
  listen(host: string, port: number): Promise<Address>
  address(): Address | null
  /** resolves when nobody waits for an answer any more, after LIMITS.shutdownMs at the latest */
  quiet(): Promise<void>
  /** stops accepting, lets open requests finish, and cuts what is still open after LIMITS.shutdownMs */
  close(): Promise<void>
  readonly connections: Connections
}

/** milliseconds for a whole request (they have no body to speak of) and for an idle connection */
const REQUEST_MS = 10_000
const IDLE_MS = 72_000
/** milliseconds between two looks whether the last answers are out */
const QUIET_LOOK_MS = 10

/** The types do not know all of them yet. */
const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: LIMITS.headerBytes,
  requireHostHeader: false,
  requestTimeout: REQUEST_MS,
  headersTimeout: REQUEST_MS,
  connectionsCheckingInterval: LIMITS.connectionSweepMs,
}

interface ListenerOptions {
  /** how the other end of a connection is counted */
  readonly peer: PeerAddress
  /** descriptors of the process; left out: as the system says */
  readonly descriptors?: number | null
}

export function createListener({ peer, descriptors = descriptorLimit() }: ListenerOptions): Listener {
  let handler: RequestHandler | null = null
  const server = createServer(SERVER_OPTIONS)
  // one idle timer for a connection's whole life, where keepAliveTimeout would start and stop one at every request
  server.keepAliveTimeout = 0
  server.timeout = IDLE_MS
  const connections = guardConnections(server, { descriptors, peer, bounds: LIMITS })

  const handle: RequestListener = (request, response) => {
    connections.heard(request, response)
    handler!.handle(request, response)
  }
  server.on('request', handle)
  // an expectation we do not know may be ignored; Node's own 417 has no envelope
  server.on('checkExpectation', handle)
  const { answerOn } = connections
  answerMalformed(server, {
    answerOn,
    newRequestId: () => handler!.newRequestId(),
    count: (status) => handler!.count(status),
  })
  routeUpgrades(server, {
    answerOn,
    upgradeOf(path, socket) {
      const upgrade = handler!.upgradeOf(path)
      if (upgrade !== undefined) connections.upgrading(socket)
      return upgrade
    },
  })

  function address(): Address | null {
    const bound = server.address() as AddressInfo | null
    return bound === null ? null : { host: bound.address, port: bound.port }
  }

  return {
    use(next) {
      handler = next
    },
    async listen(host, port) {
      if (server.listening) return address()!
      await new Promise<void>((done, fail) => {
        server.once('error', fail)
        server.listen({ host, port }, () => {
          server.off('error', fail)
          done()
        })
      })
      // what fails later is a connection that could not be accepted: EMFILE, ENFILE, ENOBUFS
      server.on('error', (error) => processTroubles.note('connections', error))
      return address()!
    },
    address,
    async quiet() {
      const end = performance.now() + LIMITS.shutdownMs
      while (connections.answering() > 0 && performance.now() < end) await pause(QUIET_LOOK_MS)
    },
    async close() {
      connections.close()
      if (!server.listening) return
      let isClosed = false
      const closed = new Promise<void>((done) =>
        server.close(() => {
          isClosed = true
          done()
        }),
      )
      const end = performance.now() + LIMITS.shutdownMs
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

/** A face behind a listener: one that it shares and leaves, or one of its own. */
export interface ListeningFace {
  /** answers from now on; the listener listens already */
  show(): void
  listen(host: string, port: number): Promise<Address>
  address(): Address | null
  /** its open requests are answered or cut */
  close(): Promise<void>
}

export function faceBehind(shared: Listener | null, handler: RequestHandler): ListeningFace {
  const listener = shared ?? createListener({ peer: ({ remoteAddress }) => remoteAddress ?? '' })
  return {
    show: () => listener.use(handler),
    listen(host, port) {
      listener.use(handler)
      return listener.listen(host, port)
    },
    address: listener.address,
    close: () => (shared === null ? listener.close() : listener.quiet()),
  }
}

/** A face of a few small answers, for a node that answers no readers, or none yet. */
export const createPlainFace = (
  answer: RequestListener,
  newRequestId: () => string,
  listener: Listener | null,
): ListeningFace => faceBehind(listener, { handle: answer, upgradeOf: () => undefined, newRequestId, count: () => {} })
