import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedSale, inPercent, slotAt, titleOf, written } from './words.ts'

test('a share that is there is not written as nothing', () => {
  assert.deepEqual(
    [0, 0.004, 0.05, 12.345, 100].map((value) => inPercent(value)),
    ['0%', '<0.1%', '0.1%', '12.3%', '100%'],
  )
  assert.equal(inPercent(0.004, 2), '<0.01%')
})

test('readings carry their units', () => {
  assert.deepEqual(
    [
      written('score', 6),
      written('percent', 50),
      written('slots', -1171),
      written('count', 1200),
      written('points', 55.08),
    ],
    ['6.0', '50%', 'overdue 8 min', '1,200', '55.1'],
  )
})

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

const MINT = 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z'

test('symbol and score, or the name, or the mint', () => {
  assert.equal(titleOf(MINT, { symbol: 'CAT', name: 'The Cat' }, 5.25), 'CAT 5.3 · Token Intelligence')
  assert.equal(titleOf(MINT, { symbol: '', name: 'The Cat' }, null), 'The Cat · Token Intelligence')
  assert.equal(titleOf(MINT, null, null), 'FxtVmS… · Token Intelligence')
})

test('words of strangers are clipped', () => {
  const title = titleOf(MINT, { symbol: '🐈'.repeat(500), name: null }, 1)
  assert.equal(title, `${'🐈'.repeat(23)}… 1.0 · Token Intelligence`)
})
