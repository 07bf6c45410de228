import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '../../../../../test/support/chance.ts'
import fc from '../../../../../test/support/property.ts'
import { WINDOW_MS } from './deliveries.ts'
import { retryAfterMs } from './outcome.ts'
import { JITTER, nextAttempt, REST_MS_MAX, RETRY_MS, restMs } from './schedule.ts'

const failed = { kind: 'failed', status: 500, error: '' } as const

/** Times of all attempts of a delivery that fails each time, from its creation at 0. */
function attempts(random: () => number): number[] {
  const times = [0]
  for (let attempt = 0; ; attempt++) {
    const next = nextAttempt({ attempts: attempt, giveUpMs: WINDOW_MS }, failed, times.at(-1)!, random)
    if ('state' in next) return times
    times.push(next.due_at.getTime())
  }
}

test('attempts go on for exactly two days, each after its pause, shortened by a tenth at most', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }),
      (chances) => {
        let i = 0
        const times = attempts(() => chances[i++ % chances.length]!)
        assert.equal(times.at(-1), WINDOW_MS)
        times.slice(1, -1).forEach((time, n) => {
          const pause = RETRY_MS[Math.min(n, RETRY_MS.length - 1)]!
          const waited = time - times[n]!
          assert.ok(waited >= Math.floor(pause * (1 - JITTER)) && waited <= pause, `${waited} of ${pause}`)
        })
        assert.ok(times.length >= 15 && times.length <= 20, `${times.length} attempts`)
        assert.ok(times.filter((time) => time <= 3_600_000).length >= 6)
      },
    ),
    { numRuns: runs(200) },
  )
})

test('what a receiver asks for is waited for, what is over is over, and a rest doubles up to its bound', () => {
  const at = (outcome: Parameters<typeof nextAttempt>[1], nowMs = 0) =>
    nextAttempt({ attempts: 3, giveUpMs: WINDOW_MS }, outcome, nowMs, () => 0)
  assert.deepEqual(at({ ...failed, afterMs: 3_000_000 }), { due_at: new Date(3_000_000) })
  assert.deepEqual(at({ ...failed, afterMs: 1 }), { due_at: new Date(RETRY_MS[3]) })
  assert.deepEqual(at({ kind: 'later', status: 429, error: '', afterMs: 7 }), { due_at: new Date(7), attempts: 3 })
  assert.deepEqual(at({ ...failed, afterMs: 3_600_000 }, WINDOW_MS - 1), { due_at: new Date(WINDOW_MS) })
  assert.deepEqual(at(failed, WINDOW_MS), { state: 'failed' })
  assert.deepEqual(at({ kind: 'refused', status: 400, error: '' }), { state: 'failed' })
  assert.deepEqual(
    [1, 2, 3, 4, 5, 100].map((n) => restMs(n)),
    [5_000, 10_000, 20_000, 40_000, REST_MS_MAX, REST_MS_MAX],
  )
})

test('Retry-After is read as seconds or a date, and never beyond the bound', () => {
  const now = Date.UTC(2026, 0, 1)
  const read = (text: string | undefined) => retryAfterMs(text, now, 3_600_000)
  assert.deepEqual(['3', '0.25', ' 7 ', '99999'].map(read), [3_000, 250, 7_000, 3_600_000])
  assert.equal(read('Thu, 01 Jan 2026 00:00:30 GMT'), 30_000)
  assert.equal(read('Wed, 31 Dec 2025 00:00:00 GMT'), 0)
  for (const text of [undefined, '', 'soon', '-5', 'NaN', '1e9x']) assert.equal(read(text), null, text)
})
