import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import type { Wallet } from '../model/state.ts'
import { HISTORY } from './constants.ts'
import { newGlobals } from './globals.ts'
import * as history from './history.ts'

const population = { ...newGlobals().population, picks: 980, healthyPicks: 99 } // p0 = 100 / 1000

const veteran = (changes: Partial<Wallet> = {}): Wallet => ({
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
})

test('roi needs 0.05 SOL of closed cost', () => {
  const wallet = veteran({ realised: 10_000_000, closedCost: HISTORY.roiCostMin - 1 })
  assert.equal(history.roi(wallet), null)
  assert.equal(history.roi({ ...wallet, closedCost: HISTORY.roiCostMin }), 0.2)
})

test('the healthy rate is pulled to the population and needs three resolved picks', () => {
  assert.equal(history.healthyRate(veteran({ picksResolved: 2, picksHealthy: 2 }), population), null)
  assert.equal(history.healthyRate(veteran({ picksResolved: 3, picksHealthy: 3 }), population), 3.5 / 8)
})

test('the Wilson bound agrees with a worked example and grows with the sample', () => {
  assert.ok(Math.abs(history.wilsonLowerBound(24, 40) - 0.4702) < 5e-4)
  assert.ok(history.wilsonLowerBound(240, 400) > history.wilsonLowerBound(24, 40))
  assert.equal(history.wilsonLowerBound(0, 10), 0)
})

test('recent mints: newest first, distinct, at most twenty', () => {
  const wallet = veteran()
  for (let token = 0; token < 25; token++) history.rememberMint(wallet, token)
  history.rememberMint(wallet, 10)
  assert.equal(wallet.recent.length, 20)
  assert.deepEqual(wallet.recent.slice(0, 3), [10, 24, 23])
  assert.equal(new Set(wallet.recent).size, 20)
})
