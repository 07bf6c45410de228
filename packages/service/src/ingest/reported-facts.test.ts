import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Facts } from '@ti/core/model/entries.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { decodeEntry } from '../log/codec.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'
import { createReportedFacts, REPORTED_FACTS_MAX } from './reported-facts.ts'

const price = (usd: number): Fact => ({ kind: 'sol_price', usd })
const CURSOR = { slot: -1, time: 0, facts: 0 }

/** A source with batches supplied by the test. */
function byHand() {
  const given: ((result: IteratorResult<EncodedBatch>) => void)[] = []
  const state = { asked: 0, returned: 0 }
  const iterator: AsyncIterator<EncodedBatch> = {
    next: () => {
      state.asked++
      return new Promise((resolve) => void given.push(resolve))
    },
    return: async () => {
      state.returned++
      return { done: true, value: undefined }
    },
  }
  const entries: EntryStream = { counts: createCounts(), batches: () => ({ [Symbol.asyncIterator]: () => iterator }) }
  return {
    entries,
    state,
    give: (batch: EncodedBatch) => given.shift()!({ done: false, value: batch }),
    end: () => given.shift()!({ done: true, value: undefined }),
  }
}

test('what is told stands between the batches of the source, in order, outside its cursor', async () => {
  const { entries, state, give, end } = byHand()
  const reported = createReportedFacts()
  const all = reported.among(entries).batches(CURSOR, new AbortController().signal)[Symbol.asyncIterator]()
  const first = all.next()
  give([Buffer.from('block 1')])
  assert.deepEqual((await first).value, [Buffer.from('block 1')])
  reported.report([price(1), price(2)], 10)
  reported.report([], 11)
  reported.report([price(3)], 12)
  assert.equal(reported.waiting, 3)
  const { value: batch } = await all.next()
  const decoded = (batch as EncodedBatch).map((bytes, i) => decodeEntry(i, bytes) as Facts)
  assert.deepEqual(
    decoded.map(({ time, byOperator, facts }) => [time, byOperator, facts.length]),
    [
      [10, true, 2],
      [12, true, 1],
    ],
  )
  assert.equal(reported.waiting, 0)
  const waiting = all.next()
  reported.report([price(4)], 13)
  assert.equal(((await waiting).value as EncodedBatch).length, 1, 'a fact does not wait for the source')
  const last = all.next()
  give([Buffer.from('block 2')])
  assert.deepEqual((await last).value, [Buffer.from('block 2')])
  const over = all.next()
  end()
  assert.equal((await over).done, true)
  assert.deepEqual([state.asked, state.returned], [3, 1])
})

test('a log without a name gets the first batch of the source first, which names it', async () => {
  const { entries, give } = byHand()
  const reported = createReportedFacts()
  reported.report([price(1)], 10)
  const all = reported.among(entries).batches(CURSOR, new AbortController().signal)[Symbol.asyncIterator]()
  const first = all.next()
  give([Buffer.from('name')])
  assert.deepEqual((await first).value, [Buffer.from('name')])
  assert.equal(((await all.next()).value as EncodedBatch).length, 1)
  assert.equal(reported.waiting, 0)
})

test('facts that find no room are counted, and a failing source fails the stream', async () => {
  const reported = createReportedFacts()
  const many = Array.from({ length: REPORTED_FACTS_MAX }, (_, i) => price(i))
  reported.report(many, 1)
  reported.report([price(1)], 1)
  assert.deepEqual(
    [reported.waiting, reported.counts.get('reported'), reported.counts.get('no room')],
    [REPORTED_FACTS_MAX, REPORTED_FACTS_MAX, 1],
  )
  const failing: EntryStream = {
    counts: createCounts(),
    batches: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }) }),
  }
  const all = reported
    .among(failing)
    .batches({ ...CURSOR, chain: 'named' }, new AbortController().signal)
    [Symbol.asyncIterator]()
  assert.equal((await all.next()).done, false, 'what was told comes first')
  await assert.rejects(all.next(), /broken/)
})
