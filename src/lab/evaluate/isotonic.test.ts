import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { fitIsotonic, predict } from './isotonic.ts'

const samples = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 1 })), {
  minLength: 1,
  maxLength: 25,
})

/** The classical closed form: at each value, the highest start of the lowest mean of any stretch around it. */
function slow(rows: readonly (readonly [number, number])[]): Map<number, number> {
  const values = [...new Set(rows.map(([value]) => value))].sort((a, b) => a - b)
  const mean = (from: number, to: number): number => {
    const inside = rows.filter(([value]) => value >= from && value <= to)
    return inside.reduce((sum, [, outcome]) => sum + outcome, 0) / inside.length
  }
  return new Map(
    values.map((value) => {
      const starts = values.filter((from) => from <= value)
      const ends = values.filter((to) => to >= value)
      return [value, Math.max(...starts.map((from) => Math.min(...ends.map((to) => mean(from, to)))))]
    }),
  )
}

const fit = (rows: readonly (readonly [number, number])[]) =>
  fitIsotonic(
    rows.map(([value]) => value),
    Uint8Array.from(rows, ([, outcome]) => outcome),
  )

test('pooling finds the least-squares solution', () => {
  fc.assert(
    fc.property(samples, (rows) => {
      const curve = fit(rows)
      for (const [value, expected] of slow(rows)) assert.ok(Math.abs(predict(curve, value) - expected) < 1e-12)
    }),
  )
})

test('a probability never falls, between and beyond the known values too', () => {
  fc.assert(
    fc.property(samples, (rows) => {
      const curve = fit(rows)
      let before = 0
      for (let value = -1; value <= 11; value += 0.25) {
        const probability = predict(curve, value)
        assert.ok(probability >= before - 1e-12 && probability <= 1)
        before = probability
      }
    }),
  )
})

test('linear between two steps, level beyond the ends', () => {
  const curve = fit([
    [1, 0],
    [3, 1],
  ])
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((value) => predict(curve, value)),
    [0, 0, 0.5, 1, 1],
  )
  assert.equal(predict(fit([]), 1), Number.NaN)
})
