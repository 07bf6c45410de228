import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { ruggedBy } from './drain.ts'
import { createEngine } from './engine.ts'

/** Wallet 0 launches token 0. A buy of size 100 is 1 SOL; a sale of size n sells n/800 of the balance, 801 all. */
const step = (action: Step['action'], wallet: number, size: number, gap = 1): Step => ({
  ...{ gap, token: 0, wallet, action, size },
})

function reported(steps: readonly Step[]) {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  buildHistory([step('create', 0, 1), ...steps]).forEach((entry, seq) => void engine.apply(seq, entry))
  const { token } = engine.tokens.peek(mintKey(0))!
  const age = (slot: number): number => (slot < 0 ? -1 : slot - token.createdSlot)
  return { drained: age(token.drainedSlot), rugged: age(token.ruggedSlot), by: ruggedBy(token) }
}

test('the deployer takes the money: drained and rugged in the slot of the sale', () => {
  const steps = [step('buy', 0, 200), step('buy', 1, 20), step('sell', 0, 801, 30)]
  assert.deepEqual(reported(steps), { drained: 32, rugged: 32, by: ['deployer'] })
})

test('strangers take it: drained, and not rugged', () => {
  const steps = [step('buy', 1, 200), step('buy', 0, 20), step('sell', 1, 801, 30)]
  assert.deepEqual(reported(steps), { drained: 32, rugged: -1, by: [] })
})

test('less than 2 SOL is not worth speaking of', () => {
  assert.equal(reported([step('buy', 0, 199), step('sell', 0, 801)]).drained, -1)
  assert.equal(reported([step('buy', 0, 200), step('sell', 0, 801)]).drained, 2)
})

test('20 % left is drained, a little more is not', () => {
  // selling the whole last buy leaves the reserve from before it: 1.99 or 2.01 of 10 SOL
  const left = (first: number) => reported([step('buy', 1, first), step('buy', 0, 1_000 - first), step('sell', 0, 801)])
  assert.equal(left(199).rugged, 3)
  assert.equal(left(201).drained, -1)
})

test('a price that never passed its start threefold can be rugged', () => {
  assert.deepEqual(reported([step('buy', 0, 300), step('sell', 0, 801)]), { drained: 2, rugged: 2, by: ['deployer'] })
})

test('slow sales do not drain: the high is that of 60 whole buckets and the current one', () => {
  const slowly = (gap: number) => reported([step('buy', 0, 300), step('sell', 0, 450), step('sell', 0, 801, gap)])
  assert.ok(slowly(1_400).rugged > 0)
  assert.equal(slowly(1_526).rugged, -1)
})

test('the deployer sells less than half of the tokens and takes more than half of the money', () => {
  const buys = [step('buy', 0, 500), step('buy', 1, 400), step('buy', 2, 400)]
  const others = [step('sell', 1, 801, 80), step('sell', 2, 801, 80)]
  assert.deepEqual(reported([...buys, step('sell', 0, 801, 30), ...others]).by, ['deployer'])
  // as the last seller it gets only the rest
  assert.deepEqual(reported([...buys, ...others, step('sell', 0, 801, 30)]).by, [])
})

test('three strangers that leave within three buckets are one hand; two, or slower ones, are not', () => {
  const buys = [1, 2, 3].map((wallet) => step('buy', wallet, 150, 100))
  const leave = (gap: number, wallets: readonly number[]) =>
    reported([...buys, ...wallets.map((wallet) => step('sell', wallet, 801, gap))])
  assert.deepEqual(leave(10, [1, 2, 3]).by, ['together'])
  assert.deepEqual(leave(80, [1, 2, 3]), { drained: 540, rugged: -1, by: [] })
  const two = [step('buy', 1, 200, 100), step('buy', 2, 200, 100)]
  assert.equal(reported([...two, step('sell', 1, 801, 10), step('sell', 2, 801, 10)]).rugged, -1)
})

test('who sells a part has not left', () => {
  const buys = [1, 2, 3].map((wallet) => step('buy', wallet, 150, 100))
  const sells = [step('sell', 1, 801, 10), step('sell', 2, 801, 10), step('sell', 3, 700, 10)]
  const { drained, rugged } = reported([...buys, ...sells])
  assert.ok(drained > 0)
  assert.equal(rugged, -1)
})

test('a market that grew after its first sale is judged by its new high', () => {
  const steps = [step('buy', 1, 300), step('sell', 1, 100), step('buy', 0, 2_000), step('sell', 0, 801)]
  assert.deepEqual(reported(steps), { drained: 4, rugged: 4, by: ['deployer'] })
})
