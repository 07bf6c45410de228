import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { RawBlock, RawInstruction, RawTokenBalance, RawTransaction } from '@ti/core/model/raw.ts'
import fc from '../../../../../test/support/property.ts'
import { WireError } from './error.ts'
import { readBlock } from './reader.ts'
import { writeBlock } from './writer.ts'

const latin1 = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const key = latin1(32) as fc.Arbitrary<Key>
const signature = fc.oneof({ weight: 9, arbitrary: latin1(64) }, fc.constant('')) as fc.Arbitrary<Sig>
const lamports = fc.oneof(fc.nat(200), fc.maxSafeNat())
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))

const instruction: fc.Arbitrary<RawInstruction> = fc.record({
  program: fc.nat(255),
  accounts: bytes(20),
  data: bytes(400),
})
const tokenBalance: fc.Arbitrary<RawTokenBalance> = fc.record({
  account: fc.nat(255),
  mint: key,
  owner: fc.option(key),
  amount: lamports,
  decimals: fc.nat(18),
})
/** What a message is sent with, as each version has it. */
const sent: fc.Arbitrary<Pick<RawTransaction, 'version' | 'config' | 'tables'>> = fc.oneof(
  fc.constant({ version: 'legacy' as const, config: null, tables: [] }),
  fc.array(key, { maxLength: 3 }).map((tables) => ({ version: 0 as const, config: null, tables })),
  fc
    .record({ priorityFee: fc.oneof(fc.constant(0), lamports), computeUnitLimit: fc.nat(1_400_000) })
    .map((config) => ({ version: 1 as const, config, tables: [] })),
)
const NO_MESSAGE = { version: null, config: null, tables: [] }
const unsent: fc.Arbitrary<Omit<RawTransaction, 'version' | 'config' | 'tables'>> = fc.record({
  signature,
  index: fc.integer({ min: -1, max: 5000 }),
  failed: fc.boolean(),
  keys: fc.array(key, { maxLength: 12 }),
  signers: fc.constant(0),
  instructions: fc.array(instruction, { maxLength: 4 }),
  inner: fc.option(
    fc.array(fc.record({ outer: fc.nat(40), instructions: fc.array(instruction, { maxLength: 4 }) }), { maxLength: 3 }),
  ),
  logs: fc.option(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 300 })), { maxLength: 6 })),
  preBalances: fc.array(lamports, { maxLength: 12 }),
  postBalances: fc.array(lamports, { maxLength: 12 }),
  preTokens: fc.array(tokenBalance, { maxLength: 3 }),
  postTokens: fc.array(tokenBalance, { maxLength: 3 }),
})
const transaction: fc.Arbitrary<RawTransaction> = fc
  .tuple(unsent, sent)
  .map(([tx, with_]) => ({ ...tx, ...(tx.keys.length + tx.instructions.length === 0 ? NO_MESSAGE : with_) }))
const block: fc.Arbitrary<RawBlock> = fc.record({
  slot: fc.maxSafeNat(),
  parent: fc.oneof(fc.constant(-1), fc.integer({ min: 1 })),
  time: fc.nat(2_000_000_000),
  transactions: fc.array(transaction, { maxLength: 5 }),
})

/** Contents without getters and views, for comparison. */
const plain = (block: RawBlock) => ({
  slot: block.slot,
  parent: block.parent,
  time: block.time,
  transactions: block.transactions.map((tx) => ({
    signature: tx.signature,
    index: tx.index,
    version: tx.version,
    config: tx.config === null ? null : { ...tx.config },
    tables: [...tx.tables],
    failed: tx.failed,
    keys: tx.keys,
    signers: tx.signers,
    logs: tx.logs,
    preBalances: Array.from(tx.preBalances),
    postBalances: Array.from(tx.postBalances),
    preTokens: tx.preTokens.map((balance) => ({ ...balance })),
    postTokens: tx.postTokens.map((balance) => ({ ...balance })),
    instructions: tx.instructions.map(plainInstruction),
    inner:
      tx.inner?.map(({ outer, instructions }) => ({ outer, instructions: instructions.map(plainInstruction) })) ?? null,
  })),
})
const plainInstruction = ({ program, accounts, data }: RawInstruction) => ({
  program,
  accounts: Buffer.from(accounts).toString('hex'),
  data: data.toString('hex'),
})

test('what is written reads back the same', () => {
  fc.assert(
    fc.property(block, (original) => {
      assert.deepEqual(plain(readBlock(writeBlock(original))), plain(original))
    }),
    { numRuns: 400 },
  )
})

test('a second, obvious reader agrees about fields and their order', () => {
  fc.assert(
    fc.property(block, (original) => {
      const fields = generic(writeBlock(original))
      assert.equal(number(fields, 1), original.slot)
      assert.equal(number(fields, 7), Math.max(0, original.parent))
      const infos = all(fields, 6)
      assert.equal(infos.length, original.transactions.length)
      for (const [i, info] of infos.entries()) checkTransaction(generic(info as Buffer), original.transactions[i]!)
    }),
    { numRuns: 200 },
  )
})

