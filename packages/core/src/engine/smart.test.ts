import assert from 'node:assert/strict'
import { test } from 'node:test'
import { globalsWithVeterans, VETERANS } from '../../../../test/support/veterans.ts'
import type { Key } from '../base/ids.ts'
import type { Wallet } from '../model/state.ts'
import { SMART } from './constants.ts'
import { newWallet } from './history.ts'
import { hasVeterans, isSmartAt, judgeSmart } from './smart.ts'

/** Cuts of this wallet and 199 veterans: profit bin 27 or 28 (1.08, 1.28 SOL), return bin 16, win bound 22/64. */
const veteran = (changes: Partial<Wallet> = {}): Wallet => ({
  ...newWallet(0, 'w'.repeat(32) as Key, 0),
  ...{ trades: 100, closed: 40, won: 24, realised: 6e9, closedCost: 20e9, realisations: 60 },
  ...{ holdBins: [30], holdBinCosts: [1e9], holdCost: 1e9 },
  ...changes,
})
const judged = (changes: Partial<Wallet>): boolean => judgeSmart(veteran(changes), globalsWithVeterans().population)

test('nobody is smart money before 200 wallets have 20 closed positions', () => {
  const { population } = globalsWithVeterans()
  population.veterans--
  assert.equal(judgeSmart(veteran(), population), false)
  assert.equal(hasVeterans(population), false)
  assert.equal(judgeSmart(veteran(), population), true)
  assert.equal(hasVeterans(population), true)
})

test('every cut is needed to enter', () => {
  assert.equal(judged({}), true)
  const misses: Partial<Wallet>[] = [
    { closed: SMART.closed - 1, won: 19 },
    { realised: 1.07e9, closedCost: 5e9 },
    { closedCost: 6e9 / 0.159 },
    { won: 17 },
    { bundledTrades: 21 },
    { holdBins: [20] },
  ]
  for (const miss of misses) assert.equal(judged(miss), false, JSON.stringify(miss))
})

test('smart money stays so one bin below a cut, and up to 20 % past a fixed one', () => {
  const smart = { smart: true }
  assert.equal(judged({ ...smart, realised: 1.07e9, closedCost: 5e9 }), true)
  assert.equal(judged({ ...smart, realised: 0.9e9, closedCost: 4e9 }), false)
  assert.equal(judged({ ...smart, bundledTrades: 24 }), true)
  assert.equal(judged({ ...smart, bundledTrades: 25 }), false)
})

test('a wallet is counted once, where it was measured last', () => {
  const { population } = globalsWithVeterans()
  const sum = (bins: readonly number[]): number => bins.reduce((total, count) => total + count, 0)
  const wallet = veteran()
  judgeSmart(wallet, population)
  const first = wallet.rank
  Object.assign(wallet, { realised: -1e9, won: 0 })
  judgeSmart(wallet, population)
  assert.notEqual(wallet.rank, first)
  assert.equal(wallet.rank, 0)
  const { veterans, veteranPnl, veteranRoi, veteranWin } = population
  assert.equal(veterans, VETERANS.length + 1)
  for (const bins of [veteranPnl, veteranRoi, veteranWin]) assert.equal(sum(bins), veterans)
})

test('where everybody loses nobody is smart money', () => {
  const { population } = globalsWithVeterans()
  for (const bins of [population.veteranPnl, population.veteranRoi, population.veteranWin]) {
    bins.fill(0)
    bins[0] = VETERANS.length
  }
  assert.equal(judgeSmart(veteran({ realised: 0, won: 0 }), population), false)
  assert.equal(judgeSmart(veteran(), population), true)
})

test('smart money goes quiet after 14 days, with the same slack', () => {
  const wallet = veteran({ smart: true, lastSlot: 1_000 })
  const last = 1_000 + SMART.activeSlots * 1.2
  assert.equal(isSmartAt(wallet, last), true)
  assert.equal(isSmartAt(wallet, last + 1), false)
})
