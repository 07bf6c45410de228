import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPercent, part, percent, signed, signedPercent, withInterval } from './numbers.ts'

test('percentages keep digits that count, and nearly all is not all', () => {
  const shares = [0, 0.00052, 0.0123, 0.5, 0.126, 0.9996, 1, null]
  assert.deepEqual(shares.map(percent), ['0%', '0.05%', '1.2%', '50%', '13%', '99.96%', '100%', '–'])
})

test('counts with their share, and results in whole percent', () => {
  assert.deepEqual([part(0, 0), part(1, 3)], ['0 of 0 (–)', '1 of 3 (33%)'])
  assert.deepEqual([0.126, -0.126, 0, null].map(signedPercent), ['+13', '-13', '0', '–'])
  assert.equal(inPercent(0.126), '13')
})

test('a number without an interval says so', () => {
  assert.equal(withInterval({ value: null, low: null, high: null }), '–')
  assert.equal(withInterval({ value: 0.5, low: null, high: null }), '0.50 [–]')
  assert.equal(withInterval({ value: -0.1, low: -0.2, high: 0.05 }, signed), '-0.10 [-0.20, +0.05]')
})
