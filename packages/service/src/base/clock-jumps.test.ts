import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClockWatch } from './clock-jumps.ts'

test('a jump of the clock is seen once, in both directions, and shown for ten minutes; slewing is none', () => {
  let [wall, steady] = [Date.UTC(2026, 0, 1), 0]
  const pass = (wallMs: number, steadyMs = wallMs): void => {
    wall += wallMs
    steady += steadyMs
  }
  const clock = createClockWatch(
    () => wall,
    () => steady,
  )
  pass(1_500, 1_000)
  assert.equal(clock.look(), null)
  pass(3_601_000, 1_000)
  assert.deepEqual(clock.look(), { seconds: 3_600, at: '2026-01-01T01:00:02.500Z' })
  pass(1_000)
  assert.equal(clock.look(), null)
  assert.equal(clock.recent()?.seconds, 3_600)
  pass(-59_000, 1_000)
  assert.equal(clock.look()?.seconds, -60)
  assert.equal(clock.jumps, 2)
  pass(600_000)
  assert.equal(clock.recent(), null)
})
