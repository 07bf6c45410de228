import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import { type EventsAsked, OWN_TOPIC, readFilter, TOPIC_NAMES, topicNamed } from '@ti/core/contract/streams.ts'
import type { QueryParameters } from '@ti/core/query/operations.ts'
import { ACCOUNTS_UNREADABLE, type StreamRefusal } from '../../access/refusals.ts'
import { CROSS_ORIGIN, sendError } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { errorBody } from '../error-body.ts'
import { queryOf } from './query.ts'

/** The topics of the socket as server-sent events, for clients that speak no WebSocket. */
export const EVENTS_PATH = '/v1/stream'

interface Refusal {
  readonly reason: StreamRefusal
  /** seconds */
  readonly retryAfterS?: number
}

/** Takes over the response once `begin` has written its head and resolves with null; a refusal leaves it untouched. */
export type Follow = (
  request: IncomingMessage,
  response: ServerResponse,
  asked: EventsAsked,
  begin: () => void,
) => Promise<Refusal | null>

interface EventsOptions {
  readonly follow: Follow
  readonly publicUrl: string
}

const STATUS: Readonly<Record<StreamRefusal, readonly [ErrorStatus, string]>> = {
  key: [402, 'streams need an API key: `Authorization: Bearer <key>`, or `api_key` where no header can be sent'],
  accounts: [503, ACCOUNTS_UNREADABLE],
  sockets: [503, 'the service has reached its limit of open streams'],
  stopping: [503, 'the service restarts'],
  'key sockets': [429, 'too many streams are open'],
  account: [402, `${OWN_TOPIC} needs the key of an account`],
  filters: [503, 'too many different filters are in use: share one, or filter yourself'],
  joins: [429, 'too many streams were opened in this minute'],
  trial: [429, 'the stream time of the free plan is used up: 20 minutes within any hour'],
}

export function createEvents({ follow, publicUrl }: EventsOptions): Serve {
  return async (request, response, id, _args, search) => {
    const asked = askedIn(request, queryOf(search))
    if (typeof asked === 'string') return sendError(response, 400, asked, id)
    const refused = await follow(request, response, asked, () => begin(response, id))
    if (refused === null) return 200
    const [status, message] = STATUS[refused.reason]
    if (refused.retryAfterS !== undefined) sendLater(response, status, message, id, refused.retryAfterS)
    else sendError(response, status, message, id, [], { upgrade_url: `${publicUrl}/account` })
    return status
  }
}

/**
 * An EventSource gives up for good on any status but 200, even during a restart. So a client that asks for an event stream
 * gets a 200 stream that ends at once with a retry time; every other client gets the status.
 */
export function sendLater(
  response: ServerResponse,
  status: ErrorStatus,
  message: string,
  requestId: string,
  retryAfterS: number,
): void {
  const { accept = '' } = response.req.headers
  const details = status === 429 ? { retry_after: retryAfterS } : {}
  if (!accept.includes(EVENTS_TYPE)) {
    sendError(response, status, message, requestId, ['retry-after', `${retryAfterS}`], details)
    return
  }
  begin(response, requestId)
  const body = JSON.stringify(errorBody(status, message, requestId, { retry_after: retryAfterS }))
  response.end(`retry: ${retryAfterS * 1000}\nevent: refused\ndata: ${body}\n\n`)
}

const EVENTS_TYPE = 'text/event-stream'

/** The headers keep proxies from buffering the stream or compressing it. */
function begin(response: ServerResponse, requestId: string): void {
  const headers = ['content-type', EVENTS_TYPE, 'cache-control', 'no-store, no-transform', 'x-accel-buffering', 'no']
  headers.push('x-content-type-options', 'nosniff', 'x-request-id', requestId)
  if (response.req.headers.origin !== undefined) headers.push(...CROSS_ORIGIN)
  response.writeHead(200, headers)
}

/** Parses the requested topic, filter and position; a text is the problem with them. */
function askedIn({ headers }: IncomingMessage, query: QueryParameters): EventsAsked | string {
  const topic = typeof query.topic === 'string' ? topicNamed(query.topic) : null
  if (topic === null) return `topic must be one of ${TOPIC_NAMES}`
  if (typeof query.filter === 'object') return 'filter must be given once'
  const filter = readFilter(topic, query.filter ?? null)
  if (typeof filter === 'string') return filter
  // an EventSource that reconnects repeats its URL, so the header is newer
  const last = headers['last-event-id'] || query.after_seq
  if (last === undefined) return { topic, filter, after: null }
  if (typeof last !== 'string' || !SEQ.test(last)) return 'Last-Event-ID and after_seq must be a seq: a whole number'
  return { topic, filter, after: Number(last) }
}

/** up to 15 digits: exact as a number */
const SEQ = /^\d{1,15}$/
