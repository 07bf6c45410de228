import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, logOf, pumpTrade, pumpTx, rawTx, sigOf } from '../../../../test/support/encode.ts'
import { NO_SIG } from '../base/ids.ts'
import { PUMP_TEXT } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { createDecoder } from './block.ts'

const block = (transactions: RawTransaction[]) => ({ slot: 7, parent: 6, time: 1_700_000_000.4, transactions })
const tx = (n: number, fields: Partial<RawTransaction> = {}) =>
  pumpTx([pumpTrade({ user: keyOf(n) })], { signature: sigOf(n), ...fields })

test('a block keeps its place and time, events stand in the order of truth', () => {
  const decoder = createDecoder()
  const shuffled = [tx(3, { index: 40 }), tx(1, { index: 2 }), tx(2, { index: 11 })]
  const decoded = decoder.decodeBlock(block(shuffled))
  assert.deepEqual([decoded.kind, decoded.slot, decoded.parent, decoded.time], ['block', 7, 6, 1_700_000_000.4])
  assert.deepEqual(
    decoded.events.map((event) => event.txIndex),
    [2, 11, 40],
  )
  assert.equal(decoder.counts.size, 0)
})

test('without an index a transaction has its order in the block', () => {
  const decoded = createDecoder().decodeBlock(block([tx(1, { index: -1 }), tx(2, { index: -1 })]))
  assert.deepEqual(
    decoded.events.map((event) => event.txIndex),
    [0, 1],
  )
})

test('a transaction delivered twice counts once', () => {
  const decoder = createDecoder()
  assert.equal(decoder.decodeBlock(block([tx(1), tx(1), tx(2, { index: 1 })])).events.length, 2)
  assert.equal(decoder.counts.get('duplicate_transaction'), 1)
  // without signatures repetitions cannot be recognised
  const unsigned = { signature: NO_SIG }
  assert.equal(createDecoder().decodeBlock(block([tx(1, unsigned), tx(2, { ...unsigned, index: 1 })])).events.length, 2)
})

test('trap 8: the full reading replaces the one from logs', () => {
  const logged = rawTx({ signature: sigOf(1), logs: logOf([PUMP_TEXT, pumpTrade(), pumpTrade()]) })
  for (const transactions of [
    [logged, tx(1)],
    [tx(1), logged],
  ])
    assert.deepEqual(
      createDecoder()
        .decodeBlock(block(transactions))
        .events.map((event) => event.outer),
      [0],
    )
})

test('the same place twice within one transaction is one event', () => {
  const decoder = createDecoder()
  const one = tx(1)
  const decoded = decoder.decodeBlock(block([{ ...one, inner: [...one.inner!, ...one.inner!] }]))
  assert.equal(decoded.events.length, 1)
  assert.equal(decoder.counts.get('duplicate_event'), 1)
})
