import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf, RATED, zonesOf } from './metrics.ts'

test('ten ratings, each once', () => {
  assert.equal(new Set(RATED.map(({ rating }) => rating)).size, 10)
})

test('the zones of every scale fill it in the order that its direction asks for', () => {
  for (const metric of RATED) {
    const zones = zonesOf(metric)
    const sum = zones.reduce((all, { width }) => all + width, 0)
    assert.equal(Math.abs(sum - 100) < 1e-9, true, metric.rating)
    assert.equal(zones[0]?.colour, metric.better === 'high' ? 'red' : 'green', metric.rating)
    for (const { width } of zones) assert.equal(width > 0, true, metric.rating)
  }
})

test('a number beyond its scale stands at its end', () => {
  assert.equal(placeOf(-5000, [-1000, 5000]), 0)
  assert.equal(placeOf(9000, [-1000, 5000]), 100)
  assert.equal(placeOf(2000, [-1000, 5000]), 50)
})

test('pump against dump is a difference, and nothing before the first trade', () => {
  const read = RATED.find(({ rating }) => rating === 'pump_dump')?.read
  const score = {} as never
  assert.equal(read?.({ score, signals: { pump_conditions_met: 9, dump_conditions_met: 12 } }), -3)
  assert.equal(read?.({ score, signals: { pump_conditions_met: null, dump_conditions_met: null } }), null)
})
