import WebSocket from 'ws'
import { parseJson } from '../../base/bounded-text.ts'
import type { Clock } from '../../base/clock.ts'
import { type Fields, fieldsOf } from '../shape/fields.ts'

/** bytes of one message of a stream, unpacked: a full block has 2 to 8 MB as JSON */
const MESSAGE_BYTES = 64 << 20
/** milliseconds without a message after which a stream is opened anew, and for its opening */
const STALL_MS = 15_000
const SUBSCRIBE_MS = 10_000

export interface Subscription {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A stream of notifications; the reader holds it back with `pause`. */
export type Session = ReturnType<typeof openSession>

/** `refused`: the node does not offer the subscription. `unreachable`: it never opened. `stalled`: it went silent. */
export type SessionEnd = 'refused' | 'unreachable' | 'lost' | 'stalled' | 'closed'

export type Dial = (url: string) => WebSocket

export const dial: Dial = (url) =>
  new WebSocket(url, {
    maxPayload: MESSAGE_BYTES,
    handshakeTimeout: SUBSCRIBE_MS,
    perMessageDeflate: false,
    followRedirects: false,
  })

interface SessionOptions {
  readonly url: string
  readonly dial: Dial
  readonly clock: Clock
  readonly subscriptions: readonly Subscription[]
  /** all subscriptions are confirmed */
  readonly onReady: () => void
  /** a notification of ours, and the bytes of its text; must not throw */
  readonly onMessage: (message: Fields, bytes: number) => void
}

/** JSON-RPC's errors of a request that another try would not change; others may pass. */
const NOT_OFFERED = new Set([-32601, -32600, -32602])

/** Opens a WebSocket, subscribes, and passes notifications on until either side closes it. */
export function openSession({ url, dial, clock, subscriptions, onReady, onMessage }: SessionOptions) {
  const socket = dial(url)
  const stop = new AbortController()
  const ids = new Set<number>()
  let opened = false
  let paused = false
  let heardAt = clock.now()
  let finish: (end: SessionEnd) => void = () => {}
  const ended = new Promise<SessionEnd>((resolve) => {
    finish = (end) => {
      stop.abort()
      socket.terminate()
      resolve(end)
    }
  })

  socket.on('open', () => {
    opened = true
    heardAt = clock.now()
    for (const [i, { method, params }] of subscriptions.entries())
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: i + 1, method, params }))
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (stop.signal.aborted) return
    const message = isBinary ? null : fieldsOf(parseJson(data.toString()))
    if (message === null) return finish('lost')
    heardAt = clock.now()
    if (message.method === undefined) return answered(message)
    const { subscription } = fieldsOf(message.params) ?? {}
    if (typeof subscription === 'number' && ids.has(subscription)) onMessage(message, data.length)
  })
  socket.on('close', () => finish(opened ? 'lost' : 'unreachable'))
  // `close` follows
  socket.on('error', () => {})

  function answered(message: Fields): void {
    const error = fieldsOf(message.error)
    if (error !== null) return finish(NOT_OFFERED.has(error.code as number) ? 'refused' : 'lost')
    if (typeof message.result !== 'number') return finish('lost')
    ids.add(message.result)
    if (ids.size === subscriptions.length) onReady()
  }

  /** Also sends pings: gateways close what is silent from our side. */
  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      await clock.sleep(STALL_MS / 4, stop.signal)
      if (stop.signal.aborted) return
      if (paused) heardAt = clock.now()
      if (clock.now() - heardAt > STALL_MS) finish(opened ? 'stalled' : 'unreachable')
      else if (opened && !paused) socket.ping()
    }
  }
  void watch()

  return {
    /** the reason of the end; never rejects */
    ended,
    /** stops reading from the network: the node notices, we need no memory */
    pause(): void {
      paused = true
      socket.pause()
    },
    resume(): void {
      paused = false
      heardAt = clock.now()
      socket.resume()
    },
    close: (): void => finish('closed'),
  }
}
