import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { readBlock } from '@ti/service/source/wire/reader.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import protobuf from 'protobufjs'
import { keyOf, sigOf } from '../support/encode.ts'

/** Field numbers of Yellowstone, by the official .proto files: a block written by them is read, and the other way round. */
const proto = join(dirname(createRequire(import.meta.url).resolve('helius-laserstream/package.json')), 'proto')
const root = new protobuf.Root()
root.resolvePath = (_, target) => join(proto, target)
root.loadSync('geyser.proto')
const Block = root.lookupType('geyser.SubscribeUpdateBlock')

const keys = [1, 2, 3, 4, 5].map(keyOf)
const raw = (text: string): Buffer => Buffer.from(text, 'latin1')
const balance = (account: number, amount: string) => ({
  accountIndex: account,
  mint: keyToBase58(keys[3]!),
  owner: keyToBase58(keys[4]!),
  uiTokenAmount: { amount, decimals: 6, uiAmountString: amount, uiAmount: 0 },
})
const block = {
  slot: 447_120_001,
  parentSlot: 447_119_999,
  blockTime: { timestamp: 1_789_000_000 },
  transactions: [
    {
      signature: raw(sigOf(7)),
      index: 41,
      transaction: {
        signatures: [raw(sigOf(7))],
        message: {
          header: { numRequiredSignatures: 1 },
          accountKeys: keys.slice(0, 3).map(raw),
          instructions: [{ programIdIndex: 2, accounts: Buffer.from([0, 1]), data: Buffer.from('abc') }],
          versioned: true,
        },
      },
      meta: {
        fee: 5_000,
        preBalances: [10, 20, 30, 40, 50],
        postBalances: [9, 21, 31, 41, 51],
        innerInstructions: [
          {
            index: 0,
            instructions: [{ programIdIndex: 1, accounts: Buffer.from([2]), data: Buffer.from('de'), stackHeight: 2 }],
          },
        ],
        logMessages: ['Program log: one', 'Program log: two'],
        preTokenBalances: [balance(1, '900')],
        postTokenBalances: [balance(1, '1000')],
        loadedWritableAddresses: [raw(keys[3]!)],
        loadedReadonlyAddresses: [raw(keys[4]!)],
      },
    },
  ],
}

test('a block that the official interface wrote', () => {
  const bytes = Buffer.from(Block.encode(Block.fromObject(block)).finish())
  const read = readBlock(bytes)
  assert.deepEqual([read.slot, read.parent, read.time], [block.slot, block.parentSlot, block.blockTime.timestamp])
  const [tx] = read.transactions
  assert.deepEqual([tx!.signature, tx!.index, tx!.failed, tx!.keys], [sigOf(7), 41, false, keys])
  const [call] = tx!.instructions
  assert.deepEqual([call!.program, [...call!.accounts], call!.data.toString()], [2, [0, 1], 'abc'])
  const [group] = tx!.inner!
  assert.deepEqual(
    [group!.outer, group!.instructions[0]!.program, group!.instructions[0]!.data.toString()],
    [0, 1, 'de'],
  )
  assert.deepEqual([...tx!.logs!], ['Program log: one', 'Program log: two'])
  assert.deepEqual(
    [[...Array.from(tx!.preBalances)], [...Array.from(tx!.postBalances)]],
    [
      [10, 20, 30, 40, 50],
      [9, 21, 31, 41, 51],
    ],
  )
  const row = { account: 1, mint: keys[3], owner: keys[4], decimals: 6 }
  assert.deepEqual(
    [{ ...tx!.preTokens[0]! }, { ...tx!.postTokens[0]! }],
    [
      { ...row, amount: 900 },
      { ...row, amount: 1_000 },
    ],
  )
})

test('what we write, the official interface reads', () => {
  const bytes = Buffer.from(Block.encode(Block.fromObject(block)).finish())
  const again = Block.toObject(Block.decode(writeBlock(readBlock(bytes))), { longs: Number }) as typeof block
  assert.deepEqual(
    [again.slot, again.parentSlot, again.blockTime.timestamp],
    [block.slot, block.parentSlot, block.blockTime.timestamp],
  )
  const [tx] = again.transactions
  assert.deepEqual(tx!.meta.innerInstructions[0]!.instructions[0]!.data, Buffer.from('de'))
  assert.deepEqual(
    [tx!.index, tx!.meta.logMessages, tx!.meta.postBalances],
    [41, block.transactions[0]!.meta.logMessages, [9, 21, 31, 41, 51]],
  )
  assert.equal(tx!.meta.postTokenBalances[0]!.uiTokenAmount.amount, '1000')
  assert.equal(tx!.meta.postTokenBalances[0]!.owner, keyToBase58(keys[4]!))
})

test('a failed transaction is known by its error', () => {
  const [tx] = block.transactions
  const failed = { ...block, transactions: [{ ...tx, meta: { ...tx!.meta, err: { err: Buffer.from([1]) } } }] }
  const [read] = readBlock(Buffer.from(Block.encode(Block.fromObject(failed)).finish())).transactions
  assert.equal(read!.failed, true)
})
