import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { inV1, inV2, receiptIn, type SignedPayment, withSignatureByte } from '../../support/payments-fixtures.ts'
import { PATHS } from './door.ts'
import { OTHER, openScene, type Scene, SNAPSHOT } from './scene.ts'

/** One payment is one answer and one transfer, however often and by whatever way it comes. */
const { mint } = EXAMPLE_ADDRESSES

/** What became of one attempt to buy the trades of a token. */
interface Attempt {
  readonly paid: boolean
  readonly status: number
  readonly text: string
}

type Way = (scene: Scene, payment: SignedPayment) => Promise<Attempt>

const overHttp =
  (headers: (payment: SignedPayment) => Record<string, string>): Way =>
  async ({ ask }, payment) => {
    const { status, headers: got, body } = await ask(PATHS.trades, headers(payment))
    return { paid: status === 200 && receiptIn(got)?.success === true, status, text: body.toString() }
  }

const overMcp =
  (x_payment: (payment: SignedPayment) => string | undefined, meta?: (payment: SignedPayment) => object): Way =>
  async ({ call }, payment) => {
    const carried = meta === undefined ? undefined : { 'x402/payment': meta(payment) }
    const { isError, receipt, status, message } = await call(
      'token_trades',
      { mint, x_payment: x_payment(payment) },
      carried,
    )
    return { paid: !isError && receipt?.success === true, status: isError ? 402 : status, text: message }
  }

/** Every way a payment can come. */
const WAYS: Readonly<Record<string, Way>> = {
  'HTTP, V2': overHttp(inV2),
  'HTTP, V1': overHttp(inV1),
  'HTTP, both': overHttp((payment) => ({ ...inV1(payment), ...inV2(payment) })),
  'MCP, argument, V2': overMcp(({ v2Text }) => v2Text),
  'MCP, argument, V1': overMcp(({ v1Text }) => v1Text),
  'MCP, _meta, V2': overMcp(
    () => undefined,
    ({ v2 }) => v2,
  ),
  'MCP, _meta, V1': overMcp(
    () => undefined,
    ({ v1 }) => v1,
  ),
}

test('7. the same payment again: on the same operation, on another, by every other way', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  for (const [name, first] of Object.entries(WAYS)) {
    const payment = await scene.sign(buyer)
    const before = scene.earned()
    assert.ok((await first(scene, payment)).paid, name)
    for (const [other, second] of Object.entries(WAYS)) {
      const again = await second(scene, payment)
      assert.ok(again.paid, `${name}, then ${other}: ${again.text}`)
    }
    for (const path of [PATHS.new, PATHS.trader]) {
      const again = await scene.ask(path, inV2(payment))
      assert.equal(again.status, 402, path)
      assert.match(again.body.toString(), /already used/)
    }
    assert.equal(scene.earned() - before, OTHER)
    assert.equal(scene.calls.settle, scene.earned() / OTHER)
    scene.nextMinute()
  }
})

test('8. 50 parallel copies of one payment over all transports: one answer, one transfer', async (t) => {
  const scene = await openScene(t)
  for (const version of [2, 1] as const) {
    const payment = await scene.sign(await scene.buyer(), OTHER, version)
    const [earned, settled] = [scene.earned(), scene.calls.settle]
    const ways = Object.values(WAYS)
    const attempts = await Promise.all(Array.from({ length: 50 }, (_, i) => ways[i % ways.length]!(scene, payment)))
    assert.ok(attempts.some(({ paid }) => paid))
    for (const { paid, status } of attempts) assert.ok(paid || status === 402 || status === 503, `${status}`)
    assert.equal(scene.earned() - earned, OTHER)
    assert.equal(scene.calls.settle - settled, 1)
    assert.equal(await scene.state(payment), 'answered')
    scene.nextMinute()
  }
  assert.equal(scene.sales.units, scene.earned())
})

test('9. copies with other bytes in the fee payer’s signature: one answer', async (t) => {
  const scene = await openScene(t)
  const { transaction, hash } = await scene.sign(await scene.buyer())
  const copies = Array.from({ length: 20 }, (_, i) => scene.forms(withSignatureByte(transaction, 0, i)))
  assert.equal(new Set(copies.map(({ v2Text }) => v2Text)).size, 20)
  for (const copy of copies) assert.equal(copy.hash, hash)
  const answers = await Promise.all(
    copies.map((copy, i) => scene.ask(PATHS.new, i % 2 === 0 ? inV2(copy) : inV1(copy))),
  )
  assert.ok(answers.some(({ status }) => status === 200))
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
  for (const copy of copies.slice(0, 5)) assert.equal((await scene.ask(PATHS.new, inV2(copy))).status, 200)
  assert.equal(scene.earned(), OTHER)
})

