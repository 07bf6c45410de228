import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { rulesOf } from './rules.ts'
import { createSimulator } from './simulator.ts'

test('market 1 is what existing captures hold: the bytes of its first minute have not changed', async () => {
  const hash = createHash('sha256')
  const source = createSimulator({ seed: 1, tps: 60, speed: 0, slots: 150 })
  for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
    if (item.kind === 'raw') hash.update(writeBlock(item.block))
  assert.equal(hash.digest('hex'), 'e6e3ebb5727f3ce895867d2aa9670f88e193d14a95e02f42836c3756019d53e8')
  assert.equal(source.name, 'simulator:seed=1&tps=60')
})

test('rules: what is not said is as the market has it, and market 1 has no adversary', () => {
  const unsaid = { traced: null, adversary: null }
  assert.deepEqual(rulesOf({ market: 1, ...unsaid }), {
    harder: false,
    traced: 0.97,
    tracedDeployers: 0.97,
    adversary: 0,
  })
  assert.deepEqual(rulesOf({ market: 2, ...unsaid }), {
    harder: true,
    traced: 0.15,
    tracedDeployers: 0.6,
    adversary: 0.1,
  })
  assert.deepEqual(rulesOf({ market: 2, traced: 0.3, adversary: 0 }), {
    harder: true,
    traced: 0.3,
    tracedDeployers: 0.3,
    adversary: 0,
  })
  assert.equal(rulesOf({ market: 1, traced: null, adversary: 0.5 }).adversary, 0)
  const named = createSimulator({ market: 2, adversary: 0.2, traced: 0.3 })
  assert.equal(named.name, 'simulator:seed=1&tps=60&market=2&traced=0.3&adversary=0.2')
})
