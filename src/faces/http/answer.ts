import type { ServerResponse } from 'node:http'
import { endInOnePiece } from '../../base/node-fields.ts'
import { type ErrorStatus, STATUS_CODE } from '../../contract/resources.ts'
import { latin1 } from '../../query/envelope.ts'

/** Headers that scripts of other origins may read. */
export const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
].join(', ')

export const CROSS_ORIGIN = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED_HEADERS]

/** Extra response headers as a flat list: name, value, name, value. */
export type Headers = readonly string[]

const NONE: Headers = []

/**
 * Sends a whole body and nothing else: one flat header list and one string an answer, so that Node hands head and body
 * to the socket in a single piece. `body` is the bytes as latin-1, whatever their encoding says. For HEAD, Node leaves
 * the body out and the length stands. What scripts of other origins may read is said only where one asks.
 */
export function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  contentType: string,
  body: string,
  extra = NONE,
): void {
  const headers = ['content-type', contentType, 'content-length', `${body.length}`, 'x-request-id', requestId]
  headers.push('x-content-type-options', 'nosniff')
  // a shared cache keeps no answer to a request with an Authorization header; those without one have to be told
  if (status !== 200) headers.push('cache-control', 'no-store')
  if (extra !== NONE) headers.push(...extra)
  if (response.req.headers.origin !== undefined) headers.push(...CROSS_ORIGIN)
  response.writeHead(status, headers)
  endInOnePiece(response, body)
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function sendJson(response: ServerResponse, status: number, requestId: string, value: unknown, extra?: Headers) {
  send(response, status, requestId, JSON_TYPE, latin1(Buffer.from(JSON.stringify(value))), extra)
}

interface ErrorDetails {
  readonly upgrade_url?: string
  readonly retry_after?: number
}

/** The error envelope of a status; `beside` are fields beside `error` (the offer of a 402). */
export function errorBody(
  status: ErrorStatus,
  message: string,
  requestId: string,
  details: ErrorDetails = {},
  beside: object = {},
): object {
  return { error: { code: STATUS_CODE[status], message, request_id: requestId, ...details }, ...beside }
}

export function sendError(
  response: ServerResponse,
  status: ErrorStatus,
  message: string,
  requestId: string,
  extra?: Headers,
  details?: ErrorDetails,
): void {
  sendJson(response, status, requestId, errorBody(status, message, requestId, details), extra)
}
