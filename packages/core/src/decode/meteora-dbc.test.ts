import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decode, hex, join, keyOf, logOf, rawTx, token, u8, u64, WHO } from '../../../../test/support/encode.ts'
import {
  accountsAt,
  BASE_VAULT,
  buyFrom,
  CALLS,
  CONFIG,
  createAccounts,
  createData,
  DAMM_POOL,
  dbc,
  depthOf,
  evtCurveComplete,
  evtInitializePool,
  evtSwap,
  evtSwap2,
  type Launch,
  migrationAccounts,
  pieceOf,
  type Step,
  type Swap,
  sellTo,
  swapAccounts,
  swapCall,
  TOKEN_PROGRAM_TEXT,
  transaction,
} from '../../../../test/support/meteora.ts'
import { key } from '../base/base58.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import { LAUNCHPAD, QUOTE, type TradeEvent, VENUE } from '../model/events.ts'
import {
  METEORA_DAMM_AUTHORITY,
  METEORA_DBC,
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_TEXT,
  USDC,
  WRAPPED_SOL,
} from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { STUDIO_MARK } from './meteora-names.ts'

const { mint, user, pool, creator } = WHO
const ACCOUNTS = swapAccounts(mint, WRAPPED_SOL, user)
/** A purchase of 1 SOL with a fee of 1 % from the input; virtual reserves of 30 SOL and 10^9 tokens. */
const piece = pieceOf(30e9, 1e15)
const bought = buyFrom(piece, 990_000_000n)
const BUY: Swap = {
  ...{ pool, isBuy: true, included: 1_000_000_000n, excluded: 990_000_000n, output: bought, root: piece.root },
  fees: [8_000_000n, 1_500_000n, 500_000n],
}

const swapTx = (swap: Swap, accounts: readonly Key[] = ACCOUNTS): RawTransaction =>
  transaction(user, [swapCall(accounts, swap)])
const onlyTrade = (tx: RawTransaction): TradeEvent => {
  const { events, counts } = decode(tx)
  assert.deepEqual([...counts], [])
  const [event] = events
  assert.ok(event?.kind === 'trade' && events.length === 1)
  return event
}

