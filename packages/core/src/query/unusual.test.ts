import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACT_CODES, type FactCode } from '../contract/app.ts'
import { FACTS_MAX, UNUSUAL, unusualFacts } from './unusual.ts'

const NONE = Object.fromEntries(FACT_CODES.map((code) => [code, null])) as Record<FactCode, null>
const codes = (values: Partial<Record<FactCode, number>>): FactCode[] =>
  unusualFacts({ ...NONE, ...values }).map(({ code }) => code)

test('a fact is unusual from its edge on, and what is unknown is no fact', () => {
  assert.deepEqual(unusualFacts(NONE), [])
  for (const code of FACT_CODES) {
    assert.deepEqual(codes({ [code]: UNUSUAL[code] - 0.01 }), [], code)
    assert.deepEqual(unusualFacts({ ...NONE, [code]: UNUSUAL[code] }), [{ code, value: UNUSUAL[code] }])
  }
})

test('of many, the three furthest above their edges are shown, the furthest first', () => {
  const twice = Object.fromEntries(FACT_CODES.map((code) => [code, 2 * UNUSUAL[code]]))
  assert.equal(codes({ ...twice, snipers: 40, fresh: 60 }).length, FACTS_MAX)
  assert.deepEqual(codes({ dev: 9.8, snipers: 40, fresh: 60, top_10: 41 }), ['snipers', 'fresh', 'dev'])
})

test('a wider fact with the number of a narrower one says nothing new', () => {
  assert.deepEqual(codes({ dev: 8, insiders: 8 }), ['dev'])
  assert.deepEqual(codes({ dev: 8, insiders: 9 }), ['insiders', 'dev'])
  assert.deepEqual(codes({ crew: 8, group: 8 }), ['crew'])
  assert.deepEqual(codes({ crew: 8, group: 30 }), ['group', 'crew'])
})
