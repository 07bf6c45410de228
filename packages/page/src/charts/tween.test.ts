import assert from 'node:assert/strict'
import { test } from 'node:test'
import { between, eased } from './tween.ts'

test('what moves begins where it was and ends where it belongs, never beyond', () => {
  const from = new Map([['a', { x: 0, y: 0, r: 10, part: 1 }]])
  const to = new Map([
    ['a', { x: 100, y: 50, r: 10, part: 0 }],
    ['b', { x: 7, y: 8, r: 3, part: 0.5 }],
  ])
  assert.deepEqual(between(from, to, 0).get('a'), { x: 0, y: 0, r: 10, part: 1 })
  assert.deepEqual(between(from, to, 0).get('b'), { x: 7, y: 8, r: 3, part: 0 })
  assert.deepEqual(between(from, to, 1), to)
  assert.deepEqual(between(from, to, 5), to)
  const steps = [0, 0.1, 0.4, 0.8, 1].map(eased)
  assert.deepEqual([...steps].sort(), steps)
})
