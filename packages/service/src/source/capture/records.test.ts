import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { Packr } from 'msgpackr/pack'
import { decodeDecoded, encodeDecoded } from './records.ts'

const packr = new Packr({ useRecords: false })
const key = (letter: string): Key => letter.repeat(32) as Key

const trade: TradeEvent = {
  kind: 'trade',
  sig: 's'.repeat(64) as Sig,
  txIndex: 3,
  outer: 1,
  inner: 2,
  venue: VENUE.pump,
  mint: key('m'),
  pool: null,
  user: key('u'),
  isBuy: true,
  quote: QUOTE.SOL,
  quoteAmount: 1,
  userQuote: 2,
  tokenAmount: 3,
  quoteReserve: 4,
  baseReserve: 5,
  quoteBefore: -1,
  realToken: 6,
  supply: -1,
  decimals: 6,
  creator: null,
  mayhem: false,
  payer: null,
  tipper: null,
  solBefore: -1,
  solAfter: -1,
  hop: true,
  account: 7,
  held: 8,
}

/** The record of one trade, with its row changed. */
function changed(change: (row: unknown[]) => void): Buffer {
  const item = packr.unpack(
    encodeDecoded({ kind: 'decoded', slot: 9, parent: 8, time: 1, events: [trade] }),
  ) as unknown[]
  change((item[3] as unknown[][])[0]!)
  return packr.pack(item)
}

test('fields that were appended since a row was written have their start values', () => {
  const older = decodeDecoded(changed((row) => row.splice(-3)))
  assert.deepEqual(older?.events, [{ ...trade, hop: false, account: -1, held: 0 }])
})

test('a row that ends within what it always had, or goes on, is refused', () => {
  assert.equal(decodeDecoded(changed((row) => row.splice(4))), null)
  assert.equal(decodeDecoded(changed((row) => row.push(1))), null)
})