describe('DBC swap', () => {
  test('told twice, it is one trade, at the place of the first', () => {
    const trade = onlyTrade(swapTx(BUY))
    assert.deepEqual([trade.venue, trade.mint, trade.pool, trade.user], [VENUE.meteora_dbc, mint, pool, user])
    assert.deepEqual([trade.outer, trade.inner, trade.isBuy, trade.quote], [0, 0, true, QUOTE.SOL])
    assert.deepEqual(
      [trade.quoteAmount, trade.userQuote, trade.tokenAmount],
      [990_000_000, 1_000_000_000, Number(bought)],
    )
    const truth = depthOf(piece)
    assert.ok(Math.abs(trade.quoteReserve / truth.quote - 1) < 1e-6)
    assert.ok(Math.abs(trade.baseReserve / truth.base - 1) < 1e-6)
  })

  test('each layout alone is the same trade', () => {
    const [first, second] = [evtSwap(BUY), evtSwap2(BUY)].map((payload) =>
      onlyTrade(transaction(user, [{ call: [METEORA_DBC, ACCOUNTS, hex(CALLS.swap2)], inner: [dbc(payload)] }])),
    )
    assert.deepEqual(first, second)
  })

  test('two swaps in one transaction are two, also when they are alike', () => {
    const one = swapCall(ACCOUNTS, BUY)
    const { events, counts } = decode(transaction(user, [one, one]))
    assert.equal(events.length, 2)
    assert.deepEqual([...counts], [])
    const routed = {
      call: [keyOf(90), [user], hex('00')] as Step,
      inner: [one.call, ...one.inner, one.call, ...one.inner],
    }
    assert.equal(decode(transaction(user, [routed])).events.length, 2)
  })

  test('a second event that differs is a trade of its own', () => {
    const other = { ...BUY, output: BUY.output - 1n }
    const inner = [dbc(evtSwap(BUY)), dbc(evtSwap2(other))]
    const { events } = decode(transaction(user, [{ call: [METEORA_DBC, ACCOUNTS, hex(CALLS.swap)], inner }]))
    assert.equal(events.length, 2)
  })

  test('a fee in tokens: the quote is whole, the tokens are what arrived', () => {
    const curve = pieceOf(30e9, 1e15)
    const gross = buyFrom(curve, 1_000_000_000n)
    const fees = [gross / 100n, gross / 400n, 0n] as const
    const output = gross - fees[0] - fees[1]
    const trade = onlyTrade(swapTx({ ...BUY, excluded: BUY.included, output, root: curve.root, fees }))
    assert.deepEqual([trade.quoteAmount, trade.userQuote, trade.tokenAmount], [1e9, 1e9, Number(output)])
    assert.ok(Math.abs(trade.quoteReserve / depthOf(curve).quote - 1) < 1e-6)
  })

  test('a sale: the fee is taken from what comes out', () => {
    const curve = pieceOf(60e9, 5e14)
    const gross = sellTo(curve, 10_000_000_000_000n)
    const fees = [gross / 100n, 0n, 0n] as const
    const sold = 10_000_000_000_000n
    const trade = onlyTrade(
      swapTx({ pool, isBuy: false, included: sold, excluded: sold, output: gross - fees[0], root: curve.root, fees }),
    )
    assert.deepEqual(
      [trade.isBuy, trade.quoteAmount, trade.userQuote, trade.tokenAmount],
      [false, Number(gross), Number(gross - fees[0]), Number(sold)],
    )
    assert.ok(Math.abs(trade.quoteReserve / depthOf(curve).quote - 1) < 1e-5)
  })

  test('the quote is the call’s; what has no price is named', () => {
    assert.equal(onlyTrade(swapTx(BUY, swapAccounts(mint, USDC, user))).quote, QUOTE.USDC)
    const trade = onlyTrade(swapTx(BUY, swapAccounts(mint, keyOf(99), user)))
    assert.deepEqual([trade.quote, trade.asset], [QUOTE.other, { mint: keyOf(99), decimals: -1 }])
  })

  test('skipped by name, once for both events', () => {
    const alone = (payload: Buffer, accounts: readonly Key[] = ACCOUNTS): RawTransaction =>
      transaction(user, [{ call: [METEORA_DBC, accounts, hex(CALLS.swap)], inner: [dbc(payload)] }])
    const direction = Buffer.from(evtSwap(BUY))
    direction[72] = 2
    const cases: [RawTransaction, string][] = [
      [alone(evtSwap(BUY).subarray(0, 161)), 'too_short:meteora_dbc.EvtSwap'],
      [alone(evtSwap2(BUY).subarray(0, 186)), 'too_short:meteora_dbc.EvtSwap2'],
      [alone(hex('e5e756')), 'too_short:meteora_dbc'],
      [alone(join(hex('0011223344556677'), u64(1))), 'unknown_event:meteora_dbc'],
      [alone(direction), 'guard:meteora_dbc.EvtSwap'],
      [swapTx(BUY, swapAccounts(mint, WRAPPED_SOL, user, keyOf(98))), 'no_instruction:meteora_dbc.EvtSwap'],
      [swapTx(BUY, []), 'no_instruction:meteora_dbc.EvtSwap'],
      [swapTx({ ...BUY, output: 0n }), 'zero_amount:meteora_dbc.EvtSwap'],
      [swapTx({ ...BUY, root: 0n }), 'zero_reserve:meteora_dbc.EvtSwap'],
    ]
    for (const [tx, reason] of cases) {
      const { events, counts } = decode(tx)
      assert.deepEqual([events, [...counts]], [[], [[reason, 1]]], reason)
    }
  })

  test('a log has none of these events; where one had, its trader would be unknown', () => {
    const silent = decode(rawTx({ logs: logOf([METEORA_DBC_TEXT]) }))
    assert.deepEqual([silent.events, [...silent.counts]], [[], [['needs_inner_instructions:meteora', 1]]])
    const { events, counts } = decode(rawTx({ logs: logOf([METEORA_DBC_TEXT, evtSwap(BUY), evtSwap2(BUY)]) }))
    assert.deepEqual(
      [events, [...counts]],
      [
        [],
        [
          ['no_instruction:meteora_dbc.EvtSwap', 1],
          ['needs_inner_instructions:meteora', 1],
        ],
      ],
    )
  })

  test('neither the curve’s authority nor the trader shows as a balance of its own', () => {
    const rows = (vault: number, held: number) => [
      token(1, mint, METEORA_DBC_AUTHORITY, vault),
      token(2, mint, user, held),
    ]
    const tx = transaction(user, [swapCall(ACCOUNTS, BUY)], () => ({
      preTokens: rows(1e15, 0),
      postTokens: rows(1e15 - Number(bought), Number(bought)),
    }))
    assert.deepEqual(
      decode(tx).events.map(({ kind }) => kind),
      ['trade'],
    )
  })
})

const LAUNCH: Launch = { call: 'createSpl', creator, payer: user, config: CONFIG, quoteMint: WRAPPED_SOL }

