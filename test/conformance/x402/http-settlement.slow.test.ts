import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import type { Facilitator, Settlement } from '@ti/service/access/x402/facilitator.ts'
import { EXPIRY_MS } from '@ti/service/access/x402/facilitator.ts'
import { RETRY_AFTER_S } from '@ti/service/access/x402/turns.ts'
import type { Answer } from '../../support/exchange.ts'
import { until } from '../../support/payment-world.ts'
import { inV1, inV2, receiptIn, type SignedPayment } from '../../support/payments-fixtures.ts'
import { type Door, PATHS } from './door.ts'
import { OTHER, openScene, type Scene } from './scene.ts'

/** Settlements that fail, hang, or are not heard of, and processes that die in the middle: never twice, never for nothing. */
const { mint } = EXAMPLE_ADDRESSES
const buy = (door: Door, payment: SignedPayment): Promise<Answer> => door.ask(PATHS.trades, inV2(payment))

/** 503, and everything a client needs so that it does not pay again. */
function assertUncertain(answer: Answer, signed: boolean): void {
  assert.equal(answer.status, 503, answer.body.toString())
  assert.doesNotMatch(answer.body.toString(), /"data"/)
  assert.match(answer.body.toString(), /Do not pay again: repeat the request with the same payment/)
  assert.equal(answer.headers.get('retry-after'), String(RETRY_AFTER_S))
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const receipt = receiptIn(answer.headers)
  assert.deepEqual([receipt?.success, receipt?.errorReason], [false, 'settlement_pending'])
  assert.equal(receipt?.transaction !== '', signed)
}

/** The same payment, again and again: the same data. */
async function assertAnswered(door: Door, payment: SignedPayment): Promise<void> {
  const fetched = await buy(door, payment)
  assert.equal(fetched.status, 200, fetched.body.toString())
  assert.equal(receiptIn(fetched.headers)?.success, true)
  const more = await buy(door, payment)
  assert.deepEqual([more.status, more.body], [200, fetched.body])
}

/** A scene whose facilitator settles as is said here, and a payment for it. */
async function withSettle(t: Parameters<typeof openScene>[0], settle: Facilitator['settle']) {
  const scene = await openScene(t, { facilitator: () => ({ settle }), times: { settle: 300 } })
  return { scene, payment: await scene.sign(await scene.buyer()) }
}

test('13. settle says no: 402 with a failed receipt, never the data', async (t) => {
  let verdict: Settlement = { kind: 'refused', reason: 'insufficient_funds', proof: 'unsent' }
  const { scene, payment } = await withSettle(t, async () => verdict)
  for (const headers of [inV2(payment), inV1(payment)]) {
    const answer = await scene.ask(PATHS.trades, headers)
    assert.equal(answer.status, 402)
    assert.doesNotMatch(answer.body.toString(), /"data"/)
    assert.match(answer.body.toString(), /did not settle: insufficient_funds/)
    assert.deepEqual(receiptIn(answer.headers)?.success, false)
    assert.equal(await scene.state(payment), 'released')
  }
  const tool = await scene.call('token_trades', { mint, x_payment: payment.v2Text })
  assert.deepEqual([tool.isError, tool.receipt?.success, tool.content.data], [true, false, undefined])
  verdict = { kind: 'refused', reason: 'transaction_failed_on_chain', proof: 'proven' }
  assert.equal((await buy(scene, payment)).status, 402)
  assert.deepEqual([scene.earned(), scene.calls.settle], [0, 4])
})

test('13. settle throws, hangs, or says pending before anything was signed: not paid, never the data', async (t) => {
  const ways: Record<string, Facilitator['settle']> = {
    throws: async () => {
      throw new Error('on purpose')
    },
    hangs: () => new Promise(() => {}),
    pending: async () => ({ kind: 'open', reason: 'settlement_pending', signature: null }),
  }
  let way = 'throws'
  const { scene } = await withSettle(t, (order, record) => ways[way]!(order, record))
  for (way of Object.keys(ways)) {
    const payment = await scene.sign(await scene.buyer())
    const answer = await buy(scene, payment)
    // what has no signature in the ledger was never sent: that is known
    assert.equal(answer.status, 402, way)
    assert.match(answer.body.toString(), /settlement_not_sent/)
    assert.equal(receiptIn(answer.headers)?.success, false)
    assert.equal(await scene.state(payment), 'released')
  }
  assert.equal(scene.earned(), 0)
})

test('13. somebody else settles, and throws: 503 until it is told how it ended, then the data once', async (t) => {
  let told = false
  const scene = await openScene(t, {
    facilitator: (real) => ({
      signsFirst: false,
      async settle(order, record) {
        await real.settle(order, record)
        throw new Error('on purpose')
      },
      lookup: async (order) =>
        told ? real.lookup(order) : { kind: 'open', reason: 'settlement_pending', signature: order.signature },
    }),
  })
  const payment = await scene.sign(await scene.buyer())
  assertUncertain(await buy(scene, payment), true)
  assertUncertain(await buy(scene, payment), true)
  assert.equal(scene.earned(), OTHER)
  told = true
  await assertAnswered(scene, payment)
  assert.deepEqual([scene.earned(), scene.sales.units, scene.calls.settle], [OTHER, OTHER, 1])
})

