import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ratings } from '../contract/resources.ts'
import type { Reading } from '../engine/reading/reading.ts'
import type { ScoreMetrics } from '../engine/reading/score.ts'
import type { Condition } from '../engine/reading/signals.ts'
import { ratingsOf } from './ratings.ts'

/** Numbers before rounding; every metric has a reading by default. */
interface Case {
  readonly shares?: Partial<Reading['shares']>
  readonly conviction?: number | null
  readonly cooktimer?: number
  readonly score?: number
  readonly missing?: readonly (keyof ScoreMetrics)[]
  readonly hasReading?: boolean
  readonly conditions?: readonly [pump: number, dump: number] | null
}

function rated(one: Case): Ratings {
  const shares = { bundle: 0, dirty: 0, dumpers: 0, jeets: 0, alphaHands: 0, nukers: 0, diamond: 0, inProfit: 0 }
  const cooktimer = one.cooktimer ?? 0
  const conviction = one.conviction === undefined ? 0 : one.conviction
  const metrics: Record<keyof ScoreMetrics, number | null> = {
    ...{
      bundle: 1,
      dirty: 1,
      dumpers: 1,
      jeets: 1,
      alphaHands: 1,
      inProfit: 1,
      smartWallets: 1,
      independentHolders: 1,
      cooktimer,
      conviction,
    },
  }
  for (const name of one.missing ?? []) metrics[name] = null
  const reading = {
    ...{ metrics, conviction, cooktimer, smartWallets: 0 },
    shares: { ...shares, ...one.shares },
    score: { value: one.score ?? 0, hasReading: one.hasReading ?? true },
  }
  const [pump, dump] = one.conditions ?? [0, 0]
  const met = Array.from({ length: 24 }, (_, i): Condition => ({ name: '', value: 0, pump: i < pump, dump: i < dump }))
  return ratingsOf(reading as unknown as Reading, one.conditions === null ? null : met)
}

/** Ascending values with their expected colours; numbers as served, with two decimals. */
function check(name: keyof Ratings, put: (x: number) => Case, cases: readonly (readonly [number, string])[]): void {
  for (const [x, colour] of cases) assert.equal(rated(put(x))[name], colour, `${name} ${x}`)
}

test('score: 5 and up green, 3 included in yellow', () => {
  check('score', (score) => ({ score }), [
    [0, 'red'],
    [2.9, 'red'],
    [3, 'yellow'],
    [4.9, 'yellow'],
    [5, 'green'],
    [5.1, 'green'],
    [10, 'green'],
  ])
})

test('bundle: 50 is yellow, 65 is red', () => {
  check('bundle', (bundle) => ({ shares: { bundle } }), [
    [0, 'green'],
    [49.99, 'green'],
    [50, 'yellow'],
    [50.01, 'yellow'],
    [64.99, 'yellow'],
    [65, 'red'],
    [65.01, 'red'],
    [100, 'red'],
  ])
})

test('dirty, dumpers, jeets: both edges are yellow', () => {
  const edges = { dirty: [50, 60], dumpers: [50, 65], jeets: [10, 20] } as const
  for (const [name, [low, high]] of Object.entries(edges)) {
    check(name as keyof typeof edges, (x) => ({ shares: { [name]: x } }), [
      [0, 'green'],
      [low - 0.01, 'green'],
      [low, 'yellow'],
      [low + 0.01, 'yellow'],
      [high - 0.01, 'yellow'],
      [high, 'yellow'],
      [high + 0.01, 'red'],
      [100, 'red'],
    ])
  }
})

test('alpha hands, in profit, conviction: both edges are yellow', () => {
  const edges = {
    alpha_hands: [25, 30, (alphaHands: number): Case => ({ shares: { alphaHands } })],
    in_profit: [40, 55, (inProfit: number): Case => ({ shares: { inProfit } })],
    conviction: [50, 60, (conviction: number): Case => ({ conviction })],
  } as const
  for (const [name, [low, high, put]] of Object.entries(edges)) {
    check(name as keyof typeof edges, put, [
      [0, 'red'],
      [low - 0.01, 'red'],
      [low, 'yellow'],
      [low + 0.01, 'yellow'],
      [high - 0.01, 'yellow'],
      [high, 'yellow'],
      [high + 0.01, 'green'],
      [100, 'green'],
    ])
  }
})

test('cooktimer: 2500 green, 1000 yellow, overdue red', () => {
  check('cooktimer', (cooktimer) => ({ cooktimer }), [
    [-1, 'red'],
    [999, 'red'],
    [1_000, 'yellow'],
    [1_001, 'yellow'],
    [2_499, 'yellow'],
    [2_500, 'green'],
    [2_501, 'green'],
  ])
})

test('pump and dump: a lead of four', () => {
  const lead = (pump: number, dump: number): string => rated({ conditions: [pump, dump] }).pump_dump
  assert.deepEqual(
    [lead(10, 6), lead(9, 6), lead(6, 6), lead(6, 9), lead(6, 10)],
    ['green', 'yellow', 'yellow', 'yellow', 'red'],
  )
  assert.equal(rated({ conditions: null }).pump_dump, 'neutral')
})

test('the verdict follows from the served number, not from the one behind it', () => {
  assert.equal(rated({ shares: { bundle: 49.996 } }).bundle, 'yellow')
  assert.equal(rated({ shares: { bundle: 49.994 } }).bundle, 'green')
  assert.equal(rated({ shares: { bundle: 64.996 } }).bundle, 'red')
  assert.equal(rated({ shares: { dirty: 60.004 } }).dirty, 'yellow')
  assert.equal(rated({ shares: { alphaHands: 30.004 } }).alpha_hands, 'yellow')
  assert.equal(rated({ conviction: 60.006 }).conviction, 'green')
})

test('neutral: no reading of the metric', () => {
  const names: Partial<Record<keyof ScoreMetrics, keyof Ratings>> = {
    bundle: 'bundle',
    dirty: 'dirty',
    dumpers: 'dumpers',
    jeets: 'jeets',
    alphaHands: 'alpha_hands',
    inProfit: 'in_profit',
    cooktimer: 'cooktimer',
    conviction: 'conviction',
  }
  for (const [metric, name] of Object.entries(names)) {
    const ratings = rated({ missing: [metric as keyof ScoreMetrics], conviction: metric === 'conviction' ? null : 0 })
    assert.equal(ratings[name], 'neutral')
    const others = Object.entries(ratings).filter(([other]) => other !== name)
    assert.ok(others.every(([, colour]) => colour !== 'neutral'))
  }
})

test('score: neutral only without a reading', () => {
  assert.equal(rated({ score: 9, hasReading: false }).score, 'neutral')
  assert.equal(rated({ score: 0, hasReading: true }).score, 'red')
})
