import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { type Key, keyAt } from '@ti/core/base/ids.ts'
import { createPoolBook } from '@ti/core/decode/pools.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import { createUnknownBook } from '@ti/core/decode/unknown.ts'
import { type ChainEvent, LAUNCHPAD, VENUE } from '@ti/core/model/events.ts'
import { BOOP_TEXT, MOONIT_TEXT, PUMP, PUMPSWAP, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { createMaterial } from '@ti/lab/import/material.ts'
import { takeValue } from '@ti/lab/import/values.ts'
import {
  bytes,
  instruction,
  join,
  keyOf,
  logOf,
  pumpTrade,
  rawTx,
  selfCpi,
  sigOf,
  text,
  u8,
  u64,
  WHO,
} from '../../support/encode.ts'
import { BOOP, MOONIT } from '../../support/programs.ts'
import { foldEntries, foldMaterial } from './fold.ts'
import { DATA, listData, NO_DATA, parseCsv, readData } from './idl.ts'

/** What the interfaces of autumn 2026 added: launches with a transfer hook, v3 and v2 trades, routes. */

const discriminator = (kind: 'global' | 'event', name: string): Buffer =>
  createHash('sha256').update(`${kind}:${name}`).digest().subarray(0, 8)

/** The events of one transaction; nothing in it may be unknown. */
function decodeKnown(tx: RawTransaction): ChainEvent[] {
  const unknown = createUnknownBook()
  unknown.begin(1, 1)
  const events: ChainEvent[] = []
  decodeTransaction(tx, 0, events, createCounts(), createPoolBook(), unknown)
  assert.deepEqual(unknown.kinds(), [])
  return events
}

const HOOKED = 'real3/cases/dbc_transfer_hook'

describe('a launch with a transfer hook, made by the program itself', { skip: NO_DATA }, () => {
  const files = NO_DATA ? [] : listData(HOOKED).filter((name) => /^\d/.test(name))
  const right: Record<string, string>[] = NO_DATA ? [] : JSON.parse(readData(`${HOOKED}/expect.right.json`))

  test('is read from creation to trades in its pool', async () => {
    const { events, counts } = await foldMaterial(files.map((name) => `${DATA}/${HOOKED}/${name}`))
    const created = right[0]!
    const create = events.find((event) => event.kind === 'create')
    assert.ok(create !== undefined)
    assert.deepEqual([create.mint, create.pool, create.creator].map(keyToBase58), [
      created.mint,
      created.pool,
      created.creator,
    ])
    assert.deepEqual([create.launchpad, create.supply], [LAUNCHPAD.meteora_dbc, Number(created.supply)])
    const trades = events.filter((event) => event.kind === 'trade')
    const expected = right.filter(({ kind }) => kind === 'trade' || kind === 'damm')
    assert.equal(trades.length, expected.length)
    for (const [i, said] of expected.entries()) {
      const trade = trades[i]!
      assert.equal(trade.venue, said.kind === 'damm' ? VENUE.meteora_damm_v2 : VENUE.meteora_dbc, said.label)
      assert.equal(keyToBase58(trade.user), said.user, said.label)
      assert.equal(trade.isBuy ? trade.tokenAmount : -trade.tokenAmount, Number(said.userTokens), said.label)
      if (said.sqrtPrice === undefined) continue
      const price = (Number(said.sqrtPrice) / 2 ** 64) ** 2
      assert.ok(Math.abs(trade.quoteReserve / trade.baseReserve / price - 1) < 1e-6, said.label)
    }
    assert.deepEqual(
      events.filter(({ kind }) => kind === 'complete' || kind === 'migrate').map(({ mint }) => keyToBase58(mint)),
      [created.mint, created.mint],
    )
    assert.deepEqual(
      [...counts.keys()].filter((name) => !name.startsWith('not_needed:')),
      [],
    )
  })

  test('has nothing unknown', () => {
    const counts = createCounts()
    const material = createMaterial(counts)
    for (const name of files) takeValue(JSON.parse(readData(`${HOOKED}/${name}`)), material, counts)
    const raw = material.items(counts).flatMap((item) => (item.kind === 'raw' ? item.block.transactions : []))
    assert.equal(raw.length, files.length)
    for (const tx of raw) decodeKnown(tx)
  })
})

/** A call of pump or PumpSwap and what it emits. */
function called(program: Key, data: Buffer, accounts: readonly Key[], payloads: readonly Buffer[]): RawTransaction {
  const keys: Key[] = [WHO.user]
  const outer = instruction(keys, program, accounts, data)
  const instructions = payloads.map((payload) => instruction(keys, program, [], selfCpi(payload)))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions }] })
}

