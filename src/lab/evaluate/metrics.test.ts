import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourOf, METRICS, orientation } from './metrics.ts'
import type { Colour } from './sample.ts'

/** the specification's table, edges first */
const TABLE: readonly (readonly [string, number, Colour])[] = [
  ['bundle_pct', 49.99, 'green'],
  ['bundle_pct', 50, 'yellow'],
  ['bundle_pct', 64.99, 'yellow'],
  ['bundle_pct', 65, 'red'],
  ['dirty_pct', 50, 'yellow'],
  ['dirty_pct', 60, 'yellow'],
  ['dirty_pct', 60.01, 'red'],
  ['jeets_pct', 9.99, 'green'],
  ['jeets_pct', 20, 'yellow'],
  ['jeets_pct', 20.01, 'red'],
  ['dumpers_pct', 65, 'yellow'],
  ['dumpers_pct', 65.01, 'red'],
  ['alpha_hands_pct', 30.01, 'green'],
  ['alpha_hands_pct', 30, 'yellow'],
  ['alpha_hands_pct', 25, 'yellow'],
  ['alpha_hands_pct', 24.99, 'red'],
  ['in_profit_pct', 55, 'yellow'],
  ['in_profit_pct', 40, 'yellow'],
  ['in_profit_pct', 39.99, 'red'],
  ['conviction_score', 60.01, 'green'],
  ['conviction_score', 49.99, 'red'],
  ['cooktimer_slots', 2500, 'green'],
  ['cooktimer_slots', 2499, 'yellow'],
  ['cooktimer_slots', 1000, 'yellow'],
  ['cooktimer_slots', 999, 'red'],
]

test('readings get the colour of the specification, edges included', () => {
  for (const [name, value, colour] of TABLE) {
    const metric = METRICS.find((one) => one.name === name)!
    assert.equal(colourOf(metric, value), colour, `${name} ${value}`)
  }
})

test('a share of bad wallets should be low, one of good wallets high', () => {
  const low = ['bundle_pct', 'dirty_pct', 'dumpers_pct', 'jeets_pct', 'top_10_pct']
  const high = ['alpha_hands_pct', 'in_profit_pct', 'conviction_score', 'cooktimer_slots', 'smart_wallets_count']
  assert.deepEqual(low.map(orientation), [-1, -1, -1, -1, -1])
  assert.deepEqual(high.map(orientation), [1, 1, 1, 1, 1])
})