test('13. the node takes the transaction and says it did not, or says nothing: the chain is asked, 200', async (t) => {
  const scene = await openScene(t, { times: { settle: 1_500 } })
  const { knobs } = scene.chain
  for (const fault of ['accept-then-fail', 'accept-then-hang'] as const) {
    knobs.sends = fault
    const answer = await buy(scene, await scene.sign(await scene.buyer()))
    assert.equal(answer.status, 200, `${fault}: ${answer.body}`)
    assert.equal(receiptIn(answer.headers)?.success, true)
    knobs.release()
  }
  assert.deepEqual([scene.earned(), scene.sales.units, scene.calls.settle], [2 * OTHER, 2 * OTHER, 2])
})

/** What keeps a confirmation from being heard, and how it comes in the end. */
const LOST: Readonly<Record<string, readonly [(scene: Scene) => void, (scene: Scene) => void]>> = {
  'statuses are hidden': [
    ({ chain: { knobs } }) => {
      knobs.hideStatuses = true
    },
    ({ chain: { knobs } }) => {
      knobs.hideStatuses = false
    },
  ],
  'confirmations are held': [
    ({ chain: { knobs } }) => {
      knobs.confirmations = 'held'
    },
    ({ chain: { knobs } }) => {
      knobs.confirmations = 'now'
      knobs.release()
    },
  ],
  'the status cannot be asked for': [
    ({ chain: { knobs } }) => void knobs.reject.add('getSignatureStatuses'),
    ({ chain: { knobs } }) => knobs.reject.clear(),
  ],
  'the send is refused': [
    ({ chain: { knobs } }) => {
      knobs.sends = 'refuse'
    },
    ({ chain: { knobs } }) => {
      knobs.sends = 'none'
    },
  ],
}

test('13. a lost confirmation: 503 with Retry-After and a receipt; the identical payment gets the data once', async (t) => {
  const scene = await openScene(t, { times: { settle: 3_000 } })
  let expected = 0
  for (const [name, [lose, find]] of Object.entries(LOST)) {
    const payment = await scene.sign(await scene.buyer())
    lose(scene)
    assertUncertain(await buy(scene, payment), true)
    assertUncertain(await buy(scene, payment), true)
    const tool = await scene.call('token_trades', { mint, x_payment: payment.v1Text })
    assert.deepEqual([tool.isError, tool.receipt?.success, tool.content.data], [true, false, undefined])
    const elsewhere = await scene.ask(PATHS.new, inV2(payment))
    assert.equal(elsewhere.status, 402)
    assert.equal(await scene.state(payment), 'settling', name)
    find(scene)
    await assertAnswered(scene, payment)
    expected += OTHER
    assert.equal(scene.earned(), expected, `${name}: charged once`)
    scene.nextMinute()
  }
  assert.deepEqual([scene.sales.units, scene.calls.settle], [expected, Object.keys(LOST).length])
})

test('13. a send that is never seen again: 503 until its blockhash is dead, then free', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const payment = await scene.sign(buyer)
  scene.chain.knobs.sends = 'drop'
  assertUncertain(await buy(scene, payment), true)
  scene.chain.advanceSlots(200)
  assertUncertain(await buy(scene, payment), true)
  scene.clock.offsetMs += EXPIRY_MS + 1_000
  const expired = await buy(scene, payment)
  assert.deepEqual([expired.status, receiptIn(expired.headers)?.errorReason], [402, 'transaction_expired'])
  assert.equal(await scene.state(payment), 'released')
  scene.chain.knobs.sends = 'none'
  assert.equal((await buy(scene, await scene.sign(buyer))).status, 200)
  assert.equal(scene.earned(), OTHER)
})

/** Asks and does not wait: what was asked dies with its process. */
function left(answer: Promise<unknown>): void {
  answer.catch(() => {})
}

test('14. a restart between reservation and settlement: released, and the payment buys at the next process', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const { knobs } = scene.chain
  let held = 0
  const never = new Promise<void>(() => {})
  knobs.before = (method) => (method === 'simulateTransaction' && held++ === 0 ? never : undefined)
  left(fetch(`${scene.baseUrl}${PATHS.trades}`, { headers: inV2(payment) }))
  await until(() => held === 1)
  assert.equal(await scene.state(payment), 'reserved')
  const next = await scene.restart()
  assert.equal(await scene.state(payment), 'released')
  await assertAnswered(next, payment)
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
})

test('14. a restart between sending and hearing of it: found on the chain, fetched once', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const { knobs } = scene.chain
  knobs.sends = 'accept-then-hang'
  left(fetch(`${scene.baseUrl}${PATHS.trades}`, { headers: inV2(payment) }))
  await until(() => knobs.waiting === 1)
  assert.deepEqual([scene.earned(), await scene.state(payment)], [OTHER, 'settling'])
  knobs.sends = 'none'
  const next = await scene.restart()
  await next.cashier.tick()
  assert.equal(await scene.state(payment), 'settled')
  await assertAnswered(next, payment)
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
})

test('14. a restart between settlement and answer: the answer is had after it', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  // the answer is never written: the process dies at that moment
  scene.dieBeforeAnswer = true
  left(fetch(`${scene.baseUrl}${PATHS.trades}`, { headers: inV2(payment) }))
  await until(async () => (await scene.state(payment)) === 'answered')
  assert.equal(scene.earned(), OTHER)
  scene.dieBeforeAnswer = false
  const next = await scene.restart()
  await assertAnswered(next, payment)
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
})
