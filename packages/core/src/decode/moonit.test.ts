import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  BUY,
  bytes,
  decode,
  hex,
  instruction,
  join,
  keyOf,
  logOf,
  programKeyOf,
  pumpBuyAccounts,
  pumpTrade,
  rawTx,
  selfCpi,
  text,
  token,
  u8,
  u16,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { MOONIT } from '../../../../test/support/programs.ts'
import { createCounts } from '../base/counts.ts'
import type { Key } from '../base/ids.ts'
import { type ChainEvent, LAUNCHPAD, QUOTE, type TradeEvent, VENUE } from '../model/events.ts'
import { MOONIT_TEXT, PUMP, PUMP_TEXT, USDC, WRAPPED_SOL } from '../model/programs.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'
import { createPoolBook } from './pools.ts'
import { decodeTransaction } from './transaction.ts'
import { createUnknownBook } from './unknown.ts'

/** Constant products of the two versions, in integers as the program computes them. */
const V1 = { base: 1_073_000_000_000_000_000n, quote: 30_000_000_000n }
const V2 = { base: 1_060_000_000_000_000_000n, quote: 14_000_000_000n }

interface Trade {
  amount: bigint
  paid: bigint
  /** tokens sold by the curve, after the trade */
  sold: bigint
  isBuy: boolean
  curve: Key
  collateral: Key
}

const tradeOn = ({ base, quote }: typeof V1, soldBefore: bigint, amount: bigint, isBuy = true): Trade => {
  const sold = isBuy ? soldBefore + amount : soldBefore - amount
  const product = base * quote
  const [before, after] = [product / (base - soldBefore), product / (base - sold)]
  const paid = isBuy ? after - before : before - after
  return { amount, paid, sold, isBuy, curve: WHO.curve, collateral: WRAPPED_SOL }
}

const payloadOf = ({ amount, paid, sold, isBuy, curve, collateral }: Trade): Buffer =>
  join(
    join(hex('bddb7fd34ee661ee'), u64(amount), u64(paid), u64(6_000), u64(4_000), u64(sold)),
    join(bytes(curve), bytes(collateral), bytes(WHO.user), u8(isBuy ? 0 : 1), text('trade')),
  )

const accounts = (mint: Key, curve: Key): Key[] => [
  ...[WHO.user, keyOf(51), curve, keyOf(52), keyOf(53), keyOf(54), mint],
  keyOf(55),
]
const DATA = { buy: join(BUY, Buffer.alloc(25)), sell: join(hex('33e685a4017f83ad'), Buffer.alloc(25)) }

const MINT_DATA = join(
  join(hex('032ca4b87b0df5b3'), text('Big\u200b Coin'), text('B\u202eIG'), text('https://example.org/x.json')),
  join(u8(9), u8(0), u64(1_000_000_000_000_000_000n), u8(1), u8(0), u8(0), u16(0)),
)
const mintAccounts = [WHO.user, keyOf(56), WHO.curve, WHO.mint, keyOf(57), keyOf(52), keyOf(55)]

type Called = readonly [accounts: readonly Key[], data: Buffer]

/** Outer calls of Moonit, each with an inner one, and a log with the events. */
function transaction(calls: readonly Called[], payloads: readonly Buffer[], more: Partial<RawTransaction> = {}) {
  const keys: Key[] = [WHO.user]
  const instructions = calls.map(([keysOfCall, data]) => instruction(keys, MOONIT, keysOfCall, data))
  const inner = calls.map((_, outer) => ({ outer, instructions: [instruction(keys, keyOf(99), [], u8(3))] }))
  const logs = payloads.flatMap((payload) => logOf([MOONIT_TEXT, payload]))
  return rawTx({ keys, instructions, inner, logs, ...more })
}

const trades = (events: readonly ChainEvent[]): TradeEvent[] => events.filter((event) => event.kind === 'trade')

