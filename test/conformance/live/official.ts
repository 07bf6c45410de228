import * as supabase from '@supabase/phoenix'
import { OWN_TOPIC, STREAM_EVENTS } from '@ti/core/contract/streams.ts'
import * as phoenix from 'phoenix'
import { WebSocket } from 'ws'
import { KEYS } from '../../support/fake-service.ts'
import { type Ending, until } from '../../support/live-service.ts'

/** The official clients: Phoenix's own, and a fork of it with the same interface. */
export const CLIENTS: readonly (readonly [string, typeof phoenix.Socket])[] = [
  ['phoenix', phoenix.Socket],
  ['@supabase/phoenix', supabase.Socket as unknown as typeof phoenix.Socket],
]

type Options = Partial<phoenix.SocketConnectOption>

export interface Client {
  readonly socket: phoenix.Socket
  /** in the order in which they happened: `open`, close codes, statuses of refused upgrades */
  readonly story: (string | number)[]
  /** heartbeats that were answered */
  beats(): number
}

/** Connects with a Pro key unless options say otherwise, with `ws` as transport; comes back at once when it is closed. */
export function connectClient(t: Ending, Socket: typeof phoenix.Socket, url: string, options: Options = {}): Client {
  let beats = 0
  const socket = new Socket(url, {
    transport: WebSocket as unknown as phoenix.SocketConnectOption['transport'],
    params: { api_key: KEYS.pro },
    reconnectAfterMs: () => 20,
    rejoinAfterMs: () => 20,
    ...options,
  })
  const story: (string | number)[] = []
  socket.onOpen(() => void story.push('open'))
  socket.onClose(({ code }) => void (code !== 1006 && story.push(code)))
  socket.onError((error) => {
    const status = /Unexpected server response: (\d+)/.exec((error as unknown as { message: string }).message)?.[1]
    if (status !== undefined) story.push(Number(status))
  })
  socket.onMessage((message) => {
    const { topic, event } = message as { topic: string; event: string }
    if (topic === 'phoenix' && event === 'phx_reply') beats++
  })
  t.after(() => new Promise<void>((resolve) => socket.disconnect(resolve)))
  socket.connect()
  return { socket, story, beats: () => beats }
}

/** A channel, what it was told, and its own story. */
export interface Followed {
  readonly channel: phoenix.Channel
  readonly seqs: number[]
  readonly payloads: { readonly data: { readonly seq: number } }[]
  readonly story: string[]
  /** responses of the joins that were let in */
  readonly joins: unknown[]
}

/** The event of each topic. */
export const EVENT: Record<string, string> = { ...STREAM_EVENTS, [OWN_TOPIC]: 'alert' }

/** Joins a topic and waits for the answer. */
export async function follow(
  { socket }: Client,
  topic: string,
  params: object | ((followed: Followed) => object) = {},
): Promise<Followed> {
  const followed: Followed = {
    channel: socket.channel(topic, typeof params === 'function' ? () => params(followed) : params),
    seqs: [],
    payloads: [],
    story: [],
    joins: [],
  }
  const { channel, story } = followed
  for (const event of Object.values(EVENT)) {
    channel.on(event, (payload) => {
      followed.payloads.push(payload)
      followed.seqs.push(payload.data.seq)
    })
  }
  channel.onClose(() => void story.push('closed'))
  channel.onError(() => void story.push('error'))
  channel
    .join()
    .receive('ok', (response) => {
      followed.joins.push(response)
      story.push('joined')
    })
    .receive('error', ({ reason }) => void story.push(`refused: ${reason}`))
  await until(`${topic} is answered`, () => story.length > 0)
  return followed
}
