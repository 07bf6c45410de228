import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { base64Decode } from '@ti/core/base/base64.ts'
import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import { noteRoles } from '@ti/core/decode/roles.ts'
import { budgetOf } from '@ti/core/decode/terms.ts'
import type { RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'
import { blockFromGrpc } from '@ti/service/source/shape/grpc.ts'
import { fetchedFromJson, transactionFromJson } from '@ti/service/source/shape/json.ts'
import { parseWire } from '@ti/service/source/shape/wire.ts'
import { readBlock } from '@ti/service/source/wire/reader.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { transactionJson } from '../../fakes/rpc-json.ts'
import { wireOfV1 } from '../../fakes/transaction-wire.ts'
import { blockUpdate, decodeUpdate } from '../../fakes/yellowstone-wire.ts'
import { decode, hex, keyOf, rawTx, sigOf } from '../../support/encode.ts'
import { DATA, listData, readData } from './idl.ts'

/** Transactions of version 1 (SIMD-0385): the same facts in every form they come in. */
const FOLDER = join(DATA, 'real2/transactions')
const NO_FIXTURES = existsSync(FOLDER) ? false : `no real transactions in ${FOLDER}`

const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Record<string, unknown>

function read(input: unknown): RawTransaction {
  const counts = createCounts()
  const tx = transactionFromJson(input, counts, 7)
  assert.deepEqual([...counts], [])
  assert.ok(tx !== null)
  return tx
}

const flat = ({ program, accounts, data }: RawInstruction) => [program, [...accounts], data.toString('hex')]

/** Contents without getters and views, for comparison. */
const plain = (tx: RawTransaction) => ({
  signature: tx.signature,
  version: tx.version,
  config: tx.config,
  tables: [...tx.tables],
  failed: tx.failed,
  keys: [...tx.keys],
  instructions: tx.instructions.map(flat),
  inner: tx.inner?.map(({ outer, instructions }) => [outer, instructions.map(flat)]) ?? null,
  logs: tx.logs,
  preBalances: Array.from(tx.preBalances),
  postBalances: Array.from(tx.postBalances),
  preTokens: tx.preTokens,
  postTokens: tx.postTokens,
})

/** What a transaction becomes on its way through each other form. */
function otherForms(tx: RawTransaction): readonly (readonly [string, RawTransaction])[] {
  const block = { slot: 9, parent: 8, time: 5, transactions: [tx] }
  // the official clients' own decoding of geyser.proto
  const update = decodeUpdate(blockUpdate(block)) as { block: unknown }
  const counts = createCounts()
  const viaGrpc = blockFromGrpc(update.block, counts)
  assert.deepEqual([...counts], [])
  return [
    ['base64', read(transactionJson(tx))],
    ['Yellowstone, decoded by the official schema', viaGrpc!.transactions[0]!],
    ['a capture', readBlock(writeBlock(block)).transactions[0]!],
  ]
}

const parsedOf = (json: Record<string, unknown>): unknown => {
  const { message, signatures } = json.transaction as { message: Record<string, unknown>; signatures: unknown }
  const keys = message.accountKeys as string[]
  const one = (instruction: { programIdIndex: number; accounts: number[]; data: string }) => ({
    programId: keys[instruction.programIdIndex],
    accounts: instruction.accounts.map((account) => keys[account]),
    data: instruction.data,
  })
  const meta = json.meta as { innerInstructions?: { index: number; instructions: never[] }[] }
  return {
    ...json,
    transaction: {
      signatures,
      message: {
        ...message,
        accountKeys: keys.map((pubkey) => ({ pubkey, signer: false, source: 'transaction', writable: false })),
        instructions: (message.instructions as never[]).map(one),
      },
    },
    meta: {
      ...meta,
      innerInstructions: meta.innerInstructions?.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map(one),
      })),
    },
  }
}

