import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXPIRY_MS } from '@ti/service/access/x402/facilitator.ts'
import { FAILED_FEES } from '@ti/service/access/x402/failed-fees.ts'
import { FAILURE_WAIT_MS, UNITS_PER_FAILURE } from '@ti/service/access/x402/payers.ts'
import { TRANSACTION_COST } from '@ti/service/access/x402/transaction.ts'
import type { Outcome, Payment } from '@ti/service/access/x402/types.ts'
import { kindsOf, openScene, type Scene } from '../properties/payments-sandbox-scene.ts'
import { byHand, FEE, feesOf, PRICE, racers, walletsOf } from './payments-by-hand.ts'

/** Attacks on the fee payer: transactions that pass simulation and fail on chain are paid for by us. */

/** As clients are asked to: the identical payment, until its end is known. */
async function untilCertain(scene: Scene, payment: Payment): Promise<Outcome<unknown>> {
  for (const end = Date.now() + 60_000; ; ) {
    const outcome = await scene.pay(payment)
    if (outcome.kind !== 'uncertain' || Date.now() > end) return outcome
  }
}

const PAYERS = 1_000
/** how often each of them comes within the minute, with new money: HOSTILE_TRIES=6 is every ten seconds */
const TRIES = Number(process.env.HOSTILE_TRIES ?? 1)

const paidIn = (kinds: readonly string[]): number => kinds.filter((kind) => kind === 'paid').length

// before: all that were sent before the first had landed failed on chain
test('32 payments at once of a wallet with money for one: one is paid, and no fee is lost', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer(BigInt(PRICE))
  const sign = await byHand(scene)
  const payments = await Promise.all(Array.from({ length: 32 }, () => sign(buyer)))
  // what is sent lands a moment later, as it does on a network
  const { knobs } = scene.chain
  knobs.sends = 'hold'
  const landing = setInterval(() => knobs.release(), 200)
  t.after(() => clearInterval(landing))
  const kinds = kindsOf(await Promise.all(payments.map((payment) => untilCertain(scene, payment))))
  const sends = scene.chain.knobs.calls.sendTransaction ?? 0
  t.diagnostic(`${sends} sent, ${feesOf(scene)} lamports of fees, ${paidIn(kinds)} paid`)
  assert.deepEqual([paidIn(kinds), sends, feesOf(scene)], [1, 1, FEE])
  await scene.booksAgree()
})

// before: 20 of 20 failed on chain, 200,020 lamports
test('a wallet that empties itself while its payment is on the way fails once, then waits', async (t) => {
  const scene = await openScene(t)
  const hostile = await scene.buyer()
  const sign = await byHand(scene)
  racers(scene, new Set([hostile.address]))
  const outcomes = []
  const now = (): number => Date.now() + scene.clock.offsetMs
  const began = now()
  for (let round = 0; round < 20; round++) {
    scene.chain.fund(hostile.address, { usdc: BigInt(PRICE) })
    outcomes.push(await scene.pay(await sign(hostile)))
    scene.clock.offsetMs += 500
  }
  const passedMs = now() - began
  t.diagnostic(`20 tries in ${passedMs} ms: ${feesOf(scene)} lamports of fees`)
  // a machine on which 20 tries take longer than the wait has shown nothing
  assert.ok(passedMs < FAILURE_WAIT_MS, `${passedMs} ms passed`)
  assert.equal(feesOf(scene), FEE)
  const last = outcomes.at(-1)!
  assert.ok(last.kind === 'unavailable' && /failed on chain/.test(last.message))
  // it began to wait after `began`, and the last try was before the end
  assert.ok(last.retryAfterS * 1000 >= FAILURE_WAIT_MS - passedMs, `${last.retryAfterS} s after ${passedMs} ms`)
  assert.ok(last.retryAfterS * 1000 <= FAILURE_WAIT_MS - 19 * 500 + 1_000, `${last.retryAfterS} s`)
  await scene.booksAgree()
})

