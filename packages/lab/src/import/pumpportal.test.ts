import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import type { SourceItem } from '@ti/service/source/source.ts'
import fc from '../../../../test/support/property.ts'
import { importFiles } from './import.ts'
import { isPumpPortal, pumpPortalOf } from './pumpportal.ts'

const dir = mkdtempSync(join(tmpdir(), 'pumpportal-test-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const key = (letter: string) => keyToBase58(letter.repeat(32) as Key)
const sig = (letter: string) => sigToBase58(letter.repeat(64) as Sig)
const NOW = 1_783_000_000.5

const launch = (letter: string, initialBuy = 0, solAmount = 0) => ({
  signature: sig(letter),
  mint: key(letter),
  traderPublicKey: key('u'),
  txType: 'create',
  initialBuy,
  solAmount,
  bondingCurveKey: key('c'),
  vTokensInBondingCurve: 1_073_000_000 - initialBuy,
  vSolInBondingCurve: 30 + solAmount,
  name: 'A\u202eName',
  symbol: 'SYM',
  uri: 'https://a.example/m.json',
  is_mayhem_mode: false,
  pool: 'pump',
})

const sale = {
  ...launch('b'),
  signature: sig('s'),
  txType: 'sell',
  tokenAmount: 1_000.5,
  solAmount: 0.1,
  vTokensInBondingCurve: 1_000_000_000,
  vSolInBondingCurve: 32.19,
}

test('launches with their own buy behind them, trades, and what cannot be used', async () => {
  const messages: object[] = [
    { message: 'Subscribed.' },
    launch('a'),
    launch('b', 34_612_903.225806, 1),
    sale,
    { ...launch('d'), mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
    { ...launch('e'), pool: 'bonk' },
    { signature: sig('m'), mint: key('m'), txType: 'migrate', pool: 'pump-amm' },
    { ...launch('f'), vSolInBondingCurve: 'many' },
    { ...launch('g'), txType: 'burn' },
  ]
  const file = join(dir, 'feed.jsonl')
  const lines = messages.map((message) => JSON.stringify({ t_wall: NOW, raw: JSON.stringify(message) }))
  writeFileSync(file, [...lines, JSON.stringify(launch('h'))].join('\n'))
  const out = join(dir, 'feed.capture')
  const { written, notes } = await importFiles([file], out)
  assert.deepEqual([written.decodedCreates, written.decodedTrades, written.decoded], [2, 2, 1])
  assert.deepEqual(notes, {
    'pumpportal:acknowledgement': 1,
    'pumpportal:migration_without_pool': 1,
    'pumpportal:no_time': 1,
    'pumpportal:other_launchpad': 1,
    'pumpportal:quote_named_as_mint': 1,
    'pumpportal:unknown_type': 1,
    'pumpportal:unreadable': 1,
    slot_estimated: 4,
  })
  const items: SourceItem[] = []
  for await (const item of (await openCapture(out)).items(
    { slot: -1, time: 0, facts: 0 },
    new AbortController().signal,
  ))
    items.push(item)
  const [item] = items
  assert.ok(item?.kind === 'decoded' && items.length === 1, 'one block')
  assert.equal(item.time, Math.floor(NOW))
  const [a, b, buy, sell] = item.events
  assert.ok(a?.kind === 'create' && b?.kind === 'create' && buy?.kind === 'trade' && sell?.kind === 'trade', 'order')
  assert.equal(a.name, 'AName', 'no direction characters')
  assert.deepEqual([b.txIndex, buy.txIndex, b.inner, buy.inner], [1, 1, 0, 1], 'in one transaction')
  assert.deepEqual(
    [buy.isBuy, buy.quoteAmount, buy.tokenAmount, buy.quoteReserve],
    [true, 1_000_000_000, 34_612_903_225_806, 31_000_000_000],
  )
  assert.deepEqual([sell.isBuy, sell.quoteAmount, sell.tokenAmount], [false, 100_000_000, 1_000_500_000])
})

test('whatever it is given, it refuses by a name or gives exact numbers', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(key('x'), sig('x'), 1e300, -1, Number.NaN, 'create', 'pump'))
  const names = Object.keys(sale)
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (odd) => {
      const fields = { ...sale, ...odd }
      if (!isPumpPortal(fields)) return
      const { creates, trades } = pumpPortalOf(fields, NOW, createCounts())
      for (const { event } of [...creates, ...trades])
        for (const number of Object.values(event))
          if (typeof number === 'number') assert.ok(Number.isSafeInteger(number), `${number}`)
    }),
  )
})
