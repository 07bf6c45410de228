import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { VERDICT_CODES } from '../../base/verdict-codes.ts'
import { METRICS, type Score, type ScoreInput, type ScoreMetrics, scoreOf } from './score.ts'

const GREEN: ScoreMetrics = {
  bundle: 50,
  dirty: 50,
  dumpers: 50,
  jeets: 10,
  alphaHands: 30,
  inProfit: 55,
  conviction: 60,
  cooktimer: 2_500,
  smartWallets: 2,
  independentHolders: 40,
}
const RED: ScoreMetrics = {
  bundle: 65,
  dirty: 60,
  dumpers: 65,
  jeets: 20,
  alphaHands: 25,
  inProfit: 40,
  conviction: 50,
  cooktimer: 1_000,
  smartWallets: 0,
  independentHolders: 15,
}
const NOTHING = Object.fromEntries(METRICS.map((name) => [name, null])) as unknown as ScoreMetrics

const input = (changes: Partial<ScoreInput> = {}): ScoreInput => ({
  metrics: GREEN,
  coverage: 0.6,
  isCopy: false,
  cap: null,
  ...changes,
})

/** The best value of every metric. */
const BEST: ScoreMetrics = {
  bundle: 0,
  dirty: 0,
  dumpers: 0,
  jeets: 0,
  alphaHands: 70,
  inProfit: 95,
  conviction: 90,
  cooktimer: 9_000,
  smartWallets: 8,
  independentHolders: 150,
}
const scored = (changes: Partial<ScoreInput>): number => scoreOf(input(changes)).value
const sumOf = ({ contributions }: Score): number => contributions.reduce((sum, { micro }) => sum + micro, 0)
/** Kinds of contributions other than metrics and rounding. */
const kindsOf = ({ contributions }: Score): string[] =>
  contributions
    .map(({ part }) => (part.kind === 'cap' ? part.cap : part.kind))
    .filter((kind) => kind !== 'metric' && kind !== 'rounding')

test('every metric on its green edge gives exactly 5, on its red edge exactly 3', () => {
  for (const coverage of [0.6, 0.61, 1]) {
    assert.equal(scored({ coverage }), 5)
    assert.equal(scored({ coverage, metrics: RED }), 3)
  }
  assert.equal(scored({ metrics: BEST }), 10)
})

/** The methodology's table: knots, points, weight. */
const TABLE: Record<string, [number, number][]> = {
  bundle: [
    [0, 10],
    [50, 5],
    [65, 3],
    [100, 0],
  ],
  dirty: [
    [0, 10],
    [50, 5],
    [60, 3],
    [100, 0],
  ],
  dumpers: [
    [0, 10],
    [50, 5],
    [65, 3],
    [100, 0],
  ],
  jeets: [
    [0, 10],
    [10, 5],
    [20, 3],
    [60, 0],
    [100, 0],
  ],
  alphaHands: [
    [0, 0],
    [25, 3],
    [30, 5],
    [70, 10],
    [100, 10],
  ],
  conviction: [
    [0, 0],
    [50, 3],
    [60, 5],
    [90, 10],
    [100, 10],
  ],
  cooktimer: [
    [-5_000, 0],
    [-1_000, 0],
    [1_000, 3],
    [2_500, 5],
    [9_000, 10],
    [20_000, 10],
  ],
  independentHolders: [
    [0, 0],
    [15, 3],
    [40, 5],
    [150, 10],
    [9_000, 10],
  ],
  smartWallets: [
    [0, 3],
    [2, 5],
    [8, 10],
    [50, 10],
  ],
}

test('each knot of each metric, and the middle between two', () => {
  assert.deepEqual(Object.keys(TABLE).sort(), [...METRICS].sort())
  for (const [metric, knots] of Object.entries(TABLE)) {
    const points = (x: number): number => {
      const { contributions } = scoreOf(input({ metrics: { ...NOTHING, [metric]: x } }))
      const part = contributions.find((one) => one.part.kind === 'metric')?.part
      assert.ok(part?.kind === 'metric')
      return part.points
    }
    knots.forEach(([x, expected], i) => {
      assert.equal(points(x), expected, `${metric} ${x}`)
      const next = knots[i + 1]
      if (next === undefined) return
      const between = points((x + next[0]) / 2)
      assert.ok(Math.abs(between - (expected + next[1]) / 2) < 1e-9, `${metric} between ${x} and ${next[0]}`)
    })
  }
})

test('metrics weigh what the table says', () => {
  const weights = { bundle: 3, dirty: 2, dumpers: 2, jeets: 1, alphaHands: 2, conviction: 2 }
  const all = { ...weights, cooktimer: 2, smartWallets: 1, independentHolders: 12 }
  const total = Object.values(all).reduce((sum, weight) => sum + weight, 0)
  assert.equal(total, 27)
  for (const [metric, weight] of Object.entries(all)) {
    const { contributions } = scoreOf(input())
    const own = contributions.find(({ part }) => part.kind === 'metric' && part.metric === metric)!
    assert.equal(own.micro, Math.round((5e6 * weight) / total), metric)
  }
})

