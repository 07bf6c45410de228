import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import type { Key } from '../base/ids.ts'
import { deployerRecord, isSerialFailure, nearestRank, withoutLaunch } from './deployers.ts'
import { newWallet } from './history.ts'
import { newToken } from './tokens.ts'

const launch = fc.record({
  ath: fc.oneof(
    fc.constant(null),
    fc.integer({ min: 0, max: 20_000_000 }),
    fc.constantFrom(6_999, 7_000, 9_999, 10_000),
  ),
  bonded: fc.boolean(),
})

test('nearest rank', () => {
  assert.equal(nearestRank([], 50), null)
  assert.equal(nearestRank([7], 25), 7)
  assert.deepEqual(
    [25, 50, 75, 90].map((p) => nearestRank([1, 2, 3, 4], p)),
    [1, 2, 3, 4],
  )
})

test('the record counts what a plain scan counts, and its ladder never rises', () => {
  fc.assert(
    fc.property(fc.array(launch, { maxLength: 60 }), (launches) => {
      const record = deployerRecord(launches)
      const peaks = launches.flatMap(({ ath }) => (ath === null ? [] : [ath]))
      assert.equal(record.total, launches.length)
      assert.equal(record.bonded, launches.filter(({ bonded }) => bonded).length)
      assert.equal(record.sample, peaks.length)
      assert.equal(record.best, peaks.length === 0 ? null : Math.max(...peaks))
      assert.deepEqual(
        record.rungs.map(({ mcap }) => mcap / 1_000),
        [10, 25, 50, 100, 250, 500, 1_000, 5_000, 10_000],
      )
      let last = Number.POSITIVE_INFINITY
      for (const { mcap, reached } of record.rungs) {
        assert.equal(reached, peaks.filter((peak) => peak >= mcap).length)
        assert.ok(reached <= last)
        last = reached
      }
      const { p25, p50, p75, p90 } = record.percentiles
      if (peaks.length > 0) assert.ok(p25! <= p50! && p50! <= p75! && p75! <= p90! && p90! <= record.best!)
    }),
  )
})

interface Ended {
  readonly ath: number | null
  readonly bonded: boolean
}

const walletOf = (launches: readonly Ended[]) => {
  const record = deployerRecord(launches)
  return {
    ...newWallet(0, 'd'.repeat(32) as Key, 0),
    launches: launches.length,
    launchesTraded: record.sample,
    launchesAboveFloor: launches.filter(({ ath }) => ath !== null && ath >= 7_000).length,
    launchesBonded: record.bonded,
  }
}

test('a token is judged by the other launches of its deployer', () => {
  fc.assert(
    fc.property(fc.array(launch, { minLength: 1, maxLength: 40 }), fc.nat(), (launches, nth) => {
      const own = nth % launches.length
      const { ath, bonded } = launches[own]!
      const token = { ...newToken(0, 'm'.repeat(32) as Key, 0, 0), migratedSlot: bonded ? 9 : -1 }
      Object.assign(token, ath === null ? {} : { ath, athSlot: 5 })
      assert.deepEqual(withoutLaunch(walletOf(launches), token), walletOf(launches.toSpliced(own, 1)))
    }),
  )
})

test('the fold’s counters decide serial failure exactly as the percentile would', () => {
  fc.assert(
    fc.property(fc.array(launch, { maxLength: 40 }), (launches) => {
      const record = deployerRecord(launches)
      const p75 = record.percentiles.p75
      const expected = launches.length >= 10 && record.bonded === 0 && p75 !== null && p75 < 7_000
      assert.equal(isSerialFailure(walletOf(launches)), expected)
    }),
  )
})
