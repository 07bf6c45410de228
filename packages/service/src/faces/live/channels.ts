import type { Filter } from '@ti/core/contract/filter.ts'
import { type AnyTopic, OWN_TOPIC, readFilter, topicNamed } from '@ti/core/contract/streams.ts'
import type { ClientMessage, Json, ServerMessage } from './codec.ts'

/**
 * The channels of one socket, modeled on the server side of Phoenix Channels: inputs and the outputs that they cause.
 * Pure: no sockets, no clock. The caller performs the outputs in order, all of them before its next input.
 *
 * A subscription belongs to a channel, one instance of a joined topic. A client that joins a topic again gets a new channel,
 * and messages still on their way to the old one are dropped.
 */

/**
 * `id` counts up within a socket; `joinRef` is the client's own (`null` is possible); `ref` is the ref of the join; `filter`
 * selects messages, left out: all.
 */
export interface Channel {
  readonly id: number
  readonly topic: AnyTopic
  readonly joinRef: Json
  readonly ref: Json
  readonly filter?: Filter
}

interface Channels {
  readonly byTopic: ReadonlyMap<AnyTopic, Channel>
  readonly nextId: number
}

/** The state of a socket that has just opened. */
export const NO_CHANNELS: Channels = { byTopic: new Map(), nextId: 0 }

/** `seq`: newest event delivered live, 0 for none; `oldestSeq`: the oldest event that a resume can still reach. */
export interface TopicPosition {
  readonly seq: number
  readonly oldestSeq: number
  /** the lead a client may have over `seq`, from a node that was faster; left out: none */
  readonly ahead?: number
}

export interface Context {
  /** null: this socket cannot join the topic */
  readonly position: (topic: AnyTopic) => TopicPosition | null
  /** false: the caller has joined too often in this minute; left out: always true */
  readonly mayJoin?: () => boolean
  /** false: another filter is too many; left out: always true */
  readonly admits?: (topic: AnyTopic, filter: Filter) => boolean
  /** channels a socket may have */
  readonly channelsMax: number
}

export type Input =
  /** a decoded frame; null: malformed */
  | { readonly kind: 'message'; readonly message: ClientMessage | null }
  /** the server ends a channel: the client stays away after `close` and rejoins after `error`; a channel that is gone is ignored */
  | { readonly kind: 'end'; readonly channel: number; readonly how: 'close' | 'error' }
  /** the socket ends: idle for too long; key revoked or trial over; server stopping; reading too slowly; sending too
   * much; connection already closed */
  | { readonly kind: 'idle' | 'dismissed' | 'drain' | 'slow' | 'flood' | 'gone' }

export type Output =
  | { readonly kind: 'send'; readonly message: ServerMessage }
  /** `after` null: live messages only; otherwise everything after this seq first */
  | { readonly kind: 'subscribe'; readonly channel: Channel; readonly after: number | null }
  | { readonly kind: 'unsubscribe'; readonly channel: Channel }
  /** always the last output; the socket then accepts no input but `gone` */
  | { readonly kind: 'close'; readonly code: number }

interface Step {
  readonly channels: Channels
  readonly outputs: readonly Output[]
}

/** Never 1000: the official client does not reconnect after it. It reconnects after 1001 and 1012, and is admitted anew. */
export const CLOSE_CODES = {
  malformed: 1011,
  idle: 1002,
  dismissed: 1001,
  drain: 1012,
  slow: 1013,
  flood: 1008,
} as const

export function reduce(channels: Channels, input: Input, context: Context): Step {
  switch (input.kind) {
    case 'message':
      if (input.message === null) return endAll(channels, CLOSE_CODES.malformed)
      return receive(channels, input.message, context)
    case 'end': {
      const channel = [...channels.byTopic.values()].find(({ id }) => id === input.channel)
      return channel === undefined ? { channels, outputs: [] } : end(channels, channel, input.how)
    }
    case 'gone':
      return endAll(channels, null)
    default:
      return endAll(channels, CLOSE_CODES[input.kind])
  }
}

/** The join_ref of every message to a channel: the channel's own, or the ref of its join if it had none. */
export const pushRef = (channel: Channel): Json => (channel.joinRef === 'null' ? channel.ref : channel.joinRef)

/** The topic in a JSON text: our names have no escapes. */
const topicIn = (text: Json): AnyTopic | undefined => topicNamed(text.slice(1, -1)) ?? undefined

/** Returns true for a join of the caller's own topic; the caller must look up its position first. */
export const joinsOwn = ({ topic, event }: ClientMessage): boolean =>
  event === 'phx_join' && topicIn(topic) === OWN_TOPIC

/** The topic of the socket itself, for heartbeats. */
const SOCKET_TOPIC = '"phoenix"'

