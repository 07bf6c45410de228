import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bytes,
  decode,
  hex,
  instruction,
  join,
  keyOf,
  rawTx,
  selfCpi,
  text,
  token,
  u8,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { LAUNCHLAB } from '../../../../test/support/programs.ts'
import type { Key } from '../base/ids.ts'
import { LAUNCHPAD, QUOTE } from '../model/events.ts'
import { USD1, WRAPPED_SOL } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'

const AUTHORITY = keyOf(31)
const PAYER = keyOf(32)

/** Constant product: (1e15 − sold) · (30e9 + raised) stays 3e25. */
const VIRTUAL_BASE = 1_000_000_000_000_000
const VIRTUAL_QUOTE = 30_000_000_000
const AFTER = { sold: 400_000_000_000_000, raised: 20_000_000_000 }

function trade(newer: boolean, direction = 0, before = { sold: 0, raised: 0 }, after = AFTER): Buffer {
  const reserves = [
    793_000_000_000_000,
    VIRTUAL_BASE,
    VIRTUAL_QUOTE,
    before.sold,
    before.raised,
    after.sold,
    after.raised,
  ]
  const amounts = [20_250_000_000, 400_000_000_000_000, 50_000_000, 200_000_000]
  const fees = newer ? [30_000_000, 0] : [0]
  const end = newer ? [u8(direction), u8(0), u8(1)] : [u8(direction), u8(0)]
  return join(hex('bddb7fd34ee661ee'), bytes(WHO.pool), ...[...reserves, ...amounts, ...fees].map(u64), ...end)
}

function labTx(payload: Buffer, accounts: readonly Key[], fields: Partial<RawTransaction> = {}): RawTransaction {
  const keys: Key[] = [keyOf(90)]
  const outer = instruction(keys, LAUNCHLAB, accounts, hex('faea0d7bd59c13ec'))
  const event = instruction(keys, LAUNCHLAB, [], selfCpi(payload))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [event] }], ...fields })
}

const swapAccounts = (quote: Key = WRAPPED_SOL, pool: Key = WHO.pool): Key[] => [
  PAYER,
  AUTHORITY,
  keyOf(33),
  keyOf(34),
  pool,
  keyOf(35),
  keyOf(36),
  keyOf(37),
  keyOf(38),
  WHO.mint,
  quote,
]

describe('LaunchLab TradeEvent', () => {
  test('138 and 147 bytes: price from what is left of the curve, mint and user from the instruction', () => {
    assert.equal(trade(false).length, 138)
    assert.equal(trade(true).length, 147)
    for (const [newer, fees] of [
      [false, 250_000_000],
      [true, 280_000_000],
    ] as const) {
      const { events, counts } = decode(labTx(trade(newer), swapAccounts()))
      assert.deepEqual([...counts], [])
      const [event] = events
      assert.ok(event?.kind === 'trade')
      assert.equal(event.mint, WHO.mint)
      assert.equal(event.user, PAYER)
      assert.equal(event.pool, WHO.pool)
      assert.equal(event.isBuy, true)
      assert.equal(event.quoteAmount, 20_000_000_000)
      assert.equal(event.userQuote, 20_000_000_000 + fees)
      assert.equal(event.tokenAmount, 400_000_000_000_000)
      assert.equal(event.quoteReserve, 50_000_000_000)
      assert.equal(event.baseReserve, 600_000_000_000_000)
      assert.equal(event.realToken, 393_000_000_000_000)
    }
  })

  test('a sell gives back, less fees', () => {
    const [event] = decode(labTx(trade(true, 1, AFTER, { sold: 0, raised: 0 }), swapAccounts())).events
    assert.ok(event?.kind === 'trade' && !event.isBuy)
    assert.equal(event.userQuote, 20_000_000_000 - 280_000_000)
    assert.equal(event.baseReserve, VIRTUAL_BASE)
  })

  test('skipped by name', () => {
    const reasons: [RawTransaction, string][] = [
      [labTx(trade(false).subarray(0, 137), swapAccounts()), 'too_short:launchlab.TradeEvent'],
      [labTx(trade(true, 2), swapAccounts()), 'guard:launchlab.TradeEvent'],
      [labTx(trade(true), swapAccounts(WRAPPED_SOL, keyOf(99))), 'no_instruction:launchlab.TradeEvent'],
      [labTx(trade(true), []), 'no_instruction:launchlab.TradeEvent'],
      [labTx(trade(true, 0, { sold: 0, raised: 10_000_000_000 }), swapAccounts()), 'other_curve:launchlab.TradeEvent'],
    ]
    for (const [tx, reason] of reasons) {
      const { events, counts } = decode(tx)
      assert.deepEqual(events, [])
      assert.deepEqual([...counts], [[reason, 1]])
    }
  })

  test('another quote is kept in its own unit, with the decimals that the transaction states', () => {
    const other = keyOf(98)
    const quoted = (quote: Key, fields: Partial<RawTransaction> = {}) =>
      decode(labTx(trade(true), swapAccounts(quote), fields))
    const bought = token(2, WHO.mint, PAYER, 400_000_000_000_000)
    const vault = token(3, other, AUTHORITY, 5, 8)
    for (const [fields, decimals] of [
      [{}, -1],
      [{ postTokens: [bought, vault] }, 8],
      [{ preTokens: [vault], postTokens: [bought] }, 8],
    ] as const) {
      const { events, counts } = quoted(other, fields)
      const [event] = events
      assert.ok(event?.kind === 'trade')
      assert.deepEqual([...counts], [])
      assert.deepEqual([event.quote, event.asset], [QUOTE.other, { mint: other, decimals }])
      assert.deepEqual([event.quoteAmount, event.userQuote], [20_000_000_000, 20_280_000_000])
    }
    const [dollars] = quoted(USD1).events
    assert.ok(dollars?.kind === 'trade')
    assert.deepEqual([dollars.quote, 'asset' in dollars], [QUOTE.USD1, false])
  })

  test('the vault authority is no holder', () => {
    const [event, ...rest] = decode(
      labTx(trade(true), swapAccounts(), {
        preTokens: [token(1, WHO.mint, AUTHORITY, 793_000_000_000_000)],
        postTokens: [
          token(1, WHO.mint, AUTHORITY, 393_000_000_000_000),
          token(2, WHO.mint, PAYER, 400_000_000_000_000),
        ],
      }),
    ).events
    assert.equal(event?.kind, 'trade')
    assert.deepEqual(rest, [])
  })
})

