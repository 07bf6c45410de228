import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from '@ti/core/contract/examples.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { ANSWERS_KEPT_MS } from '@ti/service/access/x402/ledger.ts'
import { nextClient, PATHS } from '../conformance/x402/door.ts'
import { OTHER, openScene as openDoors } from '../conformance/x402/scene.ts'
import { openScene } from '../properties/payments-sandbox-scene.ts'
import { callOf, decode, inV2, receiptIn, someone, TEXT } from '../support/payments-fixtures.ts'
import { byHand } from './payments-by-hand.ts'

/** One payment buys one answer, whatever becomes of its connection; and those who pay are not limited by how they ask. */

// before: a reader that reset its connection got a newly made answer each time, as often as it came
test('one payment buys one answer, as often as it comes, until it is no longer kept', async (t) => {
  const scene = await openScene(t)
  const payment = await (await byHand(scene))(await scene.buyer())
  let made = 0
  const work = () => ({ answer: `answer ${++made}`, charge: true })
  const get = () => scene.cashier.pay(payment, callOf(), someone, work, TEXT)
  const first = await get()
  for (let i = 0; i < 20; i++) assert.deepEqual(await get(), first)
  const kept = async () => (await scene.database.sql.selectFrom('payment_answers').select('hash').execute()).length
  assert.deepEqual([made, await kept()], [1, 1])
  scene.clock.offsetMs += ANSWERS_KEPT_MS + 1_000
  await scene.ledger.prune()
  const late = await get()
  assert.ok(late.kind === 'refused' && /no longer kept/.test(late.message))
  assert.deepEqual([made, await kept()], [1, 0])
  await scene.booksAgree()
})

test('over HTTP: what is fetched after a connection broke is byte for byte what was sent before', async (t) => {
  let version = 0
  const trades = () => {
    const data = Array.from({ length: ++version }, () => EXAMPLES.trades.data[0])
    return { bytes: Buffer.from(JSON.stringify(data)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  }
  const scene = await openDoors(t, { query: { trades } })
  const payment = await scene.sign(await scene.buyer())
  const sent = await scene.ask(PATHS.trades, inV2(payment))
  const fetched = await scene.ask(PATHS.trades, inV2(payment))
  assert.equal(fetched.status, 200)
  for (const name of ['x-request-id', 'payment-response'])
    assert.equal(fetched.headers.get(name), sent.headers.get(name))
  assert.deepEqual(fetched.body, sent.body)
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
