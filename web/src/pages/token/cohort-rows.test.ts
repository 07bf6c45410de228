import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cohortRows } from './cohort-rows.ts'

const cohorts = {
  buys_pct: { under_10: 12.5, between_10_100: 30, between_100_1k: 41.5, between_1k_10k: 14, over_10k: 2 },
  hcr_pct: { doa: 10, insider_vibes: 5, kiss_of_death: 25, mid: 0, strong: 20 },
  hold_duration_pct: {
    under_60s: 20,
    between_60s_150s: 25,
    between_150s_300s: 30,
    between_300s_600s: 15,
    over_600s: 9.98,
  },
  pnl_pct: { loss_50_plus: 0, loss_0_to_50: 0, profit_0_to_50: 0, profit_50_to_150: 0, profit_150_plus: 0 },
  roi_pct: { rekt: 8, bleeding: 22, flat: 40, printing: 28, sus_high: 2 },
  sell_impact_pct: {
    under_neg9_9: 6,
    neg9_9_to_neg3_6: 14,
    neg3_6_to_neg0_61: 32,
    neg0_61_to_pos2_2: 44,
    over_pos2_2: 4,
  },
  sol_balance_pct: { under_1: 18, between_1_3: 32, between_3_10: 30, between_10_100: 18, over_100: 2 },
}

test('seven cohorts of five buckets, every value in its place', () => {
  const rows = cohortRows(cohorts)
  assert.equal(rows.length, 7)
  for (const { name, buckets } of rows) {
    const told = [...buckets.map(({ pct }) => pct)].sort((a, b) => a - b)
    assert.deepEqual(
      told,
      [...Object.values<number>(cohorts[name])].sort((a, b) => a - b),
      name,
    )
  }
})

test('buckets stand from low to high, also where the answer sorts them by name', () => {
  const picks = cohortRows(cohorts).find(({ name }) => name === 'hcr_pct')
  assert.deepEqual(
    picks?.buckets.map(({ pct }) => pct),
    [10, 25, 0, 20, 5],
  )
})

test('what no bucket covers is said, rounding is not', () => {
  const unread = Object.fromEntries(cohortRows(cohorts).map(({ name, unread }) => [name, Math.round(unread)]))
  assert.deepEqual([unread.hcr_pct, unread.pnl_pct, unread.hold_duration_pct, unread.buys_pct], [40, 100, 0, 0])
})