function launchTx(fields: Partial<Launch> = {}, payer: Key = user, before: Step[] = []): RawTransaction {
  const launch = { ...LAUNCH, ...fields }
  const create: Step = [
    METEORA_DBC,
    createAccounts(launch),
    createData(launch.call, 'Bag Cat', 'BCAT', 'https://x.org/b'),
  ]
  const minted: Step = [key(TOKEN_PROGRAM_TEXT), [mint, BASE_VAULT, METEORA_DBC_AUTHORITY], join(u8(7), u64(1e15))]
  const payload = Buffer.from(evtInitializePool(pool, launch.creator, mint))
  Buffer.from(launch.config, 'latin1').copy(payload, 40)
  const calls = [...before.map((call) => ({ call, inner: [] })), { call: create, inner: [minted, dbc(payload)] }]
  return transaction(payer, calls, (keys) => ({
    postTokens: [token(keys.indexOf(BASE_VAULT), mint, METEORA_DBC_AUTHORITY, 1e15, 6)],
  }))
}

describe('DBC EvtInitializePool', () => {
  test('is a creation with the texts of the call and the supply that was minted', () => {
    for (const call of ['createSpl', 'create2022'] as const) {
      const { events, counts } = decode(launchTx({ call }))
      assert.deepEqual([...counts], [])
      const [event] = events
      assert.ok(event?.kind === 'create' && events.length === 1)
      assert.deepEqual([event.mint, event.pool, event.creator, event.user], [mint, pool, creator, user])
      assert.deepEqual(
        [event.name, event.symbol, event.uri, event.nameNorm],
        ['Bag Cat', 'BCAT', 'https://x.org/b', 'bagcat'],
      )
      assert.deepEqual([event.quote, event.supply, event.decimals], [QUOTE.SOL, 1e15, 6])
      assert.equal(event.launchpad, LAUNCHPAD.meteora_dbc)
    }
  })

  test('the launchpad is named by its wallet, its configuration, or its mark on one', () => {
    const launchpad = (fields: Partial<Launch>, payer: Key = user, before: Step[] = []) => {
      const [event] = decode(launchTx(fields, payer, before)).events
      assert.ok(event?.kind === 'create')
      return [event.launchpad, event.user]
    }
    const [bags, believe, moonshot] = [
      'BAGSB9TpGrZxQbEsrEznv5jXXdwyP6AXerN8aVRiAmcv',
      '5qWya6UjwWnGVhdSBL3hyZ7B45jbk6Byt1hwd7ohEGXE',
      'FbKf76ucsQssF7XZBuzScdJfugtsSKwZFYztKsMEhWZM',
    ].map(key) as [Key, Key, Key]
    // who signs every launch is not the launcher, but a creator that signed with it is
    assert.deepEqual(launchpad({ creator: bags, payer: bags }), [LAUNCHPAD.bags, ZERO_KEY])
    assert.deepEqual(launchpad({ payer: believe }), [LAUNCHPAD.believe, creator])
    assert.deepEqual(launchpad({ config: moonshot, quoteMint: USDC }), [LAUNCHPAD.moonshot, user])
    const makes = (config: Key, mark: Key): Step => [
      METEORA_DBC,
      accountsAt(9, { 0: config, 8: mark }),
      hex(CALLS.createConfig),
    ]
    assert.deepEqual(launchpad({}, user, [makes(CONFIG, STUDIO_MARK)]), [LAUNCHPAD.jupiter_studio, user])
    assert.deepEqual(launchpad({}, user, [makes(keyOf(97), STUDIO_MARK)]), [LAUNCHPAD.meteora_dbc, user])
    assert.deepEqual(launchpad({}, user, [makes(CONFIG, keyOf(97))]), [LAUNCHPAD.meteora_dbc, user])
  })

  test('a supply is what the token program mints of this token into this vault', () => {
    const tx = launchTx()
    const [minted, event] = tx.inner![0]!.instructions
    const supplyOf = (...instructions: RawTransaction['instructions'][number][]) => {
      const { events, counts } = decode({ ...tx, inner: [{ outer: 0, instructions }] })
      return [events[0]?.kind === 'create' ? events[0].supply : -1, ...counts.keys()]
    }
    assert.deepEqual(supplyOf(minted!, event!), [1e15])
    const unknown = [0, 'supply_unknown:meteora_dbc.EvtInitializePool']
    assert.deepEqual(supplyOf(event!), unknown)
    assert.deepEqual(supplyOf({ ...minted!, program: 0 }, event!), unknown)
    assert.deepEqual(supplyOf({ ...minted!, data: join(u8(8), u64(5)) }, event!), unknown)
    assert.deepEqual(supplyOf({ ...minted!, data: join(u8(7), u64(10n ** 19n)) }, event!), [1e19])
  })

  test('cut texts and foreign calls are skipped by name', () => {
    const name = 'meteora_dbc.EvtInitializePool'
    const tx = launchTx()
    const cut = { ...tx.instructions[0]!, data: tx.instructions[0]!.data.subarray(0, 20) }
    assert.deepEqual([...decode({ ...tx, instructions: [cut] }).counts], [[`guard:${name}`, 1]])
    const foreign = { ...tx.instructions[0]!, data: hex(CALLS.swap) }
    assert.deepEqual([...decode({ ...tx, instructions: [foreign] }).counts], [[`no_instruction:${name}`, 1]])
  })
})

