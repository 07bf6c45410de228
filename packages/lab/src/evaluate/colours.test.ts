import assert from 'node:assert/strict'
import { test } from 'node:test'
import { synthetic } from '../../../../test/support/synthetic-log.ts'
import type { Colour } from './cases.ts'
import { colourRates } from './colours.ts'
import { EVERYBODY } from './populations.ts'
import type { Question } from './questions.ts'
import { wilson } from './wilson.ts'

const [template] = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 }).cases

/** Colour → [cases, cases with yes]. */
const ordered = (question: Question, counts: Partial<Record<Colour, [number, number]>>): boolean | null => {
  const cases = Object.entries(counts).flatMap(([colour, [n, yes]]) =>
    Array.from({ length: n }, (_, i) => ({
      ...template!,
      colour: colour as Colour,
      answers: { drain: null, halving: null, buyer: null, [question]: i < yes },
    })),
  )
  return colourRates(cases, question, EVERYBODY).ordered
}

test('the interval agrees with a worked example and stays inside 0 and 1', () => {
  // from Brown, Cai, DasGupta (2001): 10 of 50
  const { low, high } = wilson(10, 50)
  assert.ok(Math.abs(low! - 0.1124) < 5e-4 && Math.abs(high! - 0.3304) < 5e-4)
  assert.equal(wilson(0, 5).low, 0)
  assert.equal(wilson(5, 5).high, 1)
  assert.equal(wilson(0, 0).rate, null)
})

test('green may be no worse than yellow, and that no worse than red', () => {
  assert.equal(ordered('drain', { green: [100, 10], yellow: [100, 20], red: [100, 20] }), true)
  assert.equal(ordered('drain', { green: [100, 21], yellow: [100, 20], red: [100, 30] }), false)
  assert.equal(ordered('buyer', { green: [100, 21], yellow: [100, 20], red: [100, 10] }), true)
  assert.equal(ordered('buyer', { green: [100, 10], red: [100, 11] }), false)
})

test('colours of too few cases are not compared', () => {
  assert.equal(ordered('drain', { green: [99, 90], yellow: [100, 20], red: [100, 30] }), true)
  assert.equal(ordered('drain', { green: [99, 90], yellow: [99, 20], red: [100, 30] }), null)
  assert.equal(ordered('drain', { green: [100, 90], neutral: [100, 1] }), null)
})
