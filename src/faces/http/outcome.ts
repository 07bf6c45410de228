import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallOutcome, Offer, SentReceipt } from '../../access/call.ts'
import type { Window } from '../../access/limits/windows.ts'
import {
  ACCOUNTS_RETRY_S,
  ACCOUNTS_UNREADABLE,
  NOT_READY_RETRY_S,
  notReadyMessage,
  rateHeaders,
  rateLimitMessage,
  SHORT,
} from '../../access/refusals.ts'
import { receiptHeader } from '../../access/x402/receipt.ts'
import { whenSent } from '../../base/response-sent.ts'
import type { Endpoint } from '../../contract/endpoints.ts'
import type { PaymentRequired } from '../../contract/resources.ts'
import type { Answer } from '../../query/envelope.ts'
import { errorBody, type Headers, JSON_TYPE, send, sendError, sendJson } from './answer.ts'

/** Where the outcome of a call is written. */
export interface Sending {
  readonly endpoint: Endpoint
  readonly response: ServerResponse
  readonly requestId: string
  /** X-RateLimit headers of the window the call was counted in */
  readonly rate: Headers
  readonly isOfPage: boolean
}

const NO_STORE = ['cache-control', 'no-store']

const receipts = (sent: SentReceipt | null): Headers => (sent === null ? [] : receiptHeader(sent.receipt, sent.version))

function sendUnavailable({ response, requestId, rate }: Sending, message: string, retryS: number, extra: Headers = []) {
  sendError(response, 503, message, requestId, [...rate, 'retry-after', `${retryS}`, ...extra])
  return 503
}

function sendRateLimited({ response, requestId }: Sending, window: Window): number {
  const { resetS } = window
  const extra = [...rateHeaders(window), 'retry-after', `${resetS}`]
  sendError(response, 429, rateLimitMessage(window), requestId, extra, { retry_after: resetS })
  return 429
}

function sendFound({ endpoint, response, rate }: Sending, found: Answer | null, requestId: string, extra?: Headers) {
  if (found === null) {
    sendError(response, 404, `${endpoint.notFound}`, requestId, rate)
    return 404
  }
  send(response, 200, requestId, JSON_TYPE, found.body, extra === undefined ? rate : [...rate, ...extra])
  return 200
}

/** Writes what a call came to as an answer of REST; the status that was sent, 499 where nobody waited. */
export function createOutcomes(publicUrl: string): (to: Sending, outcome: CallOutcome) => number | Promise<number> {
  const upgrade_url = `${publicUrl}/account`

  function sendOffer({ response, requestId, rate }: Sending, { message, quote, receipt }: Offer): 402 {
    const offer = { x402Version: 1, accepts: quote?.accepts ?? [] } as Omit<PaymentRequired, 'error'>
    const body = errorBody(402, message, requestId, { upgrade_url }, offer)
    const header = quote === null ? [] : ['payment-required', quote.header]
    sendJson(response, 402, requestId, body, [...rate, ...header, ...receipts(receipt)])
    return 402
  }

  async function sendPaid(to: Sending, outcome: Extract<CallOutcome, { kind: 'paid' }>): Promise<number> {
    // a client that hung up meanwhile is heard of in the next turn: then its answer stays due
    await nextTurn()
    whenSent(to.response.req, to.response, outcome.done)
    return sendFound(to, outcome.found, outcome.requestId, [...NO_STORE, ...receipts(outcome.receipt)])
  }

  return (to, outcome) => {
    const { response, requestId, rate } = to
    switch (outcome.kind) {
      case 'answer':
        // without an Authorization header a shared cache would keep it for others
        return sendFound(to, outcome.found, requestId, to.isOfPage || outcome.by === 'payment' ? NO_STORE : undefined)
      case 'paid':
        return sendPaid(to, outcome)
      case 'limited':
        return sendRateLimited(to, outcome.window)
      case 'malformed':
        sendError(response, 400, outcome.message, requestId, rate)
        return 400
      case 'offer':
        return sendOffer(to, outcome)
      case 'unreadable':
        return sendUnavailable(to, ACCOUNTS_UNREADABLE, ACCOUNTS_RETRY_S)
      case 'not-ready':
        return sendUnavailable(to, notReadyMessage(outcome.status), NOT_READY_RETRY_S)
      case 'short':
        return sendUnavailable(to, SHORT, NOT_READY_RETRY_S)
      case 'uncertain':
      case 'unavailable':
        return sendUnavailable(to, outcome.message, outcome.retryAfterS, receipts(outcome.receipt))
      case 'failed':
        sendError(response, 500, 'internal error', requestId, rate)
        return 500
      case 'gone':
        response.destroy()
        return 499
    }
  }
}
