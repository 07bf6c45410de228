import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyToken } from '@ti/core/model/generated/empty.ts'
import { keyOf } from '../../../../test/support/planted-rug.ts'
import { createAgenda } from './agenda.ts'
import { HOUR, QUARTER } from './looks.ts'
import { createPurchases } from './purchases.ts'

const SOL = 1_000_000_000

/** A token that can be moved to a price, with a reserve so deep that the buyer's own impact is small. */
function scene() {
  const token = { ...emptyToken(7, keyOf('mint')), quoteReserve: 1e6 * SOL, baseReserve: 1e15, realQuote: 10 * SOL }
  const agenda = createAgenda()
  agenda.runBefore(0)
  const purchases = createPurchases(agenda, () => token, { solUsd: 100 })
  const outcome = purchases.buy(token, 100, {})
  const move = (slot: number, price: number, reserve = 10) => {
    agenda.runBefore(slot)
    Object.assign(token, { quoteReserve: price * 1e6 * SOL, realQuote: reserve * SOL })
    purchases.traded(token)
  }
  return { agenda, outcome, move }
}
const near = (actual: number | null, expected: number): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 0.001, `${actual} is not ${expected}`)
/** Of the stake after a purchase and a sale at one price. */
const KEPT = (1 - 0.0125) / 1.0125

test('a flat market costs the fees; nothing is known before it is due', () => {
  const { agenda, outcome } = scene()
  agenda.runBefore(100 + QUARTER)
  assert.equal(outcome.quick, null)
  agenda.runBefore(100 + QUARTER + 1)
  near(outcome.quick, KEPT - 1)
  assert.deepEqual([outcome.gained, outcome.hold], [false, null])
  agenda.runBefore(100 + HOUR + 1)
  near(outcome.hold, KEPT - 1)
  assert.deepEqual([outcome.drained, outcome.halved], [false, false])
})

test('the buyer sells at the first of the double and 0.6, whatever comes later', () => {
  const up = scene()
  up.move(200, 1.9)
  up.move(300, 2.1)
  up.move(400, 0.3, 1)
  up.agenda.runBefore(20_000)
  near(up.outcome.quick, 2.1 * KEPT - 1)
  near(up.outcome.hour, 2.1 * KEPT - 1)
  near(up.outcome.hold, 0.3 * KEPT - 1)
  assert.deepEqual([up.outcome.gained, up.outcome.halved, up.outcome.drained], [true, true, true])
  const down = scene()
  down.move(200, 0.55, 2.1)
  down.move(300, 3)
  down.agenda.runBefore(20_000)
  near(down.outcome.quick, 0.55 * KEPT - 1)
  assert.deepEqual([down.outcome.gained, down.outcome.halved, down.outcome.drained], [false, false, false])
})

test('what comes after 15 minutes concerns only who waits for an hour', () => {
  const { agenda, outcome, move } = scene()
  move(100 + QUARTER + 10, 2.5)
  agenda.runBefore(20_000)
  near(outcome.quick, KEPT - 1)
  near(outcome.hour, 2.5 * KEPT - 1)
})