const places = (length: number, named: Readonly<Record<number, Key>>): Key[] =>
  Array.from({ length }, (_, i) => named[i] ?? keyOf(300 + i))

describe('trades of pump of version 3', () => {
  for (const name of ['buy_v3', 'sell_v3', 'buy_exact_quote_in_v3'])
    test(`${name} names mint and curve`, () => {
      const isBuy = name !== 'sell_v3'
      const payload = join(pumpTrade({ name, buy: isBuy }), u64(0), u64(0), u64(3_000_000))
      const accounts = places(17, { 1: WHO.mint, 2: WRAPPED_SOL, 5: WHO.curve, 8: WHO.user })
      const events = decodeKnown(called(PUMP, join(discriminator('global', name), u64(1), u64(2)), accounts, [payload]))
      const [trade] = events
      assert.ok(trade?.kind === 'trade')
      assert.deepEqual([trade.mint, trade.pool, trade.user, trade.isBuy], [WHO.mint, WHO.curve, WHO.user, isBuy])
    })

  test('sweeps, payouts and settings are known and no trades', () => {
    const names = ['SweepBondingCurveFeeEvent', 'DistributeFeeToHoldersEvent', 'SetQuoteControlReservesAdminEvent']
    const payloads = names.map((name) => join(discriminator('event', name), Buffer.alloc(200)))
    const data = discriminator('global', 'sweep_creator_fee')
    assert.deepEqual(decodeKnown(called(PUMP, data, places(13, {}), payloads)), [])
  })
})

/** A PumpSwap event of the newest layout: 1,000 base for 5,000 quote. */
function swapEvent(pool: Key, isBuy: boolean, ixName: string): Buffer {
  const amounts = [1_000, 5_000, 0, 0, 900_000, 4_500_000, 5_000, 20, 10, 93, 46, 5_010, 5_103]
  const people = [pool, WHO.user, keyOf(31), keyOf(32), keyOf(33), keyOf(34), WHO.creator].map(bytes)
  const tail = join(...[0, 0, 50, 5].map(u64), Buffer.alloc(16), Buffer.alloc(1), u64(1e15), u64(0), u64(0), u64(7))
  const head = join(discriminator('event', isBuy ? 'BuyEvent' : 'SellEvent'), u64(1_790_000_000), ...amounts.map(u64))
  const buy = join(Buffer.alloc(1), ...[0, 0, 0, 0, 0].map(u64), text(ixName))
  return join(head, ...people, u64(30), u64(15), ...(isBuy ? [buy] : []), tail)
}

