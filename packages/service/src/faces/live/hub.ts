import { createPace, type Pace } from '@ti/core/base/pace.ts'
import type { Filter } from '@ti/core/contract/filter.ts'
import {
  type AnyTopic,
  eventOf,
  type PublicTopic,
  perTopic,
  sourceOf,
  TOPICS,
  type Topic,
} from '@ti/core/contract/streams.ts'
import type { Stream, StreamMessage, Streams } from '@ti/core/query/streams.ts'
import type { Shared, Taker } from '../../access/shared/shared.ts'
import type { LiveBounds } from './bounds.ts'
import type { TopicPosition } from './channels.ts'
import { encode, type Json } from './codec.ts'
import { eventsOf } from './event-bytes.ts'
import { wanted } from './filtered.ts'
import {
  type Followers,
  type Following,
  followersOf,
  forgetGroup,
  groupName,
  joinGroup,
  liveOf,
  nobody,
  WIRES,
  type Wire,
} from './groups.ts'
import { createHistory, type History } from './history.ts'
import { frameTexts } from './wire.ts'

/** One subscription of one socket. */
export interface Reader {
  readonly topic: PublicTopic
  readonly wire: Wire
  /** the join_ref of the messages in a resume */
  readonly pushRef: Json
  /** the messages it wants; left out: all */
  readonly filter?: Filter
  /** whom its filter counts for; left out: nobody */
  readonly taker?: Taker
  /** bytes written that the kernel has not taken */
  unread(): number
  /** writes bytes that are shared with other readers and must not change */
  write(bytes: Buffer, messages: number): void
  /** ends a reader that reads too slowly to keep up */
  tooSlow(): void
  /** its position cannot be read: the channel ends, and the client rejoins */
  lost(): void
}

interface HubOptions {
  /** messages by which a reader that comes from another node may be ahead of this one */
  readonly ahead?: number
  readonly streams: Streams
  readonly bounds: LiveBounds
  readonly shared: Shared
  /** called with each batch of live messages before it is written; once, however many readers it has */
  readonly onMessages?: (topic: Topic, messages: readonly StreamMessage[], readers: number) => void
  /** a position could not be read, for one reader that resumes or for all live readers */
  readonly onLost?: (topic: Topic, error: unknown) => void
  /** monotonic milliseconds */
  readonly now?: () => number
}

/**
 * Hands the messages of each topic to all its readers: rendered once, framed once per serializer, the same bytes for all.
 * The store is the queue: each topic has a position in it, and so has each resuming reader. So slow readers need no buffer,
 * and the switch from replay to live is a comparison of two numbers.
 */
export type Hub = ReturnType<typeof createHub>

/** Live messages on their way to the readers of a filter and a wire who followed when they came. */
interface Delivery {
  readonly followers: ReadonlySet<Reader>
  readonly readers: readonly Reader[]
  readonly wire: Wire
  readonly topic: PublicTopic
  readonly filter: Filter | undefined
  readonly messages: readonly StreamMessage[]
  /** rendered when its turn comes */
  bytes: Buffer | null
  count: number
  next: number
}

interface TopicState extends Following {
  readonly topic: Topic
  readonly stream: Stream
  /** adjusts the messages per turn to the cost of rendering them */
  readonly pace: Pace
  /** seq of the newest message delivered, or on its way */
  at: number
  /** first in, first out; nothing more is read before it is empty */
  readonly deliveries: Delivery[]
  /** resuming readers, with the last seq each has received */
  readonly replaying: Map<Reader, number>
  /** true while messages for those who follow are on their way from the state */
  isReading: boolean
  readonly history: History
}

