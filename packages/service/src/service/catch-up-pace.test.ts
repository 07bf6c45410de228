import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatchUpPace } from './catch-up-pace.ts'

/** A clock that ticks each second, and blocks that pass `speed` times as quickly. */
function run(seconds: number, behindS: number, speedOf: (second: number) => number) {
  const pace = createCatchUpPace()
  let blockMs = 1_000_000 - behindS * 1_000
  for (let i = 0; i <= seconds; i++) {
    pace.see(1_000_000 + i * 1_000, blockMs)
    blockMs += speedOf(i) * 1_000
  }
  return pace
}

test('what is left is the distance over the pace of the last seconds', () => {
  // 1,000 s behind, nine gained each second: 910 left after ten, 102 more seconds
  assert.equal(run(10, 1_000, () => 10).leftS(), Math.ceil(910 / 9))
  // an earlier, quicker pace no longer counts
  assert.equal(run(30, 3_000, (second) => (second < 15 ? 50 : 10)).leftS(), Math.ceil((3_000 - 15 * 49 - 15 * 9) / 9))
})

test('nothing is promised before there is a pace, and where the distance does not shrink', () => {
  assert.equal(createCatchUpPace().leftS(), null)
  assert.equal(run(0, 1_000, () => 10).leftS(), null)
  assert.equal(run(20, 1_000, () => 1).leftS(), null)
  assert.equal(run(20, 1_000, () => 0.5).leftS(), null)
})