describe('trades of PumpSwap of version 2, and routes', () => {
  for (const name of ['buy_v2', 'sell_v2', 'buy_exact_quote_in_v2'])
    test(`${name} names the pair`, () => {
      const accounts = places(17, { 0: WHO.pool, 1: WHO.user, 3: WHO.mint, 4: WRAPPED_SOL })
      const payload = swapEvent(WHO.pool, name !== 'sell_v2', name)
      const events = decodeKnown(
        called(PUMPSWAP, join(discriminator('global', name), u64(1), u64(2)), accounts, [payload]),
      )
      const [trade] = events
      assert.ok(trade?.kind === 'trade', name)
      assert.deepEqual([trade.mint, trade.pool, trade.quote, trade.user], [WHO.mint, WHO.pool, 0, WHO.user])
    })

  test('each hop of a route is read in its own pair', () => {
    const [first, second, other] = [keyOf(41), keyOf(42), keyOf(43)]
    const hops = { 16: WHO.mint, 17: WRAPPED_SOL, 18: first, 21: other, 22: WRAPPED_SOL, 23: second }
    const payloads = [swapEvent(first, false, ''), swapEvent(second, true, 'multi_hop_swap')]
    const data = join(discriminator('global', 'multi_hop_swap'), u64(1), u64(2))
    const events = decodeKnown(called(PUMPSWAP, data, places(26, { 0: WHO.user, ...hops }), payloads))
    const trades = events.filter((event) => event.kind === 'trade')
    assert.deepEqual(
      trades.map(({ mint, pool, isBuy }) => [mint, pool, isBuy]),
      [
        [WHO.mint, first, false],
        [other, second, true],
      ],
    )
  })

  test('a pool that the route does not list has no pair', () => {
    const data = join(discriminator('global', 'multi_hop_swap'), u64(1), u64(2))
    const payload = swapEvent(keyOf(44), true, 'multi_hop_swap')
    const accounts = places(23, { 16: WHO.mint, 17: WRAPPED_SOL, 18: keyOf(41) })
    assert.deepEqual(decodeKnown(called(PUMPSWAP, data, accounts, [payload])), [])
  })
})

describe('Moonit', () => {
  const curve = keyOf(61)
  const accounts = places(11, { 0: WHO.user, 2: curve, 6: WHO.mint })
  const emitted = (data: Buffer, payload: Buffer, keysOfCall: readonly Key[] = accounts): RawTransaction => ({
    ...called(MOONIT, data, keysOfCall, []),
    logs: logOf([MOONIT_TEXT, payload]),
  })

  test('a recorded trade is one of the constant product to the lamport', { skip: NO_DATA }, () => {
    const row = parseCsv(readData('events/program_data_events.csv')).find(
      ({ event }) => event === 'moonshot.TradeEvent',
    )
    const payload = Buffer.from(row!.base64!, 'base64')
    const [pool, user] = [keyAt(payload, 48), keyAt(payload, 112)]
    const [trade] = decodeKnown(
      emitted(discriminator('global', 'buy'), payload, places(11, { 0: user, 2: pool, 6: WHO.mint })),
    )
    assert.ok(trade?.kind === 'trade')
    const amounts = [trade.tokenAmount, trade.quoteAmount, trade.userQuote]
    assert.deepEqual(amounts, [5_430_576_418_647, 1_639_908, 1_639_908 + 9_839 + 6_560])
    // 1,073 M tokens and 30 SOL at the start, of which 746,509,767 tokens are sold
    const base = 1_073_000_000_000_000_000n - 746_509_767_000_000_000n
    // the balances of that transaction say the same: curve (3), its tokens (1) and the buyer's (6)
    const { preBalances, postBalances, ...rest } = JSON.parse(readData('raw_tx/carbon_simple_tx.json'))
    const tokensOf = (rows: { accountIndex: number; uiTokenAmount: { amount: string } }[], account: number): bigint =>
      BigInt(rows.find(({ accountIndex }) => accountIndex === account)!.uiTokenAmount.amount)
    assert.equal(postBalances[3] - preBalances[3], trade.quoteAmount)
    assert.equal(tokensOf(rest.postTokenBalances, 1), 10n ** 18n - 746_509_767_000_000_000n)
    const bought = tokensOf(rest.postTokenBalances, 6) - tokensOf(rest.preTokenBalances, 6)
    assert.deepEqual([Number(bought), trade.supply], [trade.tokenAmount, 1e18])
    assert.equal(trade.baseReserve, Number(base))
    assert.equal(trade.quoteReserve, Number((1_073_000_000_000_000_000n * 30_000_000_000n) / base))
  })

  test('a launch and a trade are folded and answered', () => {
    const words = join(text('Big Coin'), text('BIG'), text('https://example.org/x.json'))
    const data = join(discriminator('global', 'token_mint'), words, u8(9), u8(0), u64(10n ** 18n), u8(1), u8(0))
    const create = called(MOONIT, data, places(11, { 0: WHO.user, 2: curve, 3: WHO.mint }), [])
    const sold = 5_000_000_000_000n
    const product = 1_073_000_000_000_000_000n * 30_000_000_000n
    const paid = product / (1_073_000_000_000_000_000n - sold) - 30_000_000_000n
    const head = join(discriminator('event', 'TradeEvent'), ...[sold, paid, 0n, 0n, sold].map(u64))
    const payload = join(head, bytes(curve), bytes(WRAPPED_SOL), bytes(WHO.user), u8(0), text('trade'))
    const buy = { ...emitted(discriminator('global', 'buy'), payload), signature: sigOf(2) }
    const events = [...decodeKnown(create), ...decodeKnown(buy)]
    const price = { kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 100 }] } as const
    const folded = foldEntries([price, { kind: 'block', slot: 5, parent: 4, time: 2, events }])
    const { meta, market } = folded.snapshot(WHO.mint)
    assert.deepEqual([meta!.launchpad, meta!.symbol], ['moonit', 'BIG'])
    // 30 SOL over 1,073 M tokens at 100 dollars, for a supply of 1,000 M
    assert.ok(Math.abs(Number(market!.mcap) / ((30 / 1_073) * 1_000 * 100) - 1) < 0.001, String(market!.mcap))
  })
})

