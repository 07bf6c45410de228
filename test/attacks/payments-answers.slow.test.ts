import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from '@ti/core/contract/examples.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { DELIVERIES } from '@ti/service/access/x402/flow.ts'
import { ANSWER_KEPT_LENGTH, ANSWERS_KEPT_MS } from '@ti/service/access/x402/ledger.ts'
import type { AnswerForm, Outcome } from '@ti/service/access/x402/types.ts'
import { nextClient, PATHS } from '../conformance/x402/door.ts'
import { send } from '../conformance/x402/hangup.ts'
import { OTHER, openScene as openDoors } from '../conformance/x402/scene.ts'
import { openScene, type Scene } from '../properties/payments-sandbox-scene.ts'
import { requestText } from '../support/exchange.ts'
import { until } from '../support/payment-world.ts'
import { callOf, decode, inV2, receiptIn, someone } from '../support/payments-fixtures.ts'
import { byHand } from './payments-by-hand.ts'

/** One payment buys one answer, whatever becomes of its connection; and those who pay are not limited by how they ask. */

const TEXT: AnswerForm<string> = { pack: (answer) => answer, unpack: (text) => text }

// before: a reader that reset its connection got a newly made answer each time, as often as it came
test('two partial deliveries of one payment carry the same bytes, the third is refused with the reason', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const payment = await (await byHand(scene))(buyer)
  let made = 0
  const work = () => ({ answer: `answer ${++made}`, charge: true })
  const get = () => scene.cashier.pay(payment, callOf(), someone, work, TEXT)
  const lost: string[] = []
  for (let i = 0; i < DELIVERIES; i++) lost.push(await lose(scene, await get(), payment.hash))
  const refusal = await get()
  t.diagnostic(`${made} answers made, delivered: ${lost.join(', ')}`)
  assert.deepEqual([lost, made], [['answer 1', 'answer 1'], 1])
  assert.ok(refusal.kind === 'refused' && /its answer was sent 2 times/.test(refusal.message))
  await scene.booksAgree()
})

/** The client goes away in the middle of the answer. */
async function lose(scene: Scene, outcome: Outcome<string>, hash: string): Promise<string> {
  assert.ok(outcome.kind === 'paid')
  outcome.done(false)
  await until(async () => (await scene.ledger.find(hash))?.state === 'settled')
  return outcome.answer
}

test('what is kept of answers is bounded, and is gone once one has arrived', async (t) => {
  const scene = await openScene(t)
  const sign = await byHand(scene)
  const buyer = await scene.buyer()
  const kept = async () => (await scene.database.sql.selectFrom('payment_answers').select('hash').execute()).length
  const work = () => ({ answer: 'answer', charge: true })
  const first = await sign(buyer)
  await lose(scene, await scene.cashier.pay(first, callOf(), someone, work, TEXT), first.hash)
  assert.equal(await kept(), 1)
  const again = await scene.cashier.pay(first, callOf(), someone, work, TEXT)
  assert.ok(again.kind === 'paid')
  again.done(true)
  await until(async () => (await scene.state(first)) === 'delivered')
  assert.equal(await kept(), 0)
  const large = await sign(buyer)
  const huge = () => ({ answer: 'x'.repeat(ANSWER_KEPT_LENGTH + 1), charge: true })
  await lose(scene, await scene.cashier.pay(large, callOf(), someone, huge, TEXT), large.hash)
  assert.equal(await kept(), 0)
  const old = await sign(buyer)
  await lose(scene, await scene.cashier.pay(old, callOf(), someone, work, TEXT), old.hash)
  scene.clock.offsetMs += ANSWERS_KEPT_MS + 1_000
  await scene.ledger.prune()
  assert.equal(await kept(), 0)
})

test('over HTTP: what is fetched after a connection broke is byte for byte what was sent before', async (t) => {
  let version = 0
  const trades = () => {
    const data = Array.from({ length: ++version }, () => EXAMPLES.trades.data[0])
    return { bytes: Buffer.from(JSON.stringify(data)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  }
  const scene = await openDoors(t, { query: { trades } })
  const { knobs } = scene.chain
  // a paid answer that waits behind another one on its connection, which then closes
  const [blocking, payment] = [await scene.sign(await scene.buyer()), await scene.sign(await scene.buyer())]
  let go = (): void => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  let reached = false
  knobs.before = (method) => {
    if (method !== 'simulateTransaction') return
    reached = true
    return held
  }
  const client = await send(scene.baseUrl, requestText('GET', PATHS.new, inV2(blocking)))
  await until(() => reached)
  knobs.before = undefined
  client.write(requestText('GET', PATHS.trades, inV2(payment)))
  await until(async () => (await scene.state(payment)) === 'delivering')
  await client.hangUp()
  go()
  await until(async () => (await scene.state(payment)) === 'settled')
  const stored = await scene.ledger.answer(payment.hash)
  const fetched = await scene.ask(PATHS.trades, inV2(payment))
  assert.equal(fetched.status, 200)
  assert.equal(stored, `${fetched.headers.get('x-request-id')}\n${fetched.body.toString()}`)
  const { data } = JSON.parse(fetched.body.toString()) as { data: readonly unknown[] }
  assert.deepEqual([data.length, version], [1, 1])
  assert.equal(receiptIn(fetched.headers)?.success, true)
})

test('junk payments from an address do not keep out who has paid from it, and offers say why a payment was refused', async (t) => {
  const scene = await openDoors(t)
  const from = nextClient()
  const buyer = await scene.buyer()
  assert.equal((await scene.ask(PATHS.new, inV2(await scene.byHand({ buyer })), { from })).status, 200)
  const dear = await scene.ask(PATHS.new, inV2(await scene.byHand({ buyer, amount: 1 })), { from })
  const offer = decode<{ error: string; accepts: readonly unknown[] }>(dear.headers.get('payment-required')!)
  assert.match(offer.error, /the transfer is of 1 units, the price is 10000/)
  assert.equal(offer.accepts.length, 1)
  let closed = 0
  for (let i = 0; i < RATES.unpaid + 5; i++) {
    if ((await scene.ask(PATHS.new, { 'PAYMENT-SIGNATURE': 'junk' }, { from })).status === 429) closed++
  }
  assert.ok(closed >= 5)
  assert.equal((await scene.ask(PATHS.new, inV2(await scene.byHand({ buyer })), { from })).status, 200)
  const stranger = await scene.buyer()
  assert.equal((await scene.ask(PATHS.new, inV2(await scene.byHand({ buyer: stranger })), { from })).status, 429)
})

// before: complete summaries for nothing
test('a page beyond the last launch still carries the whole summary, so it is charged', async (t) => {
  const scene = await openDoors(t)
  const payment = await scene.sign(await scene.buyer())
  const answer = await scene.ask(`${PATHS.deployer}?offset=100000`, inV2(payment))
  const { data, summary } = JSON.parse(answer.body.toString()) as { data: unknown[]; summary: object }
  assert.deepEqual([answer.status, data.length, Object.keys(summary).length > 0], [200, 0, true])
  assert.equal(scene.earned(), OTHER)
})
