import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepLine } from './step-line.ts'

const BOX = { width: 110, height: 120, left: 10, right: 0, top: 10, bottom: 10 }

test('the value holds until the next point, and from the last one to the end', () => {
  const { line, zero, points, levels } = stepLine(
    [
      { at: 0, value: 2 },
      { at: 50, value: -2 },
    ],
    100,
    BOX,
  )
  assert.equal(zero, 60)
  assert.deepEqual(points, [
    { x: 10, y: 10 },
    { x: 60, y: 110 },
  ])
  assert.equal(line, 'M10,60H10V10H60V110H110')
  assert.deepEqual(
    levels.map(({ value }) => value),
    [2, 0, -2],
  )
})

test('a loss alone hangs from zero, labels do not touch, and nothing is no failure', () => {
  const { zero, levels } = stepLine([{ at: 5, value: -4 }], 5, BOX)
  assert.equal(zero, 10)
  assert.deepEqual(
    levels.map(({ value }) => value),
    [0, -4],
  )
  const near = stepLine(
    [
      { at: 0, value: 100 },
      { at: 1, value: -1 },
    ],
    2,
    BOX,
  )
  assert.deepEqual(
    near.levels.map(({ value }) => value),
    [100, 0],
  )
  assert.equal(stepLine([], 5, BOX).line, '')
})
