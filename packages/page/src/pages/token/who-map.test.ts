import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from '@ti/core/contract/who.ts'
import { MOMENTS, mapOf, NOW } from './who-map.ts'

const holder = (wallet: string, holds_pct: number, peak_pct: number, tags: readonly string[] = []) => ({
  ...{ wallet, name: null, tags, group: null, actor: null, funder: null, holds_pct, peak_pct, sold_pct: 0 },
  ...{ bought_pct: peak_pct, received_pct: 0, first_buy_slot: 1, last_sell_slot: null, paid_sol: 1, got_sol: 0 },
  ...{ realised_sol: null, unrealised_sol: null },
})

/** the fields that the map reads */
const whoOf = (top: readonly unknown[]) =>
  ({ groups: [], actors: [], deployer: null, holders: { top } }) as unknown as Who

test('a wallet is as large, and says as much, as it has at each moment', () => {
  const { bubbles } = mapOf(whoOf([holder('A', 7.7, 25.3, ['sniper']), holder('B', 3, 3)]))
  const [sniper, other] = bubbles
  assert.deepEqual(sniper!.sizes, [25.3, 25.3, 7.7])
  assert.deepEqual(sniper!.texts, ['25.3%', '25.3%', '7.7%'])
  assert.equal(sniper!.texts.length, MOMENTS.length)
  assert.equal(sniper!.texts[NOW], '7.7%')
  // it bought later, so its size at the launch is 0
  assert.deepEqual(other!.sizes, [0, 3, 3])
})

test('a wallet with a name says that at each moment', () => {
  const { bubbles } = mapOf(whoOf([{ ...holder('A', 1, 2), name: 'kol-18' }]))
  assert.deepEqual(bubbles[0]!.texts, ['kol-18', 'kol-18', 'kol-18'])
})
