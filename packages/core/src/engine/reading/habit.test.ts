import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { newGlobals } from '../globals.ts'
import { newWallet } from '../history.ts'
import { holdBin } from '../hold-histogram.ts'
import { openPosition } from '../positions.ts'
import { convictionOf, populationHold, usualHold } from './habit.ts'
import { between, bucketOf } from './knots.ts'

const owner = (changes: Partial<Wallet> = {}): Wallet => ({ ...newWallet(0, 'w'.repeat(32) as Key, 0), ...changes })
const close = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} ≠ ${expected}`)

test('between knots the line, beyond them flat', () => {
  const at = (x: number): number => between([0, 10, 20], [5, 3, 7], x)
  assert.deepEqual([-1, 0, 5, 10, 15, 20, 21].map(at), [5, 5, 4, 3, 5, 7, 7])
  assert.deepEqual(
    [-1, 0, 1, 2, 3].map((x) => bucketOf([0, 2], x)),
    [0, 1, 1, 2, 2],
  )
})

test('before anybody sold, the population holds as the prior says', () => {
  const { population } = newGlobals()
  assert.equal(
    population.holds.reduce((sum, sells) => sum + sells, 0),
    100,
  )
  // the middle of the bin [128, 152.2), which contains 150 slots
  assert.equal(populationHold(population), 140)
})

test('a hundred sells and one of ten slots outvote the prior', () => {
  const { population } = newGlobals()
  population.holds[holdBin(10)] = 100
  const even = populationHold(population)
  assert.ok(even >= 10 && even <= 12, `${even}`)
  population.holds[holdBin(10)] = 1_000
  assert.ok(populationHold(population) < 12)
})

test('a wallet’s habit: its own sells against three of the population', () => {
  const seller = (sells: number, slots: number): Wallet => owner({ sells, holdCost: 10, holdCostSlots: 10 * slots })
  assert.equal(usualHold(owner(), 140), 140)
  assert.equal(usualHold(seller(3, 1_140), 140), 640)
  assert.equal(usualHold(seller(1, 540), 140), 240)
  assert.equal(usualHold(seller(97, 100), 200), 103)
  assert.equal(usualHold(owner({ sells: 5 }), 140), 140, 'sells of unknown cost say nothing')
})

const PATIENCE: [number, number][] = [
  [0, 0],
  [150, 0.17],
  [375, 0.3],
  [750, 0.44],
  [1_500, 0.58],
  [3_000, 0.74],
  [9_000, 1],
  [90_000, 1],
]

test('conviction: 40 patience by habit, 30 what is kept, 20 never sold, 10 what is at stake', () => {
  const conviction = (changes: Partial<Position>, wallet: Partial<Wallet> = {}, hold = 0): number => {
    const person = owner(wallet)
    return convictionOf({ ...openPosition(0, person, 0), ...changes }, person, hold)
  }
  const all = { balance: 100, bought: 100 }
  for (const [hold, patience] of PATIENCE) close(conviction(all, {}, hold), 50 + 40 * patience)
  close(conviction({ balance: 40, bought: 100 }), 0.4 * 30 + 20)
  close(conviction({ balance: 140, bought: 100, received: 40 }), 50)
  close(conviction({ balance: 100, received: 100 }), 50)
  close(conviction({ balance: 76, bought: 100, sold: 24 }), 0.76 * 30 + 10)
  close(conviction({ balance: 75, bought: 100, sold: 25 }), 0.75 * 30)
  close(conviction({ ...all, received: 100, sold: 49 }), 30 + 10)
  close(conviction({ ...all, received: 100, sold: 50 }), 30)
  close(conviction({ ...all, cost: 3e9 }, { solBalance: 1e9 }), 50 + 7.5)
  close(conviction({ ...all, cost: 3e9 }, { solBalance: 0 }), 60)
  close(conviction({ ...all, cost: 0 }, { solBalance: 0 }), 50)
  close(conviction({ ...all, cost: 3e9 }, { solBalance: -1 }), 50)
})
