import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import cors from '@fastify/cors'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Keys } from '../../access/keys.ts'
import type { ClientAddress } from '../../access/limits/client-address.ts'
import type { Windows } from '../../access/limits/windows.ts'
import type { PageAccess } from '../../access/page-access.ts'
import type { Cashier, PaymentsStatus } from '../../access/x402/types.ts'
import type { Logger } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { LIMITS } from '../../config/limits.ts'
import { createOperations } from '../../query/operations.ts'
import type { Query } from '../../query/query.ts'
import { type AccountRoutes, addAccountRoutes, isAccountPath } from './account.ts'
import { EXPOSED_HEADERS, sendError } from './answer.ts'
import { dataHandler } from './data.ts'
import { answerMalformed } from './malformed.ts'
import { createMatcher } from './matcher.ts'
import { createRequestIds } from './request-id.ts'
import { createScreen, type WebRoutes } from './screen.ts'
import { addServiceRoutes, SERVICE_PATHS } from './service.ts'
import type { AccountsStatus, ServiceStatus } from './status.ts'
import { createTraffic, type Traffic } from './traffic.ts'
import { routeUpgrades, type Upgrade } from './upgrades.ts'

export type { AccountsStatus, LiveSource, ServiceStatus } from './status.ts'

export type AccountDesk = Pick<AccountRoutes, 'accounts' | 'signIn' | 'subscriptions' | 'now'>

export interface HttpFaceOptions {
  readonly query: Query
  readonly keys: Keys
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  /** null: calls are not paid for one by one */
  readonly cashier: Cashier | null
  /** reads of the service's own page; null: there are none */
  readonly page?: Pick<PageAccess, 'mayRead' | 'read'> | null
  /** the page itself */
  readonly web?: WebRoutes | null
  /** what the routes of the account need besides; null: there are none */
  readonly account?: AccountDesk | null
  /** what is served beside, by path; it reads its own bodies and answers every method */
  readonly mounts?: Readonly<Record<string, RequestListener>>
  /** who takes over a connection whose request asks for a WebSocket, by path */
  readonly upgrades?: Readonly<Record<string, Upgrade>>
  readonly status: () => ServiceStatus
  /** shown in the readiness; nothing of it makes the service less ready */
  readonly accountsStatus?: () => AccountsStatus
  readonly logger: Logger
  readonly metrics: Metrics
  /** counts answers; given where what is mounted beside counts in it too */
  readonly traffic?: Traffic
  readonly publicUrl: string
  /** JSON text of the OpenAPI document */
  readonly openApi: string
  readonly validateResponses?: boolean
}

export interface HttpFace {
  /** port 0 lets the system choose; the answer is where it listens */
  listen(host: string, port: number): Promise<{ readonly host: string; readonly port: number }>
  address(): { readonly host: string; readonly port: number } | null
  /** stops accepting, lets open requests finish, and cuts what is still open after LIMITS.shutdownMs */
  close(): Promise<void>
}

/** milliseconds for a whole request (they have no body to speak of) and for an idle connection */
const REQUEST_MS = 10_000
const IDLE_MS = 72_000

