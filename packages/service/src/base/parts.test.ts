import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeAll, openParts, type Parts } from './parts.ts'

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

const part = (closed: string[], name: string) => ({ name, close: async () => void closed.push(name) })

test('parts are closed in the reverse order, once', async () => {
  const closed: string[] = []
  const parts = await openParts((parts) => {
    assert.equal(parts.add(part(closed, 'first')).name, 'first')
    assert.equal(parts.add(null), null)
    parts.add(part(closed, 'second'))
    return parts
  })
  assert.deepEqual(closed, [])
  await parts.close()
  await parts.close()
  assert.deepEqual(closed, ['second', 'first'])
})

test('where opening fails, the parts that are open are closed, and the failure of the opening is thrown', async () => {
  const closed: string[] = []
  const open = async (parts: Parts): Promise<void> => {
    parts.add(part(closed, 'first'))
    parts.add({ close: () => Promise.reject(new Error('of closing')) })
    await null
    throw new Error('of opening')
  }
  await assert.rejects(openParts(open), /of opening/)
  assert.deepEqual(closed, ['first'])
})
