import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { createMaterial, type DecodedTrade } from './material.ts'
import { swapsOf } from './swaps.ts'
import { tradeCsv } from './trade-csv.ts'

const key = (letter: string) => keyToBase58(letter.repeat(32) as Key)
const HEAD =
  'token_address,block_num,transaction_signature,wallet_address,is_buy,amount_in_sol,amount_in_token,virtual_sol_reserves,virtual_token_reserves'

/** A row of a trade table; trades differ in their reserves. */
function row(letter: string, quoteReserve: number): DecodedTrade {
  const sig = letter === '' ? '' : sigToBase58(letter.repeat(64) as Sig)
  const line = [key('m'), 430_100_000, sig, key('w'), true, 5, 50, quoteReserve, 90_000].join(',')
  return tradeCsv(HEAD)!(line, createCounts())!
}

function listing(times: readonly number[]): DecodedTrade[] {
  const swaps = times.map((ts) => ({ ts, trader: key('t'), side: 'buy', sol: 2, tokens: 1_000, price: 0.001 }))
  return swapsOf({ mint: key('n'), pool: key('p'), supply: 1e9, swaps }, createCounts())
}

/** The result of listings: trades kept, and rows counted as repeated. */
function kept(listings: readonly (readonly DecodedTrade[])[]): [trades: number, repeated: number] {
  const counts = createCounts()
  const material = createMaterial(counts)
  for (const one of listings) material.addTrades(one)
  return [material.trades, counts.get('decoded_trade_repeated') ?? 0]
}

test('rows with reserves are one when they are equal, wherever they come from', () => {
  const table = [row('a', 1_005), row('b', 1_010), row('b', 1_015), row('', 1_020)]
  const singly = table.map((trade) => [trade])
  assert.deepEqual(kept(singly), [4, 0])
  assert.deepEqual(kept([...singly, ...singly, [row('b', 1_015)]]), [4, 5])
})

test('rows without reserves may be there twice in one listing, and are one between two', () => {
  const [first, second] = [1_782_611_393, 1_782_611_400]
  assert.deepEqual(kept([listing([first, first, second])]), [3, 0])
  assert.deepEqual(kept([listing([first, first]), listing([first, first, second]), listing([second])]), [3, 3])
})
