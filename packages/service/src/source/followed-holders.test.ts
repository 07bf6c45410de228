import assert from 'node:assert/strict'
import { test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { PUMP, TOKEN_2022_TEXT, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { rawTx } from '../../../../test/support/encode.ts'
import { associatedTokenKey } from '../base/token-account.ts'
import { createFollowed } from './followed.ts'
import { COMPARISONS, createFollowedHolders, DERIVATIONS } from './followed-holders.ts'
import { createFollowedMints } from './followed-mints.ts'

const TOKEN = key(TOKEN_TEXT)
const TOKEN_2022 = key(TOKEN_2022_TEXT)
const named = (name: string): Key => name.padEnd(32, '.') as Key
const [A, B, C, M, N] = ['a', 'b', 'c', 'mint m', 'mint n'].map(named) as [Key, Key, Key, Key, Key]

/** A transaction after which `owner` has tokens of `mint` in `account`. */
const having = (owner: Key, mint: Key, account: Key, ...more: Key[]): RawTransaction =>
  rawTx({ keys: [owner, account, ...more], postTokens: [{ account: 1, mint, owner, amount: 5, decimals: 6 }] })
const holdings = (...list: [Key, Key][]) => list.map(([owner, mint]) => ({ owner, mint }))

test('accounts are derived once a transaction has shown the token program of their mint', async () => {
  const holders = createFollowedHolders(10)
  const list = holdings([A, M], [B, N], [C, M])
  await holders.set(list)
  assert.deepEqual([holders.size, holders.version], [0, 0])
  holders.observe(having(B, M, associatedTokenKey(B, M, TOKEN_2022)))
  // an account that is none of the associated ones shows nothing
  holders.observe(having(B, N, named('elsewhere')))
  await holders.set(list)
  const ofM = [A, C].map((owner) => associatedTokenKey(owner, M, TOKEN_2022))
  assert.deepEqual([holders.first(10), holders.version], [ofM, 1])
  holders.observe(having(C, N, associatedTokenKey(C, N, TOKEN)))
  await holders.set(list)
  const ofN = associatedTokenKey(B, N, TOKEN)
  assert.deepEqual(
    [holders.first(10), holders.first(2)],
    [
      [ofM[0], ofN, ofM[1]],
      [ofM[0], ofN],
    ],
  )
  await holders.set(list)
  assert.equal(holders.version, 2, 'the same list is no news')
  await holders.set(holdings([C, M]))
  assert.deepEqual([holders.first(10), holders.has(ofN), holders.version], [[ofM[1]], false, 3])
})

test('a newer list takes the place of one that is being derived', async () => {
  const holders = createFollowedHolders(100)
  const many = Array.from({ length: DERIVATIONS * 3 }, (_, i) => ({
    mint: M,
    owner: named(`many ${i}`),
  }))
  await holders.set(many)
  holders.observe(having(B, M, associatedTokenKey(B, M, TOKEN)))
  const long = holders.set(many)
  await holders.set(holdings([A, M]))
  await long
  assert.deepEqual(holders.first(100), [associatedTokenKey(A, M, TOKEN)])
})

test('at most so many are followed, and only so many rows are compared for one list', async () => {
  const holders = createFollowedHolders(1)
  const list = holdings([A, M], [B, M])
  await holders.set(list)
  for (let i = 0; i < COMPARISONS; i++) holders.observe(having(C, M, named(`elsewhere ${i}`)))
  const shows = having(C, M, associatedTokenKey(C, M, TOKEN))
  holders.observe(shows)
  await holders.set(list)
  assert.equal(holders.size, 0)
  holders.observe(shows)
  await holders.set(list)
  assert.deepEqual(holders.first(9), [associatedTokenKey(A, M, TOKEN)])
})

test('counted is what nothing else would have brought, also where the account is closed afterwards', async () => {
  const [mints, holders] = [createFollowedMints(5), createFollowedHolders(5)]
  const followed = createFollowed([PUMP], mints, holders)
  const account = associatedTokenKey(A, M, TOKEN)
  await holders.set(holdings([A, M]))
  holders.observe(having(A, M, account))
  await holders.set(holdings([A, M]))
  mints.add(N)
  const { postTokens, ...sent } = having(A, M, account)
  const emptied = { ...sent, preTokens: postTokens, postTokens: [] }
  const seen = (tx: RawTransaction) => {
    const counts = createCounts()
    followed.observe({ slot: 1, parent: 0, time: 0, transactions: [tx] }, counts)
    return counts.get('of_holders_only') ?? 0
  }
  assert.deepEqual([seen(having(A, M, account)), seen(emptied)], [1, 1])
  assert.deepEqual([seen(having(A, M, account, PUMP)), seen(having(A, M, account, N))], [0, 0])
  assert.equal(seen(having(B, M, associatedTokenKey(B, M, TOKEN))), 0)
  assert.deepEqual([followed.has(account), followed.has(N), followed.has(PUMP)], [true, true, false])
})
