import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedSale, slotAt } from './countdown.ts'

test('the slot goes on with the clock, and stands still when no news comes', () => {
  const reading = { slot: 1000, at: 50_000 }
  assert.equal(slotAt(reading, 50_000), 1000)
  assert.equal(slotAt(reading, 54_000), 1010)
  assert.equal(slotAt(reading, 40_000), 1000)
  assert.equal(slotAt(reading, 9_999_999), 1075)
})

test('a sale is ahead, overdue, or unknown', () => {
  assert.deepEqual(expectedSale(null, 5), { state: 'never', text: 'no sale on record' })
  assert.deepEqual(expectedSale(1250, 1000), { state: 'ahead', text: 'in 1 min 40 s' })
  assert.deepEqual(expectedSale(1100, 1000), { state: 'ahead', text: 'in 40 s' })
  assert.deepEqual(expectedSale(28_000, 1000), { state: 'ahead', text: 'in 3 h' })
  assert.deepEqual(expectedSale(1000, 1000), { state: 'overdue', text: 'overdue by 0 s' })
  assert.deepEqual(expectedSale(100, 1000), { state: 'overdue', text: 'overdue by 6 min' })
})
