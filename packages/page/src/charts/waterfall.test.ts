import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waterfall } from './waterfall.ts'

test('each bar begins where the one before ended', () => {
  const { bars, total, scale, end } = waterfall([{ value: 2 }, { value: 3 }, { value: -1 }])
  assert.equal(total, 4)
  assert.equal(scale, 5)
  assert.deepEqual(
    bars.map(({ left, width }) => [Math.round(left), Math.round(width)]),
    [
      [0, 40],
      [40, 60],
      [80, 20],
    ],
  )
  assert.equal(end, 80)
})

test('what a step could have added widens the scale and is drawn behind the value', () => {
  const { bars, scale } = waterfall([{ value: 1, most: 4 }])
  assert.equal(scale, 4)
  assert.deepEqual([bars[0]?.width, bars[0]?.lostLeft, bars[0]?.lostWidth], [25, 25, 75])
})

test('nothing leaves the scale below zero', () => {
  const { bars } = waterfall([{ value: 1 }, { value: -3 }, { value: 2 }])
  for (const bar of bars) {
    assert.equal(bar.left >= 0 && bar.left + bar.width <= 100, true, JSON.stringify(bar))
  }
})

test('no steps, a scale of one and two lines', () => {
  const { bars, ticks, total } = waterfall([])
  assert.deepEqual([bars.length, total, ticks.map(({ value }) => value)], [0, 0, [0, 1]])
})

test('a large scale has a bounded number of lines', () => {
  assert.equal(waterfall([{ value: 1000 }]).ticks.length <= 11, true)
})
