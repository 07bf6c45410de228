import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growth, runDay } from '../../bench/day.ts'

/** The short version of `npm run bench -- day`: some hours of a small market. The long one and its curve: docs/capacity. */
test('memory stays where it is while a market goes on', async (t) => {
  const samples = await runDay(240_000, 12, 24, () => {})
  const last = samples.at(-1)!
  const heap = growth(samples, ({ heapMb }) => heapMb)
  t.diagnostic(
    `${last.trades} trades, ${last.tokens} launches, ${last.hours.toFixed(1)} h; heap ${samples.map(({ heapMb }) => Math.round(heapMb)).join(' ')} MB`,
  )
  assert.equal(last.trades >= 240_000, true)
  assert.equal(heap < 1.5, true, `the heap of the last quarter is ${heap} times that of the second`)
})
