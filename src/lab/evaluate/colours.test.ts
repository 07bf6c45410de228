import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cohort, cohortOf } from './cohort.ts'
import { COLOUR_SAMPLES_MIN, colourTables, wilson } from './colours.ts'
import type { Colour, Label } from './sample.ts'
import { synthetic } from './synthetic.test.ts'

const template = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 })

/** colour → [samples, with the outcome] */
function cohort(label: Label, counts: Partial<Record<Colour, [number, number]>>): Cohort {
  const rows = Object.entries(counts).flatMap(([colour, [n, positives]]) =>
    Array.from({ length: n }, (_, i) => [colour as Colour, i < positives ? 1 : 0] as const),
  )
  return {
    ...cohortOf(template, 't300', label),
    samples: rows.map(([colour]) => ({ ...template.samples[0]!, ratings: { score: colour } })),
    positive: Uint8Array.from(rows, ([, outcome]) => outcome),
  }
}

const verdict = (label: Label, counts: Partial<Record<Colour, [number, number]>>) => {
  const [table] = colourTables(cohort(label, counts))
  return [table!.monotone, table!.apart]
}

test('the interval agrees with a worked example and stays inside 0 and 1', () => {
  // Brown, Cai, DasGupta (2001): 10 of 50
  const { low, high } = wilson(10, 50)
  assert.ok(Math.abs(low! - 0.1124) < 5e-4 && Math.abs(high! - 0.3304) < 5e-4)
  assert.equal(wilson(0, 10).low, 0)
  assert.equal(wilson(10, 10).high, 1)
  assert.equal(wilson(0, 0).rate, null)
})

test('good outcomes: green beats yellow beats red', () => {
  assert.deepEqual(verdict('graduated_24h', { green: [100, 60], yellow: [100, 40], red: [100, 10] }), [true, true])
  assert.deepEqual(verdict('graduated_24h', { green: [100, 60], yellow: [100, 10], red: [100, 40] }), [false, true])
  assert.deepEqual(verdict('graduated_24h', { green: [100, 40], yellow: [100, 40], red: [100, 10] }), [false, true])
})

test('bad outcomes: the other way round', () => {
  assert.deepEqual(verdict('rugged_1h', { green: [100, 10], yellow: [100, 40], red: [100, 60] }), [true, true])
  assert.deepEqual(verdict('rugged_1h', { green: [100, 60], yellow: [100, 40], red: [100, 10] }), [false, false])
})

test('a colour with few samples does not count, and one colour alone is no order', () => {
  const few = COLOUR_SAMPLES_MIN - 1
  assert.deepEqual(verdict('graduated_24h', { green: [100, 60], yellow: [few, 0], red: [100, 50] }), [true, false])
  assert.deepEqual(verdict('graduated_24h', { green: [100, 60], red: [few, 0], neutral: [500, 400] }), [null, null])
})
