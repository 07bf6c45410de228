import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sendError, sendPreflight } from '../answer.ts'
import { ALLOWED, type Found, isRead, type PageRoutes, rowFor } from '../router.ts'
import { URL_BYTES } from './malformed.ts'
import { namesTwoHosts } from './upgrades.ts'

/** bytes of a request body: all operations are GET without one */
export const BODY_BYTES = 1_024

interface GateOptions {
  readonly find: (path: string) => Found
  readonly lost: PageRoutes['lost']
  readonly newRequestId: () => string
  /** counts an answer that the gate sends itself */
  readonly count: (status: number) => void
}

const ALLOWED_BY = { GET: ALLOWED, POST: 'POST, OPTIONS' } as const

/** bytes and milliseconds of an unwanted body that are still read, so that the client sees its answer */
const LINGER_BYTES = 1 << 20
const LINGER_MS = 1_000

const NO_ARGS: readonly string[] = []

/** Checks the conditions that hold for every request and passes the request to the row that answers it. */
export function createGate({ find, lost, newRequestId, count }: GateOptions): RequestListener {
  function refuse(response: ServerResponse, status: 400 | 404 | 405 | 413 | 414, message: string, allow = ''): void {
    sendError(response, status, message, newRequestId(), allow === '' ? [] : ['allow', allow])
    count(status)
  }

  function tooLarge(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false
    refuse(response, 413, `the request body is larger than ${BODY_BYTES} bytes`)
    linger(request)
  }

  /** The length of a chunked body is known only once it is read. */
  function afterBody(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    let bytes = 0
    request.on('data', function measure(chunk: Buffer) {
      bytes += chunk.length
      if (bytes <= BODY_BYTES) return
      request.off('data', measure).off('end', answer)
      tooLarge(request, response)
    })
    request.on('end', answer)
  }

  /** A preflight, or a request that no row answers. */
  function answer(request: IncomingMessage, response: ServerResponse, found: Found, path: string): void {
    if (request.method === 'OPTIONS') {
      return isBroken(path)
        ? refuse(response, 400, 'malformed URL')
        : void sendPreflight(response, newRequestId(), METHODS, HEADERS)
    }
    if (found === 'malformed') return refuse(response, 400, 'malformed URL')
    const asks = found?.rows.asks ?? null
    if (asks !== null) {
      return refuse(response, 405, `${request.method} is not supported here: use ${asks}`, ALLOWED_BY[asks])
    }
    const page = lost(request)
    if (page !== null) page(request, response, NO_ARGS, '')
    else if (isRead(request) && isBroken(path)) refuse(response, 400, 'malformed URL')
    else refuse(response, 404, 'no such path')
  }

  return (request, response) => {
    const { headers, url = '/' } = request
    if (url.length > URL_BYTES) {
      response.shouldKeepAlive = false
      return refuse(response, 414, `the URL is longer than ${URL_BYTES} bytes`)
    }
    if (headers.host === undefined && request.httpVersionMinor === 1) {
      return refuse(response, 400, 'an HTTP/1.1 request needs a Host header')
    }
    if (namesTwoHosts(request)) return refuse(response, 400, 'a request needs one Host header, not several')
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const search = mark < 0 ? '' : url.slice(mark + 1)
    const found = find(path)
    const match = found === 'malformed' ? null : found
    const row = match === null ? null : rowFor(match, request)
    const dispatch = (): void => {
      if (row === null || request.method === 'OPTIONS') answer(request, response, found, path)
      else row.handle(request, response, match!.args, search)
    }
    if (row?.readsBody === true) return row.handle(request, response, match!.args, search)
    if (Number(headers['content-length'] ?? 0) > BODY_BYTES) return tooLarge(request, response)
    if (headers['transfer-encoding'] === undefined) dispatch()
    else afterBody(request, response, dispatch)
  }
}

/** Returns true if an escape sequence in a path is malformed. */
function isBroken(path: string): boolean {
  try {
    decodeURIComponent(path)
    return false
  } catch {
    return true
  }
}

const METHODS = 'GET, HEAD, POST, OPTIONS'
const HEADERS = 'Authorization, Content-Type, Last-Event-ID, PAYMENT-SIGNATURE, X-PAYMENT'

/**
 * Keeps reading for a moment after the answer is written: closing a connection with unread bytes would reset it, and the
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
