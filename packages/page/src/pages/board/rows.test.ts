import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf } from './example.test-data.ts'
import { NOTHING_SHOWN, type Row, settle, step } from './rows.ts'

const row = (mint: string, why = 'why', at = 0): Row => ({ card: cardOf({ mint, why }), at, gone: false })
const mints = (rows: readonly Row[]): string => rows.map(({ card, gone }) => card.mint + (gone ? '-' : '')).join('')

test('a list that nobody looks at is shown as it is, and what did not change stays the same object', () => {
  const first = settle(NOTHING_SHOWN, [row('a'), row('b')], false, 'k')
  const next = settle(first, [row('c'), row('a', 'other'), row('b', 'why', 9)], false, 'k')
  assert.equal(mints(next.rows), 'cab')
  assert.notEqual(next.rows[1], first.rows[0])
  assert.equal(next.rows[2], first.rows[1])
})

test('a held list keeps its places: what left is marked, what is new waits', () => {
  const first = settle(NOTHING_SHOWN, [row('a'), row('b')], true, 'k')
  const held = settle(first, [row('c'), row('b', 'other')], true, 'k')
  assert.equal(mints(held.rows), 'a-b')
  assert.equal(held.rows[1]!.card.why, 'other')
  assert.equal(held.waiting, 1)
  const back = settle(held, [row('a')], true, 'k')
  assert.equal(mints(back.rows), 'ab-')
  assert.equal(mints(settle(held, [row('c')], false, 'k').rows), 'c')
  assert.equal(mints(settle(held, [row('c')], true, 'other filters').rows), 'c')
})

test('arrow keys move in a column, to the next one that has cards, and to the ends', () => {
  const sizes = [3, 0, 2]
  assert.deepEqual(step(sizes, { column: 0, row: 0 }, 'ArrowDown'), { column: 0, row: 1 })
  assert.equal(step(sizes, { column: 0, row: 2 }, 'ArrowDown'), null)
  assert.deepEqual(step(sizes, { column: 0, row: 2 }, 'ArrowRight'), { column: 2, row: 1 })
  assert.equal(step(sizes, { column: 2, row: 0 }, 'ArrowRight'), null)
  assert.deepEqual(step(sizes, { column: 0, row: 0 }, 'End'), { column: 0, row: 2 })
  assert.deepEqual(step(sizes, { column: 0, row: 2 }, 'Home'), { column: 0, row: 0 })
  assert.equal(step(sizes, { column: 0, row: 0 }, 'a'), null)
})
