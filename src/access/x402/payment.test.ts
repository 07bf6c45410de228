import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address } from '@solana/kit'
import fc from 'fast-check'
import {
  anyAddress,
  encode,
  envelopeV1,
  envelopeV2,
  FEE_PAYER,
  memo,
  PAY_TO,
  read,
  transferTransaction,
  withSignatureByte,
} from '../../../test/properties/payments-fixtures.ts'
import { LIMITS } from '../../config/limits.ts'
import { ASSET, requirements } from './network.ts'
import { readPaymentHeader, readPaymentObject } from './payment.ts'
import { isSignedBy, mismatch, readTransaction, tokenAccountOf } from './transaction.ts'

const reason = (envelope: unknown): string => {
  const found = readPaymentHeader(encode(envelope))
  assert.equal(found.ok, false)
  return found.ok ? '' : found.reason
}

test('one transaction is one hash, in either envelope and whatever stands in the fee payer’s place', async () => {
  const transaction = await transferTransaction()
  const v2 = read(envelopeV2(transaction))
  const v1 = read(envelopeV1(transaction))
  assert.deepEqual([v2.version, v1.version], [2, 1])
  assert.equal(v1.hash, v2.hash)
  assert.match(v1.hash, /^[0-9a-f]{64}$/)
  const altered = withSignatureByte(transaction, 0, 7)
  assert.notEqual(altered, transaction)
  assert.equal(read(envelopeV1(altered)).hash, v1.hash)
  assert.deepEqual(readPaymentObject(envelopeV2(transaction)), { ok: true, payment: v2 })
  assert.notEqual(read(envelopeV1(await transferTransaction())).hash, v1.hash)
})

test('what is wrong with an envelope is said', async () => {
  const transaction = await transferTransaction()
  const v2 = envelopeV2(transaction)
  const header = (text: string): string => {
    const found = readPaymentHeader(text)
    return found.ok ? 'read' : found.reason
  }
  const good = encode(v2)
  assert.match(header(good), /^read$/)
  assert.match(header(''), /not base64/)
  assert.match(header(`${good}\n`), /not base64/)
  assert.match(header(good.replace(/=*$/, '===')), /not base64/)
  assert.match(header(Buffer.from('{}').toString('base64url')), /not base64/)
  assert.match(header(Buffer.from([0xff, 0xfe]).toString('base64')), /JSON/)
  assert.match(header('x'.repeat(LIMITS.paymentBytes + 1)), /larger/)
  assert.match(header(Buffer.from('nonsense').toString('base64')), /JSON/)
  assert.match(reason([v2]), /object/)
  assert.match(reason(null), /object/)
  assert.match(reason({ ...v2, x402Version: 3 }), /1 or 2/)
  assert.match(reason({ ...v2, x402Version: '2' }), /1 or 2/)
  assert.match(reason({ ...v2, accepted: undefined }), /accepted/)
  assert.match(reason({ ...v2, accepted: { ...requirements(PAY_TO, FEE_PAYER, 1), scheme: 'upto' } }), /scheme/)
  assert.match(reason({ ...v2, accepted: { ...requirements(PAY_TO, FEE_PAYER, 1), network: 'solana' } }), /network/)
  assert.match(reason({ ...envelopeV1(transaction), network: requirements(PAY_TO, FEE_PAYER, 1).network }), /network/)
  assert.match(reason({ ...envelopeV1(transaction), scheme: 7 }), /scheme/)
  assert.match(reason({ ...v2, payload: {} }), /transaction/)
  assert.match(reason({ ...v2, payload: { transaction: 7 } }), /transaction/)
  const big = readPaymentObject({ ...v2, extensions: 'x'.repeat(LIMITS.paymentBytes) })
  assert.ok(!big.ok && /larger/.test(big.reason))
})

test('a transaction of version 1 is refused by name, whatever its length', () => {
  for (const length of [3, 200, 4_096]) {
    const bytes = Buffer.alloc(length)
    bytes[0] = 0x81
    const found = readTransaction(bytes.toString('base64'))
    assert.ok(!found.ok && /of version 1: payments are taken in version 0 and legacy/.test(found.reason))
  }
})

