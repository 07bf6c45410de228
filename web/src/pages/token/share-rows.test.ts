import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppExplain } from '../../../../src/contract/app.ts'
import { groupNamesOf, shareRows } from './share-rows.ts'

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