test('10. a balance that is gone before the settlement: 402 with a failed receipt, no data', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer(OTHER)
  const payment = await scene.sign(buyer)
  scene.atWork = () => scene.chain.drain(buyer.address)
  for (const headers of [inV2(payment), inV1(payment)]) {
    const answer = await scene.ask(PATHS.new, headers)
    assert.equal(answer.status, 402)
    assert.doesNotMatch(answer.body.toString(), /"data"/)
    const receipt = receiptIn(answer.headers)
    assert.deepEqual([receipt?.success, receipt?.transaction, receipt?.payer], [false, '', buyer.address])
    assert.match(receipt?.errorReason ?? '', /simulation_failed/)
    scene.chain.fund(buyer.address, { usdc: BigInt(OTHER) })
  }
  assert.deepEqual([scene.earned(), scene.calls.settle], [0, 2])
  // over MCP the failed receipt comes with the offer, never with the content
  const refused = await scene.call('list_new_tokens', { x_payment: payment.v2Text })
  assert.deepEqual([refused.isError, refused.content.x402Version, refused.receipt?.success], [true, 2, false])
  scene.atWork = () => {}
  scene.chain.fund(buyer.address, { usdc: BigInt(OTHER) })
  assert.equal((await scene.ask(PATHS.new, inV2(payment))).status, 200, 'the money is back, so is the payment')
  assert.equal(scene.earned(), OTHER)
})

test('10. two payments over one balance: both are verified, one is paid', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer(OTHER + 5_000)
  const both = [await scene.sign(buyer), await scene.sign(buyer)]
  // neither settles before both are verified
  let verified = 0
  let go = (): void => {}
  const together = new Promise<void>((resolve) => {
    go = resolve
  })
  scene.chain.knobs.before = async (method) => {
    if (method !== 'simulateTransaction' || verified >= 2) return
    if (++verified === 2) go()
    await together
  }
  const answers = await Promise.all([scene.ask(PATHS.new, inV2(both[0]!)), scene.ask(PATHS.trader, inV1(both[1]!))])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402])
  const refused = answers.find(({ status }) => status === 402)!
  assert.equal(receiptIn(refused.headers)?.success, false)
  assert.deepEqual([scene.earned(), scene.calls.verify], [OTHER, 2])
  assert.equal(Number(scene.chain.tokens(buyer.address)), 5_000)
})

test('11. the blockhash expires during the work: 402 with a failed receipt, nothing moved', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  scene.atWork = () => scene.chain.advanceSlots(200)
  const answer = await scene.ask(PATHS.new, inV2(payment))
  assert.equal(answer.status, 402)
  assert.equal(receiptIn(answer.headers)?.success, false)
  assert.equal(await scene.state(payment), 'released')
  scene.atWork = () => {}
  // dead for good, and said so before any work
  const again = await scene.ask(PATHS.new, inV2(payment))
  assert.deepEqual([again.status, receiptIn(again.headers)], [402, null])
  assert.deepEqual([scene.earned(), scene.calls.settle], [0, 1])
})

test('21. books: the seller has what all paid answers cost, whatever else came in between', async (t) => {
  const scene = await openScene(t)
  const [rich, poor] = [await scene.buyer(), await scene.buyer(35_000)]
  const buy = async (i: number): Promise<void> => {
    const buyer = i % 3 === 0 ? poor : rich
    const dear = i % 4 === 0
    const payment = await scene.sign(buyer, dear ? SNAPSHOT : OTHER, i % 2 === 0 ? 2 : 1)
    const headers = i % 2 === 0 ? inV2(payment) : inV1(payment)
    const path =
      i % 5 === 0 ? '/v1/traders/4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM' : dear ? PATHS.snapshot : PATHS.new
    await scene.ask(path, headers)
    await scene.ask(path, headers)
    await scene.call('token_trades', { mint, x_payment: payment.v2Text })
  }
  await Promise.all(Array.from({ length: 24 }, (_, i) => buy(i)))
  assert.ok(scene.sales.units >= 10 * OTHER, `${scene.sales.units}`)
  assert.equal(scene.sales.units, scene.earned())
  const spent = 1_035_000 - Number(scene.chain.tokens(rich.address)) - Number(scene.chain.tokens(poor.address))
  assert.equal(spent, scene.earned())
})
