import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTexts } from '../../../test/conformance/live-frames.ts'
import { type FakeStreams, fakeStreams } from '../../../test/conformance/live-service.ts'
import type { Topic } from '../../contract/streams.ts'
import type { Version } from './codec.ts'
import { createHub, type Hub, type HubBounds, type Reader } from './hub.ts'

const BOUNDS: HubBounds = {
  liveUnreadBytes: 1_000,
  liveMessagesPerTurn: 3,
  replayMessagesPerTurn: 5,
  replayUnreadBytes: 150,
  replayChunk: 4,
  replayChunks: 2,
}
const FRAMES: Topic = 'frames:live'

/** A reader that keeps what it is given; what it has not taken counts as unread. */
interface Paper extends Reader {
  readonly writes: Buffer[]
  readonly counts: number[]
  readonly errors: unknown[]
  unreadBytes: number
  slow: number
  seqs(): number[]
}

function createPaper(hub: Hub, version: Version = 2, topic: Topic = FRAMES): Paper {
  const paper: Paper = {
    topic,
    version,
    pushRef: '"7"',
    writes: [],
    counts: [],
    errors: [],
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
    lost: (error) => void paper.errors.push(error),
    seqs: () => paper.writes.flatMap(readTexts).map((text) => seqOf(version, text)),
  }
  return paper
}

function seqOf(version: Version, text: string): number {
  const frame = JSON.parse(text)
  return (version === 2 ? frame[4] : frame.payload).data.seq
}

function open(bounds: Partial<HubBounds> = {}, topics: FakeStreams = fakeStreams()) {
  const told: [Topic, number[], number][] = []
  const hub = createHub({
    streams: topics.streams,
    bounds: { ...BOUNDS, ...bounds },
    onMessages: (topic, messages, readers) => told.push([topic, messages.map(({ seq }) => seq), readers]),
  })
  const publish = (count: number, topic: Topic = FRAMES) => {
    for (let i = 0; i < count; i++) topics.append(topic)
  }
  return { hub, topics, told, publish }
}

