import type { IncomingMessage, ServerResponse } from 'node:http'
import { extensionsOf } from '@ti/core/contract/discovery.ts'
import { methodOf } from '@ti/core/contract/endpoints.ts'
import { type Operation, type QueryParameters, unknownIn } from '@ti/core/query/operations.ts'
import { type Caller, type CallsOptions, createCalls } from '../../access/call.ts'
import type { Keys } from '../../access/keys.ts'
import type { PageAccess } from '../../access/page-access.ts'
import type { ClientAddress } from '../../access/rate-limits/client-address.ts'
import type { Window } from '../../access/rate-limits/windows.ts'
import type { Logger } from '../../base/log.ts'
import { isShortage } from '../../base/shortage.ts'
import { sendError } from '../answer.ts'
import { argumentsOf } from '../arguments.ts'
import { readBody } from '../body.ts'
import type { Handler, Route } from '../router.ts'
import type { ServiceStatus } from '../status.ts'
import type { Traffic } from './metrics.ts'
import { createOutcomes, type Sending } from './outcome.ts'
import { suppliedIn } from './payment.ts'
import { queryOf } from './query.ts'

/** characters of a requested URL that an offer repeats: clients send it back inside the payment's 8 KiB */
const OFFERED_URL_LENGTH = 512
/** bytes of a batch's body: 50 addresses of 44 characters in JSON are 2.4 kB, and the names of ten groups */
export const BATCH_BODY_BYTES = 8_192

export type PageReads = Pick<PageAccess, 'mayRead' | 'read'>

export interface DataRoutes
  extends Pick<CallsOptions<unknown>, 'keyUse' | 'windows' | 'shared' | 'cashier' | 'validateResponses'> {
  readonly keys: Keys
  readonly clientAddress: ClientAddress
  /** a client came over TLS; left out: none does */
  readonly isTls?: ((request: IncomingMessage) => boolean) | undefined
  /** reads of the service's own page; null: the page is off */
  readonly page: PageReads | null
  readonly status: () => ServiceStatus
  readonly logger: Logger
  readonly traffic: Traffic
  readonly newRequestId: () => string
  readonly publicUrl: string
}

/** The caller for reads by the page: they are let in without a key, and the page's rate windows apply. */
const OF_PAGE: Caller = { key: { ok: true, id: '', account: '', plan: 'free' }, payment: null }

/** One request in progress. */
interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** text of the path parameter */
  readonly argument: string
  readonly query: QueryParameters
  readonly start: number
  /** unknown names in the query or the body */
  readonly ignored: readonly string[]
  /** the problem with the body, as the message of a 400 */
  readonly problem: string | null
}

const HOW_TO_PAY =
  'Pay this call with x402 as offered here, or subscribe at upgrade_url and send `Authorization: Bearer <key>`.'

const NOT_A_PAGE = 'this path is for the service’s own page; programs use the same path below /v1'

/**
 * The operations: below /v1 for callers with a key or a payment, where cookies are ignored, and below /app/v1 for the
 * service's own page, where only its cookie counts.
 */
