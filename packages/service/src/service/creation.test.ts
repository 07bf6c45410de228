import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFromBase58, keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { goldenTransactions } from '../../../../test/golden/scene.ts'
import { keyOf } from '../../../../test/support/encode.ts'
import { readCreation } from './creation.ts'

const FILE = '08_435946190_CreateV2_2RoRJxatbF9Q.json'

test('the creation of a real mint is read from a node’s answer, and of no other mint', () => {
  const answer = goldenTransactions.get(FILE)!
  const { message, signatures } = answer.transaction as {
    message: { accountKeys: { pubkey: string }[] }
    signatures: string[]
  }
  // the payer signs first, the mint second
  const [payer, mint] = message.accountKeys.map(({ pubkey }) => pubkey) as [string, string]
  const fact = readCreation(answer, keyFromBase58(mint)!)
  assert.ok(fact !== null)
  assert.deepEqual([fact.slot, sigToBase58(fact.sig)], [answer.slot, signatures[0]])
  assert.deepEqual(
    [fact.launcher, fact.payer].map((key: Key | null) => key && keyToBase58(key)),
    [payer, payer],
  )
  assert.equal(readCreation(answer, keyOf(1)), null)
})

test('what is no transaction gives nothing', () => {
  for (const answer of [null, 'x', [], {}, { slot: 1, meta: null }, { ...goldenTransactions.get(FILE)!, meta: {} }])
    assert.equal(readCreation(answer, keyOf(1)), null)
})
