import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '@ti/core/contract/filter.ts'
import { readFilter } from '@ti/core/contract/streams.ts'
import { ANYBODY, createPaper, FRAMES, openHub, type Paper, settle } from '../../../../../test/support/live-paper.ts'
import { fakeStreams } from '../../../../../test/support/live-service.ts'
import type { Hub } from './hub.ts'

const filter = (text: string): Filter => {
  const read = readFilter(FRAMES, text)
  assert.ok(typeof read === 'object' && read !== null, `${read}`)
  return read
}
const frame = (mint: string, ...amounts: number[]) => ({
  ...{
    mint,
    trades: amounts.map((sol_amount, i) => ({ user_address: `w${i}`, sol_amount, mcap: 1, is_buy: i === 0 })),
  },
})
/** A paper whose reader wants what the filter says. */
const reader = (hub: Hub, text: string, version: 1 | 2 = 2): Paper =>
  Object.assign(createPaper(hub, version), { filter: filter(text) })

test('a filter leaves out messages, not seqs; without one the same bytes come as before', () => {
  const { hub, topics } = openHub({ messagesPerTurn: 100 })
  const [all, big, old] = [createPaper(hub), reader(hub, 'sol_amount > 5'), reader(hub, ' sol_amount>5 ', 1)]
  for (const one of [all, big, old]) hub.add(one, null)
  for (const amounts of [[1], [9], [2, 7], [3]]) topics.append(FRAMES, frame('m', ...amounts))
  hub.wake()
  assert.deepEqual(
    [all.seqs(), big.seqs(), old.seqs()],
    [
      [1, 2, 3, 4],
      [2, 3],
      [2, 3],
    ],
  )
  assert.deepEqual([all.counts, big.counts], [[4], [2]])
  topics.append(FRAMES, frame('m', 1))
  hub.wake()
  assert.equal(big.writes.length, 1, 'nothing is written where nothing is wanted')
  assert.equal(hub.counts(FRAMES).live, 3)
})

test('a frame is wanted for one of its trades, and that one has to meet it all', () => {
  const { hub, topics } = openHub()
  const one = reader(hub, 'wallet == "w0" and sol_amount > 5')
  hub.add(one, null)
  topics.append(FRAMES, frame('m', 1, 9))
  topics.append(FRAMES, frame('m', 9, 1))
  hub.wake()
  assert.deepEqual(one.seqs(), [2])
})

test('readers with equal filters get the same bytes', () => {
  const { hub, topics } = openHub()
  const [a, b] = [reader(hub, 'mint == "x"'), reader(hub, '  mint   == "x"')]
  for (const one of [a, b]) hub.add(one, null)
  topics.append(FRAMES, frame('x', 1))
  hub.wake()
  assert.equal(a.writes[0], b.writes[0])
})

test('a resume through a filter reaches the live messages', async () => {
  const { hub, topics } = openHub({ replayUnreadBytes: 1e9 })
  for (let n = 1; n <= 20; n++) topics.append(FRAMES, frame(n % 5 === 0 ? 'x' : 'y', 1))
  hub.position(FRAMES)
  const one = reader(hub, 'mint == "x"')
  hub.add(one, 3)
  await settle()
  assert.deepEqual(one.seqs(), [5, 10, 15, 20])
  assert.deepEqual(hub.counts(FRAMES), { live: 1, replaying: 0 })
  topics.append(FRAMES, frame('y', 1))
  topics.append(FRAMES, frame('x', 1))
  hub.wake()
  assert.deepEqual(one.seqs(), [5, 10, 15, 20, 22])
})

test('different filters are bounded; they go with their readers, however these end', async () => {
  const topics = fakeStreams(10)
  const { hub } = openHub({}, topics)
  const [a, b, again] = [reader(hub, 'mint == "a"'), reader(hub, 'mint == "b"'), reader(hub, 'mint == "a"')]
  for (const one of [a, b, again]) hub.add(one, null)
  assert.equal(hub.admits(FRAMES, filter('mint == "c"'), ANYBODY), false)
  assert.equal(hub.admits(FRAMES, filter('mint == "b"'), ANYBODY), true)
  hub.remove(a)
  hub.remove(a)
  assert.equal(hub.admits(FRAMES, filter('mint == "c"'), ANYBODY), false)
  hub.remove(again)
  assert.equal(hub.admits(FRAMES, filter('mint == "c"'), ANYBODY), true)
  // one that falls out of reach
  for (let n = 0; n < 30; n++) topics.append(FRAMES, frame('c', 1))
  const lost = reader(hub, 'mint == "c"')
  hub.add(lost, 1)
  await settle()
  assert.equal(lost.losses, 1)
  assert.equal(hub.admits(FRAMES, filter('mint == "d"'), ANYBODY), true)
})
