import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { base58Encode, keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import type { RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'
import { bytes, hex, join, keyOf, sigOf, u8 } from '../../../../../test/support/encode.ts'
import { blockFromGrpc, transactionFromGrpc, updateFromGrpc } from './grpc.ts'
import { blockFromJson, fetchedFromJson, transactionFromJson } from './json.ts'
import { notificationFromLogs } from './logs.ts'

const b58 = (data: Buffer): string => base58Encode(data.toString('latin1'))
const text = (n: number): string => keyToBase58(keyOf(n))
const SIG = sigToBase58(sigOf(1))
const DATA = hex('66063d1201daebea0102030405060708')
const EVENT = hex('e445a52e51cb9a1dbddb7fd34ee661ee')

/** Three static keys, two from an address table; one instruction of program 1 over accounts 0, 3, 4. */
const wireMessage = join(
  join(u8(0x80), hex('010001'), u8(3), bytes(keyOf(1)), bytes(keyOf(2)), bytes(keyOf(3)), Buffer.alloc(32, 9)),
  join(u8(1), u8(1), u8(3), hex('000304'), u8(DATA.length), DATA),
  join(u8(1), bytes(keyOf(9)), u8(1), hex('05'), u8(1), hex('06')),
)
const wire = join(u8(1), Buffer.from(sigOf(1), 'latin1'), wireMessage)

const balance = { accountIndex: 3, mint: text(7), owner: text(8), uiTokenAmount: { amount: '1234567', decimals: 6 } }
const meta = {
  err: null,
  preBalances: [10, 20, 30, 40, 50],
  postBalances: [9, 21, 30, 40, 50],
  innerInstructions: [{ index: 0, instructions: [{ programIdIndex: 1, accounts: [4], data: b58(EVENT) }] }],
  logMessages: ['Program x invoke [1]'],
  preTokenBalances: [],
  postTokenBalances: [balance],
  loadedAddresses: { writable: [text(4)], readonly: [text(5)] },
}

const base64Tx = {
  slot: 77,
  blockTime: 1_700_000_000,
  version: 0,
  transaction: [wire.toString('base64'), 'base64'],
  meta,
}
const jsonTx = {
  version: 0,
  transaction: {
    signatures: [SIG],
    message: {
      accountKeys: [text(1), text(2), text(3)],
      instructions: [{ programIdIndex: 1, accounts: [0, 3, 4], data: b58(DATA) }],
      addressTableLookups: [{ accountKey: text(9), writableIndexes: [5], readonlyIndexes: [6] }],
    },
  },
  meta,
}
const parsedTx = {
  version: 0,
  transaction: {
    signatures: [SIG],
    message: {
      accountKeys: [1, 2, 3, 4, 5].map((n) => ({
        pubkey: text(n),
        signer: n === 1,
        source: n > 3 ? 'lookupTable' : 'transaction',
      })),
      instructions: [{ programId: text(2), accounts: [text(1), text(4), text(5)], data: b58(DATA), stackHeight: null }],
      addressTableLookups: [{ accountKey: text(9), writableIndexes: [5], readonlyIndexes: [6] }],
    },
  },
  meta: {
    ...meta,
    loadedAddresses: undefined,
    innerInstructions: [{ index: 0, instructions: [{ programId: text(2), accounts: [text(5)], data: b58(EVENT) }] }],
  },
}
const grpcInfo = {
  signature: Buffer.from(sigOf(1), 'latin1'),
  transaction: {
    signatures: [Buffer.from(sigOf(1), 'latin1')],
    message: {
      accountKeys: [1, 2, 3].map((n) => bytes(keyOf(n))),
      instructions: [{ programIdIndex: 1, accounts: Buffer.from([0, 3, 4]), data: DATA }],
      versioned: true,
      addressTableLookups: [{ accountKey: bytes(keyOf(9)), writableIndexes: hex('05'), readonlyIndexes: hex('06') }],
    },
  },
  meta: {
    preBalances: ['10', '20', '30', '40', '50'],
    postBalances: ['9', '21', '30', '40', '50'],
    innerInstructions: [
      { index: 0, instructions: [{ programIdIndex: 1, accounts: new Uint8Array([4]), data: EVENT }] },
    ],
    logMessages: meta.logMessages,
    preTokenBalances: [],
    postTokenBalances: [balance],
    loadedWritableAddresses: [bytes(keyOf(4))],
    loadedReadonlyAddresses: [bytes(keyOf(5))],
  },
  index: '12',
}
/** As a recorded update looks: Buffers as hex objects, empty ones as {}. */
const recorded = JSON.parse(
  JSON.stringify(grpcInfo, (_key, value: unknown) => {
    const node = value as { type?: string; data?: number[] } | null
    return node?.type === 'Buffer' ? { type: 'Buffer', hex: Buffer.from(node.data!).toString('hex') } : value
  }).replace('{"0":4}', '{"type":"Buffer","data":[4]}'),
)

function read(convert: (input: unknown, counts: Counts) => RawTransaction | null, input: unknown): RawTransaction {
  const counts = createCounts()
  const tx = convert(input, counts)
  assert.deepEqual([...counts], [])
  assert.ok(tx !== null)
  return tx
}

function refused(convert: (input: unknown, counts: Counts) => unknown, input: unknown, reason: string): void {
  const counts = createCounts()
  assert.equal(convert(input, counts), null)
  assert.deepEqual([...counts], [[`shape:${reason}`, 1]])
}

describe('one transaction in every outside shape', () => {
  test('is one internal shape', () => {
    const flat = (list: readonly RawInstruction[]) =>
      list.map(({ program, accounts, data }) => [program, [...accounts], data.toString('hex')])
    const plain = (tx: RawTransaction) => ({
      ...tx,
      index: 0,
      instructions: flat(tx.instructions),
      inner: tx.inner!.map((group) => [group.outer, flat(group.instructions)]),
    })
    const expected = read(transactionFromJson, base64Tx)
    assert.deepEqual(expected.keys, [1, 2, 3, 4, 5].map(keyOf))
    assert.deepEqual([...expected.instructions[0]!.accounts], [0, 3, 4])
    assert.deepEqual(expected.instructions[0]!.data, DATA)
    assert.deepEqual(expected.inner![0]!.instructions[0]!.data, EVENT)
    assert.deepEqual(expected.postTokens, [
      { account: 3, mint: keyOf(7), owner: keyOf(8), amount: 1_234_567, decimals: 6 },
    ])
    assert.equal(expected.signature, sigOf(1))
    assert.equal(expected.failed, false)
    assert.deepEqual([expected.version, expected.config, expected.tables], [0, null, [keyOf(9)]])
    for (const tx of [
      read(transactionFromJson, jsonTx),
      read(transactionFromJson, parsedTx),
      read(transactionFromGrpc, grpcInfo),
      read(transactionFromGrpc, recorded),
    ])
      assert.deepEqual(plain(tx), plain(expected))
    assert.equal(read(transactionFromGrpc, grpcInfo).index, 12)
  })

  test('where it stands', () => {
    const fetched = fetchedFromJson(base64Tx, createCounts())
    assert.deepEqual([fetched?.slot, fetched?.time], [77, 1_700_000_000])
    const bare = fetchedFromJson(jsonTx, createCounts())
    assert.deepEqual([bare?.slot, bare?.time], [-1, 0])
    const update = updateFromGrpc({ transaction: grpcInfo, slot: '77' }, createCounts())
    assert.equal(update?.slot, 77)
  })

  test('a legacy message has no address tables', () => {
    const legacy = join(u8(1), Buffer.from(sigOf(1), 'latin1'), wireMessage.subarray(1, wireMessage.length - 37))
    const tx = read(transactionFromJson, {
      version: 'legacy',
      transaction: [legacy.toString('base64'), 'base64'],
      meta: { ...meta, loadedAddresses: undefined },
    })
    assert.equal(tx.keys.length, 3)
    assert.deepEqual([tx.version, tx.tables], ['legacy', []])
  })

  test('an instruction the node parsed keeps its program and has no bytes', () => {
    const { message } = parsedTx.transaction
    const instructions = [{ programId: text(3), program: 'system', parsed: { type: 'transfer' } }]
    const tx = read(transactionFromJson, {
      ...parsedTx,
      transaction: { signatures: [SIG], message: { ...message, instructions } },
    })
    assert.deepEqual([tx.instructions[0]!.program, tx.instructions[0]!.data.length], [2, 0])
  })

  test('trap 14: an unknown version is counted, not fatal', () => {
    refused(transactionFromJson, { ...base64Tx, version: 2 }, 'unknown_version')
    refused(transactionFromJson, { ...base64Tx, version: '1' }, 'unknown_version')
    const first = Buffer.from(wire)
    first[0] = 0x82
    // version 1 has no signatures in front
    const inner = Buffer.from(wire)
    inner[65] = 0x81
    for (const bytesOfNewer of [first, inner])
      refused(
        transactionFromJson,
        { ...base64Tx, transaction: [bytesOfNewer.toString('base64'), 'base64'] },
        'unknown_version',
      )
  })

  test('what is missing has a name', () => {
    refused(transactionFromJson, null, 'not_an_object')
    refused(transactionFromJson, { ...base64Tx, meta: null }, 'no_meta')
    refused(transactionFromJson, { ...base64Tx, transaction: [wire.toString('base64'), 'base58'] }, 'unknown_encoding')
    refused(
      transactionFromJson,
      { ...base64Tx, transaction: [wire.subarray(0, 90).toString('base64'), 'base64'] },
      'bad_wire',
    )
    refused(transactionFromJson, { ...base64Tx, meta: { ...meta, loadedAddresses: undefined } }, 'no_loaded_addresses')
    refused(transactionFromJson, { ...base64Tx, meta: { ...meta, innerInstructions: [{ index: 0 }] } }, 'bad_inner')
    refused(transactionFromJson, { ...base64Tx, meta: { ...meta, preBalances: ['x'] } }, 'bad_balances')
    refused(transactionFromJson, { ...jsonTx, transaction: {} }, 'no_message')
    refused(transactionFromGrpc, { ...grpcInfo, meta: undefined }, 'no_meta')
    refused(transactionFromGrpc, { ...grpcInfo, signature: 'zz' }, 'no_signature')
    refused(updateFromGrpc, { transaction: grpcInfo }, 'not_an_update')
    refused(blockFromGrpc, { slot: '1' }, 'not_a_block')
  })

  test('absent inner instructions are null, not none', () => {
    assert.equal(read(transactionFromJson, { ...base64Tx, meta: { ...meta, innerInstructions: null } }).inner, null)
    assert.equal(
      read(transactionFromGrpc, { ...grpcInfo, meta: { ...grpcInfo.meta, innerInstructionsNone: true } }).inner,
      null,
    )
  })

  test('trap 5: err marks a failed transaction in every shape', () => {
    const err = { InstructionError: [0, { Custom: 1 }] }
    assert.equal(read(transactionFromJson, { ...base64Tx, meta: { ...meta, err } }).failed, true)
    assert.equal(
      read(transactionFromGrpc, { ...grpcInfo, meta: { ...grpcInfo.meta, err: { err: Buffer.from([8]) } } }).failed,
      true,
    )
  })
})

describe('blocks', () => {
  test('getBlock: the index is the place in the block, refused transactions leave theirs empty', () => {
    const counts = createCounts()
    const block = blockFromJson(
      { parentSlot: 76, blockTime: 5, transactions: [base64Tx, { meta: null }, jsonTx] },
      77,
      counts,
    )
    assert.deepEqual([block?.slot, block?.parent, block?.time], [77, 76, 5])
    assert.deepEqual(
      block?.transactions.map((tx) => tx.index),
      [0, 2],
    )
    assert.deepEqual([...counts], [['shape:no_meta', 1]])
    refused((input, c) => blockFromJson(input, 77, c), { transactions: 'no' }, 'not_a_block')
  })

  test('a gRPC block', () => {
    const transactions = [grpcInfo, { ...grpcInfo, index: '3' }]
    const block = blockFromGrpc(
      { slot: '77', parentSlot: '76', blockTime: { timestamp: '5' }, transactions },
      createCounts(),
    )
    assert.deepEqual([block?.slot, block?.parent, block?.time], [77, 76, 5])
    assert.deepEqual(
      block?.transactions.map((tx) => tx.index),
      [3, 12],
    )
  })
})

test('a logs notification has a signature, a log and nothing else', () => {
  const value = { signature: SIG, err: null, logs: ['a', 'b'] }
  const message = {
    jsonrpc: '2.0',
    method: 'logsNotification',
    params: { result: { context: { slot: 5 }, value }, subscription: 1 },
  }
  const fetched = notificationFromLogs(message, createCounts())
  assert.equal(fetched?.slot, 5)
  assert.deepEqual(
    [fetched?.transaction.signature, fetched?.transaction.logs, fetched?.transaction.inner],
    [sigOf(1), ['a', 'b'], null],
  )
  refused(notificationFromLogs, { jsonrpc: '2.0', id: 1, result: 13 }, 'not_a_logs_notification')
})
