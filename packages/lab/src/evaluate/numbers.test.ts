import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percent, reading, signed, whole, withInterval } from './numbers.ts'

test('percentages keep digits that count, and nearly all is not all', () => {
  const shares = [0, 0.00052, 0.0123, 0.5, 0.126, 0.9996, 1, null]
  assert.deepEqual(shares.map(percent), ['0 %', '0.05 %', '1.2 %', '50 %', '13 %', '99.96 %', '100 %', '–'])
})

test('readings of any size', () => {
  assert.deepEqual([0.123, 12.34, 123.4, 12_345.6, -2500].map(reading), ['0.12', '12.3', '123', '12,346', '-2,500'])
  assert.equal(whole(1_234_567), '1,234,567')
})

test('a number without an interval says so', () => {
  assert.equal(withInterval({ value: null, low: null, high: null }), '–')
  assert.equal(withInterval({ value: 0.5, low: null, high: null }), '0.500 [–]')
  assert.equal(withInterval({ value: -0.1, low: -0.2, high: 0.05 }, signed), '-0.100 [-0.200, +0.050]')
})
