import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import { etagOf } from '@ti/core/query/envelope.ts'
import { type Headers, JSON_TYPE, write } from '../answer.ts'
import { type ErrorDetails, errorBody } from '../error-body.ts'
import { codingTaken, matchesTag } from '../negotiate.ts'
import { packed } from '../packing.ts'

/** On every answer of this face: browsers must not sniff the type, and the referrer stays private. */
const GUARDS: Headers = [...['x-content-type-options', 'nosniff'], ...['referrer-policy', 'no-referrer']]

export function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  body: Buffer,
  headers: Headers,
  /** the pages that may embed the answer */
  embeddable: 'same-origin' | 'cross-origin' = 'same-origin',
): number {
  const length = status === 304 ? [] : ['content-length', `${body.length}`]
  const policy = ['cross-origin-resource-policy', embeddable]
  return write(response, status, [...headers, ...length, 'x-request-id', requestId, ...GUARDS, ...policy], body)
}

const JSON_HEADERS: Headers = ['content-type', JSON_TYPE, 'cache-control', 'no-store']

export const sendJson = (
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  extra: Headers = [],
): number => send(response, status, requestId, Buffer.from(text), [...JSON_HEADERS, ...extra])

export const DATA_HEADERS: Headers = [
  ...['content-type', JSON_TYPE],
  ...['cache-control', 'private, no-cache'],
  ...['vary', 'Accept-Encoding'],
]

/** Sends a text that the browser may cache and revalidate; a large text is compressed off the event loop. */
export async function sendText(
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  text: string,
  own: Headers,
): Promise<number> {
  const etag = etagOf(text)
  const headers = [...own, 'etag', etag]
  if (matchesTag(asked['if-none-match'], etag)) return send(response, 304, requestId, Buffer.alloc(0), headers)
  const { body, coding } = await packed(Buffer.from(text), codingTaken(asked['accept-encoding']))
  return send(response, 200, requestId, body, coding === null ? headers : [...headers, 'content-encoding', coding])
}

/** Sends the service's error envelope. */
export function sendError(
  response: ServerResponse,
  status: ErrorStatus,
  message: string,
  requestId: string,
  extra: Headers = [],
  details: ErrorDetails = {},
): number {
  return sendJson(response, status, requestId, JSON.stringify(errorBody(status, message, requestId, details)), extra)
}
