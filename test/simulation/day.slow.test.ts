import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDay } from '../../bench/day.ts'

/**
 * The short version of `npm run bench -- day`: some hours of a small market. In them memory still fills with what it is
 * meant to hold, so it is judged by that: bytes for each position, wallet and token in memory. The long one, past the day
 * after which nothing fills any more, and its curve: reports/capacity.
 */
test('while a market goes on, memory is what it holds and no more', async (t) => {
  const samples = await runDay(240_000, 12, 24, () => {})
  const held = samples.map((one) => one.positionsInMemory + one.walletsInMemory + one.tokensInMemory)
  const each = samples.map(({ heapMb }, i) => (heapMb * 2 ** 20) / held[i]!)
  const last = samples.at(-1)!
  t.diagnostic(
    `${last.trades} trades, ${last.tokens} launches, ${last.hours.toFixed(1)} h; heap ${samples.map(({ heapMb }) => Math.round(heapMb)).join(' ')} MB; ${each.map(Math.round).join(' ')} bytes for each`,
  )
  assert.equal(last.trades >= 240_000, true)
  const early = each[samples.length >> 2]!
  assert.equal(each.at(-1)! <= early * 1.1, true, `${each.at(-1)} bytes for each at the end, ${early} before`)
})
