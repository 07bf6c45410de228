import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import type { Key } from '../base/ids.ts'
import { createWalletCache } from './wallet-cache.ts'

const keyOf = (n: number): Key => `${n}`.padEnd(32, '.') as Key

test('a wallet that nobody meets leaves when its generation is full or old enough', () => {
  for (const [bounds, turns] of [
    [{ max: 4 }, [1, 2]],
    [{ max: 1_000, quietSlots: 50 }, [50, 100]],
  ] as const) {
    let next = 0
    const cache = createWalletCache(createMemoryStore(), bounds, () => next++)
    cache.committed(0)
    const first = cache.findOrCreate(keyOf(0), 0)
    const kept = cache.findOrCreate(keyOf(1), 0)
    cache.committed(turns[0] - 1)
    for (const slot of turns) {
      cache.find(keyOf(1))
      if (bounds.max === 4) cache.findOrCreate(keyOf(10 + slot), slot)
      cache.committed(slot)
    }
    assert.equal(first.stale, true)
    assert.equal(kept.stale, false)
  }
})
