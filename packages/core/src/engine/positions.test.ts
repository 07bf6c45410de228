import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import { newGlobals } from './globals.ts'
import { newWallet, roi } from './history.ts'
import { buy, openPosition, sell, writeOff } from './positions.ts'
import { hasHistory } from './reading/classes.ts'

const SOL = 1_000_000_000
const { population } = newGlobals()

function scene() {
  const wallet = newWallet(0, 'w'.repeat(32) as Key, 1)
  return { wallet, position: openPosition(0, wallet, 1) }
}

test('a write-off charges the cost to the history and leaves it with the position', () => {
  const { wallet, position } = scene()
  buy(position, 1_000, 10 * SOL, 1)
  writeOff(position, wallet, 1 * SOL)
  assert.deepEqual(
    [position.cost, position.balance, wallet.realised, wallet.closedCost],
    [10 * SOL, 1_000, -9 * SOL, 10 * SOL],
  )
  assert.deepEqual([wallet.closed, wallet.won, hasHistory(wallet)], [1, 0, false])
})

test('the sale after it is measured from the mark, and its cost is not charged again', () => {
  const { wallet, position } = scene()
  buy(position, 1_000, 10 * SOL, 1)
  writeOff(position, wallet, 1 * SOL)
  sell(position, wallet, 500, 2 * SOL, 9, population)
  assert.deepEqual([wallet.realised, wallet.closedCost, position.cost], [-7.5 * SOL, 10 * SOL, 5 * SOL])
  assert.equal(hasHistory(wallet), false)
  sell(position, wallet, 500, 2 * SOL, 9, population)
  assert.deepEqual([wallet.realised, wallet.closedCost, wallet.closed], [-6 * SOL, 10 * SOL, 1])
  assert.equal(roi(wallet), -0.6)
  assert.equal(hasHistory(wallet), true)
})

test('what is bought after a write-off is charged when it is sold', () => {
  const { wallet, position } = scene()
  buy(position, 1_000, 10 * SOL, 1)
  writeOff(position, wallet, 1 * SOL)
  buy(position, 1_000, 3 * SOL, 5)
  sell(position, wallet, 2_000, 4 * SOL, 9, population)
  assert.deepEqual([wallet.realised, wallet.closedCost], [-9 * SOL, 13 * SOL])
  assert.deepEqual([wallet.closed, wallet.writtenOff], [2, 1])
})

test('a second write-off charges the difference of the marks', () => {
  const { wallet, position } = scene()
  buy(position, 1_000, 10 * SOL, 1)
  writeOff(position, wallet, 4 * SOL)
  writeOff(position, wallet, 1 * SOL)
  assert.deepEqual([wallet.realised, wallet.closedCost, wallet.closed], [-9 * SOL, 10 * SOL, 1])
})
