import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeClock } from '../../../../test/support/observe-scene.ts'
import fc from '../../../../test/support/property.ts'
import { createBucket, perMinute } from './bucket.ts'

test('within any minute no more than the budget is taken, however it is asked for', async () => {
  const steps = fc.array(fc.record({ wait: fc.constantFrom(0, 1, 50, 900, 1_000, 7_000, 61_000), tries: fc.nat(80) }), {
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 2, 7, 60, 120), steps, async (budget, plan) => {
      const clock = createFakeClock()
      const bucket = createBucket(perMinute(budget), clock.ms)
      const taken: number[] = []
      for (const { wait, tries } of plan) {
        await clock.pass(wait)
        for (let i = 0; i < tries; i++) if (bucket.take()) taken.push(clock.ms())
      }
      for (const [i, at] of taken.entries()) {
        const within = taken.slice(i).filter((other) => other < at + 60_000).length
        assert.ok(within <= budget, `${within} of ${budget} from ${at} on`)
      }
    }),
    { numRuns: 150 },
  )
})

test('whoever waits as long as told gets one, and nearly all of the budget is used', async () => {
  const clock = createFakeClock()
  const bucket = createBucket(perMinute(60), clock.ms)
  let taken = 0
  while (clock.ms() < 600_000) {
    assert.equal(bucket.take(), true, `after ${clock.ms()} ms`)
    taken++
    await clock.pass(bucket.waitMs())
  }
  assert.ok(taken >= 540 && taken <= 600, `${taken} in ten minutes`)
})

test('a pause empties it', async () => {
  const clock = createFakeClock()
  const bucket = createBucket(perMinute(60), clock.ms)
  bucket.pause(30_000)
  assert.equal(bucket.take(), false)
  assert.equal(bucket.waitMs(), 30_000)
  await clock.pass(29_999)
  assert.equal(bucket.take(), false)
  await clock.pass(1)
  assert.equal(bucket.take(), true)
})
