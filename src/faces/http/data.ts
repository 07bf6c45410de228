import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyCheck, Keys } from '../../access/keys.ts'
import type { Logger } from '../../base/log.ts'
import type { PaymentRequired } from '../../contract/resources.ts'
import { errorBody, JSON_TYPE, send, sendError, sendJson } from './answer.ts'
import type { QueryParameters } from './matcher.ts'
import { noArguments, type Operation } from './operations.ts'
import { notReadyMessage, RETRY_AFTER_S, type ServiceStatus } from './status.ts'
import type { Traffic } from './traffic.ts'

export interface DataRoutes {
  readonly keys: Keys
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

const REFUSALS: Record<Exclude<KeyCheck, { ok: true }>['reason'], string> = {
  absent: 'No API key was sent.',
  malformed: 'The Authorization header is not `Bearer` and an API key.',
  unknown: 'The API key is unknown.',
}
const MAKE_ONE =
  'Make a key with `npm run cli -- keys create` and send it as `Authorization: Bearer <key>`. Payments per call are not offered yet.'

const RETRY_AFTER = ['retry-after', String(RETRY_AFTER_S)]

/**
 * The handler of one operation. The order is part of the contract: malformed parameters (400), then authorisation
 * (402), then readiness (503), then the lookup (404).
 */
export function dataHandler(operation: Operation, routes: DataRoutes): DataHandler {
  const { endpoint } = operation
  const { keys, status, logger, publicUrl, newRequestId } = routes
  const record = routes.traffic.operation(endpoint.id)
  const upgrade_url = `${publicUrl}/account`

  function paymentRequired(response: ServerResponse, requestId: string, reason: keyof typeof REFUSALS): void {
    const offer: Omit<PaymentRequired, 'error'> = { x402Version: 1, accepts: [] }
    const body = errorBody(402, `${REFUSALS[reason]} ${MAKE_ONE}`, requestId, { upgrade_url }, offer)
    sendJson(response, 402, requestId, body)
  }

  function check(body: string): void {
    const parsed = endpoint.response.safeParse(JSON.parse(Buffer.from(body, 'latin1').toString()))
    if (!parsed.success) throw new Error(`answer of ${endpoint.id} breaks the contract: ${parsed.error.message}`)
  }

  /** Answers and returns the status. */
  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    argument: string,
    query: QueryParameters,
  ): number {
    const args = noArguments()
    const problem = operation.parse(argument, query, args)
    if (problem !== null) {
      sendError(response, 400, problem, requestId)
      return 400
    }
    const key = keys.check(request.headers.authorization, request.socket)
    if (!key.ok) {
      paymentRequired(response, requestId, key.reason)
      return 402
    }
    const now = status()
    if (!now.ready) {
      sendError(response, 503, notReadyMessage(now), requestId, RETRY_AFTER)
      return 503
    }
    const body = operation.run(args, requestId)
    if (body === null) {
      sendError(response, 404, `${endpoint.notFound}`, requestId)
      return 404
    }
    if (routes.validateResponses) check(body)
    send(response, 200, requestId, JSON_TYPE, body)
    return 200
  }

  return (request, response, argument, query) => {
    const start = performance.now()
    const requestId = newRequestId()
    let sent: number
    try {
      sent = answer(request, response, requestId, argument, query)
    } catch (error) {
      logger.error({ err: error, request_id: requestId, operation: endpoint.id }, 'request failed')
      sent = 500
      if (response.headersSent) response.destroy()
      else sendError(response, 500, 'internal error', requestId)
    }
    const ms = performance.now() - start
    record(sent, ms)
    if (logger.isLevelEnabled('debug')) {
      logger.debug({ request_id: requestId, operation: endpoint.id, status: sent, ms }, 'request')
    }
  }
}
