import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { newWallet } from '../history.ts'
import { openPosition } from '../positions.ts'
import { type Cohorts, countCohorts, emptyCohorts, impactBucket, pnlBucket, roiBucket } from './cohorts.ts'

const NOW = 10_000
const HELD = 7

interface Case {
  readonly wallet?: Partial<Wallet>
  readonly position?: Partial<Position>
  readonly healthyRate?: number
  readonly impact?: number | null
}

/** The bucket of one holder's balance, -1 for none. */
function bucketOf(cohort: keyof Cohorts, { wallet, position, healthyRate, impact }: Case): number {
  const owner: Wallet = { ...newWallet(1, 'w'.repeat(32) as Key, 0), ...wallet }
  const held: Position = { ...openPosition(0, owner, NOW), balance: HELD, ...position }
  const cohorts = emptyCohorts()
  countCohorts(cohorts, held, owner, healthyRate ?? 0, impact ?? null, NOW)
  const buckets = cohorts[cohort]
  assert.equal(buckets.length, 5)
  assert.ok(buckets.filter((tokens) => tokens > 0).length <= 1)
  return buckets.indexOf(HELD)
}

/** Checks pairs of [holder, bucket]. */
const check = (cohort: keyof Cohorts, cases: readonly (readonly [Case, number])[]): void => {
  for (const [holder, bucket] of cases) assert.equal(bucketOf(cohort, holder), bucket, JSON.stringify(holder))
}

test('buys: distinct mints, each edge opens the next bucket', () => {
  const mints = (mintsBought: number): Case => ({ wallet: { mintsBought } })
  check('buys', [
    ...([0, 9] as const).map((n) => [mints(n), 0] as const),
    ...([10, 99] as const).map((n) => [mints(n), 1] as const),
    ...([100, 999] as const).map((n) => [mints(n), 2] as const),
    ...([1_000, 9_999] as const).map((n) => [mints(n), 3] as const),
    ...([10_000, 99_999] as const).map((n) => [mints(n), 4] as const),
  ])
})

test('healthy rate: on the shrunk rate, from three resolved picks on', () => {
  const rate = (healthyRate: number, picksResolved = 3): Case => ({ healthyRate, wallet: { picksResolved } })
  check('healthyRate', [
    [rate(0), 0],
    [rate(0.0999), 0],
    [rate(0.1), 1],
    [rate(0.2499), 1],
    [rate(0.25), 2],
    [rate(0.4499), 2],
    [rate(0.45), 3],
    [rate(0.6999), 3],
    [rate(0.7), 4],
    [rate(1), 4],
    [rate(0.7, 2), -1],
  ])
})

test('age of the holding in slots, fractions kept', () => {
  const age = (slots: number): Case => ({ position: { acquiredSlot: NOW - slots } })
  check('hold', [
    [age(0), 0],
    [age(149.999), 0],
    [age(150), 1],
    [age(374.999), 1],
    [age(375), 2],
    [age(749.999), 2],
    [age(750), 3],
    [age(1_499.999), 3],
    [age(1_500), 4],
    [age(9_999), 4],
  ])
})

test('profit: the lowest bucket has its upper edge, the others their lower one', () => {
  const pnl = (sol: number, realisations = 1): Case => ({ wallet: { realised: Math.round(sol * 1e9), realisations } })
  check('pnl', [
    [pnl(-50.000000001), 0],
    [pnl(-50), 0],
    [pnl(-49.999999999), 1],
    [pnl(-0.000000001), 1],
    [pnl(0), 2],
    [pnl(49.999999999), 2],
    [pnl(50), 3],
    [pnl(149.999999999), 3],
    [pnl(150), 4],
    [pnl(0, 0), -1],
  ])
  assert.equal(pnlBucket(-50), 0)
})

test('return: flat has both edges, and too good needs ten closed positions to look suspicious', () => {
  const roi = (ratio: number, closed = 10): Case => ({ wallet: { realised: ratio * 1e9, closedCost: 1e9, closed } })
  check('roi', [
    [roi(-1), 0],
    [roi(-0.5001), 0],
    [roi(-0.5), 1],
    [roi(-0.1001), 1],
    [roi(-0.1), 2],
    [roi(0.1), 2],
    [roi(0.1001), 3],
    [roi(1.4999), 3],
    [roi(1.5), 4],
    [roi(1.5, 9), 3],
    [roi(40, 9), 3],
    [{ wallet: { realised: 1e9, closedCost: 49_999_999, closed: 20 } }, -1],
    [{ wallet: { realised: 0, closedCost: 50_000_000, closed: 20 } }, 2],
  ])
  assert.equal(roiBucket(1.5, 10), 4)
})

test('sell impact: the specification’s four edges', () => {
  const impact = (value: number | null): Case => ({ impact: value })
  check('sellImpact', [
    [impact(-9.901), 0],
    [impact(-9.9), 1],
    [impact(-3.601), 1],
    [impact(-3.6), 2],
    [impact(-0.611), 2],
    [impact(-0.61), 3],
    [impact(2.2), 3],
    [impact(2.201), 4],
    [impact(null), -1],
  ])
  assert.equal(impactBucket(2.2), 3)
})

test('SOL balance: unknown is in no bucket', () => {
  const sol = (amount: number): Case => ({ wallet: { solBalance: Math.round(amount * 1e9) } })
  check('solBalance', [
    [sol(0), 0],
    [sol(0.999999999), 0],
    [sol(1), 1],
    [sol(2.999999999), 1],
    [sol(3), 2],
    [sol(9.999999999), 2],
    [sol(10), 3],
    [sol(99.999999999), 3],
    [sol(100), 4],
    [{ wallet: { solBalance: -1 } }, -1],
  ])
})
