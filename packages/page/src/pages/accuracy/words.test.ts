import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, type Bin, binsOf, wilson } from './words.ts'

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

const bin = (band: number, n: number, hits: number): Bin => ({
  ...{ band, n, hits, served: band / 10, observed: hits / n, low: 0, high: 1 },
})

test('one sentence: the highest predictions of which there are twenty', () => {
  assert.equal(
    answerOf([bin(1, 3_000, 40), bin(8, 10, 5), bin(9, 15, 12), bin(10, 192, 166)]),
    'Of 207 predictions of 80% and more, 178 came true. Of the other 3,010, 45 did.',
  )
  assert.match(answerOf([bin(1, 20, 1), bin(10, 19, 19)]), /^Of 39 predictions, 20 came true\.$/)
  assert.match(answerOf([bin(2, 15, 1), bin(5, 5, 3)]), /^Of 20 predictions of 10% and more, 4 came true\.$/)
  assert.match(answerOf([bin(10, 19, 19)]), /^Too early to say: 19 outcomes/)
})