export function createHub({ streams, bounds, shared, ahead = 0, ...heard }: HubOptions) {
  const { onMessages = () => {}, onLost = () => {}, now = () => performance.now() } = heard
  let scheduled = false
  const later = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      wake()
    })
  }
  const states = perTopic((topic) => stateOf(topic, streams[topic], { bounds, now, onArrival: later }))

  /** Returns true if there is more to do at once. */
  function advance(state: TopicState): boolean {
    const { stream } = state
    if (!write(state)) return true
    if (!isFollowed(state)) {
      state.at = stream.newest()
      return false
    }
    if (state.isReading || state.at >= stream.newest()) return false
    try {
      const began = now()
      const messages = stream.read(state.at, Math.min(bounds.messagesPerTurn, state.pace.units()))
      if (messages instanceof Promise) {
        void deliverLater(state, messages)
        return false
      }
      state.pace.took(messages.length, now() - began)
      deliver(state, messages)
      return state.deliveries.length > 0 || state.at < stream.newest()
    } catch (error) {
      loseAll(state, error)
      return false
    }
  }

  async function deliverLater(state: TopicState, reading: Promise<readonly StreamMessage[]>): Promise<void> {
    state.isReading = true
    try {
      deliver(state, await reading)
    } catch (error) {
      loseAll(state, error)
    } finally {
      state.isReading = false
      later()
    }
  }

  function deliver(state: TopicState, read: readonly StreamMessage[]): void {
    if (read.length === 0) throw new Error(`message ${state.at + 1} is missing`)
    // while they were on their way, the last reader may have left and another one come
    const messages = read[0]!.seq > state.at ? read : read.filter(({ seq }) => seq > state.at)
    if (messages.length === 0) return
    state.at = messages.at(-1)!.seq
    onMessages(state.topic, messages, followersOf(state))
    queue(state, state, messages)
    for (const group of state.groups.values()) queue(state, group, messages)
    write(state)
  }

  /** Writes what is on its way for `turnMs`; false: readers wait for the next turn. */
  function write({ deliveries }: TopicState): boolean {
    const until = now() + bounds.turnMs
    for (let one = deliveries[0]; one !== undefined; one = deliveries[0]) {
      if (now() > until) return false
      if (one.bytes === null) render(one)
      while (one.count > 0 && one.next < one.readers.length) {
        if (now() > until) return false
        const reader = one.readers[one.next++]!
        // who has left meanwhile gets nothing more
        if (!one.followers.has(reader)) continue
        if (reader.unread() > bounds.unreadBytes) reader.tooSlow()
        else reader.write(one.bytes!, one.count)
      }
      deliveries.shift()
    }
    return true
  }

  /** A damaged row must neither take REST down with the streams nor be skipped silently. */
  function loseAll(state: TopicState, error: unknown): void {
    onLost(state.topic, error)
    state.at = state.stream.newest()
    for (const live of [state.live, ...[...state.groups.values()].map((group) => group.live)])
      for (const wire of WIRES) for (const reader of live[wire]) reader.lost()
  }

  /** Gives each reader with room a piece in turn, up to this turn's budget. Returns true if there is more to do at once. */
  function replay(state: TopicState): boolean {
    let budget = Math.min(bounds.replayMessagesPerTurn, state.pace.units())
    let waiting = false
    for (const [reader, has] of [...state.replaying]) {
      if (!state.replaying.has(reader)) continue
      if (has >= state.at) {
        // a reader that is ahead waits until this node catches up
        if (has === state.at) goLive(state, reader)
        continue
      }
      if (reader.unread() > bounds.replayUnreadBytes) continue
      if (budget <= 0) {
        waiting = true
        continue
      }
      const messages = pieceAfter(state, reader, has)
      // lost, or on their way
      if (messages === null) continue
      budget -= messages.length
      // to the end of the queue
      state.replaying.delete(reader)
      state.replaying.set(reader, messages.at(-1)!.seq)
      const { filter, wire, pushRef } = reader
      const own = filter === undefined ? messages : wanted(state.topic, messages, filter)
      if (own.length > 0) reader.write(bytesOf(reader.topic, wire, pushRef, own), own.length)
      waiting = true
    }
    state.history.forget()
    return waiting
  }

  function goLive(state: TopicState, reader: Reader): void {
    state.replaying.delete(reader)
    liveOf(state, reader)[reader.wire].add(reader)
  }

  /** Null if the reader cannot continue, or cannot yet. */
  function pieceAfter(state: TopicState, reader: Reader, has: number): readonly StreamMessage[] | null {
    try {
      if (has + 1 < state.stream.oldest()) throw new Error(`message ${has + 1} is out of reach`)
      return state.history.after(has, state.at)
    } catch (error) {
      state.replaying.delete(reader)
      left(state, reader)
      onLost(state.topic, error)
      reader.lost()
      return null
    }
  }

  function left(state: TopicState, reader: Reader): void {
    forgetGroup(state, reader)
    if (!isFollowed(state)) state.stream.follow?.(null)
  }

  function wake(): void {
    let more = false
    for (const topic of TOPICS) {
      const state = states[topic]
      more = advance(state) || more
      more = (state.replaying.size > 0 && replay(state)) || more
    }
    if (more) later()
  }

  return {
    /** `seq`: the seq before the next live message */
    position(topic: PublicTopic): TopicPosition {
      const state = states[sourceOf(topic)]
      // no reader has followed since, so the position is the store's newest
      if (!isFollowed(state)) state.at = state.stream.newest()
      return { seq: state.at, oldestSeq: state.stream.oldest(), ...(ahead > 0 && { ahead }) }
    },
    /** adds a reader, live from now on or with everything after `after` first */
    add(reader: Reader, after: number | null): void {
      const state = states[sourceOf(reader.topic)]
      if (!isFollowed(state)) state.stream.follow?.(state.at)
      joinGroup(state, reader, shared)
      if (after === null || after === state.at) liveOf(state, reader)[reader.wire].add(reader)
      else {
        state.replaying.set(reader, after)
        later()
      }
    },
    remove(reader: Reader): void {
      const state = states[sourceOf(reader.topic)]
      const follows = liveOf(state, reader)[reader.wire].delete(reader)
      const resumes = state.replaying.delete(reader)
      if (follows || resumes) left(state, reader)
    },
    /** false: nobody has this filter, and the taker may have no other */
    admits: (topic: PublicTopic, filter: Filter, taker: Taker): boolean =>
      states[sourceOf(topic)].groups.has(groupName({ topic, filter })) || shared.fits('filters', taker),
    /** called after a commit, or when a socket has room again */
    // a turn that is due anyway takes it: a thousand sockets that have room again are not a thousand turns
    wake(): void {
      if (!scheduled) wake()
    },
    /** live readers and resuming readers */
    counts: (topic: Topic): { readonly live: number; readonly replaying: number } => ({
      live: followersOf(states[topic]),
      replaying: states[topic].replaying.size,
    }),
  }
}

