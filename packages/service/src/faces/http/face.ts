import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import cors from '@fastify/cors'
import { createOperations } from '@ti/core/query/operations.ts'
import type { Query } from '@ti/core/query/query.ts'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import type { Keys } from '../../access/keys.ts'
import type { ClientAddress } from '../../access/rate-limits/client-address.ts'
import type { Windows } from '../../access/rate-limits/windows.ts'
import type { Cashier, PaymentsStatus } from '../../access/x402/types.ts'
import type { Logger } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { LIMITS } from '../../config/limits.ts'
import type { AccountsStatus, ServiceStatus } from '../status.ts'
import { type AccountRoutes, addAccountRoutes, isAccountPath } from './account.ts'
import { EXPOSED_HEADERS, sendError } from './answer.ts'
import { createDataHandlers, type DataHandler, type PageReads } from './data.ts'
import { type AtDoor, type Door, standAt } from './door.ts'
import { createMatcher } from './matcher.ts'
import { createTraffic, type Traffic } from './metrics.ts'
import { createRequestIds } from './request-id.ts'
import { createScreen, type WebRoutes } from './screen.ts'
import { addServiceRoutes, SERVICE_PATHS } from './service-routes.ts'
import { createEvents, EVENTS_PATH, type Follow } from './stream-route.ts'
import type { Upgrade } from './upgrades.ts'

export type { AccountsStatus, LiveSource, ServiceStatus } from '../status.ts'

export type AccountServices = Pick<
  AccountRoutes,
  'accounts' | 'signIn' | 'work' | 'subscriptions' | 'play' | 'now' | 'watches' | 'destinations'
>

interface HttpFaceOptions {
  readonly query: Query
  readonly keys: Keys
  /** how much they are used; left out: nobody counts */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  /** null: calls are not paid for one by one */
  readonly cashier: Cashier | null
  /** reads of the service's own page; null: there are none */
  readonly page?: PageReads | null
  /** the page itself */
  readonly web?: WebRoutes | null
  /** what the routes of the account need besides; null: there are none */
  readonly account?: AccountServices | null
  /** what is served beside, by path; it reads its own bodies and answers every method */
  readonly mounts?: Readonly<Record<string, RequestListener>>
  /** streams of EVENTS_PATH; null: there are none */
  readonly follow?: Follow | null
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
  /** the process' own, which others had before and will have after it; left out: one of its own */
  readonly door?: Door
}

export type HttpFace = Omit<AtDoor, 'show'>

/** The REST face: the operations of the endpoint table and the service's own pages. */
export function createHttpFace(options: HttpFaceOptions): HttpFace {
  const { query, status, logger, metrics, publicUrl, openApi, validateResponses = false } = options
  const { mounts = {}, upgrades = {}, accountsStatus = () => null } = options
  const { keys, windows, clientAddress, cashier, account = null, page = null, web = null, follow = null } = options
  const newRequestId = createRequestIds()
  const { traffic = createTraffic(metrics) } = options
  const recordOther = traffic.operation('other')
  const count = (code: number) => recordOther(code, 0)
  const access = { keys, keyUse: options.keyUse, windows, clientAddress, cashier, page }
  const routes = { ...access, status, logger, traffic, newRequestId, publicUrl, validateResponses }
  const events = follow && createEvents({ ...routes, follow, record: traffic.operation('stream') })
  const handlers = createDataHandlers(createOperations(query), routes)
  const match = createMatcher<DataHandler>([
    ...(events === null ? [] : [[EVENTS_PATH, events] as const]),
    ...handlers
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path, priced, ofPage }) => [
        [path, priced] as const,
        ...(ofPage === null ? [] : [[`/app${path}`, ofPage] as const]),
      ]),
  ])
  const posted = new Map(handlers.filter(({ method }) => method === 'POST').map(({ path, priced }) => [path, priced]))

  let listener: RequestListener | null = null
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    frameworkErrors: (_error, request, reply) => refuse(request, reply, 400, 'malformed URL'),
    bodyLimit: LIMITS.accountBodyBytes,
    // never listens: its requests come through the door
    serverFactory(next: RequestListener) {
      listener = createScreen({
        match,
        posted,
        next,
        knownPath,
        web,
        newRequestId,
        count,
        ownPath: ownPath(mounts, next, web),
      })
      return createServer(listener)
    },
  })

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
  const services = { keys, keyUse: options.keyUse, windows, clientAddress, traffic, logger, publicUrl }
  if (account !== null) addAccountRoutes(app, { ...account, ...services })
  addPreflight(app)

  const stand = standAt(options.door ?? null, { listener: listener!, upgrades, newRequestId, count })
  return {
    async listen(host, port) {
      await app.ready()
      return stand.listen(host, port)
    },
    address: stand.address,
    async close() {
      await stand.close()
      await app.close()
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
      methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
      allowedHeaders: ['Authorization', 'Content-Type', 'Last-Event-ID', 'PAYMENT-SIGNATURE', 'X-PAYMENT'],
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

const NO_PAYMENTS: PaymentsStatus = { mode: 'off', ready: false, reason: 'calls need a key', open: 0 }

const knownPath = (path: string): boolean => (SERVICE_PATHS as readonly string[]).includes(path)
