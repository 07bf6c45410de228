import type { IncomingMessage } from 'node:http'
import { type ClientOptions, WebSocket } from 'ws'
import { LIMITS } from '../config/limits.ts'

/** What a service said instead of opening a WebSocket. */
export interface Refused {
  readonly status: number
  /** seconds; null where it does not say */
  readonly retryAfterS: number | null
}

/** What the client of Phoenix makes its connections with. */
type Transport = new (endpoint: string) => object

/** `onOpening` is given each new connection, `onRefused` the answer of a server that does not open it. */
export function createTransport(
  onOpening: (webSocket: WebSocket) => void,
  onRefused: (refused: Refused) => void,
): Transport {
  // called with `new` by a library that does not care what it is: what a constructor returns is what `new` gives
  function Transport(endpoint: string, protocols?: string[]): WebSocket {
    const webSocket = new WebSocket(endpoint, protocols ?? [], OPTIONS)
    webSocket.on('unexpected-response', (_request, response: IncomingMessage) => {
      onRefused({ status: response.statusCode ?? 0, retryAfterS: retryAfter(response.headers['retry-after']) })
      webSocket.terminate()
    })
    onOpening(webSocket)
    return webSocket
  }
  return Transport as unknown as Transport
}

const OPTIONS: ClientOptions = {
  maxPayload: LIMITS.tail.messageBytes,
  handshakeTimeout: LIMITS.tail.handshakeMs,
  perMessageDeflate: false,
}

const retryAfter = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null

/** As the client wants it. */
interface Decoded {
  readonly join_ref: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: object
}

/** A frame of protocol version 2; null where it is not one: the client itself would throw. */
export function decodeFrame(raw: unknown): Decoded | null {
  try {
    const frame: unknown = typeof raw === 'string' ? JSON.parse(raw) : null
    if (!Array.isArray(frame)) return null
    const [joinRef, ref, topic, event, payload] = frame as unknown[]
    if (typeof topic !== 'string' || typeof event !== 'string' || !isRef(joinRef) || !isRef(ref)) return null
    if (typeof payload !== 'object' || payload === null) return null
    return { join_ref: joinRef, ref, topic, event, payload }
  } catch {
    return null
  }
}

const isRef = (value: unknown): value is string | null => value === null || typeof value === 'string'
