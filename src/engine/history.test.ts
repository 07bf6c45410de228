import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import type { Wallet } from '../model/state.ts'
import { HISTORY, SMART } from './constants.ts'
import * as history from './history.ts'

const population = { picks: 980, healthyPicks: 99, holds: [] } // p0 = 100 / 1000

const smartWallet = (changes: Partial<Wallet> = {}): Wallet => ({
  ...history.newWallet(0, 'w'.repeat(32) as Key, 0),
  trades: 100,
  closed: 40,
  won: 24,
  realised: 6e9,
  closedCost: 20e9,
  realisations: 60,
  picksResolved: 10,
  picksHealthy: 4,
  holdBins: [30],
  holdBinCosts: [1e9],
  holdCost: 1e9,
  ...changes,
})

test('a wallet without trades has no reading', () => {
  const wallet = history.newWallet(0, 'w'.repeat(32) as Key, 0)
  for (const read of [history.avgHoldSlots, history.medianHoldSlots, history.pnlLamports, history.roi]) {
    assert.equal(read(wallet), null)
  }
  for (const read of [history.winRate, history.sellImpact, history.bundledRate]) assert.equal(read(wallet), null)
  assert.equal(history.healthyRate(wallet, population), null)
  assert.equal(history.isSmart(wallet, population), false)
})

test('roi needs 0.05 SOL of closed cost', () => {
  const wallet = smartWallet({ realised: 10_000_000, closedCost: HISTORY.roiCostMin - 1 })
  assert.equal(history.roi(wallet), null)
  assert.equal(history.roi({ ...wallet, closedCost: HISTORY.roiCostMin }), 0.2)
})

test('the healthy rate is pulled to the population and needs three resolved picks', () => {
  assert.equal(history.healthyRate(smartWallet({ picksResolved: 2, picksHealthy: 2 }), population), null)
  assert.equal(history.healthyRate(smartWallet({ picksResolved: 3, picksHealthy: 3 }), population), 3.5 / 8)
})

test('the Wilson bound agrees with a worked example and grows with the sample', () => {
  assert.ok(Math.abs(history.wilsonLowerBound(24, 40) - 0.4702) < 5e-4)
  assert.ok(history.wilsonLowerBound(240, 400) > history.wilsonLowerBound(24, 40))
  assert.equal(history.wilsonLowerBound(0, 10), 0)
})

test('smart money: every cut is needed to enter', () => {
  assert.equal(history.isSmart(smartWallet(), population), true)
  const misses: Partial<Wallet>[] = [
    { closed: SMART.closed - 1, won: 19 },
    { realised: SMART.pnlLamports - 1 },
    { won: 20 },
    { closedCost: 6e9 / 0.19 },
    { picksHealthy: 0 },
    { bundledTrades: 21 },
    { holdBins: [20] },
  ]
  for (const miss of misses) assert.equal(history.isSmart(smartWallet(miss), population), false, JSON.stringify(miss))
})

test('smart money: a smart wallet leaves only when a cut is missed by more than 20 %', () => {
  const smart = { smart: true }
  assert.equal(history.isSmart(smartWallet({ ...smart, realised: 4e9, closedCost: 15e9 }), population), true)
  assert.equal(history.isSmart(smartWallet({ ...smart, realised: 3.9e9, closedCost: 15e9 }), population), false)
  assert.equal(history.isSmart(smartWallet({ ...smart, bundledTrades: 24 }), population), true)
  assert.equal(history.isSmart(smartWallet({ ...smart, bundledTrades: 25 }), population), false)
})

test('smart money goes quiet after 14 days, with the same slack', () => {
  const wallet = smartWallet({ smart: true, lastSlot: 1_000 })
  const last = 1_000 + SMART.activeSlots * 1.2
  assert.equal(history.isSmartAt(wallet, last), true)
  assert.equal(history.isSmartAt(wallet, last + 1), false)
})

test('recent mints: newest first, distinct, at most twenty', () => {
  const wallet = smartWallet()
  for (let token = 0; token < 25; token++) history.rememberMint(wallet, token)
  history.rememberMint(wallet, 10)
  assert.equal(wallet.recent.length, 20)
  assert.deepEqual(wallet.recent.slice(0, 3), [10, 24, 23])
  assert.equal(new Set(wallet.recent).size, 20)
})
