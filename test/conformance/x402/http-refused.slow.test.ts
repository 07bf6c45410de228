import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { extensionsOf } from '@ti/core/contract/discovery.ts'
import { PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { PAYMENT_BYTES } from '@ti/service/access/x402/payment.ts'
import { TRANSACTION_COST } from '@ti/service/access/x402/transaction.ts'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { Answer } from '../../support/exchange.ts'
import {
  anyAddress,
  decode,
  encode,
  inV1,
  inV2,
  memo,
  receiptIn,
  type SignedPayment,
  type Transfer,
} from '../../support/payments-fixtures.ts'
import { PATHS } from './door.ts'
import { OTHER, openScene, type Scene } from './scene.ts'

/** Payments that are not what was asked for: 402 with the reason, nothing written, nothing settled. */
interface Offered {
  readonly error: { readonly code: string; readonly message: string; readonly upgrade_url: string }
  readonly x402Version: number
  readonly accepts: readonly Record<string, unknown>[]
}
const bodyOf = (answer: Answer): Offered => JSON.parse(answer.body.toString()) as Offered

test('1. no payment: body and header say the same offer, and both pass the schemas of the protocol', async (t) => {
  const { ask, chain, calls } = await openScene(t)
  for (const { id, priceUnits, summary } of PRICED_ENDPOINTS) {
    const path = `${PATHS[id]}?x=1`
    const answer = await ask(path)
    assert.equal(answer.status, 402, id)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { error, ...v1 } = bodyOf(answer)
    const v2 = decode<Record<string, unknown>>(answer.headers.get('payment-required')!)
    assert.equal(error.code, 'payment_required')
    assert.equal(error.upgrade_url, 'https://api.example.com/account')
    assert.ok(PaymentRequiredV1Schema.safeParse(v1).success, JSON.stringify(v1))
    assert.ok(PaymentRequiredV2Schema.safeParse(v2).success, JSON.stringify(v2))
    const about = { description: summary, mimeType: 'application/json' }
    const url = `https://api.example.com${path}`
    const extra = { feePayer: chain.feePayer }
    const common = { scheme: 'exact', asset: MAINNET.asset, payTo: chain.seller, maxTimeoutSeconds: 60, extra }
    assert.deepEqual(v1, {
      x402Version: 1,
      accepts: [{ ...common, network: 'solana', maxAmountRequired: String(priceUnits), resource: url, ...about }],
    })
    assert.deepEqual(v2, {
      x402Version: 2,
      error: 'Payment required',
      resource: { url, ...about },
      accepts: [{ ...common, network: MAINNET.v2, amount: String(priceUnits) }],
      extensions: extensionsOf({ id }, 'http'),
    })
  }
  assert.deepEqual(calls, { verify: 0, settle: 0 })
})

/** In every envelope and place: refused for this reason, and nothing has happened. */
async function refusedEverywhere(scene: Scene, payment: SignedPayment, reason: RegExp): Promise<void> {
  const before = { earned: scene.earned(), fees: scene.chain.lamports(scene.chain.feePayer), ...scene.calls }
  for (const headers of [inV2(payment), inV1(payment)]) {
    const answer = await scene.ask(PATHS.new, headers)
    assert.equal(answer.status, 402, answer.body.toString())
    assert.match(bodyOf(answer).error.message, reason)
    assert.ok(answer.headers.has('payment-required'))
    assert.equal(receiptIn(answer.headers), null)
  }
  const over = [
    await scene.call('list_new_tokens', { x_payment: payment.v1Text }),
    await scene.call('list_new_tokens', {}, { 'x402/payment': payment.v2 }),
  ]
  for (const { isError, message, content } of over) {
    assert.ok(isError)
    assert.match(message, reason)
    assert.equal(content.x402Version, 2)
  }
  const { settle } = scene.calls
  assert.deepEqual([scene.earned(), settle], [before.earned, before.settle])
  assert.equal(scene.chain.lamports(scene.chain.feePayer), before.fees)
}

test('2. junk in either header: 402 that says what is wrong', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const of = (change: object): string => encode({ ...payment.v2, ...change })
  const cases: readonly [string, RegExp][] = [
    ['junk', /base64/],
    [payment.v2Text.replace(/=*$/, '!'), /base64/],
    [Buffer.from('{"x402Version":2').toString('base64'), /JSON/],
    [encode([payment.v2]), /JSON object/],
    [encode('text'), /JSON object/],
    [of({ x402Version: 3 }), /x402Version/],
    [of({ x402Version: '2' }), /x402Version/],
    [of({ accepted: null }), /accepted/],
    [of({ payload: { transaction: 7 } }), /payload\.transaction/],
    [of({ payload: { transaction: 'AAAA' } }), /transaction cannot be decoded/],
    ['A'.repeat(PAYMENT_BYTES + 4), /larger than 8192 bytes/],
  ]
  for (const [text, reason] of cases) {
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT']) {
      const answer = await scene.ask(PATHS.new, { [name]: text })
      assert.equal(answer.status, 402, text.slice(0, 60))
      assert.match(bodyOf(answer).error.message, reason)
    }
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal((await scene.ask(PATHS.new, inV2(payment))).status, 200)
  assert.equal(scene.earned(), OTHER)
})

