import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInFlight } from './in-flight.ts'

test('what enters counts for each of its subjects, once, until it leaves', () => {
  const inFlight = createInFlight()
  const all = { subject: 'all', most: 3 }
  const enter = (host: string) => inFlight.enter([all, { subject: host, most: 2 }])
  const [first, second] = [enter('a'), enter('a')]
  assert.deepEqual(enter('a'), { ok: false, full: 'a' })
  assert.equal(inFlight.of('all'), 2, 'what was refused counts for nothing')
  assert.ok(enter('b').ok)
  assert.deepEqual(enter('c'), { ok: false, full: 'all' })
  assert.ok(first.ok && second.ok)
  first.leave()
  first.leave()
  assert.deepEqual([inFlight.of('all'), inFlight.of('a')], [2, 1])
  assert.ok(enter('a').ok)
})
