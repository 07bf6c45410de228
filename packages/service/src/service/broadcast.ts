import { createPace } from '@ti/core/base/pace.ts'
import { perTopic, type Topic } from '@ti/core/contract/streams.ts'
import type { OwnStreams, StreamMessage } from '@ti/core/query/streams.ts'
import type { Peer } from '../base/peer.ts'
import type { Entry, FaceCalls } from './state-calls.ts'

export const BROADCAST = {
  /** messages that may be on their way to the faces: seconds of the busiest market. Beyond them, the faces read instead */
  ahead: 20_000,
  /** messages rendered for one read: at first, at most, and milliseconds that it should take */
  first: 16,
  most: 256,
  targetMs: 5,
} as const

/** Sends the faces every commit, with the new messages of the topics that they follow. */
export type Broadcast = ReturnType<typeof createBroadcast>

interface BroadcastOptions {
  readonly streams: OwnStreams
  readonly entry: () => Pick<Entry, 'globals' | 'progress'>
  readonly faces: Pick<Peer<FaceCalls>, 'tell'>
  readonly bounds?: Readonly<Record<keyof typeof BROADCAST, number>>
}

export function createBroadcast({ streams, entry, faces, bounds = BROADCAST }: BroadcastOptions) {
  /** the newest message that the faces have taken, and the newest that was sent */
  const followed = new Map<Topic, { taken: number; sent: number }>()
  const pace = createPace(bounds)

  function newOf(topic: Topic): StreamMessage[] {
    const place = followed.get(topic)
    const newest = streams[topic].newest()
    if (place === undefined || place.sent >= newest || newest - place.taken > bounds.ahead) return []
    try {
      const messages = streams[topic].read(place.sent, newest - place.sent)
      place.sent = newest
      return messages
    } catch {
      // the faces meet the same error where they read what was not sent, and know whom it concerns
      return []
    }
  }

  const placeOf = (topic: Topic) => ({ newest: streams[topic].newest(), oldest: streams[topic].oldest() })

  return {
    commit(): void {
      faces.tell('committed', {
        ...entry(),
        topics: perTopic(placeOf),
        messages: perTopic(newOf),
      })
    },
    follow(topic: Topic, at: number | null): void {
      if (at === null) followed.delete(topic)
      else followed.set(topic, { taken: at, sent: Math.max(at, followed.get(topic)?.sent ?? at) })
    },
    read(topic: Topic, after: number, limit: number): StreamMessage[] {
      const began = performance.now()
      const messages = streams[topic].read(after, Math.min(limit, pace.units()))
      pace.took(messages.length, performance.now() - began)
      return messages
    },
  }
}
