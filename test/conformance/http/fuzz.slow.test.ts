import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { runs } from '../../support/chance.ts'
import { startFake } from '../../support/fake-service.ts'
import { fuzzHttp } from './fuzz.ts'

test('every operation answers hostile input as documented', async (t) => {
  const { baseUrl, key, logged, close } = await startFake({ unlimited: true })
  t.after(close)
  const { mint, trader, deployer } = EXAMPLE_ADDRESSES
  const known = { mints: [mint], wallets: [trader], deployers: [deployer] }
  const seen = await fuzzHttp({ baseUrl, keys: [key], known, runs: Math.max(100, runs(300)) })
  for (const id of ['snapshot', 'trades', 'trader', 'deployer', 'trade_history', 'trader_windows', 'batch']) {
    for (const status of [200, 400, 402, 404])
      assert.ok((seen.get(`${id} ${status}`) ?? 0) > 0, `${id} never ${status}`)
  }
  for (const id of ['new_tokens', 'pumps', 'graduated', 'agents', 'survivors']) {
    for (const status of [200, 402]) assert.ok((seen.get(`${id} ${status}`) ?? 0) > 0, `${id} never ${status}`)
  }
  assert.deepEqual(logged, [], 'nothing failed inside')
})
