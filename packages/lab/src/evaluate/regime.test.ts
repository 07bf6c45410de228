import assert from 'node:assert/strict'
import { test } from 'node:test'
import { synthetic } from '../../../../test/support/synthetic-log.ts'
import type { Case } from './cases.ts'
import { curveOf, PIECE } from './regime.ts'

const [template] = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 }).cases
const FROM = 1_000_000

/** Cases with the served probability and rate of yes of each interval, before and after the change. */
function cases(before: readonly [number, number][], after: readonly [number, number][]): Case[] {
  const piece = ([served, rate]: readonly [number, number], slot: number): Case[] =>
    Array.from({ length: PIECE }, (_, i) => ({
      ...template!,
      slot: slot + i,
      foretold: { ...template!.foretold, drain: { ...template!.foretold.drain!, p: served * 1e6 } },
      answers: { ...template!.answers, drain: i < rate * PIECE },
    }))
  return [
    ...before.flatMap((one, i) => piece(one, FROM - 9_001 - (before.length - i) * PIECE)),
    ...after.flatMap((one, i) => piece(one, FROM + i * PIECE)),
  ]
}

test('served and observed in pieces, counted from the change', () => {
  const { points, after } = curveOf(cases([[0.2, 0.2]], [[0.2, 0.6]]), 'drain', FROM)
  assert.deepEqual(
    points.map(({ at, observed }) => [at, observed]),
    [
      [0, 0.2],
      [PIECE, 0.6],
    ],
  )
  assert.ok(Math.abs(points[0]!.served - 0.2) < 1e-9)
  assert.equal(after, PIECE)
})

test('right again is from the piece on after which none is wrong', () => {
  const right = (after: readonly [number, number][]) => curveOf(cases([[0.2, 0.2]], after), 'drain', FROM).rightAfter
  assert.equal(
    right([
      [0.2, 0.6],
      [0.5, 0.6],
      [0.58, 0.6],
      [0.6, 0.6],
    ]),
    2 * PIECE,
  )
  assert.equal(
    right([
      [0.6, 0.6],
      [0.2, 0.6],
      [0.6, 0.6],
    ]),
    2 * PIECE,
  )
  assert.equal(right([[0.6, 0.6]]), 0)
  assert.equal(
    right([
      [0.6, 0.6],
      [0.2, 0.6],
    ]),
    null,
  )
})

test('what was asked before the change and due after it is of neither', () => {
  const between = cases([], [[0.2, 0.9]]).map((one) => ({ ...one, slot: FROM - 100 }))
  assert.deepEqual(curveOf(between, 'drain', FROM).points, [])
})