test('3. amount −1 and +1, another mint, payee, network, fee payer', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const cases: readonly [Transfer, RegExp][] = [
    [{ amount: OTHER - 1 }, /transfer is of 9999 units, the price is 10000 \(\w+amount_mismatch\)/],
    [{ amount: OTHER + 1 }, /amount_mismatch/],
    [{ mint: anyAddress() }, /mint_mismatch/],
    [{ payTo: anyAddress() }, /recipient_mismatch/],
    [{ feePayer: anyAddress() }, /fee_payer_mismatch/],
    // the buyer as his own fee payer
    [{ feePayer: buyer.address }, /fee payer/],
  ]
  for (const [transfer, reason] of cases) {
    await refusedEverywhere(scene, await scene.byHand({ buyer, ...transfer }), reason)
  }
  const good = await scene.sign(buyer)
  const wrong: readonly [object, RegExp][] = [
    [{ ...good.v1, network: 'solana-devnet' }, /network of a V1 payment/],
    [{ ...good.v1, network: MAINNET.v2 }, /network of a V1 payment/],
    [{ ...good.v1, scheme: 'upto' }, /scheme/],
    ...['network', 'scheme', 'asset', 'payTo', 'amount', 'extra', 'maxTimeoutSeconds'].map(
      (field): [object, RegExp] => [withAccepted(good, field), /network|scheme|does not match the offer/],
    ),
  ]
  for (const [envelope, reason] of wrong) {
    const answer = await scene.ask(PATHS.new, { 'PAYMENT-SIGNATURE': encode(envelope) })
    assert.equal(answer.status, 402)
    assert.match(bodyOf(answer).error.message, reason)
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal((await scene.ask(PATHS.new, inV1(good))).status, 200, 'and the transaction itself was good')
})

function withAccepted({ v2 }: SignedPayment, field: string): object {
  const { accepted } = v2 as { accepted: object }
  return { ...v2, accepted: { ...accepted, [field]: 'solana' } }
}

test('4. a forged signature of the buyer, and none', async (t) => {
  const scene = await openScene(t)
  const { transaction } = await scene.sign(await scene.buyer())
  const bytes = Buffer.from(transaction, 'base64')
  bytes[65]! ^= 1
  await refusedEverywhere(scene, scene.forms(bytes.toString('base64')), /signature_invalid/)
  bytes.fill(0, 65, 129)
  await refusedEverywhere(scene, scene.forms(bytes.toString('base64')), /signature_invalid/)
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
})

const SYSTEM = '11111111111111111111111111111111' as KeyPairSigner['address']

function transferOfSol(from: string, to: string, lamports: bigint): Instruction {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  return {
    programAddress: SYSTEM,
    accounts: [
      { address: from as KeyPairSigner['address'], role: 3 },
      { address: to as KeyPairSigner['address'], role: 1 },
    ],
    data: new Uint8Array(data),
  }
}

test('5. an instruction more: a transfer from the fee payer, a program of no business here', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const thief = (await generateKeyPairSigner()).address
  for (const rest of [
    [transferOfSol(scene.chain.feePayer, thief, 1_000_000n)],
    [memo(), transferOfSol(scene.chain.feePayer, thief, 1_000_000n)],
  ]) {
    await refusedEverywhere(scene, await scene.byHand({ buyer, rest }), /fee payer is used inside an instruction/)
  }
  assert.equal(scene.calls.verify, 0)
  const stranger = { programAddress: anyAddress(), data: new Uint8Array([1]) }
  await refusedEverywhere(scene, await scene.byHand({ buyer, rest: [stranger] }), /unknown_fourth_instruction/)
  const many = Array.from({ length: 5 }, () => memo())
  await refusedEverywhere(scene, await scene.byHand({ buyer, rest: many }), /8 instructions, 3 to 7/)
  assert.equal(scene.chain.lamports(thief as never), 0n)
})

test('6. compute units and their price beyond the caps, in V1 and V2', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const { computeUnits: units, microLamports: price } = TRANSACTION_COST
  const limit = /compute_limit_instruction_too_high/
  await refusedEverywhere(scene, await scene.byHand({ buyer, units: 1_400_000, price: 5_000_000 }), limit)
  await refusedEverywhere(scene, await scene.byHand({ buyer, units: units + 1 }), limit)
  const dear = await scene.byHand({ buyer, price: price + 1 })
  await refusedEverywhere(scene, dear, /compute_price_instruction_too_high/)
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  // at the caps it is taken, and costs the fee payer no more than is said
  const before = scene.chain.lamports(scene.chain.feePayer)
  const most = await scene.byHand({ buyer, units, price })
  assert.equal((await scene.ask(PATHS.new, inV1(most))).status, 200)
  const cost = Number(before - scene.chain.lamports(scene.chain.feePayer))
  assert.ok(cost > 10_000 && cost <= TRANSACTION_COST.lamports, `${cost} lamports`)
  assert.equal(scene.earned(), OTHER)
})

test('a cent never buys the snapshot, in no envelope and by no words', async (t) => {
  const scene = await openScene(t)
  const cheap = await scene.sign(await scene.buyer())
  const { v2Text: claimed } = scene.forms(cheap.transaction, 20_000)
  const texts = [cheap.v2Text, cheap.v1Text, claimed]
  const { mint } = EXAMPLE_ADDRESSES
  for (const text of texts) {
    for (const query of ['', '?fields=score', '?fields=', '?price=10000']) {
      const answer = await scene.ask(`${PATHS.snapshot}${query}`, { 'PAYMENT-SIGNATURE': text })
      assert.equal(answer.status, 402)
      assert.match(bodyOf(answer).error.message, /amount_mismatch|not match the offer/)
    }
    assert.equal((await scene.call('scan_token', { mint, x_payment: text })).isError, true)
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal((await scene.ask(PATHS.trades, inV2(cheap))).status, 200)
  assert.equal(scene.earned(), OTHER)
})
