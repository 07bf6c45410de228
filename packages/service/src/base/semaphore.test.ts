import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSemaphore } from './semaphore.ts'

test('a semaphore runs a few at once and lets a few wait, in their order', async () => {
  const places = createSemaphore({ atOnce: 2, waiting: 3 })
  const go: (() => void)[] = []
  const started: number[] = []
  const work = (i: number) => () =>
    new Promise<number>((resolve) => {
      started.push(i)
      go.push(() => resolve(i))
    })
  const all = Array.from({ length: 7 }, (_, i) => places.run(work(i)))
  await nextTurn()
  assert.deepEqual(started, [0, 1])
  for (let i = 0; i < 5; i++) {
    go[i]!()
    await nextTurn()
  }
  assert.deepEqual(started, [0, 1, 2, 3, 4])
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4, null, null])
  await assert.rejects(
    places.run(async () => assert.fail('on purpose')),
    /on purpose/,
  )
  assert.equal(await places.run(async () => 'free again'), 'free again')
})
