import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import { QUOTE } from '../../model/events.ts'
import type { Token } from '../../model/state.ts'
import { newToken } from '../tokens.ts'
import { paperBuy, paperSell } from './paper.ts'

/** A curve with simple arithmetic: 100 SOL against 1,000 million tokens. */
const token = (changes: Partial<Token> = {}): Token => ({
  ...newToken(0, 'm'.repeat(32) as Key, 0, 1),
  ...{ quoteReserve: 100e9, baseReserve: 1e15, supply: 1e15 },
  ...changes,
})

test('half a SOL buys at the reserves with the impact of its own size, after a fee of 1.25 %', () => {
  const net = 500_000_000 / 1.0125
  const expected = 1e15 - (100e9 * 1e15) / (100e9 + net)
  const bought = paperBuy(token(), 150)
  assert.ok(Math.abs(bought - expected) <= 1, `${bought} ≠ ${expected}`)
  assert.ok(bought < (net * 1e15) / 100e9, 'less than at the price')
})

test('a sale gets less than the price by its impact, and pays the fee', () => {
  const out = 100e9 - (100e9 * 1e15) / (1e15 + 1e13)
  const got = paperSell(token(), 1e13, 150)
  assert.ok(Math.abs(got - out * 0.9875) <= 2, `${got} ≠ ${out * 0.9875}`)
  assert.equal(paperSell(token(), 0, 150), 0)
})

test('there and back costs two fees: the paper trade does not move the market', () => {
  const back = paperSell(token(), paperBuy(token(), 150), 150) / 500_000_000
  assert.ok(back < 0.9875 / 1.0125 && back > 0.96, `${back}`)
})

test('USDC pools convert at the SOL price; without one nothing is bought', () => {
  const usdc = token({ quote: QUOTE.USDC, quoteReserve: 15_000e6 })
  assert.ok(Math.abs(paperBuy(usdc, 150) - paperBuy(token(), 150)) <= 1_000)
  assert.ok(Math.abs(paperSell(usdc, 1e13, 150) - paperSell(token(), 1e13, 150)) <= 10_000)
  assert.equal(paperBuy(usdc, 0), 0)
  assert.equal(paperSell(usdc, 1e13, 0), 0)
})

test('nothing can be bought without reserves, or between the end of the curve and the pool', () => {
  assert.equal(paperBuy(token({ baseReserve: 0 }), 150), 0)
  assert.equal(paperBuy(token({ quoteReserve: 0 }), 150), 0)
  assert.equal(paperBuy(token({ completeSlot: 5 }), 150), 0)
  assert.ok(paperBuy(token({ completeSlot: 5, migratedSlot: 6 }), 150) > 0)
  assert.equal(paperSell(token({ baseReserve: 0 }), 1e13, 150), 0)
})