function receive(channels: Channels, message: ClientMessage, context: Context): Step {
  const { event } = message
  const topic = topicIn(message.topic)
  if (event === 'phx_join' && topic !== undefined) return join(channels, topic, message, context)
  const stay = (...outputs: Output[]): Step => ({ channels, outputs })

  const channel = topic && channels.byTopic.get(topic)
  if (channel === undefined) {
    if (message.topic === SOCKET_TOPIC && event === 'heartbeat') return stay(ok(message, 'null', {}))
    if (event === 'phx_leave') return stay(ok(message, message.joinRef, {}))
    return stay(refuse(message, 'null', 'unmatched topic'))
  }
  if (isStale(message, channel)) return stay()
  if (event !== 'phx_leave') return stay(refuse(message, pushRef(channel), 'unknown event'))
  const ended = end(channels, channel, 'close')
  return { channels: ended.channels, outputs: [ok(message, pushRef(channel), {}), ...ended.outputs] }
}

/** The message is for an earlier channel of the topic. If either side lacks a join_ref (version 1), this is undecidable. */
const isStale = (message: ClientMessage, channel: Channel): boolean =>
  message.joinRef !== channel.joinRef && message.joinRef !== 'null' && channel.joinRef !== 'null'

/** The reply is the channel's first frame. The topic's existing channel ends, even if the new join is refused. */
function join(channels: Channels, topic: AnyTopic, message: ClientMessage, context: Context): Step {
  const { joinRef, ref } = message
  const old = channels.byTopic.get(topic)
  if (old === undefined && channels.byTopic.size >= context.channelsMax) {
    return { channels, outputs: [refuse(message, joinRef, 'too many channels joined')] }
  }
  const ended = old === undefined ? { channels, outputs: [] } : end(channels, old, 'close')
  const refused = (reason: string): Step => ({
    channels: ended.channels,
    outputs: [refuse(message, joinRef, reason), ...ended.outputs],
  })
  if (context.mayJoin?.() === false) return refused('too many joins')
  const wanted = resumePoint(message.payload)
  if (wanted === 'bad') return refused('bad after_seq')
  const filter = filterOf(topic, message.payload)
  if (typeof filter === 'string') return refused(filter)
  if (filter !== null && context.admits?.(topic, filter) === false) return refused('too many filters')
  const at = context.position(topic)
  if (at === null) return refused('no account')
  const after = resumableAfter(at, wanted)
  const channel: Channel = { id: channels.nextId, topic, joinRef, ref, ...(filter !== null && { filter }) }
  return {
    channels: { byTopic: new Map(ended.channels.byTopic).set(topic, channel), nextId: channel.id + 1 },
    outputs: [
      ok(message, joinRef, { seq: at.seq, oldest_seq: at.oldestSeq, resumed: after !== null }),
      ...ended.outputs,
      { kind: 'subscribe', channel, after },
    ],
  }
}

/** The seq after which a client that has `wanted` can resume; null: live messages only. */
export const resumableAfter = ({ seq, oldestSeq, ahead = 0 }: TopicPosition, wanted: number | null): number | null =>
  wanted !== null && oldestSeq - 1 <= wanted && wanted <= seq + ahead ? wanted : null

/** `after_seq` of a join's payload; null: none. */
function resumePoint(payload: unknown): number | null | 'bad' {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, 'after_seq')) return null
  const { after_seq } = payload as { after_seq: unknown }
  // + 0: the text -0 is a whole number too, and no caller should see it
  return typeof after_seq === 'number' && Number.isSafeInteger(after_seq) && after_seq >= 0 ? after_seq + 0 : 'bad'
}

/** `filter` of a join's payload; null: none; a text: the reason it is invalid. */
function filterOf(topic: AnyTopic, payload: unknown): Filter | string | null {
  const hasOne = typeof payload === 'object' && payload !== null && Object.hasOwn(payload, 'filter')
  const text = hasOne ? (payload as { filter: unknown }).filter : null
  return text === null || typeof text === 'string' ? readFilter(topic, text) : 'bad filter: a text is expected'
}

/**
 * The ref identifies the channel, even to clients without join_refs (version 1), where Phoenix sends null. Such a client,
 * on leaving and rejoining at once, took the old channel's end for the new one's and received no more messages.
 */
function end(channels: Channels, channel: Channel, how: 'close' | 'error'): Step {
  const byTopic = new Map(channels.byTopic)
  byTopic.delete(channel.topic)
  const { topic, joinRef } = channel
  const message = { joinRef, ref: pushRef(channel), topic: JSON.stringify(topic), event: `phx_${how}`, payload: '{}' }
  return {
    channels: { ...channels, byTopic },
    outputs: [
      { kind: 'unsubscribe', channel },
      { kind: 'send', message },
    ],
  }
}

function endAll(channels: Channels, code: number | null): Step {
  const outputs: Output[] = [...channels.byTopic.values()].map((channel) => ({ kind: 'unsubscribe', channel }))
  if (code !== null) outputs.push({ kind: 'close', code })
  return { channels: { ...channels, byTopic: NO_CHANNELS.byTopic }, outputs }
}

const ok = (to: ClientMessage, joinRef: Json, response: object): Output => reply(to, joinRef, 'ok', response)

const refuse = (to: ClientMessage, joinRef: Json, reason: string): Output => reply(to, joinRef, 'error', { reason })

function reply({ ref, topic }: ClientMessage, joinRef: Json, status: 'ok' | 'error', response: object): Output {
  const payload = JSON.stringify({ status, response })
  return { kind: 'send', message: { joinRef, ref, topic, event: 'phx_reply', payload } }
}
