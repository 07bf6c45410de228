import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTexts } from '../../../../../test/support/live-frames.ts'
import { settle } from '../../../../../test/support/live-paper.ts'
import { memoryAlerts } from '../../../../../test/support/memory-alerts.ts'
import { createOwnTopic, type OwnReader } from './own-topic.ts'

const BOUNDS = { replayUnreadBytes: 2_000, ownLookMs: 60_000, replayChunk: 3 }

function paper() {
  const written: Buffer[] = []
  const state = { losses: 0, unreadBytes: 0 }
  return Object.assign(state, {
    ...{ wire: 2 as const, pushRef: '"7"' },
    unread: () => state.unreadBytes,
    write: (bytes: Buffer) => void written.push(bytes),
    tooSlow() {},
    lost: () => void state.losses++,
    seqs: () => written.flatMap(readTexts).map((text) => JSON.parse(text)[4].data.seq as number),
    texts: () => written.flatMap(readTexts),
  } satisfies OwnReader & Record<string, unknown>)
}

function open() {
  const alerts = memoryAlerts()
  const troubles: unknown[] = []
  const own = createOwnTopic({ alerts, bounds: BOUNDS, onTrouble: (error) => troubles.push(error) })
  return { alerts, own, troubles }
}

test('each account gets its own alerts, in order, from where it asked', async () => {
  const { alerts, own } = open()
  alerts.add('a', 5)
  alerts.add('b', 1)
  assert.deepEqual(await own.position('a'), { seq: 5, oldestSeq: 1 })
  assert.deepEqual(await own.position('nobody'), { seq: 0, oldestSeq: 1 })
  const [first, second, other] = [paper(), paper(), paper()]
  own.add('a', first, 0)
  own.add('a', second, 4)
  own.add('b', other, 1)
  await settle()
  assert.deepEqual([first.seqs(), second.seqs(), other.seqs()], [[1, 2, 3, 4, 5], [5], []])
  assert.match(first.texts()[0]!, /^\["7",null,"alerts:mine","alert",\{"data":\{"id":"alert_a_1",/)
  assert.ok(!first.texts().join('').includes('"account"'))
  alerts.add('a', 2)
  alerts.add('b', 1)
  await settle()
  assert.deepEqual([first.seqs(), second.seqs(), other.seqs()], [[1, 2, 3, 4, 5, 6, 7], [5, 6, 7], [2]])
  own.remove(first)
  own.remove(first)
  alerts.add('a', 1)
  await settle()
  assert.deepEqual([first.seqs().length, second.seqs().at(-1), own.readers], [7, 8, 2])
})

test('a gap in the numbers is no loss, and a number that was lost is resumed from', async () => {
  const { alerts, own } = open()
  alerts.add('a', 3)
  const [live, ahead, fresh] = [paper(), paper(), paper()]
  own.add('a', live, 3)
  // its database has lost the alerts 4 and 5
  own.add('a', ahead, 5)
  own.add('b', fresh, 0)
  await settle()
  alerts.add('a', 2, true, 1_000)
  alerts.add('b', 1, true, 1_000)
  await settle()
  assert.deepEqual([live.seqs(), ahead.seqs(), fresh.seqs()], [[1_004, 1_005], [1_004, 1_005], [1_001]])
  assert.deepEqual([live.losses, ahead.losses, fresh.losses], [0, 0, 0])
})

test('alerts of another node are found when it is looked for them; nobody asks while nobody follows', async () => {
  const { alerts, own } = open()
  own.wake()
  await settle()
  assert.equal(alerts.asked, 0)
  const one = paper()
  own.add('a', one, 0)
  await settle()
  alerts.add('a', 1, false)
  await settle()
  assert.deepEqual(one.seqs(), [])
  own.wake()
  await settle()
  assert.deepEqual(one.seqs(), [1])
})

test('a reader without room waits and holds nobody up', async () => {
  const { alerts, own } = open()
  const [slow, fast] = [paper(), paper()]
  slow.unreadBytes = BOUNDS.replayUnreadBytes + 1
  for (const one of [slow, fast]) own.add('a', one, 0)
  alerts.add('a', 4)
  await settle()
  assert.deepEqual([slow.seqs(), fast.seqs()], [[], [1, 2, 3, 4]])
  slow.unreadBytes = 0
  own.wake()
  await settle()
  assert.deepEqual(slow.seqs(), [1, 2, 3, 4])
})

test('a place that is no longer kept ends that reader only', async () => {
  const { alerts, own } = open()
  const [old, young] = [paper(), paper()]
  old.unreadBytes = BOUNDS.replayUnreadBytes + 1
  own.add('a', old, 0)
  own.add('a', young, 0)
  alerts.add('a', 6)
  await settle()
  alerts.forget('a', 4)
  old.unreadBytes = 0
  own.wake()
  await settle()
  assert.deepEqual([old.losses, old.seqs(), young.losses, young.seqs().length], [1, [], 0, 6])
  assert.equal(own.readers, 1)
})

test('a database that fails loses nothing', async () => {
  const { alerts, own, troubles } = open()
  const one = paper()
  own.add('a', one, 0)
  await settle()
  alerts.fail(true)
  alerts.add('a', 2)
  await settle()
  assert.deepEqual([troubles.length, one.seqs()], [1, []])
  await assert.rejects(own.position('a'))
  alerts.fail(false)
  own.wake()
  await settle()
  assert.deepEqual(one.seqs(), [1, 2])
})
