import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTexts } from '../../../../../test/support/live-frames.ts'
import { BOUNDS, createPaper, FRAMES, openHub, range, settle, turn } from '../../../../../test/support/live-paper.ts'
import { fakeStreams } from '../../../../../test/support/live-service.ts'

test('one wake is one write for each reader, the same bytes for all of a version', async () => {
  const { hub, publish, reported } = openHub()
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
  assert.deepEqual(reported, [[FRAMES, [1, 2, 3], 4]])
  hub.wake()
  await settle()
  assert.equal(a.writes.length, 1)
})

test('a burst is handed out in turns; nothing is read while nobody follows', async () => {
  const { hub, publish, topics, reported } = openHub()
  publish(5)
  hub.wake()
  assert.deepEqual([topics.reads(FRAMES), reported.length], [0, 0])
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

test('where rendering is slow a turn hands out less, and more again once it is fast, live and replayed', async () => {
  const topics = fakeStreams()
  const frames = topics.streams[FRAMES]
  const clock = { ms: 0, eachMs: 1 }
  const read: typeof frames.read = (after, limit) => {
    const messages = frames.read(after, limit)
    clock.ms += messages.length * clock.eachMs
    return messages
  }
  const streams = { ...topics.streams, [FRAMES]: { ...frames, read } }
  const bounds = {
    messagesPerTurn: 64,
    replayMessagesPerTurn: 64,
    replayUnreadBytes: 100_000,
    unreadBytes: 100_000,
  }
  const { hub, publish } = openHub(bounds, { ...topics, streams }, () => clock.ms)
  const reader = createPaper(hub)
  hub.add(reader, null)
  publish(40)
  hub.wake()
  await settle()
  assert.deepEqual(reader.counts, [16, 8, 5, 5, 5, 1], '5 ms at 1 ms each')
  const late = createPaper(hub)
  hub.add(late, 0)
  await settle()
  assert.deepEqual(late.seqs(), range(1, 40))
  clock.eachMs = 0.01
  publish(200)
  hub.wake()
  await settle()
  assert.deepEqual(reader.counts.slice(6, 10), [5, 10, 20, 40])
})

test('many readers are written to in turns; who leaves meanwhile gets nothing more, who comes only what is new', async () => {
  const clock = { ms: 0 }
  const { hub, publish } = openHub({ turnMs: 5 }, undefined, () => clock.ms)
  const slow = (): ReturnType<typeof createPaper> => {
    const paper = createPaper(hub)
    const { write } = paper
    return Object.assign(paper, {
      write(bytes: Buffer, messages: number) {
        clock.ms += 2
        write(bytes, messages)
      },
    })
  }
  const readers = Array.from({ length: 5 }, slow)
  for (const reader of readers) hub.add(reader, null)
  const had = () => readers.map(({ seqs }) => seqs())
  publish(1)
  hub.wake()
  assert.deepEqual(had(), [[1], [1], [1], [], []], 'three take longer than 5 ms')
  hub.remove(readers[3]!)
  const late = slow()
  hub.add(late, null)
  publish(1)
  await settle()
  assert.deepEqual(had(), [[1, 2], [1, 2], [1, 2], [], [1, 2]])
  assert.deepEqual(late.seqs(), [2])
})

test('the place of a topic nobody follows is where the store is', () => {
  const { hub, publish } = openHub()
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
  const { hub, publish } = openHub({ replayUnreadBytes: 1e9 })
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
  const { hub, publish } = openHub({ unreadBytes: 100 })
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
  const { hub, publish } = openHub()
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
  const { hub, publish, errors } = openHub({}, topics)
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
  assert.deepEqual([slow.losses, edge.losses, errors.length], [1, 0, 1])
  assert.match(String(errors[0]), /message 5 is out of reach/)
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
    const { hub, publish, errors } = openHub({}, { ...topics, streams: { ...topics.streams, [FRAMES]: stream } })
    publish(10)
    const [lost, live] = [createPaper(hub), createPaper(hub)]
    hub.position(FRAMES)
    hub.add(live, null)
    hub.add(lost, 3)
    await settle()
    publish(1)
    hub.wake()
    assert.deepEqual([lost.losses, errors.length, lost.seqs(), live.seqs()], [1, 1, [], [11]])
    assert.deepEqual(hub.counts(FRAMES), { live: 1, replaying: 0 })
  }
})

test('live messages that cannot be read end the channels of all who follow, once, and nothing else', async () => {
  const topics = fakeStreams()
  const stream = topics.streams[FRAMES]
  const read: typeof stream.read = (after, limit) => {
    if (after === 2) throw new Error('damaged')
    return stream.read(after, limit)
  }
  const { hub, publish, errors } = openHub(
    {},
    { ...topics, streams: { ...topics.streams, [FRAMES]: { ...stream, read } } },
  )
  publish(2)
  hub.position(FRAMES)
  const readers = [createPaper(hub), createPaper(hub, 1)]
  const other = createPaper(hub, 2, 'tokens:live')
  for (const reader of [...readers, other]) hub.add(reader, null)
  publish(2)
  publish(1, 'tokens:live')
  hub.wake()
  assert.deepEqual(
    readers.map(({ losses, writes }) => [losses, writes.length]),
    readers.map(() => [1, 0]),
  )
  assert.deepEqual([errors.length, other.losses, other.seqs()], [1, 0, [1]])
  const next = createPaper(hub)
  assert.equal(hub.position(FRAMES).seq, 4)
  hub.add(next, null)
  publish(1)
  hub.wake()
  assert.deepEqual(next.seqs(), [5])
})

test('what many resume from is read once', async () => {
  const { hub, publish, topics } = openHub({ replayUnreadBytes: 1e9, replayChunks: 25 })
  publish(103)
  hub.position(FRAMES)
  const readers = Array.from({ length: 40 }, () => createPaper(hub))
  for (const [i, reader] of readers.entries()) hub.add(reader, i)
  await settle(1_000)
  for (const [i, reader] of readers.entries()) assert.deepEqual(reader.seqs(), range(i + 1, 103))
  // 25 whole pieces, and the last three messages
  assert.equal(topics.reads(FRAMES), 25 + 1)
})

test('pieces in memory are bounded: the ones least recently used go', async () => {
  const { hub, publish, topics } = openHub({ replayUnreadBytes: 1e9, replayChunks: 2 })
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
  const { hub, publish } = openHub({ replayUnreadBytes: 1e9 })
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
