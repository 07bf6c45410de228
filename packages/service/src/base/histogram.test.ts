import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHistogram } from './histogram.ts'

test('a value counts below the first bound it does not pass, and above the last in the sum alone', () => {
  const histogram = createHistogram([1, 10])
  for (const value of [0, 1, 1.5, 10, 11]) histogram.add(value)
  assert.deepEqual([...histogram.buckets], [2, 2])
  assert.deepEqual([histogram.count, histogram.sum], [5, 23.5])
})
