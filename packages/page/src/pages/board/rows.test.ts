import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, moreOf } from './example.test-data.ts'
import { NOTHING_SHOWN, reuse, rowsOf, settle, step } from './rows.ts'

const list = (...mints: string[]) =>
  rowsOf(
    mints.map((mint) => cardOf({ mint })),
    {},
    1,
  )
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join(' ')

test('one token bought by two agents has two rows, a repeated one has one', () => {
  const bought = (agent_buyer: string) => cardOf({ agent_buyer, agent_bought_at: '2026-11-21T19:50:00.000000Z' })
  assert.equal(rowsOf([bought('a'), bought('b'), bought('a')], {}, 1).length, 2)
  assert.equal(rowsOf([cardOf({}), cardOf({})], {}, 1).length, 1)
})

test('a row that says the same stays the same object', () => {
  const before = rowsOf([cardOf({ mint: 'a' }), cardOf({ mint: 'b' })], {}, 1)
  const next = reuse(
    before,
    rowsOf([cardOf({ mint: 'b', score: 1 }), cardOf({ mint: 'a', alpha_hands_pct: 99 })], {}, 2),
  )
  assert.notEqual(next[0], before[1])
  assert.equal(next[1], before[0])
  const flagged = cardOf({ mint: 'a', duplication: { ...cardOf({}).duplication, name: true } })
  assert.notEqual(reuse(before, rowsOf([flagged], {}, 2))[0], before[0])
})

test('a row has what the board says of it as soon as that is told, and is the same while that is', () => {
  const before = rowsOf([cardOf({ mint: 'a' })], {}, 1)
  const filled = reuse(before, rowsOf([cardOf({ mint: 'a' })], { a: moreOf({ bundle_pct: 12.5 }) }, 1))
  assert.deepEqual([before[0]?.more, filled[0]?.more?.bundle_pct], [null, 12.5])
  const again = reuse(filled, rowsOf([cardOf({ mint: 'a' })], { a: moreOf({ bundle_pct: 12.5 }) }, 2))
  assert.equal(again[0], filled[0])
  const deployer = { wallet: 'w', launched: 3, graduated: 1, drained: 0 }
  const launched = reuse(filled, rowsOf([cardOf({ mint: 'a' })], { a: moreOf({ bundle_pct: 12.5, deployer }) }, 2))
  assert.notEqual(launched[0], filled[0])
})

test('a free column follows the list', () => {
  const first = settle(NOTHING_SHOWN, list('a', 'b'), false, '')
  assert.equal(ids(first.rows), 'a b')
  const second = settle(first, list('c', 'b'), false, '')
  assert.equal(ids(second.rows), 'c b')
  assert.equal(second.rows[1], first.rows[1])
})

test('a held column keeps every place, says how many wait, and lets them in at once when it is free', () => {
  const first = settle(NOTHING_SHOWN, list('a', 'b', 'c'), false, '')
  const held = settle(first, list('n', 'c', 'm', 'a'), true, '')
  assert.equal(ids(held.rows), 'a b c')
  assert.deepEqual(
    held.rows.map(({ gone }) => gone),
    [false, true, false],
  )
  assert.equal(held.waiting, 2)
  const back = settle(held, list('b', 'c'), true, '')
  assert.deepEqual(
    back.rows.map(({ gone }) => gone),
    [true, false, false],
  )
  assert.equal(ids(settle(held, list('n', 'c', 'm', 'a'), false, '').rows), 'n c m a')
})

test('values of a held column are brought up to date', () => {
  const first = settle(NOTHING_SHOWN, list('a', 'b'), false, '')
  const held = settle(first, rowsOf([cardOf({ mint: 'b', score: 9 })], {}, 2), true, '')
  assert.equal(held.rows[1]?.card.score, 9)
})

test('nothing holds an empty column or other filters', () => {
  assert.equal(ids(settle(NOTHING_SHOWN, list('a'), true, '').rows), 'a')
  const first = settle(NOTHING_SHOWN, list('a', 'b'), false, '')
  assert.equal(ids(settle(first, list('b'), true, 'q=b').rows), 'b')
})

test('arrows lead from card to card, over empty columns, and not out of the board', () => {
  const sizes = [3, 0, 2]
  const cases: [number, number, string, unknown][] = [
    [0, 0, 'ArrowDown', { column: 0, row: 1 }],
    [0, 2, 'ArrowDown', null],
    [0, 0, 'ArrowUp', null],
    [0, 2, 'ArrowRight', { column: 2, row: 1 }],
    [2, 1, 'ArrowLeft', { column: 0, row: 1 }],
    [2, 1, 'ArrowRight', null],
    [0, 1, 'End', { column: 0, row: 2 }],
    [0, 1, 'Home', { column: 0, row: 0 }],
    [0, 1, 'x', null],
  ]
  for (const [column, row, key, to] of cases)
    assert.deepEqual(step(sizes, { column, row }, key), to, `${key} ${column}`)
})