interface BoopTrade {
  readonly line: string
  readonly expect: { isBuy: boolean; mint: string; amountIn: string; amountOut: string; fee: string; trader: string }
}

describe('Boop', { skip: NO_DATA }, () => {
  const recorded: Record<'buy' | 'sell', BoopTrade> & { pool: { data: string } } = NO_DATA
    ? {}
    : JSON.parse(readData('real2/transactions/boop.json'))

  test('recorded trades are read as others read them', () => {
    for (const side of ['buy', 'sell'] as const) {
      const { line, expect } = recorded[side]
      const payload = Buffer.from(line.split(' ').at(-1)!, 'base64')
      const call = called(BOOP, discriminator('global', `${side}_token`), [key(expect.mint), WHO.curve], [])
      const [trade] = decodeKnown({ ...call, logs: logOf([BOOP_TEXT, payload]) })
      assert.ok(trade?.kind === 'trade')
      const [input, output, fee] = [expect.amountIn, expect.amountOut, expect.fee].map(Number) as [
        number,
        number,
        number,
      ]
      assert.deepEqual(
        [keyToBase58(trade.mint), keyToBase58(trade.user), trade.isBuy, trade.pool],
        [expect.mint, expect.trader, expect.isBuy, WHO.curve],
      )
      // the fee comes on top of what reaches the curve, or is taken from what leaves it
      const amounts = expect.isBuy ? [output, input, input + fee] : [input, output + fee, output]
      assert.deepEqual([trade.tokenAmount, trade.quoteAmount, trade.userQuote], amounts)
    }
  })

  test('the recorded curve is the constant product that the decoder knows', () => {
    const account = Buffer.from(recorded.pool.data, 'base64')
    const [quote, base, , , raised, left] = [0, 1, 2, 3, 4, 5].map((i) =>
      account.readBigUInt64LE(72 + 8 * i),
    ) as bigint[]
    assert.deepEqual([quote, base], [30_000_000_000n, 1_002_320_930_000_000_000n])
    const sold = 10n ** 18n - left!
    const product = (quote! + raised!) * (base! - sold)
    // the recorded buy was the next trade
    const [before, paid] = [quote! + raised!, BigInt(recorded.buy.expect.amountIn)]
    const bought = (quote! * base!) / before - (quote! * base!) / (before + paid)
    assert.ok(Math.abs(Number(bought - BigInt(recorded.buy.expect.amountOut))) <= 1)
    // the vault, from which the decoder takes the reserves, has slightly more than that
    assert.ok(Math.abs(Number(product) / Number(quote! * base!) - 1) < 1e-7)
  })
})
