import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointsOf, scoreRows, sumOf } from './score-rows.ts'

const CONTRIBUTIONS = [
  { what: 'bundle_pct', reading: 79.52, rated: 1.7558, weight: 3, points: 0.188119 },
  { what: 'alpha_hands_pct', reading: 0, rated: 0, weight: 2, points: 0 },
  { what: 'jeets_pct', reading: 0, rated: 10, weight: 1, points: 0.357143 },
  { what: 'independent_holders', reading: 6, rated: 1.2, weight: 12, points: 0.514286 },
  { what: 'cap: sold_in_hour', points: -0.1 },
  { what: 'copied', points: -0.5 },
  { what: 'rounding', points: 0.040452 },
]

test('the rows add up to the score without an error', () => {
  assert.equal(sumOf(scoreRows(CONTRIBUTIONS)), 0.5)
})

test('what a metric could have brought follows from its weight', () => {
  const [bundle, alpha, jeets, independent, cap] = scoreRows(CONTRIBUTIONS)
  assert.equal(jeets?.most?.toFixed(3), '0.357')
  assert.equal(bundle?.most?.toFixed(2), '1.07')
  assert.equal(alpha?.most?.toFixed(2), '0.71')
  assert.equal(independent?.most?.toFixed(2), '4.29')
  assert.equal(cap?.most, null)
})

test('every part has words; one that is not known keeps its name', () => {
  for (const row of scoreRows(CONTRIBUTIONS)) assert.equal(row.means.length > 0, true, row.key)
  assert.equal(scoreRows([{ what: 'new_part', points: 0 }])[0]?.label, 'new part')
})

test('a limit names the reason of the verdict that sets it', () => {
  assert.equal(scoreRows([{ what: 'cap: unknown_holders', points: -1 }])[0]?.label, 'Limit: unknown holders')
})

test('nothing rated above zero: nothing to compare with', () => {
  assert.equal(scoreRows([{ what: 'bundle_pct', reading: 100, rated: 0, weight: 3, points: 0 }])[0]?.most, null)
})

test('points are told to the millionth, in two parts', () => {
  assert.equal(pointsOf(-0.5, 6), '−0.500000')
  assert.deepEqual(
    [0.188119, 1.028829, -0.02].map((points) => pointsOf(points, 1)),
    ['+0.2', '+1.0', '0.0'],
  )
})