describe('Moonit', () => {
  test('a buy on a constant product: amounts, fees on top, reserves after it', () => {
    const trade = tradeOn(V1, 200_000_000_000_000_000n, 5_000_000_000_000n)
    const { events, counts } = decode(transaction([[accounts(WHO.mint, WHO.curve), DATA.buy]], [payloadOf(trade)]))
    const [event] = trades(events)
    assert.deepEqual([...counts], [])
    assert.deepEqual(
      [event!.mint, event!.pool, event!.user, event!.isBuy, event!.venue, event!.quote, event!.decimals],
      [WHO.mint, WHO.curve, WHO.user, true, VENUE.moonit, QUOTE.SOL, 9],
    )
    assert.deepEqual(
      [event!.tokenAmount, event!.quoteAmount, event!.userQuote],
      [5_000_000_000_000, Number(trade.paid), Number(trade.paid) + 10_000],
    )
    const base = V1.base - trade.sold
    assert.deepEqual([event!.baseReserve, event!.quoteReserve], [Number(base), Number((V1.base * V1.quote) / base)])
  })

  test('a sale, and the second version', () => {
    const trade = tradeOn(V2, 300_000_000_000_000_000n, 7_000_000_000_000n, false)
    const { events } = decode(transaction([[accounts(WHO.mint, WHO.curve), DATA.sell]], [payloadOf(trade)]))
    const [event] = trades(events)
    assert.deepEqual([event!.isBuy, event!.userQuote], [false, Number(trade.paid) - 10_000])
    assert.equal(event!.baseReserve, Number(V2.base - trade.sold))
  })

  test('on another curve, the trade gives the mean price', () => {
    const flat = { ...tradeOn(V1, 0n, 2_000_000_000_000n), paid: 824_000n }
    const [event] = trades(decode(transaction([[accounts(WHO.mint, WHO.curve), DATA.buy]], [payloadOf(flat)])).events)
    const price = event!.quoteReserve / event!.baseReserve
    assert.ok(Math.abs(price / (824_000 / 2_000_000_000_000) - 1) < 1e-6, `${price}`)
  })

  test('a launch and the first buy, in one transaction', () => {
    const trade = tradeOn(V1, 0n, 9_000_000_000_000n)
    const calls: Called[] = [
      [mintAccounts, MINT_DATA],
      [accounts(WHO.mint, WHO.curve), DATA.buy],
    ]
    const { events, counts } = decode(transaction(calls, [payloadOf(trade)]))
    assert.deepEqual([...counts], [])
    const [create, buy] = events
    assert.ok(create?.kind === 'create' && buy?.kind === 'trade')
    assert.deepEqual(
      [create.mint, create.pool, create.user, create.creator, create.launchpad],
      [WHO.mint, WHO.curve, WHO.user, WHO.user, LAUNCHPAD.moonit],
    )
    assert.deepEqual(
      [create.name, create.symbol, create.uri, create.supply, create.decimals],
      ['Big Coin', 'BIG', 'https://example.org/x.json', 1e18, 9],
    )
    assert.deepEqual([create.outer, create.inner, buy.outer, buy.inner], [0, -1, 1, -1])
  })

  test('each event has the call that emitted it, beside events of other programs', () => {
    const [other, curve] = [keyOf(71), keyOf(72)]
    const first = tradeOn(V1, 0n, 1_000_000_000_000n)
    const second = { ...tradeOn(V2, 0n, 2_000_000_000_000n), curve }
    const tx = transaction(
      [
        [accounts(WHO.mint, WHO.curve), DATA.buy],
        [accounts(other, curve), DATA.buy],
      ],
      [],
    )
    const keys = [...tx.keys]
    const pumpCall = instruction(keys, PUMP, pumpBuyAccounts(keyOf(73), keyOf(74)), BUY)
    const pumpEvent = pumpTrade({ mint: keyOf(73) })
    const pumpInner: RawInstruction[] = [instruction(keys, PUMP, [], selfCpi(pumpEvent))]
    const { events } = decode({
      ...tx,
      keys,
      instructions: [...tx.instructions, pumpCall],
      inner: [...tx.inner!, { outer: 2, instructions: pumpInner }],
      logs: [
        ...logOf([MOONIT_TEXT, payloadOf(first)]),
        ...logOf([keyOf(99) as string, [MOONIT_TEXT, payloadOf(second)]]),
        ...logOf([PUMP_TEXT, pumpEvent]),
      ],
    })
    assert.deepEqual(
      trades(events)
        .sort((a, b) => a.outer - b.outer)
        .map(({ mint, outer, venue }) => [mint, outer, venue]),
      [
        [WHO.mint, 0, VENUE.moonit],
        [other, 1, VENUE.moonit],
        [keyOf(73), 2, VENUE.pump],
      ],
    )
  })

  test('the end of the curve: what its keeper takes makes nobody a holder', () => {
    const keeper = programKeyOf(61)
    const call: Called = [[keyOf(60), keeper, WHO.curve, keyOf(52), keyOf(62), WHO.mint], hex('2ae50ae7bd3ec1ae')]
    const payload = join(hex('ffca4c935be74916'), ...[1, 2, 3, 4].map(u64), text('migrate'))
    const tx = transaction([call], [payload])
    const held = [token(tx.keys.indexOf(keyOf(62)), WHO.mint, keeper, 200_000_000, 9)]
    const { events, counts } = decode({ ...tx, postTokens: held })
    assert.deepEqual(
      events.map(({ kind, mint }) => [kind, mint]),
      [['complete', WHO.mint]],
    )
    assert.deepEqual([...counts.keys()], ['not_needed:moonit.MigrationEvent'])
  })

  test('from a log alone, the token is the one that the curve is known for', () => {
    const trade = tradeOn(V1, 0n, 1_000_000_000_000n)
    const tx = rawTx({ logs: logOf([MOONIT_TEXT, payloadOf(trade)]) })
    const through = (known: boolean): ChainEvent[] => {
      const events: ChainEvent[] = []
      const pools = createPoolBook((pool) =>
        known && pool === WHO.curve ? { mint: WHO.mint, decimals: 9, quote: QUOTE.SOL } : undefined,
      )
      decodeTransaction(tx, 0, events, createCounts(), pools)
      return events
    }
    assert.deepEqual(
      [true, false].map((known) => trades(through(known)).map(({ mint }) => mint)),
      [[WHO.mint], []],
    )
  })

  test('what does not fit is refused by name', () => {
    const good = tradeOn(V1, 0n, 1_000_000_000_000n)
    const refused = (trade: Partial<Trade>, calls: readonly Called[] = [[accounts(WHO.mint, WHO.curve), DATA.buy]]) => {
      const { events, counts } = decode(transaction(calls, [payloadOf({ ...good, ...trade })]))
      assert.deepEqual(events, [])
      return [...counts.keys()]
    }
    assert.deepEqual(refused({ curve: keyOf(80) }), ['no_instruction:moonit.TradeEvent'])
    assert.deepEqual(refused({ collateral: USDC }), ['other_quote:moonit.TradeEvent'])
    assert.deepEqual(refused({ amount: 0n }), ['zero_amount:moonit.TradeEvent'])
    const cut = decode(transaction([[mintAccounts, MINT_DATA.subarray(0, 20)]], []))
    assert.deepEqual([cut.events, [...cut.counts.keys()]], [[], ['guard:moonit.tokenMint']])
    const log = transaction([[accounts(WHO.mint, WHO.curve), DATA.buy]], [payloadOf(good)])
    const broken = decode({ ...log, logs: ['Log truncated', ...log.logs!] })
    assert.deepEqual([broken.events, [...broken.counts.keys()]], [[], ['log_truncated']])
  })

  test('nothing of its interface is unknown, and the rest is noticed', () => {
    const book = createUnknownBook()
    book.begin(1, 1)
    const through = (payload: Buffer, data: Buffer): void => {
      const tx = transaction([[accounts(WHO.mint, WHO.curve), data]], [payload])
      decodeTransaction(tx, 0, [], createCounts(), createPoolBook(), book)
    }
    const good = payloadOf(tradeOn(V1, 0n, 1_000_000_000_000n))
    through(good, DATA.buy)
    assert.deepEqual(book.kinds(), [])
    through(join(good, u64(1)), DATA.buy)
    through(good, hex('0011223344556677'))
    assert.deepEqual(
      book
        .kinds()
        .map(({ what, why }) => `${what} ${why}`)
        .sort(),
      ['event length', 'instruction unknown'],
    )
  })
})
