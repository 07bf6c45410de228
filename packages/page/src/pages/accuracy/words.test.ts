import assert from 'node:assert/strict'
import { test } from 'node:test'
import { binsOf, gapOf, wilson } from './words.ts'

test('Wilson’s interval, as published for 8 of 10 and for none of 20', () => {
  const { low, high } = wilson(8, 10)
  assert.ok(Math.abs(low - 0.4901) < 1e-3 && Math.abs(high - 0.9433) < 1e-3, `${low} ${high}`)
  assert.equal(wilson(0, 20).low, 0)
  assert.ok(Math.abs(wilson(0, 20).high - 0.1611) < 1e-3)
})

test('bands of all ages are counted together', () => {
  const band = (band: number, n: number, hits: number, expected: number) => ({ band, n, hits, expected })
  const ages = [
    { from_slots: 0, n: 10, hits: 3, brier: null, bands: [band(2, 10, 3, 4), band(1, 0, 0, 0)] },
    { from_slots: 750, n: 10, hits: 6, brier: null, bands: [band(2, 10, 5, 4), band(3, 1, 1, 0.5)] },
  ]
  const bins = binsOf({ ages })
  assert.deepEqual(
    bins.map(({ served, observed, n }) => [served, observed, n]),
    [
      [0.4, 0.4, 20],
      [0.5, 1, 1],
    ],
  )
})

test('the gap is in points, positive where too much was promised', () => {
  assert.equal(gapOf({ n: 200, hits: 50, expected: 60 }), 5)
  assert.equal(gapOf({ n: 0, hits: 0, expected: 0 }), null)
})
