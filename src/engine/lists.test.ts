import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import { LISTS } from './constants.ts'
import { newWallet } from './history.ts'
import { graduatedTokens, type Market, newTokens, passesRugFilter, pumpingTokens, survivingTokens } from './lists.ts'
import { openPosition } from './positions.ts'
import type { Token, Wallet } from './state.ts'
import type { LiveToken } from './token-book.ts'
import { newToken } from './tokens.ts'
import { bucketFor } from './windows.ts'

const NOW = 1_000_000
const SUPPLY = 1e15

/** A healthy token of 30 holders, launched `age` slots ago. */
function healthy(id: number, age: number, changes: Partial<Token> = {}, holders = 30): LiveToken {
  const token: Token = {
    ...newToken(id, `mint ${id}`.padEnd(32, '.') as Key, NOW - age, 1),
    createdKnown: true,
    supply: SUPPLY,
    startQuote: 30e9,
    quoteReserve: 60e9,
    baseReserve: 5e14,
    lastTradeSlot: NOW - 1,
    mcap: 20_000,
    ath: 20_000,
    buyers: holders,
    deployer: 0,
    ...changes,
  }
  const positions = new Map()
  for (let wallet = 1; wallet <= holders; wallet++) {
    const held = {
      ...openPosition(id, wallet, NOW - 10),
      balance: SUPPLY / 100,
      lastBuySlot: NOW - 10,
      lastSlot: NOW - 10,
    }
    positions.set(wallet, held)
  }
  return { token, positions }
}

const market = (tokens: LiveToken[], deployer: Partial<Wallet> = {}): Market => ({
  slot: NOW,
  solUsd: 150,
  live: () => tokens,
  wallet: (id) => ({ ...newWallet(id, 'd'.repeat(32) as Key, 0), ...deployer }),
})

test('rug filter: each rule alone rejects', () => {
  assert.equal(passesRugFilter(market([]), healthy(1, 800)), true)
  assert.equal(passesRugFilter(market([]), healthy(1, 800, {}, 4)), false)
  assert.equal(passesRugFilter(market([]), healthy(1, 800, { ruggedSlot: NOW - 5 })), false)
  assert.equal(passesRugFilter(market([]), healthy(1, 800, { deployerDumped: true })), false)
  assert.equal(passesRugFilter(market([]), healthy(1, 5_000, { lastTradeSlot: NOW - 4_500 })), false)
  assert.equal(passesRugFilter(market([]), healthy(1, 5_000, { lastTradeSlot: NOW - 4_499 })), true)
  assert.equal(passesRugFilter(market([]), healthy(1, 751, { quoteReserve: 30e9 * 1.02 })), false)
  assert.equal(passesRugFilter(market([]), healthy(1, 750, { quoteReserve: 30e9 * 1.02 })), true)
  const whale = healthy(1, 800)
  whale.positions.get(1)!.balance = SUPPLY * LISTS.largestHolderMax
  assert.equal(passesRugFilter(market([]), whale), false)
  const failure = { launches: 10, launchesTraded: 10 }
  assert.equal(passesRugFilter(market([], failure), healthy(1, 800)), false)
})

test('new: at most 750 slots old, launch seen, newest first, bounded', () => {
  const tokens = [healthy(1, 750), healthy(2, 10), healthy(3, 751), healthy(4, 5, { createdKnown: false })]
  assert.deepEqual(ids(newTokens(market(tokens), 50)), [2, 1])
  assert.deepEqual(ids(newTokens(market(tokens), 1)), [2])
})

test('pumps: age, return, volume and buyers at their edges, strongest inflow first', () => {
  const pumping = (id: number, age: number, lamports: number, open: number): LiveToken => {
    const live = healthy(id, age)
    const bucket = bucketFor(live.token.buckets, NOW - 100, open)
    bucket.buyLamports = lamports
    return live
  }
  const price = 60e9 / 5e14
  const tokens = [
    pumping(1, 150, 10e9, price / 1.3),
    pumping(2, 150, 20e9, price / 1.3),
    pumping(3, 149, 20e9, price / 1.3),
    pumping(4, 150, 10e9 - 1, price / 1.3),
    pumping(5, 150, 20e9, price / 1.19),
  ]
  const few = pumping(6, 150, 20e9, price / 1.3)
  for (const [wallet, position] of few.positions) if (wallet > 19) position.lastBuySlot = NOW - 751
  assert.deepEqual(ids(pumpingTokens(market([...tokens, few]), 50)), [2, 1])
})

test('graduated: within 24 hours, newest first', () => {
  const at = (id: number, ago: number): LiveToken => healthy(id, 300_000, { migratedSlot: NOW - ago })
  assert.deepEqual(ids(graduatedTokens(market([at(1, 215_999), at(2, 216_000), at(3, 1)]), 50)), [3, 1])
})

test('survivors: 3 to 24 hours old, active, worth something, highest market cap first', () => {
  const alive = { mcap: 6_000, ath: 6_000 }
  const tokens = [
    healthy(1, 27_000, alive),
    healthy(2, 216_000, { ...alive, mcap: 9_000 }),
    healthy(3, 26_999, alive),
    healthy(4, 216_001, alive),
    healthy(5, 27_000, { ...alive, mcap: 5_249 }),
    healthy(6, 27_000, { ...alive, ath: 30_001 }),
    healthy(7, 27_000, { ...alive, lastTradeSlot: NOW - 2_251 }),
    healthy(8, 27_000, alive, 9),
  ]
  assert.deepEqual(ids(survivingTokens(market(tokens), 50)), [2, 1])
})

const ids = (tokens: LiveToken[]): number[] => tokens.map(({ token }) => token.id)
