import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { every } from './every.ts'
import { createTroubles, SHOWN_MS } from './troubles.ts'

function clock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1_000_000 })
  return t.mock.timers
}

test('what throws or rejects is noted, and comes again', async (t) => {
  const timers = clock(t)
  const troubles = createTroubles()
  let runs = 0
  const run = (): unknown => {
    runs++
    if (runs === 1) throw new Error('EMFILE: too many open files')
    if (runs === 2) return Promise.reject(new Error('later'))
    return runs
  }
  const stop = every({ what: 'samples', ms: 100, run, troubles })
  timers.tick(300)
  await Promise.resolve()
  assert.equal(runs, 3)
  assert.deepEqual(
    troubles.recent().map(({ what, message, times }) => [what, message, times]),
    [['samples', 'later', 2]],
  )
  stop()
  timers.tick(1_000)
  assert.equal(runs, 3)
})

test('a trouble is shown for a while after it was noted last, and counted for ever', (t) => {
  const timers = clock(t)
  const troubles = createTroubles()
  const heard: string[] = []
  troubles.onNote = ({ what }) => void heard.push(what)
  troubles.note('disk', new Error('ENOSPC'))
  timers.tick(SHOWN_MS - 1)
  assert.equal(troubles.recent().length, 1)
  timers.tick(1)
  assert.deepEqual(troubles.recent(), [])
  troubles.note('disk', 'again')
  assert.deepEqual([troubles.counts.get('disk'), troubles.recent()[0]?.message, heard], [2, 'again', ['disk', 'disk']])
})
