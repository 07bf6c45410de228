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
  'X-Dropped-Count',
  'X-Empty-Reason',
  'X-Ignored-Parameters',
  'ETag',
].join(', ')

export const CROSS_ORIGIN = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED_HEADERS]

/** Answers a preflight: which methods and headers scripts of other origins may use. */
export function sendPreflight(response: ServerResponse, requestId: string, methods: string, headers: string): number {
  const allowed = ['access-control-allow-methods', methods, 'access-control-allow-headers', headers]
  const lasting = ['access-control-max-age', '86400', 'content-length', '0']
  return write(response, 204, ['x-request-id', requestId, ...CROSS_ORIGIN, ...allowed, ...lasting])
}

/** Extra response headers as a flat list: name, value, name, value. */
export type Headers = readonly string[]

const NONE: Headers = []

/** Writes a whole answer. For HEAD, Node drops the body and keeps the content length. */
export function write(response: ServerResponse, status: number, headers: Headers, body: Buffer | string = ''): number {
  response.writeHead(status, headers as string[])
  response.end(body)
  return status
}

const NOSNIFF = 'x-content-type-options: nosniff\r\n'
// a shared cache keeps no answer to a request with an Authorization header; those without one need the header
const NOSNIFF_NO_STORE = `${NOSNIFF}cache-control: no-store\r\n`

/**
 * Sends a whole body, with the head and the body in one write to the socket. `body` holds the bytes as latin-1, whatever
 * their encoding. For HEAD, Node drops the body and keeps the content length. The CORS headers go only to requests with an
 * Origin. `lines` are raw header lines, each with its line ending; they must hold no text from a client.
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

/** 304: the client's copy is current. `headers` are those of the 200, without the content type. */
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
