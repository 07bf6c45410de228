import type { IncomingMessage } from 'node:http'
import { type ClientOptions, WebSocket } from 'ws'

/** milliseconds for the upgrade of a connection */
const HANDSHAKE_MS = 10_000

/** bytes of one message it takes: the largest are transactions with dozens of trades, some tens of kB */
export const MESSAGE_BYTES = 1 << 20

/** A service's refusal to open a WebSocket. */
export interface Refused {
  readonly status: number
  /** Seconds; null if not given. */
  readonly retryAfterS: number | null
}

/** The constructor that the Phoenix client opens connections with. */
type Transport = new (endpoint: string) => object

/** `onOpening` receives each new connection, `onRefused` an HTTP answer instead of one. */
export function createTransport(
  onOpening: (webSocket: WebSocket) => void,
  onRefused: (refused: Refused) => void,
): Transport {
  // the library calls this with `new`, which returns the object that a constructor function returns
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
  maxPayload: MESSAGE_BYTES,
  handshakeTimeout: HANDSHAKE_MS,
  perMessageDeflate: false,
}

const retryAfter = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null

/** The format the client expects. */
interface Decoded {
  readonly join_ref: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: object
}

/** Decodes a frame of protocol version 2; null if it is invalid, where the client itself would throw. */
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
