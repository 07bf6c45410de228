import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RATED } from './metrics.ts'

test('ten ratings, each once', () => {
  assert.equal(new Set(RATED.map(({ rating }) => rating)).size, 10)
})

test('pump against dump is a difference, and nothing before the first trade', () => {
  const read = RATED.find(({ rating }) => rating === 'pump_dump')?.read
  const score = {} as never
  assert.equal(read?.({ score, signals: { pump_conditions_met: 9, dump_conditions_met: 12 } }), -3)
  assert.equal(read?.({ score, signals: { pump_conditions_met: null, dump_conditions_met: null } }), null)
})
