import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bundle, evidenceOf, familiesOf, familyOf, forPicture, partnerOf, stateOf } from './bundle-words.ts'

const evidence = (a: string, b: string, probability: number, families: readonly [string, number][]) => ({
  wallets: [a, b],
  probability,
  families: families.map(([family, weight]) => ({ family, weight, slot: 7 })),
})

const BUNDLE = {
  evidence: [
    evidence('A', 'B', 0.8, [
      ['timing', 0.35],
      ['funder', 0.6],
    ]),
    evidence('C', 'A', 1, [['funder', 0.95]]),
  ],
}

test('families of a group: the most telling first, with the pairs that they tie', () => {
  assert.deepEqual(familiesOf(BUNDLE), [
    { family: 'funder', pairs: 2, weight: 0.95 },
    { family: 'timing', pairs: 1, weight: 0.35 },
  ])
})

test('evidence of one wallet: the surest partner first', () => {
  const found = evidenceOf(BUNDLE, 'A')
  assert.deepEqual(
    found.map((one) => partnerOf(one, 'A')),
    ['C', 'B'],
  )
  assert.deepEqual(evidenceOf(BUNDLE, 'D'), [])
})

test('a family without words keeps its name', () => {
  assert.deepEqual(familyOf('new_kind'), { label: 'new kind', means: '' })
})

test('the picture prefers confirmed groups, then large ones, and is bounded', () => {
  const bundle = (id: string, confirmed: boolean, pct_of_supply: number) => ({ id, confirmed, pct_of_supply }) as Bundle
  const shown = forPicture([bundle('a', false, 9), bundle('b', true, 1), bundle('c', true, 2)], 2)
  assert.deepEqual(
    shown.map(({ id }) => id),
    ['c', 'b'],
  )
})

test('a group that is not confirmed is suspected, whatever it sells', () => {
  assert.equal(stateOf({ confirmed: false, red: true }), 'suspected')
  assert.equal(stateOf({ confirmed: true, red: true }), 'selling')
})
