import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brier, calibrate, reliability } from './calibration.ts'
import { type Cohort, cohortOf } from './cohort.ts'
import { createRandom } from './random.ts'
import { splitByTime } from './split.ts'
import { synthetic } from './synthetic.test.ts'

test('Brier and calibration error by hand', () => {
  assert.ok(Math.abs(brier([0.8, 0.2], Uint8Array.from([1, 0])) - 0.04) < 1e-12)
  // ten samples, a bin each: every probability is 0.25 away from its outcome
  const probabilities = [0.25, 0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75, 0.75]
  const outcomes = Uint8Array.from([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
  assert.ok(Math.abs(reliability(probabilities, outcomes).ece - 0.25) < 1e-12)
  // half of the equals came true: foretold exactly
  assert.equal(reliability([0.5, 0.5, 0.5, 0.5], Uint8Array.from([1, 0, 1, 0])).ece, 0)
})

/** outcomes come true with probability `truth(value)` */
function cohort(n: number, truth: (value: number) => number): { cohort: Cohort; values: number[] } {
  const random = createRandom(11, 'calibration')
  const values = Array.from({ length: n }, () => random.int(11))
  const evaluation = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 })
  const samples = values.map((_, i) => ({ ...evaluation.samples[0]!, createdSlot: i * 1000 }))
  const positive = Uint8Array.from(values, (value) => (random.float() < truth(value) ? 1 : 0))
  return { cohort: { ...cohortOf(evaluation, 't300', 'graduated_24h'), samples, positive }, values }
}

const noise = (n: number): number[] => {
  const random = createRandom(12, 'noise')
  return Array.from({ length: n }, () => random.float())
}

test('a predictor that knows the rate gets a calibrated probability that beats the constant', () => {
  const { cohort: some, values } = cohort(30_000, (value) => 0.05 + 0.08 * value)
  const split = splitByTime(some.samples.map(({ createdSlot }) => createdSlot))
  const result = calibrate(some, split, values, noise(30_000), createRandom(1, 'chance'))!
  assert.ok(result.ece < result.eceByChance.high, `seed 11: ${result.ece} of ${result.eceByChance.high}`)
  assert.ok(result.eceByChance.mean < 0.02)
  assert.ok(result.brier.score < result.brier.constant - 0.02)
  assert.ok(result.brier.mcap > result.brier.constant - 0.005)
})

test('no calibration where a part has one outcome only', () => {
  const { cohort: some, values } = cohort(600, () => 0)
  const split = splitByTime(some.samples.map(({ createdSlot }) => createdSlot))
  assert.equal(calibrate(some, split, values, values, createRandom(1, 'chance')), null)
})
