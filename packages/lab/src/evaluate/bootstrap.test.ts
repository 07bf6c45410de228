import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auroc, rank } from './auc.ts'
import { bootstrap, clusterBy, difference, interval, quantile } from './bootstrap.ts'
import { createRandom, type Random } from './random.ts'

/** Sum of twelve uniforms: standard normal but for the far tails. */
const normal = (random: Random): number => Array.from({ length: 12 }, random.float).reduce((a, b) => a + b, -6)

test('one deployer, one cluster; without deployer each token its own', () => {
  const { of, count } = clusterBy(['a', null, 'b', 'a', null])
  assert.deepEqual([...of], [0, 1, 2, 0, 3])
  assert.equal(count, 4)
})

test('the same seed gives the same interval, another seed another', () => {
  const values = Array.from({ length: 50 }, (_, i) => (i * 37) % 50)
  const positive = Uint8Array.from(values, (value, i) => (value + (i % 9) > 30 ? 1 : 0))
  const clusters = clusterBy(values.map(() => null))
  const ranking = rank(values, positive, clusters.of)
  const run = (seed: number) =>
    bootstrap(50, (draws) => ({ area: auroc(ranking, draws) }), createRandom(seed, 'x'), 200)
  assert.deepEqual(run(1), run(1))
  assert.notDeepEqual(run(1), run(2))
})

test('differences are paired: a predictor is ahead of itself by exactly nothing', () => {
  const statistic = (draws: Uint32Array | null): number => (draws === null ? 7 : draws[0]! * 3 + draws[1]!)
  const both = (draws: Uint32Array | null) => ({ a: statistic(draws), b: statistic(draws) })
  const { a, b } = bootstrap(9, both, createRandom(1, 'pairs'), 100)
  assert.deepEqual(interval(difference(a, b)), { value: 0, low: 0, high: 0 })
})

test('draws without a value are left out, and more than half of them leave no interval', () => {
  const few = { value: 1, replicates: Float64Array.from([1, 2, 3, Number.NaN]) }
  assert.deepEqual(interval(few, 0.5), { value: 1, low: 1.5, high: 2.5 })
  const many = { value: 1, replicates: Float64Array.from([1, Number.NaN, Number.NaN]) }
  assert.deepEqual(interval(many), { value: 1, low: null, high: null })
  assert.deepEqual(interval({ value: Number.NaN, replicates: Float64Array.from([1]) }).value, null)
})

test('quantiles are linear between order statistics', () => {
  assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5)
  assert.equal(quantile([7], 0.975), 7)
})

/** A log of deployers whose tokens share quality and score. */
function clustered(seed: number): { values: number[]; positive: Uint8Array; keys: string[] } {
  const random = createRandom(seed, 'clustered')
  const values: number[] = []
  const outcomes: number[] = []
  const keys: string[] = []
  for (let deployer = 0; deployer < 60; deployer++) {
    const quality = normal(random)
    const shared = normal(random)
    for (let token = 0; token < 5; token++) {
      values.push(0.8 * quality + shared + 0.3 * normal(random))
      outcomes.push(quality + 0.3 * normal(random) > 0.3 ? 1 : 0)
      keys.push(`d${deployer}`)
    }
  }
  return { values, positive: Uint8Array.from(outcomes), keys }
}

test('intervals that draw deployers cover the truth about as often as they claim; those that draw tokens do not', () => {
  const logs = 200
  const all = Array.from({ length: logs }, (_, seed) => clustered(seed + 1))
  const zero = (n: number): Uint32Array => new Uint32Array(n)
  // the true value, from a very long market
  const long = Array.from({ length: 400 }, (_, seed) => clustered(seed + 10_000))
  const positive = Uint8Array.from(long.flatMap((log) => [...log.positive]))
  const truth = auroc(
    rank(
      long.flatMap(({ values }) => values),
      positive,
      zero(positive.length),
    ),
  )
  const coverage = (keyOf: (key: string) => string | null): number => {
    const covered = all.filter(({ values, positive, keys }, seed) => {
      const clusters = clusterBy(keys.map(keyOf))
      const ranking = rank(values, positive, clusters.of)
      const statistics = (draws: Uint32Array | null) => ({ area: auroc(ranking, draws) })
      const { area } = bootstrap(clusters.count, statistics, createRandom(seed, 'coverage'), 200)
      const { low, high } = interval(area, 0.95)
      return low! <= truth && truth <= high!
    })
    return covered.length / logs
  }
  const byDeployer = coverage((key) => key)
  const byToken = coverage(() => null)
  assert.ok(byDeployer >= 0.88 && byDeployer <= 0.99, `seeds 1 to ${logs}: ${byDeployer}`)
  assert.ok(byToken < 0.8, `seeds 1 to ${logs}: ${byToken}`)
})
