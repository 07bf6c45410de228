import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trade } from '@ti/core/contract/resources.ts'
import { TRADES_MAX, withAnswer, withLater } from './trade-list.ts'

const trade = (id: string, slot: number) => ({ unique_id: id, slot }) as Trade
const ids = (trades: readonly Trade[]): string[] => trades.map(({ unique_id }) => unique_id)

test('later trades stand on top, each once', () => {
  const held = [trade('b', 2), trade('a', 1)]
  assert.deepEqual(ids(withLater(held, [trade('b', 2), trade('c', 3), trade('d', 3)])), ['d', 'c', 'b', 'a'])
  assert.equal(withLater(held, [trade('a', 1)]), held)
})

test('a late one goes where its slot is', () => {
  assert.deepEqual(ids(withLater([trade('c', 3), trade('a', 1)], [trade('b', 2)])), ['c', 'b', 'a'])
})

test('the list is bounded and forgets the oldest', () => {
  const held = Array.from({ length: TRADES_MAX }, (_, n) => trade(`t${n}`, 1000 - n))
  const list = withLater(held, [trade('new', 2000)])
  assert.equal(list.length, TRADES_MAX)
  assert.equal(list[0]?.unique_id, 'new')
  assert.equal(list.at(-1)?.unique_id, `t${TRADES_MAX - 2}`)
})

test('an answer keeps what the stream brought after it', () => {
  const held = [trade('d', 4), trade('c', 3), trade('lost', 2)]
  assert.deepEqual(ids(withAnswer(held, [trade('c', 3), trade('b', 2)])), ['d', 'c', 'b'])
  assert.deepEqual(ids(withAnswer([], [trade('a', 1)])), ['a'])
  assert.deepEqual(ids(withAnswer([trade('a', 1)], [])), ['a'])
})