function queue(
  { deliveries }: TopicState,
  { topic, live, filter }: { readonly topic: PublicTopic; readonly live: Followers; readonly filter?: Filter },
  messages: readonly StreamMessage[],
): void {
  for (const wire of WIRES) {
    const followers = live[wire]
    if (followers.size === 0) continue
    deliveries.push({
      followers,
      readers: [...followers],
      wire,
      topic,
      filter,
      messages,
      bytes: null,
      count: 0,
      next: 0,
    })
  }
}

function render(one: Delivery): void {
  const { topic } = one
  const own = one.filter === undefined ? one.messages : wanted(sourceOf(topic), one.messages, one.filter)
  one.count = own.length
  one.bytes = bytesOf(topic, one.wire, 'null', own)
}

function stateOf(
  topic: Topic,
  stream: Stream,
  given: { readonly bounds: LiveBounds; readonly now: () => number; readonly onArrival: () => void },
): TopicState {
  const { bounds } = given
  const pace = createPace({
    first: bounds.messagesFirst,
    most: Math.max(bounds.messagesPerTurn, bounds.replayMessagesPerTurn),
    targetMs: bounds.turnMs,
  })
  return {
    topic,
    stream,
    pace,
    at: stream.newest(),
    deliveries: [],
    live: nobody(),
    groups: new Map(),
    isReading: false,
    replaying: new Map(),
    history: createHistory({ ...given, stream, pace }),
  }
}

const isFollowed = (state: TopicState): boolean => followersOf(state) + state.replaying.size > 0

/** Encodes messages as one buffer for a reader. */
export function bytesOf(topic: AnyTopic, wire: Wire, joinRef: Json, messages: readonly StreamMessage[]): Buffer {
  if (wire === 'events') return eventsOf(topic, messages)
  const head = { joinRef, ref: 'null', topic: JSON.stringify(topic), event: eventOf(topic) }
  return frameTexts(messages.map(({ payload }) => encode(wire, { ...head, payload })))
}
