import type { ServerResponse } from 'node:http'
import { type ErrorStatus, STATUS_CODE } from '../../contract/resources.ts'
import type { Rendered } from '../../query/query.ts'

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

const DATA = Buffer.from('{"data":')
const SUMMARY = Buffer.from(',"summary":')

/** Extra response headers as a flat list: name, value, name, value. */
export type Headers = readonly string[]

/**
 * Sends whole bodies and nothing else: one flat header list and one buffer an answer, handed to the socket together.
 * For HEAD, Node leaves the body out and the length stands.
 */
export function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  contentType: string,
  body: Buffer,
  extra: Headers = [],
): void {
  response.writeHead(status, [
    'content-type',
    contentType,
    'content-length',
    String(body.length),
    'x-request-id',
    requestId,
    'cache-control',
    'no-store',
    'access-control-allow-origin',
    '*',
    'access-control-expose-headers',
    EXPOSED_HEADERS,
    ...extra,
  ])
  response.end(body)
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function sendJson(response: ServerResponse, status: number, requestId: string, value: unknown, extra?: Headers) {
  send(response, status, requestId, JSON_TYPE, Buffer.from(JSON.stringify(value)), extra)
}

export interface ErrorDetails {
  readonly upgrade_url?: string
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
): void {
  sendJson(response, status, requestId, errorBody(status, message, requestId), extra)
}

/**
 * The buffer bodies are put together in. It is used again only after the kernel has taken all of the last body, which
 * is the usual case: a fresh 4 kB for every answer costs more than the rest of it.
 */
const SCRATCH_BYTES = 64 << 10
let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

const room = (bytes: number): Buffer =>
  bytes <= SCRATCH_BYTES ? scratch.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes)

/** Call after a body from `envelope` was handed over. */
export function settleScratch(response: ServerResponse): void {
  if (response.writableLength > 0 || response.socket === null) scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
}

/** `{ data, meta }`, or `{ data, summary, meta }`, around bytes that are encoded already. `page` is JSON or empty. */
export function envelope(data: Rendered, requestId: string, summary?: Buffer, page = ''): Buffer {
  const tail = `,"meta":{"cached_at":"${data.renderedAt}","request_id":"${requestId}"${page}}}`
  const middle = summary === undefined ? 0 : SUMMARY.length + summary.length
  const body = room(DATA.length + data.bytes.length + middle + tail.length)
  let at = DATA.copy(body)
  at += data.bytes.copy(body, at)
  if (summary !== undefined) {
    at += SUMMARY.copy(body, at)
    at += summary.copy(body, at)
  }
  body.write(tail, at, 'latin1')
  return body
}
