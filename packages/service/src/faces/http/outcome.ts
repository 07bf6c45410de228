import type { ServerResponse } from 'node:http'
import { type Endpoint, methodOf } from '@ti/core/contract/endpoints.ts'
import type { PaymentRequired } from '@ti/core/contract/resources.ts'
import { type Answer, coded } from '@ti/core/query/envelope.ts'
import type { CallOutcome, Offer, SentReceipt } from '../../access/call.ts'
import type { Window } from '../../access/rate-limits/windows.ts'
import {
  ACCOUNTS_RETRY_S,
  ACCOUNTS_UNREADABLE,
  BEHIND_RETRY_S,
  behindMessage,
  NOT_READY_RETRY_S,
  notReadyMessage,
  rateHeaders,
  rateLimitMessage,
  rateLines,
  SHORT,
} from '../../access/refusals.ts'
import { receiptHeader } from '../../access/x402/receipt.ts'
import { type Headers, JSON_TYPE, send, sendError, sendJson, sendNotModified } from '../answer.ts'
import { errorBody } from '../error-body.ts'
import { codingTaken, matchesTag } from '../negotiate.ts'

/** The response to which a call's outcome is written. */
export interface Sending {
  readonly endpoint: Endpoint
  readonly response: ServerResponse
  readonly requestId: string
  /** the window in which the call was counted; null: unknown */
  readonly window: Window | null
  readonly isOfPage: boolean
  /** unknown names in the query */
  readonly ignored: readonly string[]
}

const NO_STORE = ['cache-control', 'no-store']
/** the browser stores it and revalidates it each time */
const OWN_CACHE = ['cache-control', 'private, no-cache']

const rateOf = ({ window }: Sending): Headers => (window === null ? [] : rateHeaders(window))

const receipts = (sent: SentReceipt | null): Headers => (sent === null ? [] : receiptHeader(sent.receipt, sent.version))

function sendUnavailable(to: Sending, message: string, retryS: number, extra: Headers = []) {
  const { response, requestId } = to
  return sendError(response, 503, message, requestId, [...rateOf(to), 'retry-after', `${retryS}`, ...extra])
}

function sendRateLimited({ response, requestId }: Sending, window: Window): number {
  const { resetS } = window
  const extra = [...rateHeaders(window), 'retry-after', `${resetS}`]
  return sendError(response, 429, rateLimitMessage(window), requestId, extra, { retry_after: resetS })
}

const isPosted = ({ endpoint }: Sending): boolean => methodOf(endpoint) === 'POST'

const NOTHING: Headers = []

const IGNORED = { names: 10, length: 40 } as const

/** Lists unknown parameters, so that the client sees a typing mistake; only word characters, dots and brackets are echoed. */
const ignoredText = (names: readonly string[]): string =>
  names
    .slice(0, IGNORED.names)
    .map((name) => name.slice(0, IGNORED.length).replace(/[^\w.[\]-]/g, '?'))
    .join(', ')

/** `isConditional`: a client whose copy is current gets a 304. A paid answer is always sent whole. */
function sendFound(to: Sending, found: Answer | null, requestId: string, isConditional: boolean, extra = NOTHING) {
  const { endpoint, response, window } = to
  if (found === null) return sendError(response, 404, `${endpoint.notFound}`, requestId, rateOf(to))
  const rate = window === null ? '' : rateLines(window)
  const { forms, slot, dropped, emptyReason } = found
  const ignored = to.ignored.length === 0 ? '' : `x-ignored-parameters: ${ignoredText(to.ignored)}\r\n`
  const left = dropped === undefined ? '' : `x-dropped-count: ${dropped}\r\n`
  const why = emptyReason == null ? '' : `x-empty-reason: ${emptyReason}\r\n`
  const at = slot === null ? rate + ignored : `${rate}${ignored}${left}${why}x-slot: ${slot}\r\n`
  if (forms === null) return send(response, 200, requestId, JSON_TYPE, found.body, extra, at)
  const { headers: asked } = response.req
  const { etag } = forms
  if (isConditional && matchesTag(asked['if-none-match'], etag)) {
    const headers = [...rateOf(to), ...extra, 'x-slot', `${slot}`, 'etag', etag, 'vary', 'Accept-Encoding']
    if (dropped !== undefined) headers.push('x-dropped-count', `${dropped}`)
    return sendNotModified(response, requestId, headers)
  }
  const coding = codingTaken(asked['accept-encoding'])
  if (coding === null) return send(response, 200, requestId, JSON_TYPE, found.body, extra, at + forms.lines)
  const lines = `${at}${forms.lines}content-encoding: ${coding}\r\n`
  return send(response, 200, requestId, JSON_TYPE, coded(forms, found.end, coding), extra, lines)
}

/** Writes a call's outcome as a REST answer and returns the status sent, or 499 if the client had hung up. */
export function createOutcomes(publicUrl: string): (to: Sending, outcome: CallOutcome) => number | Promise<number> {
  const upgrade_url = `${publicUrl}/account`

  function sendOffer(to: Sending, { message, quote, receipt }: Offer): number {
    const { response, requestId } = to
    const offer = { x402Version: 1, accepts: quote?.accepts ?? [] } as Omit<PaymentRequired, 'error'>
    const body = errorBody(402, message, requestId, { upgrade_url }, offer)
    const header = quote === null ? [] : ['payment-required', quote.header]
    return sendJson(response, 402, requestId, body, [...rateOf(to), ...header, ...receipts(receipt)])
  }

  return (to, outcome) => {
    const { response, requestId } = to
    switch (outcome.kind) {
      case 'answer':
        // without an Authorization header, a shared cache would store it for others
        if (outcome.by === 'payment') return sendFound(to, outcome.found, requestId, false, NO_STORE)
        return sendFound(to, outcome.found, requestId, !isPosted(to), to.isOfPage ? OWN_CACHE : undefined)
      case 'paid':
        return sendFound(to, outcome.found, outcome.requestId, false, [...NO_STORE, ...receipts(outcome.receipt)])
      case 'limited':
        return sendRateLimited(to, outcome.window)
      case 'malformed':
        return sendError(response, 400, outcome.message, requestId, rateOf(to))
      case 'offer':
        return sendOffer(to, outcome)
      case 'unreadable':
        return sendUnavailable(to, ACCOUNTS_UNREADABLE, ACCOUNTS_RETRY_S)
      case 'not-ready':
        return sendUnavailable(to, notReadyMessage(outcome.status), NOT_READY_RETRY_S)
      case 'behind':
        return sendUnavailable(to, behindMessage(outcome.slot), BEHIND_RETRY_S)
      case 'short':
        return sendUnavailable(to, SHORT, NOT_READY_RETRY_S)
      case 'uncertain':
      case 'unavailable':
        return sendUnavailable(to, outcome.message, outcome.retryAfterS, receipts(outcome.receipt))
      case 'failed':
        return sendError(response, 500, 'internal error', requestId, rateOf(to))
      case 'gone':
        response.destroy()
        return 499
    }
  }
}