describe('LaunchLab PoolCreateEvent', () => {
  const payload = join(
    join(hex('97d7e20976a173ae'), bytes(WHO.pool), bytes(WHO.creator), bytes(keyOf(40)), u8(6)),
    join(
      text('Bonk\u200b Cat'),
      text('B\u202eCAT'),
      text('https://example.org/b.json'),
      u8(0),
      u64(1e15),
      u64(793_000_000_000_000),
    ),
  )
  const accounts = [PAYER, WHO.creator, keyOf(33), keyOf(34), AUTHORITY, WHO.pool, WHO.mint, WRAPPED_SOL]

  test('is a creation on this launchpad', () => {
    const [event] = decode(labTx(payload, accounts)).events
    assert.ok(event?.kind === 'create')
    assert.equal(event.launchpad, LAUNCHPAD.launchlab)
    assert.deepEqual([event.mint, event.pool, event.creator, event.user], [WHO.mint, WHO.pool, WHO.creator, PAYER])
    assert.deepEqual(
      [event.name, event.symbol, event.nameNorm, event.symbolNorm],
      ['Bonk Cat', 'BCAT', 'bonkcat', 'bcat'],
    )
    assert.deepEqual([event.quote, event.supply, event.decimals], [QUOTE.SOL, 1e15, 6])
  })

  test('in another quote', () => {
    const other = keyOf(98)
    const postTokens = [token(3, other, AUTHORITY, 0, 9)]
    const [event] = decode(labTx(payload, accounts.with(7, other), { postTokens })).events
    assert.ok(event?.kind === 'create')
    assert.deepEqual([event.quote, event.asset], [QUOTE.other, { mint: other, decimals: 9 }])
  })

  test('a launch whose call has an account more, before the pool or at the end, is one', () => {
    const [plain] = decode(labTx(payload, accounts)).events
    for (const more of [accounts.toSpliced(4, 0, keyOf(35)), [...accounts, keyOf(35)]])
      assert.deepEqual(decode(labTx(payload, more)).events, [plain])
    const elsewhere = [...accounts.slice(0, 5), keyOf(35), keyOf(36), keyOf(37), ...accounts.slice(5)]
    assert.deepEqual(decode(labTx(payload, elsewhere)).events, [])
  })

  test('cut strings and missing accounts are skipped by name', () => {
    assert.deepEqual(
      [...decode(labTx(payload.subarray(0, 112), accounts)).counts],
      [['guard:launchlab.PoolCreateEvent', 1]],
    )
    assert.deepEqual([...decode(labTx(payload, [])).counts], [['no_instruction:launchlab.PoolCreateEvent', 1]])
  })
})