test('what is wrong with a transaction is said', async () => {
  const why = async (transfer: Parameters<typeof transferTransaction>[0]): Promise<string> => {
    const found = readTransaction(await transferTransaction(transfer))
    return found.ok ? 'read' : found.reason
  }
  assert.equal(await why({}), 'read')
  assert.equal(await why({ rest: [] }), 'read')
  assert.equal(await why({ rest: [memo(), memo(), memo(), memo()] }), 'read')
  assert.match(await why({ rest: [memo(), memo(), memo(), memo(), memo()] }), /8 instructions/)
  const payer = { ...memo(), accounts: [{ address: address(FEE_PAYER), role: 0 as const }] }
  assert.match(await why({ rest: [payer] }), /fee payer is used/)
  const text = await transferTransaction()
  const bytes = Buffer.from(text, 'base64')
  const said = (changed: Buffer | string): string => {
    const found = readTransaction(typeof changed === 'string' ? changed : changed.toString('base64'))
    return found.ok ? 'read' : found.reason
  }
  assert.match(said(Buffer.concat([bytes, Buffer.from([0])])), /canonical|decoded/)
  assert.match(said(bytes.subarray(0, bytes.length - 1)), /decoded|canonical/)
  assert.match(said(Buffer.alloc(LIMITS.transactionBytes + 1)), /too large/)
  assert.match(said(`${text}=`), /base64/)
  assert.match(said(''), /base64/)
})

test('no bytes make the reading throw', async () => {
  const good = Buffer.from(await transferTransaction(), 'base64')
  const anyBytes = fc.uint8Array({ maxLength: 1_300 }).map((bytes) => Buffer.from(bytes))
  const nearly = fc
    .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    .map((changes) => {
      const bytes = Buffer.from(good)
      for (const [at, value] of changes) bytes[at] = value
      return bytes
    })
  fc.assert(
    fc.property(fc.oneof(anyBytes, nearly), (bytes) => {
      const found = readTransaction(bytes.toString('base64'))
      assert.equal(typeof (found.ok ? found.facts.hash : found.reason), 'string')
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      assert.equal(readPaymentObject(value).ok, false)
      assert.equal(readPaymentHeader(encode(value)).ok, false)
    }),
  )
})

test('a transaction is measured against our own requirements', async () => {
  const wanted = requirements(PAY_TO, FEE_PAYER, 10_000)
  const destination = await tokenAccountOf(PAY_TO, ASSET)
  const problem = async (transfer: Parameters<typeof transferTransaction>[0]): Promise<string | null> => {
    const found = readTransaction(await transferTransaction(transfer))
    assert.ok(found.ok)
    return mismatch(found.facts, wanted, destination)
  }
  assert.equal(await problem({}), null)
  assert.match((await problem({ amount: 9_999 }))!, /amount_mismatch/)
  assert.match((await problem({ amount: 10_001 }))!, /amount_mismatch/)
  assert.match((await problem({ mint: anyAddress() }))!, /mint_mismatch/)
  assert.match((await problem({ payTo: anyAddress() }))!, /recipient_mismatch/)
  assert.match((await problem({ feePayer: anyAddress() }))!, /fee_payer_mismatch/)
  assert.match((await problem({ units: LIMITS.paymentComputeUnits + 1 }))!, /limit_instruction_too_high/)
  assert.match((await problem({ price: LIMITS.paymentMicroLamports + 1 }))!, /price_instruction_too_high/)
  assert.equal(await problem({ units: LIMITS.paymentComputeUnits, price: LIMITS.paymentMicroLamports }), null)
})

test('the payer’s signature is checked over the message', async () => {
  const transaction = await transferTransaction()
  const signed = async (text: string): Promise<boolean> => {
    const found = readTransaction(text)
    assert.ok(found.ok)
    return isSignedBy(found.facts.payer, found.facts.payerSignature, found.facts.message)
  }
  assert.equal(await signed(transaction), true)
  assert.equal(await signed(withSignatureByte(transaction, 0, 9)), true)
  const byte = Buffer.from(transaction, 'base64')[65]!
  assert.equal(await signed(withSignatureByte(transaction, 1, byte ^ 1)), false)
})
