import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import type { Explanation } from '@ti/core/contract/explain.ts'
import { explanationText } from './explain-text.ts'
import { painter } from './terminal-text.ts'

const explanation: Explanation = FURTHER_EXAMPLES.explain.data
const { data: who } = FURTHER_EXAMPLES.who
const textOf = (change: Partial<Explanation> = {}): string =>
  explanationText({ ...explanation, ...change }, who, painter(false))

test('the verdict comes first, then the people, the score and what lies behind it', () => {
  const text = textOf()
  const order = [
    '“MOON”',
    'RED  launched',
    'who took what',
    'largest of',
    'as of slot',
    'score 2.1',
    'drained within an hour',
  ]
  const places = order.map((part) => text.indexOf(part))
  assert.ok(
    places.every((at) => at >= 0),
    JSON.stringify(places),
  )
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
  assert.doesNotMatch(text, /\d %|undefined|NaN|\bnull\b/)
})

test('a share of fewer than 20 is no percentage, and what does not apply says why', () => {
  const of = (outlook: Explanation['outlook']['drain']): string =>
    textOf({ outlook: { ...explanation.outlook, drain: outlook } })
      .split('\n')
      .find((line) => line.startsWith('drained within'))!
  const { drain } = explanation.outlook
  assert.match(
    of({ ...drain!, p: null, n: 19, hits: 12 }),
    /: unknown, only 19 tokens like it so far and 20 are needed;/,
  )
  assert.doesNotMatch(of({ ...drain!, p: null, n: 19, hits: 12 }), /%/)
  assert.match(of({ ...drain!, p: 0.6, n: 20, hits: 12 }), /: 12 of the last 20 like it \(60%\);/)
  assert.match(of(null), /: not asked/)
})
