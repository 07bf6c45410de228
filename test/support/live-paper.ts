import type { Topic } from '@ti/core/contract/streams.ts'
import type { Streams } from '@ti/core/query/streams.ts'
import { visitorAt } from '@ti/service/access/shared/shared.ts'
import { LIVE, type LiveBounds } from '@ti/service/faces/live/bounds.ts'
import type { Version } from '@ti/service/faces/live/codec.ts'
import { createHub, type Hub, type Reader } from '@ti/service/faces/live/hub.ts'
import { readTexts } from './live-frames.ts'
import { type FakeStreams, fakeStreams } from './live-service.ts'
import { sharedWith } from './shared.ts'

export const BOUNDS: LiveBounds = {
  ...LIVE,
  unreadBytes: 1_000,
  messagesPerTurn: 3,
  messagesFirst: 16,
  turnMs: 5,
  replayMessagesPerTurn: 5,
  replayUnreadBytes: 150,
  replayChunk: 4,
  replayChunks: 2,
}
export const ANYBODY = visitorAt('')
export const FRAMES: Topic = 'frames:live'

/** A reader that keeps what it is given; what it has not taken counts as unread. */
export interface Paper extends Reader {
  readonly writes: Buffer[]
  readonly counts: number[]
  losses: number
  unreadBytes: number
  slow: number
  seqs(): number[]
}

export function createPaper(hub: Hub, version: Version = 2, topic: Topic = FRAMES): Paper {
  const paper: Paper = {
    topic,
    taker: ANYBODY,
    wire: version,
    pushRef: '"7"',
    writes: [],
    counts: [],
    losses: 0,
    unreadBytes: 0,
    slow: 0,
    unread: () => paper.unreadBytes,
    write(bytes, messages) {
      paper.writes.push(bytes)
      paper.counts.push(messages)
      paper.unreadBytes += bytes.length
    },
    tooSlow() {
      paper.slow++
      hub.remove(paper)
    },
    lost() {
      paper.losses++
      hub.remove(paper)
    },
    seqs: () => paper.writes.flatMap(readTexts).map((text) => seqOf(version, text)),
  }
  return paper
}

function seqOf(version: Version, text: string): number {
  const frame = JSON.parse(text)
  return (version === 2 ? frame[4] : frame.payload).data.seq
}

/** A hub over topics in memory, with small bounds. */
export function openHub(
  bounds: Partial<LiveBounds> = {},
  topics: FakeStreams = fakeStreams(),
  now = () => 0,
  streams: Streams = topics.streams,
) {
  const reported: [Topic, number[], number][] = []
  const errors: unknown[] = []
  const hub = createHub({
    streams,
    bounds: { ...BOUNDS, ...bounds },
    shared: sharedWith({ filters: { pool: { free: 2 } } }),
    onMessages: (topic, messages, readers) => reported.push([topic, messages.map(({ seq }) => seq), readers]),
    onLost: (_topic, error) => errors.push(error),
    now,
  })
  const publish = (count: number, topic: Topic = FRAMES) => {
    for (let i = 0; i < count; i++) topics.append(topic)
  }
  return { hub, topics, reported, errors, publish }
}

/** the event loop comes round */
export const turn = () => new Promise(setImmediate)
/** more turns than any test leaves work for */
export async function settle(turns = 50): Promise<void> {
  for (let i = 0; i < turns; i++) await turn()
}

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
