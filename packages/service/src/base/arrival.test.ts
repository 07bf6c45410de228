import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { arrivesWithin, isAtHand } from './arrival.ts'

const never = new Promise(() => {})

test('what has settled is at hand, a failure too', async () => {
  const failed = Promise.reject(new Error('on purpose'))
  failed.catch(() => {})
  assert.deepEqual(await Promise.all([Promise.resolve(1), failed, never].map(isAtHand)), [true, true, false])
})

test('what settles in time arrives, and an abort ends the wait', async () => {
  const stop = new AbortController()
  const late = arrivesWithin(never, 60_000, stop.signal)
  assert.equal(await arrivesWithin(nextTurn().then(nextTurn), 60_000), true)
  assert.equal(await arrivesWithin(never, 1), false)
  stop.abort()
  assert.equal(await late, false)
  assert.equal(await arrivesWithin(never, 60_000, stop.signal), false)
})