// before: each of the 1,000 cost a fee, 10,001,000 lamports, and at the twelfth such minute payments were off for the day
test('1,000 wallets that empty themselves for a minute: the loss is bounded, and those who paid before still pay', async (t) => {
  const scene = await openScene(t)
  const honest = await scene.buyer(10_000_000n)
  const sign = await byHand(scene)
  for (let i = 0; i < 10; i++) assert.equal((await scene.pay(await sign(honest))).kind, 'paid')
  const before = feesOf(scene)
  const hostile = await walletsOf(PAYERS)
  racers(scene, new Set(hostile.map(({ address }) => address)))
  const start = Date.now()
  const rounds = 50
  const honestKinds: string[] = []
  for (let round = 0; round < rounds; round++) {
    const [from, to] = [round, round + 1].map((at) => (at * PAYERS * TRIES) / rounds)
    const attacks = Array.from({ length: to! - from! }, async (_, i) => {
      const one = hostile[(from! + i) % PAYERS]!
      const payment = await sign(one)
      scene.chain.fund(one.address, { usdc: BigInt(PRICE) })
      // a hundred addresses: one has so many places at once, and who pays from somewhere else has others
      return scene.pay(payment, { client: { address: `198.51.100.${i % 100}`, gone: () => false } })
    })
    honestKinds.push((await untilCertain(scene, await sign(honest))).kind)
    await Promise.all(attacks)
    scene.clock.offsetMs += 60_000 / rounds
  }
  const paid = paidIn(honestKinds)
  const lost = feesOf(scene) - before - paid * FEE
  const earnedUnits = paid * PRICE
  const perUnit = FAILED_FEES.lamportsPerUnit + TRANSACTION_COST.lamports / UNITS_PER_FAILURE
  // the scene's clock goes on by itself, too
  const minutes = 1 + (Date.now() - start) / 60_000
  const bound = FAILED_FEES.lamports + FAILED_FEES.lamportsPerMinute * minutes + perUnit * (earnedUnits + 10 * PRICE)
  const tries = `${PAYERS * TRIES} hostile payments of ${PAYERS} wallets`
  t.diagnostic(`${tries}: ${lost} lamports lost (bound ${bound}), ${paid} of ${rounds} honest payments taken`)
  assert.equal(paid, rounds)
  assert.ok(lost > 0 && lost <= bound, `${lost} lamports`)
  assert.equal(scene.cashier.status().ready, true)
  await scene.booksAgree()
})

test('the fee that is booked is the one that the chain took', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const sign = await byHand(scene)
  assert.equal(
    (await scene.pay(await sign(buyer, { units: 60_000, price: TRANSACTION_COST.microLamports }))).kind,
    'paid',
  )
  racers(scene, new Set([buyer.address]))
  assert.equal((await scene.pay(await sign(buyer))).kind, 'refused')
  const { feeLamports, units } = await scene.ledger.since(new Date(0))
  assert.deepEqual([feeLamports, units], [feesOf(scene), PRICE])
  assert.equal(feesOf(scene), TRANSACTION_COST.lamports + FEE)
  // dropped by the node, and expired: nothing was taken, so nothing stays booked
  const other = await scene.buyer()
  scene.chain.knobs.sends = 'drop'
  const dropped = await sign(other)
  assert.equal((await scene.pay(dropped)).kind, 'uncertain')
  assert.equal((await scene.ledger.since(new Date(0))).feeLamports, feesOf(scene) + FEE)
  scene.chain.advanceSlots(200)
  scene.clock.offsetMs += EXPIRY_MS + 1_000
  assert.equal((await scene.pay(dropped)).kind, 'refused')
  assert.equal((await scene.ledger.since(new Date(0))).feeLamports, feesOf(scene))
})

test('a payer with a record settles as many at once as its balance covers', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer(60n * BigInt(PRICE))
  const sign = await byHand(scene)
  for (let i = 0; i < 50; i++) assert.equal((await scene.pay(await sign(buyer))).kind, 'paid')
  let atOnce = 0
  scene.chain.knobs.sends = 'hang'
  const payments = await Promise.all(Array.from({ length: 20 }, () => sign(buyer)))
  const outcomes = Promise.all(payments.map((payment) => scene.pay(payment)))
  const end = Date.now() + 20_000
  while (scene.chain.knobs.waiting < 10 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  atOnce = scene.chain.knobs.waiting
  scene.chain.knobs.sends = 'none'
  scene.chain.knobs.release()
  const kinds = kindsOf(await outcomes)
  t.diagnostic(`${atOnce} at once, ${paidIn(kinds)} paid of 20 with money for 10`)
  assert.equal(atOnce, 10)
  assert.equal(paidIn(kinds), 10)
  assert.equal(feesOf(scene), 60 * FEE)
  await scene.booksAgree()
})
