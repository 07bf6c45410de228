import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { rulesOf } from './rules.ts'
import { createSimulator } from './simulator.ts'

test('market 2 is what existing captures hold: the bytes of its first minute have not changed', async () => {
  const hash = createHash('sha256')
  const source = createSimulator({ seed: 1, tps: 60, speed: 0, slots: 150, market: 2 })
  for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
    if (item.kind === 'raw') hash.update(writeBlock(item.block))
  assert.equal(hash.digest('hex'), 'c57d1924c2a9a093d7c3fd4250541c6159e4be261a3b0d2baf09df6e45ace272')
  assert.equal(source.name, 'simulator:seed=1&tps=60&market=2')
})

test('rules: what is not said is as the market has it', () => {
  const two = rulesOf({ market: 2, traced: null, adversary: null, kinds: null })
  const three = rulesOf({ market: 3, traced: null, adversary: null, kinds: null })
  assert.deepEqual([two.kinds, three.kinds], [0, 1])
  assert.deepEqual([two.adversary, three.adversary], [0.1, 0.02])
  const said = rulesOf({ market: 3, traced: 0.3, adversary: 0, kinds: 8 })
  assert.deepEqual(said, { ...three, traced: 0.3, tracedDeployers: 0.3, adversary: 0, kinds: 8 })
  const named = createSimulator({ market: 2, adversary: 0.2, traced: 0.3 })
  assert.equal(named.name, 'simulator:seed=1&tps=60&market=2&traced=0.3&adversary=0.2')
  assert.equal(createSimulator().name, 'simulator:seed=1&tps=60&market=3')
})
