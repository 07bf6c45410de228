import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUERY_BOUNDS } from './bounds.ts'
import { createSpacing } from './spacing.ts'

const BLOCK_MS = 400

/** Event loop milliseconds of readings within `forMs`, with each token requested at every block. */
function held(costs: readonly number[], forMs: number): { readonly share: number; readonly oldestMs: number } {
  let now = 0
  let spentMs = 0
  let oldestMs = 0
  const spacing = createSpacing<{ madeMs: number }>(QUERY_BOUNDS, () => now)
  for (const end = forMs; now < end; now += BLOCK_MS) {
    costs.forEach((ms, id) => {
      const standing = spacing.kept(id, now)
      if (standing !== undefined) oldestMs = Math.max(oldestMs, now - standing.value.madeMs)
      if (standing?.isDue === false) return
      now += ms
      spentMs += ms
      spacing.made(id, { madeMs: now }, ms)
    })
  }
  return { share: spentMs / now, oldestMs }
}

test('readings of 60 ms and of 377 ms, asked for at every block, take little of the loop', (t) => {
  const before = (ms: number): number => ms / (ms + BLOCK_MS)
  for (const ms of [60, 377]) {
    const { share, oldestMs } = held([ms], 600_000)
    t.diagnostic(`${ms} ms: ${(100 * before(ms)).toFixed(1)} % of the loop before, ${(100 * share).toFixed(1)} % now`)
    // their share, or what renewing them in time takes
    assert.ok(share <= 1.05 * Math.max(QUERY_BOUNDS.readingShare, ms / QUERY_BOUNDS.readingRenewMs), `${ms}: ${share}`)
    assert.ok(oldestMs <= Math.min(ms / QUERY_BOUNDS.readingShare, QUERY_BOUNDS.readingRenewMs) + BLOCK_MS + ms)
  }
  // several together wait for each other
  assert.ok(held([60, 60, 60, 60, 60], 600_000).share <= QUERY_BOUNDS.readingShare * 1.05)
})

test('what is given is never older than its bound, however much is asked', () => {
  const many = Array.from({ length: 40 }, () => 100)
  assert.ok(held(many, 600_000).oldestMs <= QUERY_BOUNDS.readingOldMs + 40 * 100 + BLOCK_MS)
})

test('what is too old is not given, unless it was made since it is asked for', () => {
  let now = 1_000
  const spacing = createSpacing<string>(QUERY_BOUNDS, () => now)
  spacing.made(7, 'read', 1)
  now += QUERY_BOUNDS.readingOldMs
  assert.equal(spacing.kept(7, now), undefined)
  assert.deepEqual(spacing.kept(7, now - 1), { value: 'read', isDue: true })
  assert.equal(spacing.kept(8, now), undefined)
})

test('what is kept is bounded in number', () => {
  const spacing = createSpacing<number>({ ...QUERY_BOUNDS, renderedAnswers: 3 }, () => 0)
  for (let id = 0; id < 10; id++) spacing.made(id, id, 10)
  spacing.made(7, 70, 10)
  spacing.made(10, 10, 10)
  const left = Array.from({ length: 11 }, (_, id) => spacing.kept(id, 0)?.value).filter((value) => value !== undefined)
  assert.deepEqual(left, [70, 9, 10])
})
