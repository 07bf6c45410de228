import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sample } from './sample.ts'
import { synthetic } from './synthetic.test.ts'
import { thresholds } from './thresholds.ts'

const [template] = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 }).samples
const samples: Sample[] = [10, 20, 60, 70, null].map((bundle, i) => ({
  ...template!,
  score: i + 1,
  metrics: { bundle_pct: bundle, fee_pct: 3 },
  ratings: { bundle: bundle === null ? 'neutral' : bundle < 50 ? 'green' : 'red', pump_dump: 'yellow' },
}))

test('quartiles of the readings, colour of the median, shares of all samples', () => {
  const table = new Map(thresholds(samples).map((row) => [row.name, row]))
  const bundle = table.get('bundle_pct')!
  assert.deepEqual([bundle.readings, bundle.quartiles, bundle.medianColour], [4, [17.5, 40, 62.5], 'green'])
  assert.deepEqual(bundle.shares, { green: 0.4, yellow: 0, red: 0.4, neutral: 0.2 })
  assert.deepEqual([bundle.green, bundle.red], [50, 65])
  assert.equal(table.get('score')!.medianColour, 'yellow')
})

test('a metric without a rating has quartiles only, a rating without a metric shares only', () => {
  const table = new Map(thresholds(samples).map((row) => [row.name, row]))
  assert.deepEqual([table.get('fee_pct')!.shares, table.get('fee_pct')!.quartiles], [null, [3, 3, 3]])
  assert.deepEqual([table.get('pump_dump')!.quartiles, table.get('pump_dump')!.shares!.yellow], [null, 1])
  // the score's rating is not in these samples
  assert.equal(table.get('score')!.shares, null)
})
