import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trade } from '@ti/core/contract/resources.ts'
import { lastTraded, ownTrades, profitSteps } from './history.ts'

const sold = (mint: string, last_sell_slot: number | null, realised_sol: number | null) => ({
  ...{ mint, symbol: '', name: '', last_sell_slot, realised_sol },
})

test('what was made adds up in the order of the last sales', () => {
  const steps = profitSteps([sold('b', 20, -1), sold('a', 10, 3), sold('held', null, 0), sold('given', 15, null)])
  assert.deepEqual(steps, [
    { slot: 10, token: 'a', made: 3, sum: 3 },
    { slot: 20, token: 'b', made: -1, sum: 2 },
  ])
  assert.deepEqual(profitSteps([]), [])
})

test('the tokens it traded last, and its own trades among theirs', () => {
  const at = (mint: string, last_slot: number) => ({ mint, last_slot })
  assert.deepEqual(lastTraded([at('a', 1), at('b', 9), at('c', 5), at('d', 2), at('e', 7)]), ['b', 'e', 'c', 'd'])
  const trade = (user_address: string, slot: number) => ({ user_address, slot }) as Trade
  const own = ownTrades('me', [trade('me', 1), trade('you', 3), trade('me', 4)])
  assert.deepEqual(
    own.map(({ slot }) => slot),
    [4, 1],
  )
})
