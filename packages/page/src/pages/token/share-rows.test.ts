import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppExplain } from '@ti/core/contract/app.ts'
import { cohortRows, groupNamesOf, shareRows } from './share-rows.ts'

const none = { pct: 0, wallets: 0, largest: [] }
const shares = {
  bundle_pct: { pct: 40, wallets: 1, largest: [{ wallet: 'W', pct: 40, why: ['bdl_1'] }] },
  dirty_pct: { pct: 40, wallets: 1, largest: [{ wallet: 'W', pct: 40, why: ['bundle', 'fresh', 'other'] }] },
  dumpers_pct: { pct: 40, wallets: 1, largest: [{ wallet: 'W', pct: 40, why: ['sell impact -33.61'] }] },
  chart_nukers_pct: none,
  jeets_pct: none,
  alpha_hands_pct: none,
  diamond_hands_pct: none,
  in_profit_pct: { pct: 40, wallets: 1, largest: [{ wallet: 'W', pct: 40 }] },
  smart_wallets: none,
} satisfies AppExplain['shares']

test('nine shares with their reasons in words', () => {
  const rows = shareRows(shares, new Map([['bdl_1', 'golden-willow-500']]))
  assert.equal(rows.length, 9)
  const why = Object.fromEntries(rows.map(({ name, largest }) => [name, largest[0]?.why]))
  assert.deepEqual(why.bundle_pct, ['in golden-willow-500'])
  assert.deepEqual(why.dirty_pct, ['in a coordinated group', 'new wallet', 'other'])
  assert.deepEqual(why.dumpers_pct, ['prices after its sells: −33.61%'])
  assert.deepEqual(why.in_profit_pct, [])
})

test('a group is known by its aliases too', () => {
  const names = groupNamesOf([{ id: 'bdl_1', name: 'a', aliases: ['bdl_2'] }] as unknown as AppExplain['bundles'])
  assert.deepEqual(
    [...names],
    [
      ['bdl_1', 'a'],
      ['bdl_2', 'a'],
    ],
  )
})

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
    const shown = [...buckets.map(({ pct }) => pct)].sort((a, b) => a - b)
    assert.deepEqual(
      shown,
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