/** The REST face: nine operations of the endpoint table and the service's own pages. */
export function createHttpFace(options: HttpFaceOptions): HttpFace {
  const { query, status, logger, metrics, publicUrl, openApi, validateResponses = false } = options
  const { mounts = {}, upgrades = {}, accountsStatus = () => null } = options
  const { keys, windows, clientAddress, cashier, account = null, page = null, web = null } = options
  const newRequestId = createRequestIds()
  const { traffic = createTraffic(metrics) } = options
  const recordOther = traffic.operation('other')
  const count = (code: number) => recordOther(code, 0)
  const access = { keys, windows, clientAddress, cashier, page }
  const routes = { ...access, status, logger, traffic, newRequestId, publicUrl, validateResponses }
  const match = createMatcher(
    createOperations(query).map((operation) => [operation.endpoint.path, dataHandler(operation, routes)] as const),
  )

  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    frameworkErrors: (_error, request, reply) => refuse(request, reply, 400, 'malformed URL'),
    bodyLimit: LIMITS.accountBodyBytes,
    serverFactory: (next: RequestListener) =>
      listening(
        createScreen({ match, next, knownPath, ownPath: ownPath(mounts, next, web), web, newRequestId, count }),
      ),
  })

  function listening(listener: RequestListener): Server {
    const server = createServer({ maxHeaderSize: LIMITS.headerBytes, requireHostHeader: false }, listener)
    server.requestTimeout = REQUEST_MS
    server.headersTimeout = REQUEST_MS
    // one idle timer for a connection's whole life, where keepAliveTimeout would start and stop one at every request
    server.keepAliveTimeout = 0
    server.timeout = IDLE_MS
    // an expectation we do not know may be ignored; Node's own 417 has no envelope
    server.on('checkExpectation', listener)
    answerMalformed(server, newRequestId, count)
    routeUpgrades(server, upgrades)
    return server
  }

  function refuse(request: FastifyRequest, reply: FastifyReply, code: 400 | 404 | 413 | 500, message: string): void {
    sendError(reply.hijack().raw, code, message, request.id)
    count(code)
  }

  app.setNotFoundHandler((request, reply) => refuse(request, reply, 404, 'no such path'))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode === 413) return refuse(request, reply, 413, 'the request body is too large')
    if (error.statusCode !== undefined && error.statusCode < 500)
      return refuse(request, reply, 400, 'malformed request')
    logger.error({ err: error, request_id: request.id }, 'request failed')
    refuse(request, reply, 500, 'internal error')
  })

  const payments = () => cashier?.status() ?? NO_PAYMENTS
  addServiceRoutes(app, { metrics, traffic, status, openApi, publicUrl, accountsStatus, payments })
  if (account !== null) addAccountRoutes(app, { ...account, keys, windows, clientAddress, traffic, logger, publicUrl })
  addPreflight(app)

  function address() {
    const bound = app.server.address() as AddressInfo | null
    return bound === null ? null : { host: bound.address, port: bound.port }
  }

  return {
    async listen(host, port) {
      await app.listen({ host, port })
      return address()!
    },
    address,
    async close() {
      const deadline = setTimeout(() => app.server.closeAllConnections(), LIMITS.shutdownMs)
      try {
        await app.close()
      } finally {
        clearTimeout(deadline)
      }
    },
  }
}

/**
 * Preflights only, in a scope of its own: what other answers say about origins never changes and is written with their
 * other headers.
 */
function addPreflight(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id)
    })
    await scope.register(cors, {
      origin: '*',
      methods: ['GET', 'HEAD', 'OPTIONS'],
      allowedHeaders: ['Authorization', 'Content-Type', 'PAYMENT-SIGNATURE', 'X-PAYMENT'],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
      strictPreflight: false,
    })
  })
}

/**
 * The account's paths lead into the framework with any method, but for the page that its root is to a browser; a mounted
 * path leads to its own listener.
 */
function ownPath(mounts: Readonly<Record<string, RequestListener>>, next: RequestListener, web: WebRoutes | null) {
  const mounted = Object.entries(mounts)
  return (request: IncomingMessage): RequestListener | null => {
    const { url = '/' } = request
    if (url.startsWith('/v1/')) return null
    const path = url.split('?', 1)[0]!
    if (isAccountPath(path)) return (path === '/account' ? web?.routes(request) : null) ?? next
    return mounted.find(([own]) => own === path)?.[1] ?? null
  }
}

const NO_PAYMENTS: PaymentsStatus = { mode: 'off', ready: false, reason: 'calls are opened by keys only', open: 0 }

const knownPath = (path: string): boolean => (SERVICE_PATHS as readonly string[]).includes(path)
