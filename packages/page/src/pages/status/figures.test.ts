import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perSecond, summaryOf, timesOf, unknownWords, wordOf } from './figures.ts'

test('spans become seconds', () => {
  assert.deepEqual(perSecond([4, 0, 5], 2), [2, 0, 2.5])
  assert.deepEqual(timesOf(3, 2), [-4, -2, 0])
  assert.deepEqual(timesOf(0, 2), [])
})

test('a line in words, also where nothing is known', () => {
  assert.deepEqual(summaryOf([3, null, 1, 2]), { now: 2, lowest: 1, highest: 3 })
  assert.deepEqual(summaryOf([3, null]), { now: null, lowest: 3, highest: 3 })
  assert.deepEqual(summaryOf([null]), { now: null, lowest: null, highest: null })
})

test('names of counters are words', () => {
  assert.equal(wordOf('reconnects_total'), 'Reconnects total')
})

test('what cannot be read is named by the program and its own word for it, else by its first bytes', () => {
  const kind = { program: 'pump', what: 'event', why: 'unknown', name: '', count: 3, last_slot: 9 } as const
  const of = (rest: object) => unknownWords({ ...kind, discriminator: '6fb06d8b316cd5fb', length: 232, ...rest })
  assert.equal(of({}), 'pump event 6fb06d8b316cd5fb, 232 bytes: not known')
  assert.equal(
    of({ name: 'TradeEvent', why: 'length', length: 406 }),
    'pump TradeEvent, 406 bytes: length differs from every known layout',
  )
  assert.equal(of({ length: -1 }), 'pump event 6fb06d8b316cd5fb, several lengths: not known')
  assert.equal(of({ discriminator: '', length: -1 }), 'pump: other events')
})
