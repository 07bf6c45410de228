import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { addHold, holdBin, medianHold } from './hold-histogram.ts'

test('bins are quarter octaves from 1 slot up, the last one open', () => {
  assert.equal(holdBin(0), 0)
  assert.equal(holdBin(1), 0)
  assert.equal(holdBin(2), 4)
  assert.equal(holdBin(1_024), 40)
  assert.equal(holdBin(1e9), 63)
})

test('no holds, no median', () => {
  assert.equal(medianHold([], []), null)
})

test('the median lies within a quarter octave of the exact cost-weighted one', () => {
  const hold = fc.record({ slots: fc.integer({ min: 1, max: 50_000 }), cost: fc.integer({ min: 1, max: 1e9 }) })
  fc.assert(
    fc.property(fc.array(hold, { minLength: 1, maxLength: 40 }), (holds) => {
      const bins: number[] = []
      const costs: number[] = []
      for (const { slots, cost } of holds) addHold(bins, costs, slots, cost)
      assert.deepEqual(
        bins,
        [...bins].sort((a, b) => a - b),
      )
      const sorted = [...holds].sort((a, b) => a.slots - b.slots)
      const total = sorted.reduce((sum, { cost }) => sum + cost, 0)
      let below = 0
      const exact = sorted.find(({ cost }) => {
        below += cost
        return below >= total / 2
      })!.slots
      const median = medianHold(bins, costs)!
      assert.ok(
        median >= Math.floor(exact / 1.19) - 1 && median <= Math.ceil(exact * 1.19) + 1,
        `${median} vs ${exact}`,
      )
    }),
  )
})
