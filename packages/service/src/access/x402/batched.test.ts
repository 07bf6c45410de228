import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatched } from './batched.ts'

test('what comes together is asked once, and each gets its own answer', async () => {
  const asked: (readonly number[])[] = []
  const half = createBatched<number, number>({
    ms: 1,
    async ask(numbers) {
      asked.push(numbers)
      return numbers.map((one) => one / 2)
    },
  })
  assert.deepEqual(await Promise.all([half(2), half(4)]), [1, 2])
  assert.equal(await half(6), 3)
  assert.deepEqual(asked, [[2, 4], [6]])
})

test('a question that fails fails for all who asked it, and for nobody after them', async () => {
  let fails = true
  const same = createBatched<number, number>({
    ms: 1,
    async ask(numbers) {
      if (fails) throw new Error('no answer')
      return numbers
    },
  })
  const ends = await Promise.allSettled([same(1), same(2)])
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  fails = false
  assert.equal(await same(3), 3)
})
