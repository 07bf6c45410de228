import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTroubles, SHOWN_MS } from './troubles.ts'

test('a trouble is shown for a while after it was noted last, and counted for ever', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const troubles = createTroubles()
  const heard: string[] = []
  troubles.onNote = ({ what }) => void heard.push(what)
  troubles.note('disk', new Error('ENOSPC'))
  t.mock.timers.tick(SHOWN_MS - 1)
  assert.equal(troubles.recent().length, 1)
  t.mock.timers.tick(1)
  assert.deepEqual(troubles.recent(), [])
  troubles.note('disk', 'again')
  assert.deepEqual([troubles.counts.get('disk'), troubles.recent()[0]?.message, heard], [2, 'again', ['disk', 'disk']])
})
