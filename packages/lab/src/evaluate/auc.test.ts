import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import * as auc from './auc.ts'

const zeros = (n: number): Uint32Array => new Uint32Array(n)
const ranking = (values: readonly number[], outcomes: readonly number[]): auc.Ranking =>
  auc.rank(values, Uint8Array.from(outcomes), zeros(values.length))

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`)

/** Few distinct values, so that ties are common. */
const samples = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 1 })), {
  minLength: 1,
  maxLength: 40,
})

/** Compares every pair of a positive and a negative. */
function slowAuroc(rows: readonly (readonly [number, number])[]): number {
  let won = 0
  let pairs = 0
  for (const [a, up] of rows) {
    for (const [b, other] of rows) {
      if (up !== 1 || other !== 0) continue
      pairs++
      won += a > b ? 1 : a === b ? 0.5 : 0
    }
  }
  return pairs === 0 ? Number.NaN : won / pairs
}

test('perfect, reversed, all equal, one outcome only', () => {
  assert.equal(auc.auroc(ranking([1, 2, 3, 4], [0, 0, 1, 1])), 1)
  assert.equal(auc.auroc(ranking([1, 2, 3, 4], [1, 1, 0, 0])), 0)
  assert.equal(auc.auroc(ranking([5, 5, 5, 5], [0, 1, 0, 1])), 0.5)
  assert.equal(auc.auroc(ranking([1, 2], [1, 1])), Number.NaN)
  assert.equal(auc.auroc(ranking([1, 2], [0, 0])), Number.NaN)
})

test('AUROC is the share of pairs won', () => {
  fc.assert(
    fc.property(samples, (rows) => {
      const fast = auc.auroc(
        ranking(
          rows.map(([value]) => value),
          rows.map(([, outcome]) => outcome),
        ),
      )
      const slow = slowAuroc(rows)
      if (Number.isNaN(slow)) assert.equal(fast, Number.NaN)
      else near(fast, slow)
    }),
  )
})

test('drawing a cluster k times is having its samples k times', () => {
  const weighted = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 3 })),
    { minLength: 1, maxLength: 30 },
  )
  const draws = fc.uint32Array({ minLength: 4, maxLength: 4, max: 3 })
  fc.assert(
    fc.property(weighted, draws, (rows, drawn) => {
      const some = auc.rank(
        rows.map(([value]) => value),
        Uint8Array.from(rows, ([, outcome]) => outcome),
        Uint32Array.from(rows, ([, , cluster]) => cluster),
      )
      const expanded = rows.flatMap((row) => new Array<(typeof rows)[number]>(drawn[row[2]]!).fill(row))
      const copies = ranking(
        expanded.map(([value]) => value),
        expanded.map(([, outcome]) => outcome),
      )
      const expected = auc.auroc(copies)
      const actual = auc.auroc(some, drawn)
      if (Number.isNaN(expected)) assert.equal(actual, Number.NaN)
      else near(actual, expected)
    }),
  )
})

test('no result depends on the order of the input', () => {
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 39 }), (rows, turn) => {
      const turned = rows.map((_, i) => rows[(i + turn) % rows.length]!)
      const of = (some: typeof rows): auc.Ranking =>
        ranking(
          some.map(([value]) => value),
          some.map(([, outcome]) => outcome),
        )
      assert.equal(auc.auroc(of(rows)), auc.auroc(of(turned)))
    }),
  )
})
