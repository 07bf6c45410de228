import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '../base/errors.ts'
import { openSource } from './open.ts'

const refused = (spec: string, message: RegExp) =>
  assert.rejects(
    async () => openSource(spec),
    (error: unknown) => error instanceof OperatorError && message.test(error.message),
    spec,
  )

test('the simulator opens with and without options', async () => {
  assert.equal((await openSource('simulator:')).name, 'simulator:seed=1&tps=60')
  assert.equal((await openSource('simulator:seed=9&tps=2.5&speed=0')).name, 'simulator:seed=9&tps=2.5')
})

test('what is wrong is named, with what would be right', async () => {
  await refused('simulator:sed=1', /no option "sed".*seed, tps, warmup/)
  await refused('simulator:tps=0', /tps takes a number from 0.1 to 20000, not "0"/)
  await refused('simulator:seed=1.5', /seed takes a whole number/)
  await refused('simulator:speed=', /speed takes/)
  await refused('simulator:__proto__=1', /no option/)
  await refused('capture:', /names no file/)
  await refused('capture:x?pace=2', /no option "pace". It has speed/)
  await refused('capture:/nowhere/at-all.capture', /at-all.capture: cannot be opened/)
  await refused('yellowstone:https://example.org', /not built yet/)
  await refused('rpc:https://example.org', /not built yet/)
  await refused('kafka:x', /no known kind/)
})
