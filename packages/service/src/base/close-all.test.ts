import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeAll } from './close-all.ts'

test('everything is closed in order whatever fails, and the first failure is told', async () => {
  const closed: number[] = []
  const closing = [
    () => void closed.push(1),
    () => {
      closed.push(2)
      throw new Error('the second')
    },
    async () => {
      await null
      closed.push(3)
      throw new Error('the third')
    },
    async () => void closed.push(4),
  ]
  await assert.rejects(closeAll(closing), /the second/)
  assert.deepEqual(closed, [1, 2, 3, 4])
  await closeAll([])
})
