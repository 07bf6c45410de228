import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAMILIES, type Family } from './bundles.ts'
import { addFamilies, evidenceOf } from './pair.ts'

const bits = (...names: Family[]): number => names.reduce((sum, name) => sum | (1 << FAMILIES.indexOf(name)), 0)

test('evidence of a pair: in the order of families however it came, with the slot of the first time', () => {
  const pair = { families: 0, slots: [] as number[] }
  addFamilies(pair, bits('consolidation'), 30)
  addFamilies(pair, bits('funder', 'consolidation'), 40)
  addFamilies(pair, bits('atomic', 'funder'), 50)
  assert.deepEqual(evidenceOf(pair), [
    { family: 'atomic', slot: 50 },
    { family: 'funder', slot: 40 },
    { family: 'consolidation', slot: 30 },
  ])
})
