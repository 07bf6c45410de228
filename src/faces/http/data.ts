import type { IncomingMessage, ServerResponse } from 'node:http'
import { takeFree } from '../../access/free-tier.ts'
import type { KeyCheck, Keys } from '../../access/keys.ts'
import type { ClientAddress } from '../../access/limits/client-address.ts'
import type { Window, Windows } from '../../access/limits/windows.ts'
import type { PageAccess } from '../../access/page-access.ts'
import {
  ACCOUNTS_RETRY_S,
  ACCOUNTS_UNREADABLE,
  NOT_READY_RETRY_S,
  notReadyMessage,
  rateHeaders,
  rateLimitMessage,
} from '../../access/refusals.ts'
import type { Cashier } from '../../access/x402/types.ts'
import type { Logger } from '../../base/log.ts'
import { isShortage } from '../../base/shortage.ts'
import { processTroubles } from '../../base/troubles.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Answer } from '../../query/envelope.ts'
import { type Arguments, noArguments, type Operation, type QueryParameters } from '../../query/operations.ts'
import { type Headers, JSON_TYPE, send, sendError } from './answer.ts'
import { createPaidCalls, type PaymentHeaders, paymentHeaders } from './paid.ts'
import type { ServiceStatus } from './status.ts'
import type { Traffic } from './traffic.ts'

export type PageReads = Pick<PageAccess, 'mayRead' | 'read'>

export interface DataRoutes {
  readonly keys: Keys
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  /** null: calls are not paid for, keys only */
  readonly cashier: Cashier | null
  /** reads of the service's own page; null: there are none */
  readonly page: PageReads | null
  readonly status: () => ServiceStatus
  readonly logger: Logger
  readonly traffic: Traffic
  readonly newRequestId: () => string
  readonly publicUrl: string
  /** check every answer against its schema before it is sent; for development */
  readonly validateResponses: boolean
}

export type DataHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  argument: string,
  query: QueryParameters,
) => void

/** One call on its way through the handler. */
export interface Call {
  readonly operation: Operation
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly args: Arguments
  /** X-RateLimit headers of the window it was counted in */
  readonly rate: Headers
}

/** The window a call is counted in, by the best thing it shows: a Pro key, a payment, a free key, nothing. */
interface Admission {
  readonly subject: string
  readonly limit: number
  readonly key: KeyCheck
  readonly payment: PaymentHeaders | null
}

/** Who reads through the page is let in; the windows are the page's. */
const OF_PAGE: Admission = {
  subject: '',
  limit: LIMITS.ratePage,
  key: { ok: true, id: '', account: '', plan: 'free' },
  payment: null,
}

const NO_STORE = ['cache-control', 'no-store']

const RETRY_AFTER = ['retry-after', String(NOT_READY_RETRY_S)]

export function sendRateLimited(response: ServerResponse, requestId: string, window: Window): 429 {
  const { resetS } = window
  const extra = [...rateHeaders(window), 'retry-after', `${resetS}`]
  sendError(response, 429, rateLimitMessage(window), requestId, extra, { retry_after: resetS })
  return 429
}

export function sendNotReady(response: ServerResponse, requestId: string, status: ServiceStatus, rate: Headers): 503 {
  sendError(response, 503, notReadyMessage(status), requestId, [...rate, ...RETRY_AFTER])
  return 503
}

/** Whoever shows a key is asked for nothing else, also not for a payment beside it, while nobody knows what the key is. */
function sendUnreadable({ response, requestId, rate }: Call): 503 {
  const extra = [...rate, 'retry-after', `${ACCOUNTS_RETRY_S}`]
  sendError(response, 503, ACCOUNTS_UNREADABLE, requestId, extra)
  return 503
}

export interface Handlers {
  /** keys, payments, offers: cookies are not looked at */
  readonly priced: DataHandler
  /** the same for the service's own page: its cookie and nothing else; null: there is no page */
  readonly ofPage: DataHandler | null
}

const NOT_A_PAGE = 'this is read by the service’s own page; programs ask the same below /v1'

/**
 * The handlers of one operation. The order is part of the contract: the rate limit (429), malformed parameters (400),
 * authorisation (402), readiness (503), then the lookup (404). A call with a key is answered before this returns, unless a token
 * with very many holders has to be read for it; one with a payment takes a chain's time.
 */