const turn = () => new Promise(setImmediate)
/** more turns than any test leaves work for */
async function settle(turns = 50): Promise<void> {
  for (let i = 0; i < turns; i++) await turn()
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('one wake is one write for each reader, the same bytes for all of a version', async () => {
  const { hub, publish, told } = open()
  const readers = [createPaper(hub), createPaper(hub), createPaper(hub, 1), createPaper(hub, 1)] as const
  const other = createPaper(hub, 2, 'tokens:live')
  for (const reader of [...readers, other]) hub.add(reader, null)
  publish(3)
  hub.wake()
  const [a, b, c, d] = readers
  assert.deepEqual(
    readers.map(({ writes, counts }) => [writes.length, ...counts]),
    readers.map(() => [1, 3]),
  )
  assert.equal(a.writes[0], b.writes[0])
  assert.equal(c.writes[0], d.writes[0])
  assert.deepEqual(
    readTexts(a.writes[0]!),
    [1, 2, 3].map((seq) => `[null,null,"frames:live","frame",{"data":{"seq":${seq}}}]`),
  )
  assert.deepEqual(
    readTexts(c.writes[0]!),
    [1, 2, 3].map((seq) => `{"topic":"frames:live","event":"frame","payload":{"data":{"seq":${seq}}},"ref":null}`),
  )
  assert.equal(other.writes.length, 0)
  assert.deepEqual(told, [[FRAMES, [1, 2, 3], 4]])
  hub.wake()
  await settle()
  assert.equal(a.writes.length, 1)
})

test('a burst is handed out in turns; nothing is read while nobody follows', async () => {
  const { hub, publish, topics, told } = open()
  publish(5)
  hub.wake()
  assert.deepEqual([topics.reads(FRAMES), told.length], [0, 0])
  const reader = createPaper(hub)
  hub.add(reader, null)
  publish(7)
  hub.wake()
  assert.deepEqual(reader.counts, [3])
  await settle()
  assert.deepEqual(reader.counts, [3, 3, 1])
  assert.deepEqual(reader.seqs(), range(6, 12))
  hub.remove(reader)
  hub.remove(reader)
  publish(1)
  hub.wake()
  assert.equal(reader.seqs().length, 7)
})

test('the place of a topic nobody follows is where the store is', () => {
  const { hub, publish } = open()
  publish(4)
  assert.deepEqual(hub.position(FRAMES), { seq: 4, oldestSeq: 1 })
  const reader = createPaper(hub)
  hub.add(reader, null)
  publish(2)
  // what is committed and not handed out is yet to come for those who join now
  assert.deepEqual(hub.position(FRAMES), { seq: 4, oldestSeq: 1 })
  const second = createPaper(hub)
  hub.add(second, null)
  hub.wake()
  assert.deepEqual(
    [reader.seqs(), second.seqs()],
    [
      [5, 6],
      [5, 6],
    ],
  )
})

test('a resume is pushed to the reader alone, in pieces, and goes on live', async () => {
  const { hub, publish } = open({ replayUnreadBytes: 1e9 })
  publish(10)
  const reader = createPaper(hub)
  hub.position(FRAMES)
  hub.add(reader, 2)
  assert.deepEqual(hub.counts(FRAMES), { live: 0, replaying: 1 })
  assert.equal(reader.writes.length, 0)
  await settle()
  assert.deepEqual(hub.counts(FRAMES), { live: 1, replaying: 0 })
  publish(1)
  hub.wake()
  const texts = reader.writes.flatMap(readTexts)
  assert.deepEqual(
    texts.map((text) => text.slice(0, text.indexOf(',{'))),
    [...Array(8).fill('["7",null,"frames:live","frame"'), '[null,null,"frames:live","frame"'],
  )
  assert.deepEqual(reader.seqs(), range(3, 11))
})

test('a reader whose unread bytes pass the bound is told, the others are not held up', () => {
  const { hub, publish } = open({ liveUnreadBytes: 100 })
  const [slow, fast] = [createPaper(hub), createPaper(hub)]
  for (const reader of [slow, fast]) hub.add(reader, null)
  slow.unreadBytes = 100
  publish(1)
  hub.wake()
  assert.deepEqual([slow.slow, slow.seqs()], [0, [1]], 'the bound itself is allowed')
  publish(1)
  fast.unreadBytes = 0
  hub.wake()
  publish(1)
  fast.unreadBytes = 0
  hub.wake()
  assert.deepEqual([slow.slow, slow.seqs()], [1, [1]])
  assert.deepEqual([fast.slow, fast.seqs()], [0, [1, 2, 3]])
})

test('a resume waits for its reader, and goes on when there is room', async () => {
  const { hub, publish } = open()
  publish(20)
  const [slow, fast] = [createPaper(hub), createPaper(hub)]
  hub.position(FRAMES)
  hub.add(slow, 0)
  hub.add(fast, 0)
  for (let i = 0; i < 50; i++) {
    await turn()
    fast.unreadBytes = 0
  }
  assert.deepEqual(fast.seqs(), range(1, 20))
  assert.deepEqual(slow.seqs(), range(1, 4), 'one piece is more than the bound')
  await settle()
  assert.equal(slow.writes.length, 1)
  slow.unreadBytes = BOUNDS.replayUnreadBytes
  hub.wake()
  await settle()
  assert.deepEqual(slow.seqs(), range(1, 8), 'at the bound there is room')
  assert.deepEqual(hub.counts(FRAMES), { live: 1, replaying: 1 })
})

test('a place that falls out of reach ends that channel, once, and no other', async () => {
  const topics = fakeStreams(10)
  const { hub, publish } = open({}, topics)
  publish(10)
  const [slow, edge] = [createPaper(hub), createPaper(hub)]
  hub.position(FRAMES)
  hub.add(slow, 0)
  await settle()
  assert.deepEqual(slow.seqs(), range(1, 4))
  publish(5)
  hub.add(edge, 5)
  slow.unreadBytes = 0
  hub.wake()
  for (let i = 0; i < 50; i++) {
    await turn()
    edge.unreadBytes = 0
    hub.wake()
  }
  assert.deepEqual([slow.errors.length, edge.errors.length], [1, 0])
  assert.match(String(slow.errors[0]), /message 5 is out of reach/)
  assert.deepEqual(slow.seqs(), range(1, 4))
  assert.deepEqual(edge.seqs(), range(6, 15))
  assert.deepEqual(hub.counts(FRAMES), { live: 1, replaying: 0 })
})

test('a history that cannot be read ends the resumes that need it; those who follow stay', async () => {
  for (const broken of [
    () => [],
    () => {
      throw new Error('unreadable')
    },
  ]) {
    const topics = fakeStreams()
    const { read } = topics.streams[FRAMES]
    const stream = {
      ...topics.streams[FRAMES],
      read: (after: number, limit: number) => (after < 8 ? broken() : read(after, limit)),
    }
    const { hub, publish } = open({}, { ...topics, streams: { ...topics.streams, [FRAMES]: stream } })
    publish(10)
    const [lost, live] = [createPaper(hub), createPaper(hub)]
    hub.position(FRAMES)
    hub.add(live, null)
    hub.add(lost, 3)
    await settle()
    publish(1)
    hub.wake()
    assert.deepEqual([lost.errors.length, lost.seqs(), live.seqs()], [1, [], [11]])
    assert.deepEqual(hub.counts(FRAMES), { live: 1, replaying: 0 })
  }
})

test('what many resume from is read once', async () => {
  const { hub, publish, topics } = open({ replayUnreadBytes: 1e9, replayChunks: 25 })
  publish(103)
  hub.position(FRAMES)
  const readers = Array.from({ length: 40 }, () => createPaper(hub))
  for (const [i, reader] of readers.entries()) hub.add(reader, i)
  await settle(1_000)
  for (const [i, reader] of readers.entries()) assert.deepEqual(reader.seqs(), range(i + 1, 103))
  // 25 whole pieces; the last three messages are no whole piece and are read for each
  assert.equal(topics.reads(FRAMES), 25 + 40)
})

test('pieces in memory are bounded: the ones least recently used go', async () => {
  const { hub, publish, topics } = open({ replayUnreadBytes: 1e9, replayChunks: 2 })
  publish(16)
  const resume = async (after: number) => {
    hub.position(FRAMES)
    const reader = createPaper(hub)
    hub.add(reader, after)
    await settle()
    assert.deepEqual(reader.seqs(), range(after + 1, 16))
    hub.remove(reader)
    return topics.reads(FRAMES)
  }
  assert.equal(await resume(8), 2)
  assert.equal(await resume(8), 2)
  assert.equal(await resume(0), 6, 'four pieces through two places')
  assert.equal(await resume(8), 6, 'the last two stayed')
})

test('work of a turn is bounded and dealt out in turn', async () => {
  const { hub, publish } = open({ replayUnreadBytes: 1e9 })
  publish(100)
  hub.position(FRAMES)
  const readers = Array.from({ length: 4 }, () => createPaper(hub))
  for (const reader of readers) hub.add(reader, 0)
  let before = 0
  while (hub.counts(FRAMES).replaying > 0) {
    await turn()
    const sent = readers.map((reader) => reader.seqs().length)
    const all = sent.reduce((sum, count) => sum + count)
    assert.ok(all - before <= BOUNDS.replayMessagesPerTurn + BOUNDS.replayChunk - 1, `${all - before} in a turn`)
    assert.ok(Math.max(...sent) - Math.min(...sent) <= 2 * BOUNDS.replayChunk, `dealt out ${sent}`)
    before = all
  }
  assert.equal(before, 400)
})

type Move =
  | { readonly kind: 'publish'; readonly count: number; readonly wake: boolean }
  | { readonly kind: 'join'; readonly version: Version; readonly after: number | null }
  | { readonly kind: 'take'; readonly reader: number; readonly share: number }
  | { readonly kind: 'remove'; readonly reader: number }
  | { readonly kind: 'wake' | 'turn' }

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('publish' as const), count: fc.nat(9), wake: fc.boolean() }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('join' as const),
        version: fc.constantFrom(1 as const, 2 as const),
        after: fc.option(fc.nat(60)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('take' as const),
        reader: fc.nat(9),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), reader: fc.nat(9) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('wake' as const, 'turn' as const) }) },
  ),
  { maxLength: 80 },
)

