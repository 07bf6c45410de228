import type { ServerResponse } from 'node:http'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import { latin1 } from '@ti/core/query/envelope.ts'
import { writeWhole } from '../base/node-fields.ts'
import { type ErrorDetails, errorBody } from './error-body.ts'

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
  'X-Slot',
  'X-Ignored-Parameters',
  'ETag',
].join(', ')

export const CROSS_ORIGIN = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED_HEADERS]

/** Extra response headers as a flat list: name, value, name, value. */
export type Headers = readonly string[]

const NONE: Headers = []

/** Writes a whole answer. For HEAD, Node leaves the body out and the length stands. */
export function write(response: ServerResponse, status: number, headers: Headers, body: Buffer | string = ''): number {
  response.writeHead(status, headers as string[])
  response.end(body)
  return status
}

const NOSNIFF = 'x-content-type-options: nosniff\r\n'
// a shared cache keeps no answer to a request with an Authorization header; those without one need the header
const NOSNIFF_NO_STORE = `${NOSNIFF}cache-control: no-store\r\n`

/**
 * Sends a whole body and nothing else, head and body to the socket in a single piece. `body` is the bytes as latin-1, whatever
 * their encoding says. For HEAD, Node leaves the body out and the length stands. What scripts of other origins may read is said
 * only where one asks. `lines` are headers that cannot hold what somebody else wrote, each with its line's end.
 */
export function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  contentType: string,
  body: string,
  extra = NONE,
  lines = '',
): number {
  const headers = ['content-length', `${body.length}`]
  if (extra !== NONE) headers.push(...extra)
  if (response.req.headers.origin !== undefined) headers.push(...CROSS_ORIGIN)
  const fixed = status === 200 ? NOSNIFF : NOSNIFF_NO_STORE
  const own = `content-type: ${contentType}\r\nx-request-id: ${requestId}\r\n${fixed}${lines}`
  writeWhole(response, status, headers, own, body)
  return status
}

/** 304: what the client has is what it would get; `headers` are those of the 200, without the type. */
export function sendNotModified(response: ServerResponse, requestId: string, headers: Headers): number {
  const origin = response.req.headers.origin === undefined ? NONE : CROSS_ORIGIN
  return write(response, 304, [...headers, 'x-request-id', requestId, ...origin])
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function sendJson(
  response: ServerResponse,
  status: number,
  requestId: string,
  value: unknown,
  extra?: Headers,
): number {
  return send(response, status, requestId, JSON_TYPE, latin1(Buffer.from(JSON.stringify(value))), extra)
}

export function sendError(
  response: ServerResponse,
  status: ErrorStatus,
  message: string,
  requestId: string,
  extra?: Headers,
  details?: ErrorDetails,
): number {
  return sendJson(response, status, requestId, errorBody(status, message, requestId, details), extra)
}