export function dataHandlers(operation: Operation, routes: DataRoutes): Handlers {
  const { endpoint } = operation
  const { keys, windows, clientAddress, cashier, page, status, logger, newRequestId, publicUrl } = routes
  const record = routes.traffic.operation(endpoint.id)
  const paid = createPaidCalls(routes, check)

  function check(body: string): void {
    if (!routes.validateResponses) return
    const parsed = endpoint.response.safeParse(JSON.parse(Buffer.from(body, 'latin1').toString()))
    if (!parsed.success) throw new Error(`answer of ${endpoint.id} breaks the contract: ${parsed.error.message}`)
  }

  function admission(request: IncomingMessage): Admission {
    const key = keys.check(request.headers.authorization, request.socket)
    if (key.ok && key.plan === 'pro') return { subject: `key:${key.id}`, limit: LIMITS.ratePro, key, payment: null }
    const payment = cashier === null || request.method === 'HEAD' ? null : paymentHeaders(request.headers)
    if (payment !== null) return { subject: `paid:${clientAddress(request)}`, limit: LIMITS.ratePaid, key, payment }
    if (key.ok) return { subject: '', limit: LIMITS.rateFree, key, payment }
    return { subject: `unpaid:${clientAddress(request)}`, limit: LIMITS.rateUnpaid, key, payment }
  }

  function take({ subject, limit, key, payment }: Admission, request: IncomingMessage): Window | Promise<Window> {
    if (key.ok && key.plan === 'free' && payment === null) return takeFree(windows, key.account, clientAddress(request))
    return windows.take(subject, limit)
  }

  function answer(call: Call, isOfPage: boolean): number | Promise<number> {
    const { response, requestId, args, rate } = call
    const now = status()
    if (!now.ready) return sendNotReady(response, requestId, now, rate)
    const found = operation.run(args, requestId)
    return found instanceof Promise
      ? found.then((read) => sendFound(call, isOfPage, read))
      : sendFound(call, isOfPage, found)
  }

  function sendFound({ response, requestId, rate }: Call, isOfPage: boolean, found: Answer | null): number {
    if (found === null) {
      sendError(response, 404, `${endpoint.notFound}`, requestId, rate)
      return 404
    }
    check(found.body)
    // without an Authorization header a shared cache would keep it for others
    send(response, 200, requestId, JSON_TYPE, found.body, isOfPage ? [...rate, ...NO_STORE] : rate)
    return 200
  }

  function admitted(
    window: Window,
    who: Admission,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    argument: string,
    query: QueryParameters,
  ): number | Promise<number> {
    if (!window.allowed) return sendRateLimited(response, requestId, window)
    const { key, payment } = who
    const args = noArguments()
    const rate = rateHeaders(window)
    const problem = operation.parse(argument, query, args)
    if (problem !== null) {
      sendError(response, 400, problem, requestId, rate)
      return 400
    }
    const call: Call = { operation, request, response, requestId, args, rate }
    if (!key.ok && key.reason === 'unreadable') return sendUnreadable(call)
    if (payment !== null) return paid.answer(call, payment)
    if (key.ok) return answer(call, who === OF_PAGE)
    return paid.sendOffer(call, key.reason)
  }

  async function admitPage(
    reads: PageReads,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    argument: string,
    query: QueryParameters,
  ): Promise<number> {
    const counted = reads.mayRead(request) ? await reads.read(request) : null
    if (counted !== null) return admitted(counted, OF_PAGE, request, response, requestId, argument, query)
    sendError(response, 402, NOT_A_PAGE, requestId, [], { upgrade_url: `${publicUrl}/account` })
    return 402
  }

  function fail(response: ServerResponse, requestId: string, error: unknown): number {
    logger.error({ err: error, request_id: requestId, operation: endpoint.id }, 'request failed')
    if (response.headersSent) {
      response.destroy()
      return 500
    }
    // what failed may be why the service is not ready any more
    const now = status()
    if (!now.ready) return sendNotReady(response, requestId, now, [])
    if (isShortage(error)) {
      processTroubles.note('calls', error)
      sendError(response, 503, 'the service is short of something: try again in a few seconds', requestId, RETRY_AFTER)
      return 503
    }
    sendError(response, 500, 'internal error', requestId)
    return 500
  }

  // no closure of a request's own on the way of a key: it would cost more than the check
  function done(sent: number, start: number, requestId: string): void {
    const ms = performance.now() - start
    record(sent, ms)
    if (logger.isLevelEnabled('debug')) {
      logger.debug({ request_id: requestId, operation: endpoint.id, status: sent, ms }, 'request')
    }
  }

  async function later(pending: Promise<number>, response: ServerResponse, start: number, requestId: string) {
    const sent = await pending.catch((error: unknown) => fail(response, requestId, error))
    done(sent, start, requestId)
  }

  function ofPage(reads: PageReads): DataHandler {
    return (request, response, argument, query) => {
      const [start, requestId] = [performance.now(), newRequestId()]
      void later(admitPage(reads, request, response, requestId, argument, query), response, start, requestId)
    }
  }

  const priced: DataHandler = (request, response, argument, query) => {
    const start = performance.now()
    const requestId = newRequestId()
    try {
      const who = admission(request)
      const window = take(who, request)
      const sent =
        window instanceof Promise
          ? window.then((counted) => admitted(counted, who, request, response, requestId, argument, query))
          : admitted(window, who, request, response, requestId, argument, query)
      if (typeof sent === 'number') done(sent, start, requestId)
      else void later(sent, response, start, requestId)
    } catch (error) {
      done(fail(response, requestId, error), start, requestId)
    }
  }
  return { priced, ofPage: page === null ? null : ofPage(page) }
}
