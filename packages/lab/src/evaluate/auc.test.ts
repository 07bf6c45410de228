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
  assert.equal(auc.averagePrecision(ranking([1, 2], [0, 0])), Number.NaN)
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
      for (const statistic of [auc.auroc, auc.averagePrecision]) {
        const expected = statistic(copies)
        const actual = statistic(some, drawn)
        if (Number.isNaN(expected)) assert.equal(actual, Number.NaN)
        else near(actual, expected)
      }
    }),
  )
})

test('average precision by hand', () => {
  // positives at ranks 1, 3 and 4: (1/1 + 2/3 + 3/4) / 3
  near(auc.averagePrecision(ranking([5, 4, 3, 2, 1], [1, 0, 1, 1, 0])), (1 + 2 / 3 + 3 / 4) / 3)
  // ties are one step: both positives of the second group have precision 3/4
  near(auc.averagePrecision(ranking([5, 4, 4, 4, 1], [1, 0, 1, 1, 0])), (1 + 3 / 4 + 3 / 4) / 3)
  near(auc.averagePrecision(ranking([1, 1, 1, 1], [1, 0, 0, 0])), 0.25)
})

test('precision at the top takes the mean of equals at the cut', () => {
  const ten = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
  assert.equal(auc.precisionAtTop(ranking(ten, [1, 0, 1, 0, 0, 0, 0, 0, 0, 0]), 0.2), 0.5)
  assert.equal(auc.precisionAtTop(ranking(ten, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 0.01), 1)
  assert.equal(auc.precisionAtTop(ranking([3, 3, 3, 3], [1, 0, 0, 0]), 0.5), 0.25)
  assert.equal(auc.precisionAtTop(ranking([], []), 0.5), Number.NaN)
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
      for (const [a, b] of [[of(rows), of(turned)]] as const) {
        assert.equal(auc.averagePrecision(a), auc.averagePrecision(b))
        assert.equal(auc.precisionAtTop(a, 0.2), auc.precisionAtTop(b, 0.2))
        assert.deepEqual(auc.equalCountBins(a, 4), auc.equalCountBins(b, 4))
      }
    }),
  )
})

test('bins are of equal count and hold everything', () => {
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 12 }), (rows, count) => {
      const some = ranking(
        rows.map(([value]) => value),
        rows.map(([, outcome]) => outcome),
      )
      const bins = auc.equalCountBins(some, count)
      assert.equal(bins.length, Math.min(count, rows.length))
      const sum = (pick: (bin: auc.Bin) => number): number => bins.reduce((total, bin) => total + pick(bin), 0)
      assert.ok(Math.abs(sum(({ n }) => n) - rows.length) < 1e-9)
      assert.ok(Math.abs(sum(({ positives }) => positives) - rows.filter(([, outcome]) => outcome === 1).length) < 1e-9)
      for (const { n } of bins) assert.ok(Math.abs(n - rows.length / bins.length) < 1e-9)
      for (let i = 1; i < bins.length; i++) assert.ok(bins[i]!.low >= bins[i - 1]!.high)
    }),
  )
})

test('the area under the plotted curve is the AUROC when no point is dropped', () => {
  fc.assert(
    fc.property(samples, (rows) => {
      const some = ranking(
        rows.map(([value]) => value),
        rows.map(([, outcome]) => outcome),
      )
      const points = auc.rocPoints(some, 100)
      const area = auc.auroc(some)
      if (Number.isNaN(area)) return assert.deepEqual(points, [])
      const trapezes = points.slice(1).map(([x, y], i) => ((x - points[i]![0]) * (y + points[i]![1])) / 2)
      near(
        trapezes.reduce((a, b) => a + b, 0),
        area,
      )
    }),
  )
})

test('a long curve is thinned and keeps its ends', () => {
  const n = 1000
  const points = auc.rocPoints(
    ranking(
      Array.from({ length: n }, (_, i) => i),
      Array.from({ length: n }, (_, i) => i % 2),
    ),
    80,
  )
  assert.ok(points.length <= 80)
  assert.deepEqual(points[0], [0, 0])
  assert.deepEqual(points.at(-1), [1, 1])
})

test('strata compare only inside themselves', () => {
  // across strata every positive loses; within each it wins
  const low = ranking([1, 2], [0, 1])
  const high = ranking([11, 12, 13], [0, 0, 1])
  assert.equal(auc.stratifiedAuroc([low, high]), 1)
  assert.equal(auc.stratifiedAuroc([ranking([1, 2], [1, 1])]), Number.NaN)
})

test('mid ranks: equals share their mean', () => {
  assert.deepEqual(auc.midRanks([30, 10, 20, 20]), [3, 0, 1.5, 1.5])
})
