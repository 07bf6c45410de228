import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trade } from '@ti/core/contract/resources.ts'
import { columnsOf, type LinePoint, levelsOf, slotOfTime, timeOfSlot, withTrades } from './line-data.ts'

const T0 = Date.parse('2026-01-01T00:00:00Z') / 1000
const point = (second: number, mcap: number): LinePoint => ({
  time: T0 + second,
  slot: 1000 + second,
  mcap,
  buys_sol: 1,
  sells_sol: 0.5,
  trades: 2,
})
const trade = (second: number, mcap: number, is_buy = true): Trade =>
  ({
    timestamp: new Date((T0 + second) * 1000).toISOString(),
    slot: 1000 + second,
    mcap,
    is_buy,
    sol_amount: 2,
  }) as Trade

test('trades since the answer go on with the line, in its spans', () => {
  const points = [point(0, 10), point(10, 20)]
  const line = withTrades(points, [trade(31, 50), trade(9, 1), trade(12, 30), trade(15, 40, false)])
  assert.deepEqual(
    line.slice(2).map(({ time, mcap, buys_sol, sells_sol, trades }) => [time - T0, mcap, buys_sol, sells_sol, trades]),
    [
      [15, 40, 2, 2, 2],
      [31, 50, 2, 0, 1],
    ],
  )
})

test('a token whose line was empty begins with its first trade', () => {
  assert.deepEqual(
    withTrades([], [trade(1, 5), trade(1, 6)]).map(({ mcap, trades }) => [mcap, trades]),
    [[6, 2]],
  )
})

test('what the stream adds is bounded', () => {
  const many = Array.from({ length: 1000 }, (_, n) => trade(20 + 20 * n, n + 1))
  const line = withTrades([point(0, 1), point(10, 2)], many)
  assert.equal(line.length, 122)
  assert.equal(line.at(-1)?.mcap, 1000)
})

test('times of the columns ascend strictly, and nothing is lost', () => {
  const columns = columnsOf([point(0, 1), point(5, 2), point(5, 3), point(4, 4)])
  assert.deepEqual(columns.time, [T0, T0 + 5])
  assert.deepEqual(columns.mcap, [1, 4])
  assert.deepEqual(columns.buys, [1, 3])
  assert.deepEqual(columns.sells, [-0.5, -1.5])
})

test('labels that would cover each other stand in different lines', () => {
  const label = (from: number, width: number) => ({ from, width })
  assert.deepEqual(levelsOf([label(0, 50), label(20, 50), label(60, 10), label(75, 10)]), [0, 1, 0, 0])
})

test('slots and times lead to each other, also beyond what is known', () => {
  const anchors = [
    { slot: 100, time: 1000 },
    { slot: 150, time: 1030 },
  ]
  assert.equal(timeOfSlot(anchors, 125), 1015)
  assert.equal(timeOfSlot(anchors, 155), 1032)
  assert.equal(timeOfSlot(anchors, 95), 998)
  assert.equal(timeOfSlot([], 5), null)
  for (const slot of [95, 100, 125, 150, 155]) assert.equal(slotOfTime(anchors, timeOfSlot(anchors, slot)!), slot)
  assert.equal(slotOfTime([], 5), null)
})
