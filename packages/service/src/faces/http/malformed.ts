import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import { answerOn } from '../../base/node-fields.ts'
import { JSON_TYPE } from '../answer.ts'
import { errorBody } from '../error-body.ts'
import { ALLOWED } from '../router.ts'

/** bytes of a request line's URL */
export const URL_BYTES = 4_096
/** bytes of all request headers */
export const HEADER_BYTES = 16_384

/** milliseconds that a client may take to read its refusal */
const LINGER_MS = 500

type ParseError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  414: 'URI Too Long',
}

function verdict(error: ParseError): { status: ErrorStatus; message: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const firstLine = error.rawPacket?.indexOf(10) ?? -1
    return firstLine < 0 || firstLine > URL_BYTES
      ? { status: 414, message: `the URL is longer than ${URL_BYTES} bytes` }
      : { status: 413, message: `the request headers are larger than ${HEADER_BYTES} bytes` }
  }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return { status: 413, message: 'chunk extensions are too large' }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 400, message: 'the request was not finished in time' }
  return { status: 400, message: 'malformed HTTP request' }
}

interface MalformedOptions {
  readonly newRequestId: () => string
  readonly count: (status: number) => void
}

/** Answers malformed HTTP, and requests that no handler could serve, with the error envelope. */
export function answerMalformed(server: Server, { newRequestId, count }: MalformedOptions): void {
  const answered = new WeakSet<Duplex>()

  function refuse(socket: Duplex, status: ErrorStatus, message: string, extra = ''): void {
    if (answered.has(socket)) return
    answered.add(socket)
    const requestId = newRequestId()
    const body = JSON.stringify(errorBody(status, message, requestId))
    socket.end(
      `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `x-request-id: ${requestId}\r\n${extra}connection: close\r\n\r\n${body}`,
    )
    count(status)
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }

  server.on('clientError', (error: ParseError, socket: Duplex) => {
    // a second answer would corrupt one already in progress
    const answering = answerOn(socket)?.headersSent === true
    if (error.code === 'ECONNRESET' || !socket.writable || answering) {
      if (!answered.has(socket)) socket.destroy()
      return
    }
    const { status, message } = verdict(error)
    refuse(socket, status, message)
  })

  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, 405, 'CONNECT is not supported here: use GET', `allow: ${ALLOWED}\r\n`)
  })
}