describe('real transactions of version 1', { skip: NO_FIXTURES }, () => {
  test('wire, json and jsonParsed of the same bytes give the same facts', () => {
    const { base64, json, signature } = fixture('v1-wire') as Record<string, never> & { json: Record<string, unknown> }
    const fromJson = read(json)
    assert.deepEqual(fromJson.config, { priorityFee: 52_815, computeUnitLimit: 89_467 })
    assert.equal(base58Encode(fromJson.signature), signature)
    assert.equal(fromJson.keys.length, 63)
    assert.deepEqual(plain(read({ ...json, transaction: [base64, 'base64'] })), plain(fromJson))
    assert.deepEqual(plain(read(parsedOf(json))), plain(fromJson))
    assert.equal(fetchedFromJson(json, createCounts())?.transaction.index, 1_464)
    for (const [form, tx] of otherForms(fromJson)) assert.deepEqual(plain(tx), plain(fromJson), form)
  })

  test('a swap keeps its facts and its events in every form', () => {
    const { transaction, signature } = fixture('v1-swap') as { transaction: Record<string, unknown>; signature: string }
    const expected = read(transaction)
    assert.equal(base58Encode(expected.signature), signature)
    assert.equal(expected.version, 1)
    const forms = [...otherForms(expected), ['jsonParsed', read(parsedOf(transaction))] as const]
    for (const [form, tx] of forms) {
      assert.deepEqual(plain(tx), plain(expected), form)
      assert.deepEqual(decode(tx), decode(expected), form)
    }
  })

  test('two signers: the signature is the first of those at the tail, and the creation is read from the log', () => {
    const answer = fixture('raw_create_v2_v1_from_gettransaction')
    const tx = read({ ...answer, meta: { ...(answer.meta as object), innerInstructions: null } })
    assert.deepEqual([tx.version, tx.config, tx.keys.length], [1, { priorityFee: 0, computeUnitLimit: 600_000 }, 37])
    const bytes = base64Decode((answer.transaction as string[])[0]!)!
    assert.equal(tx.signature, bytes.subarray(-128, -64).toString('latin1'))
    for (const [form, other] of otherForms(tx).slice(1)) assert.deepEqual(plain(other), plain(tx), form)
  })
})

describe('fees of real transactions', { skip: NO_FIXTURES }, () => {
  /** Lamports of one signature. */
  const SIGNATURE_FEE = 5_000
  /** Answers of getTransaction and blocks, anywhere in a file. */
  function* answers(value: unknown): Generator<{ transaction: unknown; meta: { fee: number } }> {
    if (typeof value !== 'object' || value === null) return
    const { meta, transaction } = value as { meta?: { fee?: unknown }; transaction?: unknown }
    if (typeof meta?.fee === 'number' && transaction !== undefined) yield value as never
    else for (const one of Object.values(value)) yield* answers(one)
  }
  const signaturesOf = (transaction: unknown): number => {
    if (!Array.isArray(transaction)) return (transaction as { signatures: unknown[] }).signatures.length
    const bytes = base64Decode(transaction[0] as string)!
    return bytes[0] === 0x81 ? bytes[1]! : bytes[0]!
  }

  test('what was paid beyond the signatures is the normalised priority fee, in every version', (t) => {
    const versions = new Map<unknown, number>()
    for (const folder of ['raw_tx', 'real2/transactions'])
      for (const file of listData(folder).filter((name) => name.endsWith('.json')))
        for (const answer of answers(JSON.parse(readData(`${folder}/${file}`)))) {
          const tx = transactionFromJson(answer, createCounts())
          if (tx === null) continue
          const paid = answer.meta.fee - SIGNATURE_FEE * signaturesOf(answer.transaction)
          noteRoles(tx.keys)
          assert.equal(budgetOf(tx).priorityFee, paid, file)
          versions.set(tx.version, (versions.get(tx.version) ?? 0) + 1)
        }
    t.diagnostic([...versions].map(([version, n]) => `${version}: ${n}`).join(', '))
    for (const version of ['legacy', 0, 1]) assert.ok((versions.get(version) ?? 0) > 0, `none of version ${version}`)
  })
})

/** Three keys, two instructions, everything that can be stated. */
const small = rawTx({
  signature: sigOf(3),
  version: 1,
  config: { priorityFee: 2 ** 40 + 5, computeUnitLimit: 1_234 },
  keys: [1, 2, 3].map(keyOf),
  instructions: [
    { program: 2, accounts: Uint8Array.of(0, 1), data: hex('01020304') },
    { program: 1, accounts: Uint8Array.of(), data: Buffer.alloc(300, 5) },
  ],
})