describe('DBC completion and migration', () => {
  test('the swap that fills the curve completes it', () => {
    const { events, counts } = decode(transaction(user, [swapCall(ACCOUNTS, BUY, [dbc(evtCurveComplete(pool))])]))
    assert.deepEqual(
      events.map((event) => [event.kind, event.mint, event.inner]),
      [
        ['trade', mint, 0],
        ['complete', mint, 2],
      ],
    )
    assert.deepEqual([...counts], [])
  })

  test('a completion without its swap belongs to nobody', () => {
    const call: Step = [METEORA_DBC, [], hex(CALLS.swap)]
    const { events, counts } = decode(transaction(user, [{ call, inner: [dbc(evtCurveComplete(pool))] }]))
    assert.deepEqual([events, [...counts]], [[], [['pool_unknown:meteora_dbc.EvtCurveComplete', 1]]])
  })

  test('the call to DAMM v2 is the graduation, also inside another program', () => {
    const call: Step = [METEORA_DBC, migrationAccounts(mint, WRAPPED_SOL), hex(CALLS.migrateDammV2)]
    for (const tx of [
      transaction(user, [{ call, inner: [] }]),
      transaction(user, [{ call: [keyOf(90), [], hex('00')], inner: [call] }]),
    ]) {
      const { events } = decode(tx)
      assert.deepEqual(
        events.map((event) => [event.kind, event.mint, event.kind === 'migrate' && event.pool]),
        [['migrate', mint, DAMM_POOL]],
      )
    }
    assert.deepEqual(decode({ ...transaction(user, [{ call, inner: [] }]), failed: true }).events, [])
    const short: Step = [METEORA_DBC, [pool], hex(CALLS.migrateDammV2)]
    assert.deepEqual(
      [...decode(transaction(user, [{ call: short, inner: [] }])).counts],
      [['no_instruction:meteora_dbc.migration', 1]],
    )
  })

  test('the call to DAMM v1 names the vault that keeps the tokens, as balances state its owner', () => {
    const vault = keyOf(70)
    const accounts = accountsAt(31, { 4: DAMM_POOL, 7: mint, 8: WRAPPED_SOL, 11: keyOf(71) })
    const tx = transaction(user, [{ call: [METEORA_DBC, accounts, hex(CALLS.migrateDammV1)], inner: [] }], (keys) => ({
      preTokens: [token(9, mint, METEORA_DBC_AUTHORITY, 2e14)],
      postTokens: [token(keys.indexOf(keyOf(71)), mint, vault, 2e14)],
    }))
    assert.deepEqual(
      decode(tx).events.map((event) => [event.kind, 'pool' in event && event.pool]),
      [
        ['migrate', DAMM_POOL],
        ['pool', vault],
      ],
    )
  })

  test('no authority is a holder', () => {
    const call: Step = [METEORA_DBC, migrationAccounts(mint, WRAPPED_SOL), hex(CALLS.migrateDammV2)]
    const tx = transaction(user, [{ call, inner: [] }], () => ({
      preTokens: [token(1, mint, METEORA_DBC_AUTHORITY, 2e14)],
      postTokens: [token(1, mint, METEORA_DBC_AUTHORITY, 0), token(2, mint, METEORA_DAMM_AUTHORITY, 2e14)],
    }))
    assert.deepEqual(
      decode(tx).events.map(({ kind }) => kind),
      ['migrate'],
    )
    // tokens sent elsewhere are reported
    const { events } = decode({ ...tx, postTokens: [token(3, mint, creator, 2e14)] })
    assert.deepEqual(
      events.map((event) => (event.kind === 'balance' ? event.owner : event.kind)),
      ['migrate', creator],
    )
  })
})
