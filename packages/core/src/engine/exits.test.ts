import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { CLASS, classOf } from './class-memory.ts'
import { createEngine } from './engine.ts'
import { earlySoldEverPct, earlySoldPct, soldInHour } from './exits.ts'
import { birthBagPct, firstBagPct } from './first-bag.ts'

/** Wallet 0 launches token 0. A buy of size 100 is 1 SOL; a sale of size n sells n/800 of the balance, 801 all. */
const step = (action: Step['action'], wallet: number, size: number, gap = 1): Step => ({
  ...{ gap, token: 0, wallet, action, size },
})

function after(steps: readonly Step[]) {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 40 })
  buildHistory([step('create', 0, 1), ...steps]).forEach((entry, seq) => void engine.apply(seq, entry))
  const { token } = engine.tokens.peek(mintKey(0))!
  return { token, slot: engine.globals.slot, hourPct: earlySoldPct(token, engine.globals.slot) }
}

/** Six wallets that nothing links buy within a minute, and then many others. */
const farm = [1, 2, 3, 4, 5, 6]
const entry = farm.map((wallet) => step('buy', wallet, 100, 20))
const crowd = Array.from({ length: 12 }, (_, i) => step('buy', 7 + (i % 10), 20, 60))
/** each sells half, half of the rest, and the rest, over five minutes */
const parts = [400, 400, 801].flatMap((size) => farm.map((wallet) => step('sell', wallet, size, 40)))

test('a farm that sells in three parts over five minutes is seen, though nothing links its wallets', () => {
  const { token, slot, hourPct } = after([...entry, ...crowd, ...parts])
  const bag = (100 * classOf(token, CLASS.early).peak) / token.supply
  assert.ok(bag > 15, `${bag}`)
  assert.ok(hourPct > 0.99 * bag, `${hourPct} of ${bag}`)
  // nobody accuses them
  assert.equal(classOf(token, CLASS.signed).sold, 0)
  assert.equal(soldInHour(token, slot), 0)
  assert.equal(token.ruggedSlot, -1)
})

test('an hour later it is no longer recent, and stays known', () => {
  const { token, hourPct } = after([...entry, ...crowd, ...parts, step('buy', 8, 1, 9_400)])
  assert.equal(hourPct, 0)
  assert.ok(earlySoldEverPct(token) > 15)
})

test('who sells less than half of all it had has not left; nor who came after the first minute', () => {
  const some = farm.map((wallet) => step('sell', wallet, 390, 40))
  assert.equal(after([...entry, ...crowd, ...some]).hourPct, 0)
  const late = [step('buy', 9, 1, 151), ...farm.map((wallet) => step('buy', wallet, 100, 1))]
  assert.equal(after([...late, ...farm.map((wallet) => step('sell', wallet, 801, 40))]).hourPct, 0)
})

test('what was sold within the first minute does not count', () => {
  const quick = [...farm.map((wallet) => step('buy', wallet, 100, 1)), ...farm.map((one) => step('sell', one, 790, 1))]
  assert.equal(after(quick).hourPct, 0)
  assert.ok(after([...quick, ...farm.map((one) => step('sell', one, 801, 40))]).hourPct < 0.4)
})

test('who buys and sells again and again does not sell more than there was', () => {
  const churn = Array.from({ length: 20 }, () => [step('buy', 1, 100, 20), step('sell', 1, 801, 20)]).flat()
  const { token, hourPct } = after([step('buy', 1, 100, 1), ...churn])
  assert.equal(hourPct, (100 * classOf(token, CLASS.early).peak) / token.supply)
})

test('the first bag: in the transaction of the creation, and in its slot, by whomever', () => {
  const { token } = after([step('buy', 0, 100, 0), step('buy', 3, 50, 0), step('buy', 4, 50, 1)])
  const slot = firstBagPct(token)!
  // 1.5 SOL in a curve of 30 SOL and 1.073 billion tokens
  assert.ok(Math.abs(slot - (107.3 * 1.5) / 31.5) < 1e-6, `${slot}`)
  assert.ok(birthBagPct(token)! <= slot)
  assert.equal(firstBagPct({ ...token, createdKnown: false, fromStart: false }), null)
})
