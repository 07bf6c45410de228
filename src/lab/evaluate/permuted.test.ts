import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permuted } from './permuted.ts'
import { createRandom } from './random.ts'

const values = Array.from({ length: 400 }, (_, i) => i % 100)

test('dealt-out labels give 0.5 however good the predictor is', () => {
  const positive = Uint8Array.from(values, (value) => (value > 80 ? 1 : 0))
  const result = permuted(values, positive, createRandom(1, 'permuted'))!
  assert.equal(result.passed, true)
  assert.ok(Math.abs(result.mean - 0.5) < 0.01)
  // no permutation reaches the true labels' AUROC of 1
  assert.equal(result.pValue, 1 / (result.permutations + 1))
})

test('a deal that is not random is found out', () => {
  const positive = Uint8Array.from(values, (value) => (value > 80 ? 1 : 0))
  const result = permuted(values, positive, { ...createRandom(1, 'none'), shuffle: () => undefined })!
  assert.equal(result.passed, false)
})

test('one outcome only: nothing to permute', () => {
  assert.equal(permuted([1, 2], Uint8Array.from([1, 1]), createRandom(1, 'one')), null)
})
