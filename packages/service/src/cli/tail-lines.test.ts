import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import type { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import type { Trade } from '@ti/core/contract/trader.ts'
import fc from '../../../../test/support/property.ts'
import { frameLines, headOf, type LineOptions, showsFrame, showsToken, tokenLine } from './tail-lines.ts'
import { cells, clean, escaped, jsonLine, painter, shortKey } from './terminal-text.ts'

const [TRADE] = EXAMPLES.trades.data as [Trade]
const { mint: MINT, trader: TRADER, deployer: OTHER } = EXAMPLE_ADDRESSES
const ALL: LineOptions = { colours: false, symbolOf: () => 'MOON', mints: new Set(), wallets: new Set() }

const frame = (...trades: Partial<Trade>[]): Frame => ({
  data: {
    signature: TRADE.signature,
    mint: MINT,
    slot: TRADE.slot,
    timestamp: TRADE.timestamp,
    seq: 1,
    trades: trades.map((change) => ({ ...TRADE, ...change })),
  },
})
const base = { mint: MINT, symbol: 'MOON', name: 'Example Moon', slot: 402112345, seq: 1 }

/** Characters that affect a terminal: controls, and marks that change the writing direction. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

test('a trade is a line of columns', () => {
  const trades = frame(
    { user_name: 'example' },
    { is_buy: false, sol_amount: 12345.6, mcap: 1_234_567, smart_money: true, user_name: null },
    { timestamp: null, mcap: 999, sol_amount: 0, bundled: true, bundle_name: 'quiet fox', user_name: 'é'.repeat(30) },
    { mcap: 999_960, bundled: true, bundle_name: null, smart_money: true, user_name: '猫猫' },
  )
  assert.deepEqual(frameLines(trades, ALL), [
    '01:25:23  buy        0.75  “MOON”          93mC…kxsp      $15.2k  example',
    '01:25:23  sell      12.3k  “MOON”          93mC…kxsp      $1.23M  HxXP…XLpN         smart',
    `--:--:--  buy           0  “MOON”          93mC…kxsp        $999  ${'é'.repeat(15)}…  in group quiet fox`,
    '01:25:23  buy        0.75  “MOON”          93mC…kxsp         $1M  猫猫              smart  in group',
  ])
})

test('a token event is a line of columns', () => {
  const duplication = { ...EXAMPLES.new.data[0]!.duplication, image: true, name: null, symbol_name: true }
  const image_uri = null
  const time = '2026-10-01T01:25:24.000000Z'
  const links = { description: null, twitter: 'https://x.com/a', telegram: null, website: 'https://a.example' }
  const events: TokenEvent[] = [
    { type: 'token_created', data: { ...base, image_uri, deployed_at: time, launchpad: 'pumpfun' } },
    {
      type: 'token_created',
      data: { ...base, symbol: '', name: '月'.repeat(40), image_uri, deployed_at: null, launchpad: null },
    },
    { type: 'token_metadata_retrieved', data: { ...base, image_uri, ...links } },
    { type: 'token_metadata_retrieved', data: { ...base, image_uri, ...links, twitter: null, website: null } },
    { type: 'token_duplication_status_updated', data: { ...base, duplication } },
    { type: 'token_graduated', data: { ...base, image_uri, mcap: 69_420, migrated_at: null } },
    { type: 'token_dex_paid', data: { ...base, image_uri, dex_paid_at: time } },
    { type: 'token_dex_paid', data: { ...base, slot: 7, image_uri, dex_paid_at: null } },
  ]
  const name = '“Example Moon”                    '
  const changed = { before: 'yellow', colour: 'red', code: 'sold_in_hour', event: 'trade' } as const
  events.push({ type: 'verdict_changed', data: { ...base, ...changed } })
  assert.deepEqual(
    events.map((event) => tokenLine(event, ALL)),
    [
      `402112345  created      “MOON”          93mC…kxsp  ${name}  on pumpfun`,
      `402112345  created                      93mC…kxsp  “${'月'.repeat(15)}…”`,
      `402112345  metadata     “MOON”          93mC…kxsp  ${name}  twitter website`,
      `402112345  metadata     “MOON”          93mC…kxsp  ${name}  no links`,
      `402112345  duplication  “MOON”          93mC…kxsp  ${name}  reuses image symbol_name`,
      `402112345  graduated    “MOON”          93mC…kxsp  ${name}  at a market cap of $69.4k`,
      `402112345  dex paid     “MOON”          93mC…kxsp  ${name}  at 01:25:24`,
      '        7  dex paid     “MOON”          93mC…kxsp  “Example Moon”',
      `402112345  verdict      “MOON”          93mC…kxsp  ${name}  red, was yellow: its inner circle sold`,
    ],
  )
  assert.equal(showsToken(events[0]!, ALL), true)
  assert.equal(showsToken(events[0]!, { ...ALL, mints: new Set([MINT]) }), true)
  assert.equal(showsToken(events[0]!, { ...ALL, mints: new Set([OTHER]) }), false)
})

test('colours only where they are asked for, and every one ends', () => {
  const trades = frame({ smart_money: true, bundled: true, bundle_name: '\u001b[31mred\u001b[0m' })
  const [plain, coloured] = [false, true].map((colours) => frameLines(trades, { ...ALL, colours })[0]!)
  assert.equal(plain!.includes('\u001b'), false, 'a colour that nobody asked for')
  const codes = [...coloured!.matchAll(/\u001b\[(\d+)m/g)].map((match) => match[1]!)
  assert.deepEqual(codes, ['32', '0', '36', '0', '33', '0'])
  assert.equal(coloured!.replace(/\u001b\[\d+m/g, ''), plain)
})

test('filters leave out trades, and frames without any', () => {
  const trades = frame({ user_address: TRADER }, { user_address: OTHER, is_buy: false }, { mint: OTHER })
  const shown = (mints: string[], wallets: string[]) => {
    const options = { ...ALL, mints: new Set(mints), wallets: new Set(wallets) }
    const lines = frameLines(trades, options)
    assert.equal(showsFrame(trades, options), lines.length > 0)
    return lines.length
  }
  assert.equal(shown([], []), 3)
  assert.equal(shown([], [OTHER]), 1)
  assert.equal(shown([MINT], []), 2)
  assert.equal(shown([MINT, OTHER], [TRADER, OTHER]), 3)
  assert.equal(shown([OTHER], [OTHER]), 0)
})

test('cells: wide writing, pictures, marks', () => {
  const known = {
    a: 1,
    é: 1,
    'e\u0301': 1,
    月: 2,
    ｱ: 1,
    Ａ: 2,
    한: 2,
    か゚: 2,
    '🚀': 2,
    '👍🏽': 2,
    '🇩🇪': 2,
    '❤': 1,
    '…': 1,
    '': 0,
  }
  for (const [text, width] of Object.entries(known)) assert.equal(cells(text), width, JSON.stringify(text))
})

test('clean: one line, no more than its cells, nothing that a terminal obeys, and clean already', () => {
  assert.equal(clean('\u001b]0;title\u0007a\u009b31mb\r\nc\u202ed\u200be', 80), ']0;titlea31mb cde')
  assert.equal(clean('\ufeff  a \t b\u0000\ud800', 80), 'a b')
  assert.equal(clean('👨‍👩‍👧', 6), '👨👩👧')
  assert.equal(clean(`z${'\u0341'.repeat(1_000)}`, 4), 'ź\u0301\u0301')
  assert.equal(clean('月月月', 5), '月月…')
  assert.equal(clean('月月月', 4), '月…')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const line = clean(text, most)
      assert.equal(OBEYED.exec(line), null)
      assert.ok(cells(line) <= most, `${cells(line)} cells`)
      assert.ok(line.length <= most * 64 + 1, `${line.length} characters`)
      assert.equal(clean(line, most), line)
    }),
  )
})

test('a short key never has more than nine cells', () => {
  assert.equal(shortKey(MINT), '93mC…kxsp')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => cells(shortKey(text)) <= 9))
})

test('whatever names say, a frame stays one line of a bounded length', () => {
  const text = fc.string({ unit: 'binary', maxLength: 100 })
  fc.assert(
    fc.property(text, text, text, fc.double({ noNaN: true, min: 0 }), fc.nat(), (name, bundle, mint, amount, mcap) => {
      const trades = frame({
        user_name: name,
        bundled: true,
        bundle_name: bundle,
        mint,
        sol_amount: amount,
        mcap,
        timestamp: null,
      })
      const [line] = frameLines(trades, ALL)
      assert.equal(OBEYED.exec(line!), null)
      assert.ok(cells(line!) <= 140, `${cells(line!)} cells`)
    }),
  )
})

test('a line of JSON is the same value, and nothing in it is obeyed', () => {
  assert.equal(jsonLine({ a: '\u009b31m\u202e\u{e0041}\n' }), '{"a":"\\u009b31m\\u202e\\udb40\\udc41\\n"}')
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const line = jsonLine(value)
      assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify(value)))
      assert.equal(OBEYED.exec(line), null)
    }),
  )
})

test('the head stands over its columns', () => {
  const [trade, event] = [
    frameLines(frame({ user_name: 'example' }), ALL)[0]!,
    tokenLine({ type: 'token_graduated', data: { ...base, image_uri: null, mcap: 69_420, migrated_at: null } }, ALL),
  ]
  const at = (head: string, line: string, word: string, cell: string) =>
    assert.equal(head.indexOf(word), line.indexOf(cell))
  at(headOf('frames:live'), trade, 'symbol', '“MOON”')
  at(headOf('frames:live'), trade, 'trader', 'example')
  at(headOf('tokens:live'), event, 'details', 'at a market')
})

test('with colours only those of ours are obeyed', () => {
  const text = `${painter(true)('red', 'RED')} \u001b[31;1mx \u001b]0;t\u0007`
  assert.equal(escaped(text, true), '\u001b[31mRED\u001b[0m \\u001b[31;1mx \\u001b]0;t\\u0007')
  assert.equal(escaped(painter(true)('green', 'x')), '\\u001b[32mx\\u001b[0m')
})
