import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { callOf, FEE_PAYER, PAY_TO } from '../../../../../test/support/payments-fixtures.ts'
import { MAINNET, requirements } from './network.ts'
import { createOffers, isOurOffer } from './offer.ts'
import { failedReceipt, paidReceipt, receiptHeader } from './receipt.ts'

const offers = createOffers({ network: MAINNET, payTo: PAY_TO, feePayer: () => FEE_PAYER })

test('an offer says the same in both versions, as the official schemas want it', () => {
  const call = callOf('FxtV', 20_000)
  const { accepts, v2, header } = offers.quote(call)
  const about = { description: call.description, mimeType: 'application/json' }
  const rest = {
    scheme: 'exact',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    payTo: PAY_TO,
    maxTimeoutSeconds: 60,
    extra: { feePayer: FEE_PAYER },
  }
  const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  assert.deepEqual(accepts, [
    { ...rest, ...about, network: 'solana', maxAmountRequired: '20000', resource: call.resource },
  ])
  assert.deepEqual(v2, {
    x402Version: 2,
    error: 'Payment required',
    resource: { url: call.resource, ...about },
    accepts: [{ ...rest, network, amount: '20000' }],
  })
  assert.deepEqual(decodePaymentRequiredHeader(header), v2)
  assert.ok(PaymentRequiredV1Schema.safeParse({ x402Version: 1, accepts }).success)
  assert.ok(PaymentRequiredV2Schema.safeParse(v2).success)
  assert.ok(header.length < 1_500)
})

test('nothing is offered while the fee payer is not known', () => {
  const nobody = createOffers({ network: MAINNET, payTo: PAY_TO, feePayer: () => null })
  assert.deepEqual(nobody.quote(callOf()).accepts, [])
  assert.equal(nobody.requirements(callOf()), null)
})

test('what a client accepted has to be ours in every field', () => {
  const ours = requirements(PAY_TO, FEE_PAYER, 10_000)
  assert.ok(isOurOffer(JSON.parse(JSON.stringify(ours)), ours))
  assert.ok(isOurOffer({ ...ours, outputSchema: null, extra: { ...ours.extra, more: 1 } }, ours))
  for (const name of Object.keys(ours)) {
    const { [name]: _, ...without } = ours as unknown as Record<string, unknown>
    assert.ok(!isOurOffer(without, ours), name)
    assert.ok(!isOurOffer({ ...ours, [name]: '1' }, ours), name)
  }
  assert.ok(!isOurOffer({ ...ours, amount: 10_000 }, ours))
  assert.ok(!isOurOffer({ ...ours, extra: { feePayer: PAY_TO } }, ours))
  assert.ok(!isOurOffer({ ...ours, extra: null }, ours))
})

test('receipts go back in the version of their payment', () => {
  const good = paidReceipt(MAINNET, 'payer', 'signature')
  const [name2, value2] = receiptHeader(good, 2)
  assert.equal(name2, 'PAYMENT-RESPONSE')
  assert.deepEqual(decodePaymentResponseHeader(value2), {
    success: true,
    transaction: 'signature',
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    payer: 'payer',
  })
  const [name1, value1] = receiptHeader(failedReceipt(MAINNET, 'payer', 'why'), 1)
  assert.equal(name1, 'X-PAYMENT-RESPONSE')
  assert.deepEqual(JSON.parse(Buffer.from(value1, 'base64').toString()), {
    success: false,
    transaction: '',
    network: 'solana',
    payer: 'payer',
    errorReason: 'why',
  })
})