describe('the format of version 1', () => {
  const wire = wireOfV1(small)
  const spoiled = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(wire)
    bytes[at] = value
    return bytes
  }

  test('all config words, in the order of the mask', () => {
    const all = parseWire(
      wireOfV1(small, [
        [3, 65_536],
        [4, 40_960],
      ]),
    )
    assert.ok(typeof all !== 'string')
    assert.deepEqual(all.config, small.config)
    assert.deepEqual(all.instructions.map(flat), small.instructions.map(flat))
    const none = parseWire(wireOfV1({ ...small, config: { priorityFee: 0, computeUnitLimit: 0 } }))
    assert.ok(typeof none !== 'string')
    assert.deepEqual(none.config, { priorityFee: 0, computeUnitLimit: 0 })
  })

  test('every unknown bit of the mask is refused and counted by name', () => {
    for (let bit = 5; bit < 32; bit++) {
      const counts: Counts = createCounts()
      const bytes = wireOfV1(small, [[bit, 1]])
      const answer = { ...transactionJson(small), transaction: [bytes.toString('base64'), 'base64'] }
      assert.equal(transactionFromJson(answer, counts), null)
      assert.deepEqual([...counts], [['shape:unknown_config', 1]])
    }
  })

  test('half a priority fee, too much of anything, and loose ends are no transaction', () => {
    const config = { priorityFee: 0, computeUnitLimit: 0 }
    const many = (n: number) => rawTx({ ...small, config, keys: Array.from({ length: n }, (_, i) => keyOf(i)) })
    const called = (n: number) =>
      rawTx({ ...small, instructions: Array.from({ length: n }, () => small.instructions[0]!) })
    const long = (n: number) =>
      rawTx({ ...small, instructions: [{ ...small.instructions[0]!, data: Buffer.alloc(n) }] })
    const overhead = wireOfV1(long(0)).length
    const fine = [wire, wireOfV1(many(64)), wireOfV1(called(64)), wireOfV1(long(4_096 - overhead))]
    for (const bytes of fine) assert.equal(typeof parseWire(bytes), 'object')
    const bad: Record<string, Buffer> = {
      'one bit of the fee': wireOfV1({ ...small, config }, [[0, 1]]),
      'the other bit of the fee': wireOfV1({ ...small, config }, [[1, 1]]),
      '65 addresses': wireOfV1(many(65)),
      '65 instructions': wireOfV1(called(65)),
      '4,097 bytes': wireOfV1(long(4_097 - overhead)),
      'an address twice': wireOfV1({ ...small, keys: [keyOf(1), keyOf(2), keyOf(1)] }),
      'a byte behind it': Buffer.concat([wire, Buffer.of(0)]),
      'a byte too few': wire.subarray(0, -1),
      'no signature': spoiled(1, 0),
      '13 signatures': spoiled(1, 13),
      'a fee payer that cannot pay': spoiled(2, 1),
      'more read-only keys than there are': spoiled(3, 3),
      'a program that is not named': wireOfV1({ ...small, instructions: [{ ...small.instructions[0]!, program: 3 }] }),
      'an account that is not named': wireOfV1({
        ...small,
        instructions: [{ ...small.instructions[0]!, accounts: Uint8Array.of(3) }],
      }),
    }
    for (const [name, bytes] of Object.entries(bad)) assert.equal(parseWire(bytes), 'bad_wire', name)
    for (let length = 1; length < wire.length; length++) assert.equal(parseWire(wire.subarray(0, length)), 'bad_wire')
    for (const first of [0x80, 0x82, 0xff]) assert.equal(parseWire(spoiled(0, first)), 'unknown_version')
  })

  test('what the JSON form cannot have is refused', () => {
    const plainForm = {
      version: 1,
      transaction: {
        signatures: ['1'.repeat(64)],
        message: { accountKeys: ['1'.repeat(32)], instructions: [], transactionConfig: null as unknown },
      },
      meta: { err: null, loadedAddresses: { writable: [] as string[], readonly: [] } },
    }
    assert.deepEqual(read(plainForm).config, { priorityFee: 0, computeUnitLimit: 0 })
    const { transaction, meta } = plainForm
    const message = (more: object) => ({
      ...plainForm,
      transaction: { ...transaction, message: { ...transaction.message, ...more } },
    })
    // a gateway that leaves the version out
    const { version, ...unsaid } = message({ transactionConfig: { priorityFee: 5, computeUnitLimit: null } })
    assert.deepEqual([version, read(unsaid).version, read(unsaid).config?.priorityFee], [1, 1, 5])
    const refused: readonly (readonly [string, object])[] = [
      ['bad_config', message({ transactionConfig: { priorityFee: -1 } })],
      ['bad_config', message({ transactionConfig: { computeUnitLimit: 'x' } })],
      ['bad_keys', message({ addressTableLookups: [{ accountKey: '1'.repeat(32) }] })],
      ['bad_keys', { ...plainForm, meta: { ...meta, loadedAddresses: { writable: ['1'.repeat(32)], readonly: [] } } }],
    ]
    for (const [reason, input] of refused) {
      const counts = createCounts()
      assert.equal(transactionFromJson(input, counts), null)
      assert.deepEqual([...counts], [[`shape:${reason}`, 1]])
    }
  })
})
