import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOTS } from '../../engine/constants.ts'
import { cohortOf } from './cohort.ts'
import type { Evaluation, Sample } from './sample.ts'
import { synthetic } from './synthetic.test.ts'

const base = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 })
const template = base.samples.find(({ decision }) => decision === 't300')!

const evaluation = (lastSlot: number, samples: readonly Partial<Sample>[]): Evaluation => ({
  ...base,
  source: { ...base.source, slots: [0, lastSlot] },
  samples: samples.map((changes) => ({ ...template, ...changes })),
})

const labels = (graduated: boolean | null): Sample['labels'] => ({ ...template.labels, graduated_24h: graduated })

test('a good end that came early does not count while a bad one would still be open', () => {
  const samples = [
    { mint: 'early', slot: 1000, labels: labels(true) },
    { mint: 'late', slot: 1001, labels: labels(true) },
    { mint: 'open', slot: 1001, labels: labels(null) },
  ]
  const cohort = cohortOf(evaluation(1000 + SLOTS.day, samples), 't300', 'graduated_24h')
  assert.deepEqual(
    cohort.samples.map(({ mint }) => mint),
    ['early'],
  )
  assert.deepEqual([cohort.censored, cohort.unknown, cohort.positives], [1, 1, 1])
})

test('who has graduated by the decision is not foretold to graduate', () => {
  const samples = [
    { mint: 'fast', slot: 1000, labels: labels(true) },
    { mint: 'fast', slot: 900, decision: 'migration', labels: labels(true) },
    { mint: 'slow', slot: 1000, labels: labels(true) },
    { mint: 'slow', slot: 5000, decision: 'migration', labels: labels(true) },
  ] as const
  const whole = evaluation(10 * SLOTS.day, samples)
  const cohort = cohortOf(whole, 't300', 'graduated_24h')
  assert.deepEqual(
    cohort.samples.map(({ mint }) => mint),
    ['slow'],
  )
  assert.equal(cohort.settled, 1)
  assert.equal(cohortOf(whole, 't300', 'survives_3h').samples.length, 2)
})