function checkTransaction(info: Field[], tx: RawTransaction): void {
  assert.equal(String(one(info, 1) ?? ''), Buffer.from(tx.signature, 'latin1').toString())
  const meta = generic(one(info, 4) as Buffer)
  assert.equal(one(meta, 1) !== undefined, tx.failed)
  assert.deepEqual(packed(one(meta, 3) as Buffer | undefined), Array.from(tx.preBalances))
  assert.deepEqual(packed(one(meta, 4) as Buffer | undefined), Array.from(tx.postBalances))
  assert.deepEqual(
    all(meta, 6).map(String),
    [...(tx.logs ?? [])].map((line) => Buffer.from(line).toString()),
  )
  assert.equal(number(meta, 11), tx.logs === null ? 1 : 0)
  assert.equal(number(meta, 10), tx.inner === null ? 1 : 0)
  const balances = all(meta, 8).map((field) => generic(field as Buffer))
  assert.deepEqual(
    balances.map((balance) => String(one(balance, 2))),
    tx.postTokens.map((it) => keyToBase58(it.mint)),
  )
  const amounts = balances.map((balance) => String(one(generic(one(balance, 3) as Buffer), 3)))
  assert.deepEqual(
    amounts,
    tx.postTokens.map((it) => String(it.amount)),
  )
  const body = one(info, 3)
  if (body === undefined) return
  const message = generic(one(generic(body as Buffer), 2) as Buffer)
  assert.deepEqual(
    all(message, 2).map((it) => (it as Buffer).toString('latin1')),
    tx.keys,
  )
  const programs = all(message, 4).map((it) => number(generic(it as Buffer), 1))
  assert.deepEqual(
    programs,
    tx.instructions.map((it) => it.program),
  )
}

test('packed and single balances, loaded addresses and unknown fields are read', () => {
  const keys = ['a', 'b', 'c'].map((letter) => Buffer.alloc(32, letter))
  const loose = field(3, varintBytes(300), 0)
  const meta = Buffer.concat([loose, loose, field(12, keys[1]!), field(13, keys[2]!), field(99, Buffer.alloc(5))])
  const body = field(2, Buffer.concat([field(2, keys[0]!), field(5, varintBytes(1), 0)]))
  const info = Buffer.concat([field(1, Buffer.alloc(64, 's')), field(3, body), field(4, meta)])
  const fixed = Buffer.concat([
    varintBytes((77 << 3) | 1),
    Buffer.alloc(8),
    varintBytes((78 << 3) | 5),
    Buffer.alloc(4),
  ])
  const read = readBlock(Buffer.concat([field(1, varintBytes(7), 0), fixed, field(6, info)]))
  assert.deepEqual(read.transactions[0]!.keys, ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)])
  assert.deepEqual(read.transactions[0]!.preBalances, [300, 300])
  assert.equal(read.parent, -1)
})

test('mutated, cut and random bytes give a block or a WireError, never anything else', () => {
  const mutation = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { maxLength: 8 })
  fc.assert(
    fc.property(block, mutation, fc.double({ min: 0, max: 1, noNaN: true }), (original, changes, keep) => {
      const mutated = writeBlock(original)
      for (const [place, value] of changes) mutated[Math.floor(place * (mutated.length - 1))] = value
      readOrWireError(mutated)
      readOrWireError(mutated.subarray(0, Math.floor(mutated.length * keep)))
    }),
    { numRuns: 1500 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (junk) => readOrWireError(Buffer.from(junk))),
    {
      numRuns: 3000,
    },
  )
})

function readOrWireError(input: Buffer): void {
  try {
    for (const transaction of readBlock(input).transactions) assert.ok(transaction.logs === null || transaction.logs)
  } catch (error) {
    assert.ok(error instanceof WireError, String(error))
  }
}

test('an endless varint, a length past the end and a group are refused by name', () => {
  assert.throws(() => readBlock(Buffer.alloc(40, 255)), /varint without an end/)
  assert.throws(() => readBlock(Buffer.from([50, 200, 1, 0])), /passes the end/)
  assert.throws(() => readBlock(Buffer.from([8, 1, 11])), /wire type 3/)
  assert.throws(() => readBlock(Buffer.alloc(0)), /without a slot/)
})

// the second opinion: protobuf by the letter, with BigInt, no regard for speed

interface Field {
  readonly id: number
  readonly value: Buffer | bigint
}

function generic(input: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const next = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = input[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < input.length) {
    const tag = Number(next())
    if ((tag & 7) === 0) fields.push({ id: tag >> 3, value: next() })
    else {
      assert.equal(tag & 7, 2)
      const length = Number(next())
      fields.push({ id: tag >> 3, value: input.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}

const all = (fields: Field[], id: number) => fields.filter((it) => it.id === id).map((it) => it.value)
const one = (fields: Field[], id: number) => all(fields, id)[0]
const number = (fields: Field[], id: number) => Number(one(fields, id) ?? 0n)
const packed = (input: Buffer | undefined) => {
  const values: number[] = []
  for (let at = 0; input !== undefined && at < input.length; ) {
    let value = 0n
    let shift = 0n
    while (true) {
      const byte = input[at++]!
      value |= BigInt(byte & 127) << shift
      shift += 7n
      if (byte < 128) break
    }
    values.push(Number(value))
  }
  return values
}

function varintBytes(value: number): Buffer {
  const digits: number[] = []
  while (value > 127) {
    digits.push((value & 127) | 128)
    value >>>= 7
  }
  return Buffer.from([...digits, value])
}

const field = (id: number, value: Buffer, type = 2) =>
  type === 0
    ? Buffer.concat([varintBytes(id << 3), value])
    : Buffer.concat([varintBytes((id << 3) | 2), varintBytes(value.length), value])
