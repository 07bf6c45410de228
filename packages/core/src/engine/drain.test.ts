import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { ruggedBy } from './drain.ts'
import { createEngine } from './engine.ts'
import { tokenState } from './token-state.ts'

/** Wallet 0 launches token 0. A buy of size 100 is 1 SOL; a sale of size n sells n/800 of the balance, 801 all. */
const step = (action: Step['action'], wallet: number, size: number, gap = 1): Step => ({
  ...{ gap, token: 0, wallet, action, size },
})

function reported(steps: readonly Step[]) {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  buildHistory([step('create', 0, 1), ...steps]).forEach((entry, seq) => void engine.apply(seq, entry))
  const { token } = engine.tokens.peek(mintKey(0))!
  const age = (slot: number): number => (slot < 0 ? -1 : slot - token.createdSlot)
  const record = engine.wallet(token.deployer).deployer!
  return {
    ...{ drained: age(token.drainedSlot), rugged: age(token.ruggedSlot), by: ruggedBy(token) },
    ...{ over: age(token.takenOverSlot), state: tokenState(token, engine.globals.slot).state },
    record: [record.drained, record.rugged, Number(record.recent[0]!.rugged)],
  }
}

const gaps = (wallets: readonly number[], size: number, gap = 100) => wallets.map((one) => step('buy', one, size, gap))

test('the launcher takes the money of others: drained and rugged in the slot of the sale', () => {
  const steps = [step('buy', 0, 500), step('buy', 1, 400), step('sell', 0, 801, 30), step('sell', 1, 801, 30)]
  const { rugged, by, state, record } = reported(steps)
  assert.deepEqual({ rugged, by, state, record }, { rugged: 62, by: ['deployer'], state: 'rugged', record: [1, 1, 1] })
})

test('it may sell long before the others, or after them', () => {
  const crowd = gaps([1, 2, 3, 4], 150)
  const first = [step('buy', 0, 300), ...crowd, step('sell', 0, 801, 3_000)]
  const rest = [1, 2, 3, 4].map((wallet) => step('sell', wallet, 801, 2))
  assert.deepEqual(reported([...first, ...rest]).by, ['deployer'])
  const last = [step('buy', 0, 600), ...gaps([1, 2, 3, 4], 300), step('sell', 4, 801, 2), step('sell', 0, 801, 2)]
  assert.deepEqual(reported([...last, ...[3, 2, 1].map((wallet) => step('sell', wallet, 801, 2))]).by, ['deployer'])
})

test('a launcher who loses is no rugger, whoever else gained', () => {
  const steps = [step('buy', 1, 300), step('buy', 0, 300), step('sell', 1, 801, 30), step('sell', 0, 801, 30)]
  const { drained, rugged, state, record } = reported(steps)
  assert.ok(drained > 0)
  assert.deepEqual({ rugged, state, record }, { rugged: -1, state: 'drained', record: [1, 0, 0] })
})

test('who takes less than all others who gain is no rugger', () => {
  const steps = [step('buy', 1, 500), step('buy', 0, 150), ...gaps([2, 3, 4], 200)]
  const sells = [1, 0, 2, 3, 4].map((wallet) => step('sell', wallet, 801, 5))
  const { drained, rugged } = reported([...steps, ...sells])
  assert.ok(drained > 0)
  assert.equal(rugged, -1)
})

test('nobody lost, or hardly anything: no rug', () => {
  const { drained, rugged } = reported([step('buy', 0, 200), step('buy', 1, 20), step('sell', 0, 801, 30)])
  assert.deepEqual([drained, rugged], [32, -1])
})

test('strangers who leave in a panic: drained, and not rugged', () => {
  const crowd = [1, 2, 3, 4, 5, 6].map((wallet) => step('buy', wallet, 150, 60))
  const { drained, rugged } = reported([...crowd, ...[1, 2, 3, 4, 5, 6].map((wallet) => step('sell', wallet, 801, 3))])
  assert.ok(drained > 0)
  assert.equal(rugged, -1)
})

test('less than 2 SOL is not worth speaking of', () => {
  assert.equal(reported([step('buy', 0, 199), step('sell', 0, 801)]).drained, -1)
  assert.equal(reported([step('buy', 0, 200), step('sell', 0, 801)]).drained, 2)
})

test('20 % left is drained, a little more is not', () => {
  // selling the whole last buy leaves the reserve from before it: 1.99 or 2.01 of 10 SOL
  const left = (first: number) => reported([step('buy', 1, first), step('buy', 0, 1_000 - first), step('sell', 0, 801)])
  assert.equal(left(199).drained, 3)
  assert.equal(left(201).drained, -1)
})

test('slow sales do not drain: the high is that of 60 whole buckets and the current one', () => {
  const slowly = (gap: number) => reported([step('buy', 0, 300), step('sell', 0, 450), step('sell', 0, 801, gap)])
  assert.ok(slowly(1_400).drained > 0)
  assert.equal(slowly(1_526).drained, -1)
})

test('a new high takes the token over: the rug is lifted, in records too, and it can be rugged again', () => {
  const rug = [step('buy', 0, 500), step('buy', 1, 400), step('sell', 0, 801, 30), step('sell', 1, 801, 30)]
  const again = [...rug, step('buy', 0, 300, 100), ...gaps([2, 3, 4], 300)]
  const { state, record, rugged, over } = reported(again)
  assert.deepEqual({ state, record, rugged }, { state: 'taken_over', record: [0, 0, 0], rugged: -1 })
  assert.ok(over > 0)
  const twice = reported([...again, step('sell', 0, 801), ...[4, 3, 2].map((wallet) => step('sell', wallet, 801, 2))])
  assert.deepEqual([twice.state, twice.record], ['rugged', [1, 1, 1]])
})

test('so does a graduation', () => {
  const rug = [step('buy', 0, 500), step('buy', 1, 400), step('sell', 0, 801, 30), step('sell', 1, 801, 30)]
  assert.equal(reported([...rug, step('migrate', 0, 1)]).state, 'taken_over')
})
