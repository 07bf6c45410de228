import { type CallSettings, call } from './call.ts'
import { eventsTransport } from './events.ts'
import { type FollowOptions, follow } from './follow.ts'
import { type AlertEvent, OPERATIONS, type Operations, type Topics } from './generated.ts'
import { createSlots } from './slots.ts'
import type { Transport } from './transport.ts'
import { socketTransport, type WebSocketClass } from './websocket.ts'

export { ApiError, type StreamGap, StreamGapError } from './errors.ts'
export type { FollowOptions } from './follow.ts'
export * from './generated.ts'
export type { WebSocketClass, WebSocketLike } from './websocket.ts'

export interface ClientOptions extends Partial<Omit<CallSettings, 'apiKey'>> {
  /** `sk_live_…`. Without a key calls are paid for (see `payments.ts`) or answered 402, and there are no streams. */
  readonly apiKey?: string | null
  /**
   * The transport of streams: `events` means server-sent events over `fetch`. The default is a WebSocket if the runtime has
   * one.
   */
  readonly transport?: 'websocket' | 'events'
  /** The default is the global one, which Node has from version 22. */
  readonly WebSocket?: WebSocketClass
  /** The number of unread WebSocket messages at which a slow reader's connection is closed, to be resumed later. */
  readonly buffered?: number
  /** Sends the key in the URL of WebSockets, for services that accept it nowhere else. */
  readonly keyInUrl?: boolean
}

/** The operations and the streams. */
export interface Client extends Operations {
  /** The trades of each transaction with each token, as they are confirmed. */
  frames(options?: FollowOptions): AsyncGenerator<Topics['frames:live'], void, void>
  /** Events of tokens: created, metadata, duplication, graduated, listing paid, liquidity pulled, verdict changed. */
  tokenEvents(options?: FollowOptions): AsyncGenerator<Topics['tokens:live'], void, void>
  /** Every change of a token's verdict, with its cause. */
  verdicts(options?: FollowOptions): AsyncGenerator<Topics['verdicts:live'], void, void>
  /** What happens to one token, its changes of verdict among it. */
  token(mint: string, options?: FollowOptions): AsyncGenerator<Topics['tokens:live'], void, void>
  /** The alerts of the key's account. Two of them may be the same one with another `seq`: compare `id`. */
  alertStream(options?: FollowOptions): AsyncGenerator<AlertEvent, void, void>
}

/** Creates a client of the service. It only keeps connections open for streams in use. */
export function createClient(options: ClientOptions = {}): Client {
  const settings = settingsOf(options)
  const transport = transportOf(options, settings)
  const slots = createSlots()
  const calls = Object.entries(OPERATIONS).map(([id, [method, path, inQuery, inBody]]) => [
    id,
    (...given: readonly unknown[]) => {
      const names = path.match(/\{\w+\}/g) ?? []
      const asked = (given[names.length] ?? {}) as Readonly<Record<string, unknown>> & { signal?: AbortSignal }
      const filled = names.reduce((sum, name, i) => sum.replace(name, encodeURIComponent(String(given[i]))), path)
      const ask = slots.notBefore(filled, asked)
      // a change that was lost on its way back would be made twice
      const isRead = method === 'GET' || path.startsWith('/v1/')
      return call(slots.watching(filled, isRead ? settings : { ...settings, retries: 0 }), {
        method,
        path: filled + queryOf(inQuery, ask),
        ...(inBody.length > 0 && { body: Object.fromEntries(inBody.map((name) => [name, ask[name]])) }),
        ...(asked.signal && { signal: asked.signal }),
      })
    },
  ])
  return {
    ...(Object.fromEntries(calls) as Operations),
    frames: (how = {}) => follow({ ...how, transport, topic: 'frames:live', event: 'frame' }),
    tokenEvents: (how = {}) => follow({ ...how, transport, topic: 'tokens:live', event: 'token_event' }),
    verdicts: (how = {}) => follow({ ...how, transport, topic: 'verdicts:live', event: 'verdict_changed' }),
    token: (mint, how = {}) => follow({ ...how, transport, topic: `token:${mint}`, event: 'token_event' }),
    alertStream: (how = {}) => follow({ ...how, transport, topic: 'alerts:mine', event: 'alert' }),
  }
}

function settingsOf({ apiKey = null, ...options }: ClientOptions): CallSettings {
  return {
    baseUrl: (options.baseUrl ?? 'http://127.0.0.1:4000').replace(/\/+$/, ''),
    apiKey,
    // Browsers refuse a `fetch` that is called on another object than the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    // A `fetch` may pay, and a retry would pay again, so the caller decides.
    retries: options.retries ?? (apiKey === null || options.fetch !== undefined ? 0 : 2),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxWaitMs: options.maxWaitMs ?? 10_000,
    onResponse: options.onResponse ?? (() => {}),
  }
}

function transportOf(options: ClientOptions, settings: CallSettings): Transport {
  const WebSocket = options.WebSocket ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket
  if (options.transport === 'events' || (options.transport === undefined && WebSocket === undefined)) {
    return eventsTransport(settings)
  }
  if (WebSocket === undefined) throw new Error('there is no WebSocket here: give one, or use the transport `events`')
  return socketTransport({
    ...settings,
    WebSocket,
    buffered: options.buffered ?? 1_000,
    keyInUrl: options.keyInUrl ?? false,
  })
}

function queryOf(names: readonly string[], asked: Readonly<Record<string, unknown>>): string {
  const given = names.filter((name) => asked[name] !== undefined)
  if (given.length === 0) return ''
  return `?${given.map((name) => `${name}=${encodeURIComponent(String(asked[name]))}`).join('&')}`
}
