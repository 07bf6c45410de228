import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAMILIES } from './bundles.ts'
import { dropEvidence, earliestSlot, evidenceOf, hasFamily, setEvidence, weightIn } from './pair.ts'

const family = (name: (typeof FAMILIES)[number]): number => FAMILIES.indexOf(name)

test('evidence of a pair: in the order of families however it came, changed and dropped by family', () => {
  const pair = { families: 0, evidence: [] as number[] }
  setEvidence(pair, family('actor'), 0.95, 30)
  setEvidence(pair, family('jito'), 0.7, 20)
  setEvidence(pair, family('timing'), 0.2, 25)
  setEvidence(pair, family('timing'), 0.35, 40)
  assert.deepEqual(evidenceOf(pair), [
    { family: 'jito', weight: 0.7, slot: 20 },
    { family: 'timing', weight: 0.35, slot: 40 },
    { family: 'actor', weight: 0.95, slot: 30 },
  ])
  assert.equal(earliestSlot(pair), 20)
  assert.deepEqual(
    FAMILIES.filter((_, n) => weightIn(pair, n) > 0),
    ['jito', 'timing', 'actor'],
  )
  dropEvidence(pair, family('jito'))
  dropEvidence(pair, family('size'))
  assert.deepEqual(
    evidenceOf(pair).map((one) => one.family),
    ['timing', 'actor'],
  )
  assert.ok(!hasFamily(pair, family('jito')))
  assert.equal(weightIn(pair, family('jito')), 0)
  assert.equal(weightIn(pair, family('actor')), 0.95)
  assert.equal(earliestSlot(pair), 30)
})

test('a pair keeps room for what it has, not for all families', () => {
  const pair = { families: 0, evidence: [] as number[] }
  setEvidence(pair, 5, 0.35, 7)
  assert.deepEqual(pair.evidence, [0.35, 7])
})
