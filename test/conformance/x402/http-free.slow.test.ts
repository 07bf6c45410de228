import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { requestText } from '../../support/exchange.ts'
import { KEYS } from '../../support/fake-service.ts'
import { until } from '../../support/payment-world.ts'
import { inV1, inV2, receiptIn, type SignedPayment } from '../../support/payments-fixtures.ts'
import { PATHS } from './door.ts'
import { send } from './hangup.ts'
import { OTHER, openScene, type Scene } from './scene.ts'

/** Calls with a payment that cost nothing, and answers that were paid for and did not arrive. */
const { mint } = EXAMPLE_ADDRESSES
const NOWHERE = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'

/** Nothing has moved; then the same payment buys, and is charged once. */
async function stillGood(scene: Scene, payment: SignedPayment): Promise<void> {
  assert.deepEqual([scene.calls.settle, scene.earned()], [0, 0])
  for (const _ of [1, 2]) assert.equal((await scene.ask(PATHS.trades, inV2(payment))).status, 200)
  assert.deepEqual([scene.calls.settle, scene.earned()], [1, OTHER])
}

test('12. 400, 404, 500, an empty list: no settlement, and the payment buys afterwards', async (t) => {
  const empty = { bytes: Buffer.from('[]'), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  const scene = await openScene(t, { errors: true, query: { list: () => empty } })
  const payment = await scene.sign(await scene.buyer())
  const malformed = ['/v1/tokens/x/trades', `/v1/devs/${mint}/tokens?limit=0`, '/v1/traders/%00']
  for (const headers of [inV2(payment), inV1(payment)]) {
    for (const path of malformed) assert.equal((await scene.ask(path, headers)).status, 400, path)
    for (const path of [`/v1/tokens/${NOWHERE}/trades`, `/v1/traders/${NOWHERE}`, `/v1/devs/${NOWHERE}/tokens`]) {
      assert.equal((await scene.ask(path, headers)).status, 404, path)
      assert.equal(await scene.state(payment), 'released')
    }
    for (const id of ['new', 'survivors'] as const) {
      const answer = await scene.ask(PATHS[id], headers)
      assert.equal(answer.status, 200)
      assert.deepEqual((JSON.parse(answer.body.toString()) as { data: unknown }).data, [])
      assert.equal(receiptIn(answer.headers), null)
    }
    scene.atWork = () => {
      throw new Error('on purpose')
    }
    const failed = await scene.ask(PATHS.trades, headers)
    assert.equal(failed.status, 500)
    assert.match(failed.body.toString(), /"internal error"/)
    assert.equal(await scene.state(payment), 'released')
    scene.atWork = () => {}
  }
  const { v2: meta, v2Text: x_payment } = payment
  for (const args of [{ mint: NOWHERE }, { mint: 'x' }, {}]) {
    assert.equal((await scene.call('token_trades', { ...args, x_payment })).receipt, null)
  }
  const nothing = await scene.call('list_new_tokens', {}, { 'x402/payment': meta })
  assert.deepEqual([nothing.isError, nothing.receipt], [false, null])
  await stillGood(scene, payment)
})

test('12. a verification that takes too long: 503, no settlement, and the payment buys afterwards', async (t) => {
  const scene = await openScene(t, { times: { verify: 2_000 } })
  const payment = await scene.sign(await scene.buyer())
  const { knobs } = scene.chain
  let go = (): void => {}
  knobs.before = (method) =>
    method === 'simulateTransaction'
      ? new Promise<void>((resolve) => {
          go = resolve
        })
      : undefined
  const answer = await scene.ask(PATHS.trades, inV2(payment))
  assert.equal(answer.status, 503)
  assert.match(answer.body.toString(), /nothing was charged and the payment can be used again/)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  knobs.before = undefined
  go()
  await stillGood(scene, payment)
})

/** Holds what the chain does next with `method` until it is let go. */
function hold(scene: Scene, method: string): { readonly reached: Promise<void>; go(): void } {
  let go = (): void => {}
  let reach = (): void => {}
  const released = new Promise<void>((resolve) => {
    go = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  scene.chain.knobs.before = async (called) => {
    if (called !== method) return
    reach()
    await released
  }
  return { reached, go }
}

const toolText = (payment: SignedPayment, name = 'token_trades', args: object = { mint }): string => {
  const params = { name, arguments: args, _meta: { 'x402/payment': payment.v2 } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}`, host: 'localhost' }
  return `${requestText('POST', '/mcp', headers)}${body}`
}
const requestsOf = (payment: SignedPayment): Readonly<Record<string, string>> => ({
  'HTTP, V2': requestText('GET', PATHS.trades, inV2(payment)),
  'HTTP, V1': requestText('GET', PATHS.trades, inV1(payment)),
  MCP: toolText(payment),
})

test('15. the client leaves during the work: no settlement, and the payment buys afterwards', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  for (const [way, bytes] of Object.entries(requestsOf(payment))) {
    const held = hold(scene, 'simulateTransaction')
    const client = await send(scene.baseUrl, bytes)
    await held.reached
    assert.equal(await scene.state(payment), 'reserved', way)
    await client.hangUp()
    scene.chain.knobs.before = undefined
    held.go()
    await until(async () => (await scene.state(payment)) === 'released')
    assert.equal(client.received, '')
  }
  // in the middle of it
  const held = hold(scene, 'simulateTransaction')
  const client = await send(scene.baseUrl, requestText('GET', PATHS.trades, inV2(payment)))
  await held.reached
  scene.atWork = () => client.breakOff()
  held.go()
  await until(async () => (await scene.state(payment)) === 'released')
  scene.atWork = () => {}
  await stillGood(scene, payment)
})

test('15. the client leaves after the settlement: the same payment fetches the answer', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const { knobs } = scene.chain
  let expected = 0
  for (const way of ['HTTP, V2', 'HTTP, V1', 'MCP']) {
    const payment = await scene.sign(buyer)
    knobs.sends = 'accept-then-hang'
    const client = await send(scene.baseUrl, requestsOf(payment)[way]!)
    await until(() => knobs.waiting === 1)
    expected += OTHER
    assert.equal(scene.earned(), expected, 'it has landed, and nobody knows it yet')
    await client.hangUp()
    knobs.sends = 'none'
    knobs.release()
    await until(async () => (await scene.state(payment)) === 'answered')
    // for what it was made, and nothing else
    const other = await scene.ask(PATHS.new, inV2(payment))
    assert.equal(other.status, 402)
    assert.match(other.body.toString(), /already used for another request/)
    const copies = await Promise.all([
      ...Array.from({ length: 4 }, () => scene.ask(PATHS.trades, inV2(payment))),
      ...Array.from({ length: 4 }, () => scene.ask(PATHS.trades, inV1(payment))),
    ])
    for (const { status, headers } of copies) assert.deepEqual([status, receiptIn(headers)?.success], [200, true], way)
    assert.equal(scene.earned(), expected, 'charged once')
    scene.nextMinute()
  }
  assert.deepEqual([scene.sales.units, scene.calls.settle], [3 * OTHER, 3])
})

test('15. the client leaves while its paid answer waits for an earlier one on the same connection', async (t) => {
  await leaveBehind(await openScene(t), (payment) => requestText('GET', PATHS.trades, inV2(payment)))
})

test('15. the paid answer of MCP waits for an earlier one on the same connection', async (t) => {
  await leaveBehind(await openScene(t), (payment) => toolText(payment))
})

async function leaveBehind(scene: Scene, text: (payment: SignedPayment) => string): Promise<void> {
  const [first, second] = [await scene.sign(await scene.buyer()), await scene.sign(await scene.buyer())]
  const held = hold(scene, 'simulateTransaction')
  const client = await send(scene.baseUrl, requestText('GET', PATHS.trades, inV2(first)))
  await held.reached
  scene.chain.knobs.before = undefined
  client.write(text(second))
  await until(async () => (await scene.state(second)) === 'answered')
  await client.hangUp()
  held.go()
  await until(async () => (await scene.state(first)) === 'released')
  for (const payment of [first, second]) assert.equal((await scene.ask(PATHS.trades, inV2(payment))).status, 200)
  assert.deepEqual([scene.earned(), scene.sales.units], [2 * OTHER, 2 * OTHER])
}

test('15. the client leaves with half of the paid answer unread: it is had again', async (t) => {
  await leaveUnread(t, ({ v2Text }) => requestText('GET', PATHS.new, { 'PAYMENT-SIGNATURE': v2Text }))
})

test('15. half unread over MCP', async (t) => {
  await leaveUnread(t, (payment) => toolText(payment, 'list_new_tokens', { detail: 'full' }))
})

async function leaveUnread(t: TestContext, text: (payment: SignedPayment) => string): Promise<void> {
  // more than both ends of a connection take in before the client reads
  const [card] = EXAMPLES.new.data
  const data = [{ ...card!, description: 'x'.repeat(32 << 20) }]
  const big = { bytes: Buffer.from(JSON.stringify(data)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  const scene = await openScene(t, { query: { list: () => big } })
  const payment = await scene.sign(await scene.buyer())
  const client = await send(scene.baseUrl, text(payment), { deaf: true })
  await until(async () => (await scene.state(payment)) === 'answered')
  assert.equal(scene.earned(), OTHER)
  await client.hangUp()
  const fetched = await scene.ask(PATHS.new, inV2(payment))
  assert.deepEqual([fetched.status, receiptIn(fetched.headers)?.success], [200, true])
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
}

test('16. both headers at once: the same transaction is one payment, different ones are 400', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const [a, b] = [await scene.sign(buyer), await scene.sign(buyer, OTHER, 1)]
  const different = await scene.ask(PATHS.trades, { ...inV2(a), ...inV1(b) })
  assert.equal(different.status, 400)
  assert.match(different.body.toString(), /carry different transactions/)
  // what counts is V2: junk in its place is not made good by the other
  assert.equal((await scene.ask(PATHS.trades, { 'PAYMENT-SIGNATURE': 'junk', ...inV1(b) })).status, 402)
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  const same = await scene.ask(PATHS.trades, { ...inV2(a), ...inV1(a) })
  assert.equal(same.status, 200)
  assert.ok(same.headers.has('payment-response') && !same.headers.has('x-payment-response'))
  assert.equal((await scene.ask(PATHS.trades, { ...inV2(b), 'X-PAYMENT': 'junk' })).status, 200)
  assert.deepEqual([scene.earned(), scene.calls.settle], [2 * OTHER, 2])
})

test('17. a Pro key beside a payment: not charged; a free key beside one: charged', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const pro = { authorization: `Bearer ${KEYS.pro}` }
  for (const headers of [inV2(payment), inV1(payment), { 'X-PAYMENT': 'junk' }]) {
    const answer = await scene.ask(PATHS.trades, { ...pro, ...headers })
    assert.equal(answer.status, 200)
    assert.equal(receiptIn(answer.headers), null)
  }
  const { v2, v2Text: x_payment } = payment
  const tool = await scene.call('token_trades', { mint, x_payment }, { 'x402/payment': v2 }, pro)
  assert.deepEqual([tool.isError, tool.receipt], [false, null])
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal(await scene.state(payment), undefined)
  // a key that is none is no key
  const free = { authorization: `Bearer ${KEYS.free}` }
  const paid = await scene.ask(PATHS.trades, { ...free, ...inV2(payment) })
  assert.deepEqual([paid.status, receiptIn(paid.headers)?.success], [200, true])
  const second = await scene.sign(await scene.buyer())
  const revoked = { authorization: `Bearer ${KEYS.revoked}` }
  assert.equal(receiptIn((await scene.ask(PATHS.trades, { ...revoked, ...inV1(second) })).headers)?.success, true)
  assert.deepEqual([scene.earned(), scene.sales.units], [2 * OTHER, 2 * OTHER])
})
