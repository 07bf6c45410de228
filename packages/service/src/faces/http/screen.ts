import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LIMITS } from '../../config/limits.ts'
import { sendError } from './answer.ts'
import type { DataHandler } from './data.ts'
import type { Match } from './matcher.ts'
import { namesTwoHosts } from './upgrades.ts'

/** Who answers for the page, whose requests have no bodies; null for what is not its own. */
export interface WebRoutes {
  readonly routes: (request: IncomingMessage) => RequestListener | null
  /** of reads that lead nowhere */
  readonly lost: (request: IncomingMessage) => RequestListener | null
}

interface Screen {
  /** the data operations, answered without going through the framework: its routing alone costs a fifth of an answer */
  readonly match: (url: string) => Match<DataHandler> | 'malformed' | null
  /** operations that are asked by POST, by path; each reads its own body */
  readonly posted: ReadonlyMap<string, DataHandler>
  /** everything else that is a well-formed GET, HEAD or OPTIONS */
  readonly next: RequestListener
  /** does a GET on this path lead anywhere in `next` */
  readonly knownPath: (path: string) => boolean
  /** who answers a request with any method and a body that it bounds and reads itself; null for all others */
  readonly ownPath: (request: IncomingMessage) => RequestListener | null
  readonly web: WebRoutes | null
  readonly newRequestId: () => string
  /** counts an answer given here */
  readonly count: (status: number) => void
}

export const ALLOWED = 'GET, HEAD, OPTIONS'
const ALLOWED_POSTED = 'POST, OPTIONS'

const NO_QUERY = Object.freeze({})

/** bytes and milliseconds of an unwanted body that are still read, so that the client gets to see its answer */
const LINGER_BYTES = 1 << 20
const LINGER_MS = 1_000

export function createScreen({
  match,
  posted,
  next,
  knownPath,
  ownPath,
  web,
  newRequestId,
  count,
}: Screen): RequestListener {
  function refuse(
    response: ServerResponse,
    status: 400 | 404 | 405 | 413 | 414,
    message: string,
    allow = ALLOWED,
  ): void {
    sendError(response, status, message, newRequestId(), status === 405 ? ['allow', allow] : [])
    count(status)
  }

  function tooLarge(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false
    refuse(response, 413, `the request body is larger than ${LIMITS.requestBodyBytes} bytes`)
    linger(request)
  }

  function admit(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '/' } = request
    if (method === 'OPTIONS') return next(request, response)
    if (posted.has(pathOf(url)))
      return refuse(response, 405, `${method} is not supported here: use POST`, ALLOWED_POSTED)
    const data = match(url)
    if (data === 'malformed') return refuse(response, 400, 'malformed URL')
    const page = data === null ? (web?.routes(request) ?? null) : null
    if (page !== null) return page(request, response)
    if (method === 'GET' || method === 'HEAD') {
      const lost = data !== null || knownPath(pathOf(url)) ? null : (web?.lost(request) ?? null)
      if (lost !== null) lost(request, response)
      else if (data === null) next(request, response)
      else data.value(request, response, data.argument, data.query)
    } else if (data !== null || knownPath(pathOf(url))) {
      refuse(response, 405, `${method} is not supported here: use GET`)
    } else {
      refuse(response, 404, 'no such path')
    }
  }

  /** The length of a chunked body is known only once it is read. */
  function admitAfterBody(request: IncomingMessage, response: ServerResponse): void {
    let bytes = 0
    request.on('data', function measure(chunk: Buffer) {
      bytes += chunk.length
      if (bytes <= LIMITS.requestBodyBytes) return
      request.off('data', measure).off('end', admitted)
      tooLarge(request, response)
    })
    const admitted = () => admit(request, response)
    request.on('end', admitted)
  }

  return (request, response) => {
    const { headers } = request
    if ((request.url ?? '').length > LIMITS.urlBytes) {
      response.shouldKeepAlive = false
      return refuse(response, 414, `the URL is longer than ${LIMITS.urlBytes} bytes`)
    }
    if (headers.host === undefined && request.httpVersionMinor === 1) {
      return refuse(response, 400, 'an HTTP/1.1 request needs a Host header')
    }
    if (namesTwoHosts(request)) return refuse(response, 400, 'a request needs one Host header, not several')
    const own = ownPath(request)
    if (own !== null) return own(request, response)
    const asked = request.method === 'POST' ? posted.get(pathOf(request.url ?? '/')) : undefined
    if (asked !== undefined) return asked(request, response, '', NO_QUERY)
    if (Number(headers['content-length'] ?? 0) > LIMITS.requestBodyBytes) return tooLarge(request, response)
    if (headers['transfer-encoding'] !== undefined) return admitAfterBody(request, response)
    admit(request, response)
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0]!

/**
 * Reads on for a moment after the answer was written: closing a connection with unread bytes would reset it, and the
 * client might never see the answer.
 */
function linger(request: IncomingMessage): void {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > LINGER_BYTES) socket.destroy()
  })
  socket.once('close', () => clearTimeout(timer))
}
