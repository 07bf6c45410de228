import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit'
import { keyToBase58 } from '@ti/core/base/base58.ts'
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
} from '../../../../../test/support/payments-fixtures.ts'
import fc from '../../../../../test/support/property.ts'
import { associatedTokenAccount } from '../../base/token-account.ts'
import { readWire, TRANSACTION_BYTES } from './message.ts'
import { MAINNET, requirements } from './network.ts'
import { PAYMENT_BYTES, readPaymentHeader, readPaymentObject } from './payment.ts'
import { isSignedBy, mismatch, readTransaction, TRANSACTION_COST } from './transaction.ts'

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
  assert.match(header('x'.repeat(PAYMENT_BYTES + 1)), /larger/)
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
  const big = readPaymentObject({ ...v2, extensions: 'x'.repeat(PAYMENT_BYTES) })
  assert.ok(!big.ok && /larger/.test(big.reason))
})

test('a transaction of version 1 is refused by name, whatever its length', () => {
  for (const length of [3, 200, 4_096]) {
    const bytes = Buffer.alloc(length)
    bytes[0] = 0x81
    const found = readTransaction(bytes.toString('base64'))
    assert.ok(!found.ok && /of version 1: payments are accepted in version 0 and legacy/.test(found.reason))
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
  assert.match(said(Buffer.alloc(TRANSACTION_BYTES + 1)), /too large/)
  assert.match(said(`${text}=`), /base64/)
  assert.match(said(''), /base64/)
})

/** What the official codecs make of the same bytes: facts, or null where they refuse them or would write them otherwise. */
function officially(bytes: Buffer) {
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
    const again = getTransactionEncoder().encode({ messageBytes, signatures } as Transaction)
    if (!Buffer.from(again).equals(bytes)) return null
    if (!Buffer.from(getCompiledTransactionMessageEncoder().encode(message)).equals(Buffer.from(messageBytes)))
      return null
    return { messageBytes, signatures: signatures as Record<string, Uint8Array | null>, message }
  } catch {
    return null
  }
}

test('any bytes are read as the official codecs read them, and none make the reading throw', async () => {
  const others = await Promise.all([transferTransaction({ rest: [] }), transferTransaction({ rest: [memo(), memo()] })])
  const good = Buffer.from(await transferTransaction(), 'base64')
  const legacy = Buffer.concat([good.subarray(0, 129), good.subarray(130, -1)])
  const valid = [good, legacy, ...others.map((text) => Buffer.from(text, 'base64'))]
  assert.ok(valid.every((bytes) => readTransaction(bytes.toString('base64')).ok && officially(bytes) !== null))
  const anyBytes = fc.uint8Array({ maxLength: 1_300 }).map((bytes) => Buffer.from(bytes))
  const nearly = fc
    .tuple(
      fc.constantFrom(...valid),
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }),
      fc.constantFrom(0, 0, 0, 1, 40),
      fc.constantFrom('', '', '', '00', '81'),
    )
    .map(([base, changes, cut, more]) => {
      const bytes = Buffer.concat([base.subarray(0, base.length - cut), Buffer.from(more, 'hex')])
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      return bytes
    })
  const both = { read: 0, refused: 0 }
  fc.assert(
    fc.property(fc.oneof(anyBytes, nearly), (bytes) => {
      const found = readWire(bytes)
      const official = officially(bytes)
      assert.equal(typeof found === 'string', official === null, typeof found === 'string' ? found : 'read')
      if (typeof found === 'string' || official === null) {
        both.refused++
        return
      }
      both.read++
      const { message, messageBytes, signatures } = official
      assert.deepEqual(found.message, Buffer.from(messageBytes))
      assert.deepEqual(found.accounts.map(keyToBase58), message.staticAccounts)
      assert.equal(keyToBase58(found.blockhash), (message as { lifetimeToken?: string }).lifetimeToken)
      assert.equal(found.tables, 'addressTableLookups' in message ? (message.addressTableLookups?.length ?? 0) : 0)
      assert.deepEqual(
        found.instructions.map(({ program, accounts, data }) => [program, [...accounts], [...data]]),
        message.instructions.map((one) => [one.programAddressIndex, one.accountIndices ?? [], [...(one.data ?? [])]]),
      )
      const zero = Buffer.alloc(64)
      if (new Set(found.accounts).size < found.accounts.length) return
      assert.deepEqual(
        found.signatures,
        Object.values(signatures).map((one) => (one === null ? zero : Buffer.from(one))),
      )
    }),
    { numRuns: 4_000 },
  )
  assert.ok(both.read > 100 && both.refused > 1_000, JSON.stringify(both))
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
  const destination = associatedTokenAccount(PAY_TO, MAINNET.asset)
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
  assert.match((await problem({ units: TRANSACTION_COST.computeUnits + 1 }))!, /limit_instruction_too_high/)
  assert.match((await problem({ price: TRANSACTION_COST.microLamports + 1 }))!, /price_instruction_too_high/)
  assert.equal(await problem({ units: TRANSACTION_COST.computeUnits, price: TRANSACTION_COST.microLamports }), null)
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
