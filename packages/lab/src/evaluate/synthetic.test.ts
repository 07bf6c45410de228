import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Recipe, synthetic } from '../../../../test/support/synthetic-log.ts'

test('a synthetic log is a function of its seed', () => {
  const recipe: Recipe = { seed: 3, tokens: 20, scoreSkill: 1, mcapSkill: 1 }
  assert.deepEqual(synthetic(recipe), synthetic(recipe))
  assert.notDeepEqual(synthetic(recipe), synthetic({ ...recipe, seed: 4 }))
})
