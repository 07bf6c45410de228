import type { CallSettings } from './call.ts'
import { ApiError } from './errors.ts'
import { type Arrival, type Opening, SILENT_MS, type Transport } from './transport.ts'

/** The part of a WebSocket in use, which is common to browsers, Node 22, Bun, edge runtimes and the package `ws`. */
export interface WebSocketLike {
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown } & never) => void) | null
  onerror: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  send(text: string): void
  close(): void
}
export type WebSocketClass = new (url: string, protocols: string[]) => WebSocketLike

export interface SocketSettings extends CallSettings {
  readonly WebSocket: WebSocketClass
  /** The number of messages that may wait for the reader. */
  readonly buffered: number
  /** Sends the key in the URL, for services that do not accept it among the subprotocols. */
  readonly keyInUrl: boolean
}

const BEAT_MS = 25_000

/**
 * Phoenix Channels over a WebSocket. A WebSocket has no backpressure, so it is closed once `buffered` messages wait. They are
 * still delivered, and the client reconnects behind them; the service keeps the rest.
 */
export const socketTransport = (settings: SocketSettings): Transport =>
  async function* (opening) {
    const inbox = createInbox(settings.buffered)
    const socket = new settings.WebSocket(urlOf(settings), protocolsOf(settings))
    const isOpen = listen(socket, opening, inbox)
    const end = (): void => inbox.end()
    opening.signal.addEventListener('abort', end)
    try {
      yield* inbox.arrivals()
      if (!isOpen() && !opening.signal.aborted) await explain(settings, opening)
    } finally {
      opening.signal.removeEventListener('abort', end)
      inbox.end()
      socket.onopen = socket.onmessage = socket.onclose = null
      // A socket that is closed while it connects reports an error.
      socket.onerror = () => {}
      socket.close()
    }
  }

const isKeyHidden = ({ apiKey, keyInUrl }: SocketSettings): boolean => apiKey !== null && !keyInUrl

function urlOf({ baseUrl, apiKey, keyInUrl }: SocketSettings): string {
  const key = apiKey !== null && keyInUrl ? `&api_key=${encodeURIComponent(apiKey)}` : ''
  return `${baseUrl.replace(/^http/, 'ws')}/socket/websocket?vsn=2.0.0${key}`
}

/** A key among the subprotocols does not appear in the logs of proxies. */
const protocolsOf = (settings: SocketSettings): string[] =>
  isKeyHidden(settings) ? ['phoenix', `base64url.bearer.phx.${base64url(settings.apiKey!)}`] : []

const base64url = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Joins, sends heartbeats, and puts arrivals into the inbox. The returned function tells whether the socket was ever open. */
function listen(socket: WebSocketLike, { topic, event, after, filter }: Opening, inbox: Inbox): () => boolean {
  let isOpen = false
  const say = (...message: unknown[]): void => socket.send(JSON.stringify(message))
  let heardMs = Date.now()
  const beat = setInterval(() => {
    if (Date.now() - heardMs >= SILENT_MS) inbox.end()
    else if (isOpen) say(null, 'beat', 'phoenix', 'heartbeat', {})
  }, BEAT_MS)
  inbox.onEnd(() => clearInterval(beat))
  socket.onopen = () => {
    isOpen = true
    say('1', '1', topic, 'phx_join', {
      ...(after !== null && { after_seq: after }),
      ...(filter !== null && { filter }),
    })
  }
  socket.onmessage = ({ data }) => {
    heardMs = Date.now()
    const [, ref, to, name, payload] = messageIn(data)
    if (to === undefined) return inbox.end()
    if (to !== topic) return
    if (name === event) inbox.put({ kind: 'message', payload })
    else if (name === 'phx_reply' && ref === '1') receiveReply(payload ?? {}, inbox)
    else if (name === 'phx_error' || name === 'phx_close') inbox.end()
  }
  socket.onerror = socket.onclose = () => inbox.end()
  return () => isOpen
}

/** Returns an empty list for what is no message of the protocol: the connection cannot be trusted any more. */
type Message = readonly [
  join: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Partial<Reply> | null,
]

function messageIn(data: unknown): Message | readonly [] {
  try {
    const message: unknown = JSON.parse(String(data))
    return Array.isArray(message) ? (message as unknown as Message) : []
  } catch {
    return []
  }
}

interface Reply {
  readonly status: string
  readonly response: {
    readonly seq?: number
    readonly oldest_seq?: number
    readonly resumed?: boolean
    readonly reason?: string
  }
}

function receiveReply({ status, response = {} }: Partial<Reply>, inbox: Inbox): void {
  const { seq = null, oldest_seq = null, resumed = false, reason = 'the join was refused' } = response
  if (status === 'ok') inbox.put({ kind: 'joined', seq, oldestSeq: oldest_seq, resumed })
  else inbox.end(new ApiError(400, new Headers(), { error: { code: 'bad_request', message: reason } }))
}

/** A WebSocket gives no reason for a refusal. The same request over HTTP does. */
async function explain(settings: SocketSettings, { topic, signal }: Opening): Promise<void> {
  const headers = { authorization: `Bearer ${settings.apiKey}` }
  const response = await settings.fetch(`${settings.baseUrl}/v1/stream?topic=${topic}`, {
    method: 'HEAD',
    headers,
    signal,
  })
  const { status } = response
  // Other services have no such path.
  if (response.ok || status === 404) return
  const code = status === 402 ? 'payment_required' : status === 429 ? 'rate_limited' : 'internal_error'
  throw new ApiError(status, response.headers, { error: { code, message: 'the stream was refused' } })
}

interface Inbox {
  put(arrival: Arrival): void
  /** The waiting arrivals are still delivered, then the error if there is one. */
  end(error?: Error): void
  onEnd(run: () => void): void
  arrivals(): AsyncGenerator<Arrival, void, void>
}

function createInbox(most: number): Inbox {
  let waiting: Arrival[] = []
  let ended = false
  let failure: Error | null = null
  let wake = (): void => {}
  let whenEnded = (): void => {}
  const end = (error?: Error): void => {
    if (ended) return
    ended = true
    failure = error ?? null
    whenEnded()
    wake()
  }
  return {
    put(arrival) {
      if (ended) return
      waiting.push(arrival)
      if (waiting.length >= most) end()
      wake()
    },
    end,
    onEnd(run) {
      whenEnded = run
    },
    async *arrivals() {
      for (;;) {
        const batch = waiting
        waiting = []
        yield* batch
        if (waiting.length > 0) continue
        if (failure !== null) throw failure
        if (ended) return
        await new Promise<void>((done) => {
          wake = done
        })
      }
    },
  }
}