test('whatever is published, joined, read slowly and left when: each reader gets all after its start, in order, once', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const { hub, topics, publish } = open({ liveUnreadBytes: Number.POSITIVE_INFINITY })
      const readers: { readonly paper: Paper; readonly start: number; left: number | null }[] = []
      for (const move of all) {
        switch (move.kind) {
          case 'publish':
            publish(move.count)
            if (move.wake) hub.wake()
            break
          case 'join': {
            // as the channels do: a place is asked for and taken in the same breath
            const { seq } = hub.position(FRAMES)
            const after = move.after !== null && move.after <= seq ? move.after : null
            const paper = createPaper(hub, move.version)
            hub.add(paper, after)
            readers.push({ paper, start: after ?? seq, left: null })
            break
          }
          case 'take': {
            const reader = readers[move.reader % Math.max(1, readers.length)]
            if (reader === undefined) break
            reader.paper.unreadBytes = Math.floor(reader.paper.unreadBytes * move.share)
            if (reader.paper.unreadBytes === 0) hub.wake()
            break
          }
          case 'remove': {
            const reader = readers[move.reader % Math.max(1, readers.length)]
            if (reader === undefined) break
            hub.remove(reader.paper)
            reader.left ??= reader.paper.writes.length
            break
          }
          case 'wake':
            hub.wake()
            break
          case 'turn':
            await turn()
        }
        for (const { paper, start } of readers) {
          const seqs = paper.seqs()
          assert.deepEqual(seqs, range(start + 1, start + seqs.length))
        }
      }
      const newest = () => topics.streams[FRAMES].newest()
      const isDone = () =>
        readers.every(({ paper, start, left }) => left !== null || paper.seqs().length === newest() - start)
      // what they still have to read, then something that all of them follow live
      for (const more of [0, 2]) {
        publish(more)
        for (let i = 0; i < 500 && !isDone(); i++) {
          for (const { paper } of readers) paper.unreadBytes = 0
          hub.wake()
          await turn()
        }
        await turn()
        hub.wake()
      }
      assert.equal(hub.counts(FRAMES).replaying, 0)
      for (const { paper, start, left } of readers) {
        if (left === null) assert.deepEqual(paper.seqs(), range(start + 1, newest()))
        else assert.equal(paper.writes.length, left, 'written to after it had left')
        assert.deepEqual([paper.slow, paper.errors], [0, []])
      }
    }),
    { numRuns: 300 },
  )
})
