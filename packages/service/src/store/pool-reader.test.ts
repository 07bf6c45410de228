import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { commit, emptyDir, keyOf, token, wallet } from '../../../../test/support/store-scene.ts'
import { openStore, stateFile } from './open.ts'
import { openPoolReader } from './pool-reader.ts'

test('a pool is known once its commit is there, and not before', async (t) => {
  const dir = emptyDir(t)
  const store = openStore(dir)
  t.after(() => store.close())
  const reader = openPoolReader(dir)
  t.after(() => reader.close())
  assert.equal(reader.resolve(keyOf(900)), undefined)
  for (let id = 0; id < 120; id++) {
    const pool = keyOf(900 + id)
    assert.equal(reader.resolve(pool), undefined)
    const one = { ...token(id), decimals: id % 10 }
    commit(store, { tokens: [one], newTokens: [one], pools: new Map([[pool, id]]) })
    assert.deepEqual(reader.resolve(pool), { mint: one.mint, quote: one.quote, decimals: one.decimals })
  }
  assert.deepEqual(reader.resolve(keyOf(900))?.mint, keyOf(0))
})

test('between two questions it holds nothing that keeps the write-ahead log growing', async (t) => {
  const dir = emptyDir(t)
  const store = openStore(dir)
  t.after(() => store.close())
  const reader = openPoolReader(dir)
  t.after(() => reader.close())
  let largest = 0
  for (let round = 0; round < 24; round++) {
    // about a megabyte each: four of them trigger a checkpoint
    const wallets = Array.from({ length: 100 }, (_, i) => ({ ...wallet(round * 100 + i), name: 'n'.repeat(10_000) }))
    commit(store, { wallets, newWallets: wallets })
    assert.equal(reader.resolve(keyOf(1)), undefined)
    largest = Math.max(largest, statSync(`${stateFile(dir)}-wal`).size)
  }
  assert.ok(statSync(stateFile(dir)).size > 16 << 20)
  assert.ok(largest < 12 << 20, `${largest} bytes`)
})
