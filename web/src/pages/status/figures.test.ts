import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perSecond, summaryOf, timesOf, wordOf } from './figures.ts'

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
