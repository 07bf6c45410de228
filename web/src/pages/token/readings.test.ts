import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPercent, inTime, written } from './readings.ts'

test('a share that is there is not written as nothing', () => {
  assert.deepEqual(
    [0, 0.004, 0.05, 12.345, 100].map((value) => inPercent(value)),
    ['0%', '<0.1%', '0.1%', '12.3%', '100%'],
  )
  assert.equal(inPercent(0.004, 2), '<0.01%')
})

test('readings carry their units', () => {
  assert.deepEqual(
    [
      written('score', 6),
      written('percent', 50),
      written('slots', -1171),
      written('count', 1200),
      written('points', 55.08),
    ],
    ['6.0', '50%', '−1,171 slots', '1,200', '55.1'],
  )
})

test('slots are a time too', () => {
  assert.equal(inTime('slots', 2500), 'about 16 min')
  assert.equal(inTime('slots', -150), 'overdue by 1 min')
  assert.equal(inTime('percent', 5), null)
})