export function createDataRoutes(operations: readonly Operation[], routes: DataRoutes): readonly Route[] {
  const { keys, clientAddress, page, logger, newRequestId, publicUrl, isTls = () => false } = routes
  const isPayable = routes.cashier !== null
  const calls = createCalls<IncomingMessage>({
    ...routes,
    address: clientAddress,
    gone: ({ socket }) => socket.destroyed,
    resource(_, request) {
      const { url = '/' } = request
      const shown = url.length > OFFERED_URL_LENGTH ? url.split('?', 1)[0]! : url
      // wallets refuse to pay for an address that differs from what they called in its scheme
      return `${isTls(request) ? publicUrl.replace(/^http:/, 'https:') : publicUrl}${shown}`
    },
    extensions: ({ endpoint }) => extensionsOf(endpoint, 'http'),
    howToPay: HOW_TO_PAY,
  })
  const sendOutcome = createOutcomes(publicUrl)

  function routesOf(operation: Operation): readonly Route[] {
    const { endpoint } = operation
    const record = routes.traffic.operation(endpoint.id)

    const sendingOf = ({ response, requestId, ignored }: Visit, window: Window | null, isOfPage = false): Sending => ({
      endpoint,
      response,
      requestId,
      window,
      isOfPage,
      ignored,
    })

    /** Returns the status that was sent. */
    function admitted(visit: Visit, caller: Caller, window: Window, answers = 1): number | Promise<number> {
      const { request: from, requestId, argument, query } = visit
      const to = sendingOf(visit, window, caller.taker !== undefined)
      if (visit.problem !== null && window.allowed)
        return sendOutcome(to, { kind: 'malformed', message: visit.problem })
      const outcome = calls.run({ operation, argument, query, requestId, caller, window, answers, from })
      return outcome instanceof Promise ? outcome.then((found) => sendOutcome(to, found)) : sendOutcome(to, outcome)
    }

    async function admitPage(visit: Visit, reads: PageReads): Promise<number> {
      const { request, response, requestId } = visit
      const counted = reads.mayRead(request) ? await reads.read(request) : null
      if (counted !== null) return admitted(visit, { ...OF_PAGE, taker: counted.taker }, counted.window)
      return sendError(response, 402, NOT_A_PAGE, requestId, [], { upgrade_url: `${publicUrl}/account` })
    }

    function admit(visit: Visit): number | Promise<number> {
      const { request } = visit
      const key = keys.check(request.headers.authorization, request.socket)
      const payment = isPayable && request.method !== 'HEAD' ? suppliedIn(request.headers) : null
      const caller = { key, payment }
      const answers = calls.weigh({ ...visit, operation, caller, from: request })
      return answers instanceof Promise
        ? answers.then((found) => counted(visit, caller, found))
        : counted(visit, caller, answers)
    }

    function counted(visit: Visit, caller: Caller, answers: number): number | Promise<number> {
      const window = calls.count(caller, visit.request, true, answers)
      return window instanceof Promise
        ? window.then((taken) => admitted(visit, caller, taken, answers))
        : admitted(visit, caller, window, answers)
    }

    function fail(visit: Visit, error: unknown): number | Promise<number> {
      const { response, requestId } = visit
      const at = { request_id: requestId, operation: endpoint.id }
      // 503 with Retry-After; /readyz names the shortage
      if (isShortage(error)) logger.warn({ ...at, reason: String(error) }, 'not answered for now')
      else logger.error({ ...at, err: error }, 'request failed')
      if (!response.headersSent) return sendOutcome(sendingOf(visit, null), calls.failed(error))
      response.destroy()
      return 500
    }

    function done({ requestId, start }: Visit, sent: number): void {
      const ms = performance.now() - start
      record(sent, ms)
      if (logger.isLevelEnabled('debug')) {
        logger.debug({ request_id: requestId, operation: endpoint.id, status: sent, ms }, 'request')
      }
    }

    async function later(visit: Visit, pending: Promise<number>): Promise<void> {
      done(visit, await pending.catch((error: unknown) => fail(visit, error)))
    }

    // a call with a key allocates no closure: that would cost more than the key check
    const handler =
      (run: (visit: Visit) => number | Promise<number>): Handler =>
      (request, response, args, search) => {
        const argument = args[0] ?? ''
        const query = queryOf(search)
        const ignored = unknownIn(query, endpoint.parameters)
        const times = { requestId: newRequestId(), start: performance.now() }
        const visit = { request, response, argument, query, ...times, ignored, problem: null }
        try {
          const sent = run(visit)
          if (typeof sent === 'number') done(visit, sent)
          else void later(visit, sent)
        } catch (error) {
          void later(visit, Promise.reject(error))
        }
      }

    /** Reads the whole body first: an oversized one is not counted, as on other paths. */
    async function admitPosted(visit: Visit): Promise<number> {
      const { request, response, requestId } = visit
      const body = await readBody(request, { bodyBytes: BATCH_BODY_BYTES })
      switch (body.kind) {
        case 'whole':
          return admit({ ...visit, ...argumentsIn(operation, body.text, request.headers['content-type']) })
        case 'large':
          if (body.open) response.shouldKeepAlive = false
          return sendError(response, 413, `the request body is larger than ${BATCH_BODY_BYTES} bytes`, requestId)
        case 'late':
          response.shouldKeepAlive = false
          return sendError(response, 400, 'the request body did not arrive in time', requestId)
        case 'broken':
          response.destroy()
          return 499
      }
    }

    const { path } = endpoint
    const method = methodOf(endpoint)
    if (method === 'POST') return [{ method, path, readsBody: true, handle: handler(admitPosted) }]
    const priced: Route = { method, path, handle: handler(admit) }
    if (page === null) return [priced]
    return [priced, { method, path: `/app${path}`, handle: handler((visit) => admitPage(visit, page)) }]
  }
  return operations.flatMap(routesOf)
}

/** The arguments in a body, or the problem with it. */
function argumentsIn({ endpoint }: Operation, text: string, type = '') {
  const wrong = (problem: string) => ({ argument: '', query: {}, ignored: [], problem })
  if (!/^application\/json\s*(;|$)/i.test(type)) return wrong('Content-Type must be application/json')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return wrong('the body is not JSON')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return wrong(`the body must be an object with ${endpoint.parameters.join(', ')}`)
  }
  const fields = given as Readonly<Record<string, unknown>>
  const ignored = unknownIn(fields as QueryParameters, endpoint.parameters)
  return { ...argumentsOf(endpoint, fields), ignored, problem: null }
}
