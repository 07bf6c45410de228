import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Streams } from '@ti/core/query/streams.ts'
import type { Version } from '@ti/service/faces/live/codec.ts'
import { runs } from '../../support/chance.ts'
import { createPaper, FRAMES, openHub, type Paper, range, turn } from '../../support/live-paper.ts'
import { type FakeStreams, fakeStreams } from '../../support/live-service.ts'
import fc from '../../support/property.ts'
import { remoteStreams } from '../../support/remote-streams.ts'

/** The change from what is replayed to what is live, in every order of publishing, waking, reading and leaving. */
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

const WHATEVER =
  'whatever is published, joined, read slowly and left when: each reader gets all after its start, in order, once'

interface Place {
  readonly topics: FakeStreams
  readonly streams: Streams
  /** What was published is there for the hub. */
  commit(): void
  onCommit(call: () => void): void
  close(): void
}

async function inThisThread(): Promise<Place> {
  const topics = fakeStreams()
  let then = (): void => {}
  const onCommit = (call: () => void): void => {
    then = call
  }
  return { topics, streams: topics.streams, commit: () => then(), onCommit, close() {} }
}

async function inAnother(): Promise<Place> {
  const topics = fakeStreams()
  return { topics, ...(await remoteStreams(topics, 12)) }
}

for (const [where, open, most] of [
  ['in this thread', inThisThread, 300],
  ['in another', inAnother, 150],
] as const) {
  test(`${WHATEVER}; the state is ${where}`, async () => {
    await fc.assert(
      fc.asyncProperty(moves, (all) => readersGetAll(all, open)),
      { numRuns: runs(most) },
    )
  })
}

async function readersGetAll(all: readonly Move[], open: () => Promise<Place>): Promise<void> {
  const { topics, streams, commit, onCommit, close } = await open()
  const { hub, publish, errors } = openHub({ unreadBytes: Number.POSITIVE_INFINITY }, topics, () => 0, streams)
  onCommit(hub.wake)
  const readers: { readonly paper: Paper; readonly start: number; left: number | null }[] = []
  for (const move of all) {
    switch (move.kind) {
      case 'publish':
        publish(move.count)
        if (move.wake) commit()
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
      commit()
      await turn()
    }
    await turn()
    commit()
    await turn()
  }
  assert.equal(hub.counts(FRAMES).replaying, 0)
  for (const { paper, start, left } of readers) {
    if (left === null) assert.deepEqual(paper.seqs(), range(start + 1, newest()))
    else assert.equal(paper.writes.length, left, 'written to after it had left')
    assert.deepEqual([paper.slow, paper.losses], [0, 0])
  }
  assert.deepEqual(errors, [])
  close()
}
