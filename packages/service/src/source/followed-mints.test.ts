import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { createFollowedMints } from './followed-mints.ts'

const mint = (n: number): Key => String(n).padStart(32, '.') as Key

test('the newest are kept, each once, and only a new one is news', () => {
  const mints = createFollowedMints(3)
  for (const n of [1, 2, 3, 2, 4]) mints.add(mint(n))
  assert.deepEqual(mints.newest(10), [mint(2), mint(3), mint(4)])
  assert.deepEqual(mints.newest(2), [mint(3), mint(4)])
  assert.deepEqual([mints.newest(0), mints.size, mints.version], [[], 3, 4])
  assert.deepEqual([mints.has(mint(1)), mints.has(mint(2))], [false, true])
})

test('where none are followed none are kept', () => {
  const mints = createFollowedMints(0)
  mints.add(mint(1))
  assert.deepEqual([mints.size, mints.version, mints.newest(5)], [0, 0, []])
})
