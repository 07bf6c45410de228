import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { PUMP_TEXT } from '@ti/core/model/programs.ts'
import { transactionJson } from '../../../../test/fakes/rpc-json.ts'
import { logOf, pumpTrade, pumpTx, sigOf, WHO } from '../../../../test/support/encode.ts'
import { createMaterial } from './material.ts'
import { takeValue } from './values.ts'

const tx = { ...pumpTx([pumpTrade()]), signature: sigOf(3), version: 'legacy' as const }
const full = { ...transactionJson(tx), slot: 430_000_000, blockTime: 1_790_000_000 }
const { meta } = full
/** As recorders store it, without outer instructions. */
const bare = {
  ...{ signature: sigToBase58(tx.signature), slot: 430_000_000, blockTime: 1_790_000_000, version: 'legacy' },
  ...{ accountKeys: tx.keys.map(keyToBase58), meta },
}
const logMessages = logOf([PUMP_TEXT, pumpTrade()])

function taken(value: unknown) {
  const counts = createCounts()
  const material = createMaterial(counts)
  const records = takeValue(value, material, counts)
  const items = material.items(counts)
  const decoder = createDecoder()
  const events = items.flatMap((item) => (item.kind === 'raw' ? decoder.decodeBlock(item.block).events : []))
  const trades = events.filter((event) => event.kind === 'trade')
  return { records, counts, trades, raw: items.flatMap((item) => (item.kind === 'raw' ? [item.block] : [])) }
}

for (const [name, value] of Object.entries({
  'the answer itself': full,
  'below a name of its own': { note: 'x', mine: full, other: 'text' },
  'with the slot beside it': { sell: { slot: 430_000_000, blockTime: 1_790_000_000, tx: { ...transactionJson(tx) } } },
  'without its outer instructions': bare,
  'as a log alone': { ...bare, accountKeys: undefined, meta: { err: null, logMessages } },
}))
  test(`a transaction ${name}`, () => {
    const { records, counts, trades, raw } = taken(value)
    assert.deepEqual([records, [...counts]], [1, []])
    assert.deepEqual(
      trades.map(({ mint, user, tokenAmount }) => [mint, user, tokenAmount > 0]),
      [[WHO.mint, WHO.user, true]],
    )
    assert.deepEqual([raw[0]!.slot, raw[0]!.time], [430_000_000, 1_790_000_000])
    assert.equal(raw[0]!.transactions[0]!.signature, tx.signature)
  })

test('two under two names are two; what holds none is still unknown', () => {
  const other = { ...bare, signature: sigToBase58(sigOf(4)) }
  assert.equal(taken({ buy: { tx: full }, sell: other }).records, 2)
  for (const value of [{ a: { b: { c: full.slot } } }, { meta }, { signature: 'x', meta: 5 }, { a: { meta } }]) {
    const { records, counts } = taken(value)
    assert.equal(records, 0)
    assert.equal(counts.size, 1, JSON.stringify([...counts]))
  }
})

test('a log without a slot is placed by the time its launch states', () => {
  const texts = ['name', 'symbol', 'uri'].map((text) =>
    Buffer.from(`\x04\0\0\0${text.padEnd(4).slice(0, 4)}`, 'latin1'),
  )
  const rest = Buffer.alloc(200, 1)
  rest.writeBigInt64LE(1_790_000_000n, 128)
  const create = Buffer.concat([Buffer.from('1b72a94ddeeb6376', 'hex'), ...texts, rest])
  const value = { signature: bare.signature, meta: { err: null, logMessages: logOf([PUMP_TEXT, create]) } }
  const { raw, counts } = taken(value)
  assert.deepEqual([raw[0]!.time, counts.get('slot_estimated')], [1_790_000_000, 1])
})