test('little history pulls the score to 4, in proportion up to 60 %', () => {
  assert.equal(scored({ coverage: 0, metrics: BEST }), 4)
  assert.equal(scored({ coverage: 0.2, metrics: BEST }), 6)
  assert.equal(scored({ coverage: 0.3, metrics: BEST }), 7)
  assert.equal(scored({ coverage: 0.59, metrics: BEST }), 9.9)
  assert.equal(scored({ coverage: 0.6, metrics: BEST }), 10)
  const prior = scoreOf(input({ coverage: 0 })).contributions.find(({ part }) => part.kind === 'prior')
  assert.equal(prior?.micro, 4_000_000)
  assert.deepEqual(kindsOf(scoreOf(input({ coverage: 0.6 }))), [])
  assert.deepEqual(kindsOf(scoreOf(input({ coverage: 0.59, metrics: BEST }))), ['prior'])
})

test('few independent holders are no reason to be pulled up: the prior is what they are worth, 4 at the most', () => {
  const prior = (holders: number): number | undefined => {
    const metrics = { ...BEST, independentHolders: holders }
    return scoreOf(input({ coverage: 0, metrics })).contributions.find(({ part }) => part.kind === 'prior')?.micro
  }
  assert.equal(prior(0), undefined)
  assert.equal(prior(15), 3_000_000)
  assert.equal(prior(27.5), 4_000_000)
  assert.equal(prior(40), 4_000_000)
})

test('metrics without a reading have no part; without any there is none', () => {
  assert.equal(scored({ metrics: { ...NOTHING, bundle: 0 } }), 10)
  assert.equal(scored({ metrics: { ...NOTHING, bundle: 0, smartWallets: 0 } }), 8.3)
  const none = scoreOf(input({ metrics: NOTHING }))
  assert.deepEqual([none.value, none.hasReading, none.contributions.length], [0, false, 0])
  assert.equal(scoreOf(input()).hasReading, true)
})

test('a cap takes what is above it, and a copy is worth less than that', () => {
  const cases: [Partial<ScoreInput>, number, string[]][] = [
    [{ cap: { code: 'rugged', at: 2.9 } }, 2.9, ['rugged']],
    [{ cap: { code: 'sold_ever', at: 3.9 } }, 3.9, ['sold_ever']],
    [{ cap: { code: 'unknown_holders', at: 4.9 } }, 4.9, ['unknown_holders']],
    [{ isCopy: true }, 9.5, ['copied']],
    [{ cap: { code: 'rugged', at: 2.9 }, isCopy: true }, 2.9, ['copied', 'rugged']],
  ]
  for (const [changes, value, kinds] of cases) {
    const score = scoreOf(input({ metrics: BEST, ...changes }))
    assert.equal(score.value, value, JSON.stringify(changes))
    assert.deepEqual(kindsOf(score), kinds, JSON.stringify(changes))
  }
  assert.deepEqual(kindsOf(scoreOf(input({ cap: { code: 'low_score', at: 5 } }))), [])
})

test('a cap takes from nobody below it, and nothing falls below 0', () => {
  const worst = {
    ...GREEN,
    bundle: 100,
    dirty: 100,
    dumpers: 100,
    jeets: 60,
    alphaHands: 0,
    inProfit: 0,
    conviction: 0,
  }
  const metrics = { ...worst, cooktimer: -1_000, smartWallets: 0, independentHolders: 0 }
  assert.equal(scored({ metrics }), 0.1)
  assert.equal(scored({ metrics, cap: { code: 'rugged', at: 2.9 } }), 0.1)
  const floor = scoreOf(input({ metrics, isCopy: true }))
  assert.equal(floor.value, 0)
  assert.deepEqual(kindsOf(floor), ['copied', 'bounds'])
  assert.equal(sumOf(floor), 0)
})

test('contributions are whole and add up to the value exactly', () => {
  const x = fc.option(fc.double({ min: -2_000, max: 10_000, noNaN: true }), { freq: 6 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const metrics = fc.record(Object.fromEntries(METRICS.map((name) => [name, x]))) as fc.Arbitrary<ScoreMetrics>
  const cap = fc.option(fc.record({ code: fc.constantFrom(...VERDICT_CODES), at: fc.constantFrom(2.9, 3.9, 4.9) }))
  fc.assert(
    fc.property(metrics, share, fc.boolean(), cap, (metrics, coverage, isCopy, cap) => {
      const score = scoreOf({ metrics, coverage, isCopy, cap })
      assert.ok(score.contributions.every(({ micro }) => Number.isInteger(micro)))
      assert.equal(sumOf(score), Math.round(score.value * 1_000_000))
      assert.ok(score.value >= 0 && score.value <= (cap?.at ?? 10))
      assert.equal(Math.round(score.value * 10) / 10, score.value)
    }),
    { numRuns: 2_000 },
  )
})
