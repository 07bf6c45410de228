import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { base58DecodeBytes, key } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { keyAt, ZERO_KEY } from '@ti/core/base/ids.ts'
import { createPoolBook, pairFacts } from '@ti/core/decode/pools.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import { type ChainEvent, LAUNCHPAD, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { PUMP_TEXT, PUMPSWAP_TEXT, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import { logOf, rawTx, sigOf, WHO } from '../../support/encode.ts'
import { foldEntries, foldMaterial } from './fold.ts'
import { NO_DATA, parseCsv, readData } from './idl.ts'
import { createEncoder } from './idl-encode.ts'

const json = (name: string) => JSON.parse(readData(`real2/transactions/${name}.json`))
const PROGRAM: Readonly<Record<string, string>> = { pump: PUMP_TEXT, pump_amm: PUMPSWAP_TEXT }

/** Decodes log lines of one program; its pools are those of `mint` and SOL. */
function decodeLog(program: string, payloads: readonly Buffer[]): ChainEvent[] {
  const events: ChainEvent[] = []
  const pools = createPoolBook()
  for (const payload of payloads)
    if (program === 'pump_amm' && payload.length >= 312)
      pools.set(
        keyAt(payload, 120),
        pairFacts(WHO.mint, WRAPPED_SOL, () => 6),
      )
  decodeTransaction(rawTx({ logs: logOf([PROGRAM[program]!, ...payloads]) }), 0, events, createCounts(), pools)
  return events
}

const rows = NO_DATA ? [] : parseCsv(readData('real2/events.csv'))
const payloadOf = (id: string): Buffer => Buffer.from(rows.find((row) => row.id === id)!.payload_base64!, 'base64')
function tradeOf(id: string): TradeEvent {
  const [event] = decodeLog(rows.find((row) => row.id === id)!.program!, [payloadOf(id)])
  assert.ok(event?.kind === 'trade', id)
  return event
}

describe('payloads of 2025 and 2026', { skip: NO_DATA }, () => {
  test('312 bytes, before coins had creators', () => {
    const buy = tradeOf('buy-304-old')
    assert.deepEqual(
      [buy.quoteAmount, buy.userQuote, buy.creator, buy.supply],
      [1_677_824_553, 1_682_019_116, null, -1],
    )
    assert.equal(buy.quoteReserve, 310_993_746_157 + 1_677_824_553 + 3_355_650)
    const sell = tradeOf('sell-304-old')
    assert.deepEqual([sell.isBuy, sell.quoteAmount, sell.userQuote], [false, 20_908_311, 20_856_039])
  })

  test('an exact-quote buy: its two sums are the other way round', () => {
    const buy = tradeOf('buy-480-exact')
    assert.deepEqual([buy.quoteAmount, buy.userQuote], [986_666_666, 999_000_000])
    assert.equal(buy.quoteReserve, 67_405_853_790 + 986_666_666 + 197_334 + 17_584_505_294)
    const plain = tradeOf('buy-489')
    assert.deepEqual([plain.quoteAmount, plain.userQuote], [806_976_961, 809_397_893])
  })

  test('of an instruction that is not known the sums themselves decide', () => {
    const renamed = Buffer.from(payloadOf('buy-480-exact'))
    renamed.write('multi_hop_swap_abc', 405, 'latin1')
    const [buy] = decodeLog('pump_amm', [renamed])
    assert.ok(buy?.kind === 'trade')
    assert.deepEqual([buy.quoteAmount, buy.userQuote], [986_666_666, 999_000_000])
  })

  test('every swap fits the constant product of the reserves it states', () => {
    for (const { id, program } of rows) {
      if (program !== 'pump_amm' || !/^(buy|sell)/.test(id!)) continue
      const payload = payloadOf(id!)
      const trade = tradeOf(id!)
      const lpFee = payload.readBigUInt64LE(80)
      const [pool, base] = [payload.readBigUInt64LE(48), BigInt(trade.tokenAmount)]
      const sign = trade.isBuy ? 1n : -1n
      const reserve = BigInt(trade.quoteReserve) - lpFee - sign * BigInt(trade.quoteAmount)
      const ideal = (reserve * base) / (pool - sign * base)
      const off = BigInt(trade.quoteAmount) - ideal
      assert.ok(off >= 0n && off <= 2n, `${id}: ${off}`)
    }
  })

  test("the boost's buy moves the price and leaves its vault nothing, in a log too", () => {
    const events = decodeLog('pump_amm', [payloadOf('buy-504-boost')])
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['trade', 'balance', 'balance'],
    )
    const [buy, , left] = events
    assert.ok(buy?.kind === 'trade' && left?.kind === 'balance')
    assert.ok(buy.hop, 'nobody bought')
    assert.deepEqual([left.owner, left.after - left.before, left.mint], [ZERO_KEY, buy.tokenAmount, buy.mint])
    assert.equal(buy.supply, 1e15 - buy.tokenAmount, 'the supply it states is the one after burning')
    // the next swap of this pool states the reserves that it left
    const next = payloadOf('sell-441-v2')
    const v = next.readBigUInt64LE(392)
    assert.equal(BigInt(buy.quoteReserve), next.readBigUInt64LE(56) + v)
    const folded = foldEntries([{ kind: 'block', slot: 5, parent: 4, time: 1, events }])
    assert.deepEqual([folded.snapshot(WHO.mint).holders!.count, folded.engine.counts.size], [0, 0])
    const { burned, programs, outstanding } = folded.engine.tokens.peek(WHO.mint)!.token
    assert.deepEqual([burned, programs, outstanding], [buy.tokenAmount, 0, buy.tokenAmount])
  })

  test('a boost as a whole transaction', () => {
    const tx = json('boost_buy_and_burn')
    const transaction = { message: { accountKeys: tx.accountKeys, instructions: [] }, signatures: [tx.signature] }
    const meta = { ...tx.meta, preBalances: [], postBalances: [] }
    return foldMaterial([{ slot: tx.slot, blockTime: tx.blockTime, version: 0, transaction, meta }]).then((folded) => {
      const trades = folded.events.filter((event) => event.kind === 'trade')
      assert.equal(trades.length, 1)
      const mint = key('H4QJXCBTs7UaqXaw2DJ3kDcmCuunV6TeEFHJ1apSpump')
      assert.equal(trades[0]!.mint, mint)
      const { market, holders, status } = folded.snapshot(mint)
      assert.deepEqual([holders!.count, status!.has_migrated, status!.migrated_at], [0, true, null])
      assert.ok((market!.mcap as number) > 0)
      assert.deepEqual(folded.told(), [], 'a graduation of unknown date is not announced')
    })
  })

  test('what is bought of the pool to come, inside the completing transaction', () => {
    const { txs } = json('completing_txs_20261009.part') as { txs: { program_data_lines: string[]; mint: string }[] }
    let rest = 0
    for (const { program_data_lines, mint } of txs) {
      const payloads = program_data_lines.map((line) => Buffer.from(line.replace('Program data: ', ''), 'base64'))
      const trades = decodeLog('pump', payloads).filter((event) => event.kind === 'trade')
      assert.ok(trades.every((trade) => trade.mint === key(mint)))
      const [completing, more] = trades
      assert.equal(completing!.realToken, 0)
      const post = payloads.find((payload) => payload.readBigUInt64BE(0) === 0x6fb06d8b316cd5fbn)
      assert.equal(more === undefined, post === undefined)
      if (more === undefined) continue
      rest++
      assert.deepEqual([more.user, more.isBuy, more.venue], [completing!.user, true, VENUE.pump])
      // reserves before are those the pool opens with: what the curve raised, less the migration's fee
      const [base, quote] = [more.baseReserve + more.tokenAmount, more.quoteReserve - more.quoteAmount]
      assert.equal(base, 206_900_000_000_000)
      assert.equal(quote, Number(payloads[0]!.readBigUInt64LE(113)) - 15_000_001)
      const ideal = (BigInt(quote) * BigInt(more.tokenAmount)) / BigInt(more.baseReserve)
      // tokens are rounded down, so up to one unit more was paid than they cost
      const off = BigInt(more.quoteAmount) - ideal
      assert.ok(off >= 0n && off <= 2n, `${off}`)
      const bps = (amount: number, n: number) => Math.ceil((amount * n) / 10_000)
      assert.equal(more.userQuote - more.quoteAmount, bps(more.quoteAmount, 95) + bps(more.quoteAmount, 30))
    }
    assert.equal(rest, 3)
  })
})

describe('the exact-quote example, from the event to the answers', { skip: NO_DATA }, () => {
  const [NET, LP, PROTOCOL, CREATOR, SPENT] = [202_732, 406, 102, 1_724, 204_964]
  const POOL = { base: 206_900_000_000_000, quote: 84_990_359_056 }
  const encode = createEncoder('npm_pump-swap-sdk-1.20.0_pump_amm.json')
  const at = { pool: WHO.pool, user: WHO.user, user_base_token_account: WHO.other, base_supply: 10n ** 15n }
  const bought = 493_000_000

  test('cost, market cap and profit', () => {
    const buy = encode('BuyEvent', {
      ...at,
      base_amount_out: bought,
      pool_base_token_reserves: POOL.base,
      pool_quote_token_reserves: POOL.quote,
      quote_amount_in: SPENT,
      lp_fee: LP,
      protocol_fee: PROTOCOL,
      coin_creator_fee: CREATOR,
      quote_amount_in_with_lp_fee: NET + LP,
      user_quote_amount_in: NET,
      ix_name: 'buy_exact_quote_in',
    })
    const sell = encode('SellEvent', {
      ...at,
      base_amount_in: bought,
      pool_base_token_reserves: POOL.base - bought,
      pool_quote_token_reserves: POOL.quote + NET + LP,
      quote_amount_out: 202_500,
      lp_fee: 405,
      user_quote_amount_out: 200_000,
    })
    const price = { kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] } as const
    const block = (slot: number, payload: Buffer) => {
      const events = decodeLog('pump_amm', [payload]).map((event) => ({ ...event, sig: sigOf(slot) }))
      return { kind: 'block', slot, parent: slot - 1, time: slot, events } as const
    }
    const open = foldEntries([price, block(10, buy)])
    const [trade] = open.events
    assert.ok(trade?.kind === 'trade')
    assert.equal(NET + LP + PROTOCOL + CREATOR, SPENT)
    assert.deepEqual([trade.quoteAmount, trade.userQuote], [NET, SPENT])
    assert.equal(trade.quoteReserve - POOL.quote, 203_138, 'what the vault grew by')
    assert.equal(open.trader(WHO.user).total_buys_sol, SPENT / 1e9)
    assert.equal(
      open.snapshot(WHO.mint).market!.mcap,
      Math.floor((((POOL.quote + NET + LP) / (POOL.base - bought)) * 1e15 * 150) / 1e9),
    )
    const closed = foldEntries([price, block(10, buy), block(12, sell)])
    assert.equal(closed.trader(WHO.user).pnl_sol, (200_000 - SPENT) / 1e9)
    assert.equal(closed.trader(WHO.user).win_rate, 0)
  })
})

describe('a graduation in two transactions', { skip: NO_DATA }, () => {
  const MINT = key('36tgp72XmYWGk7btzSyQqrMChTeM6xRFBA94qgampump')

  test('created, bought whole and completed; migrated in the next transaction', async () => {
    const folded = await foldMaterial([json('completing_tx_sep20'), json('migrate_tx_sep20')])
    const kinds = folded.events.filter(({ mint }) => mint === MINT).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['create', 'trade', 'complete', 'pool', 'liquidity', 'migrate'])
    const [, trade] = folded.events
    assert.ok(trade?.kind === 'trade')
    assert.deepEqual([trade.quoteAmount, trade.tokenAmount, trade.realToken], [85_005_359_057, 793_100_000_000_000, 0])
    const { status, holders, market } = folded.snapshot(MINT)
    assert.equal(status!.has_migrated, true)
    assert.equal(holders!.count, 1, 'neither the curve, nor the pool, nor who migrated holds')
    assert.equal(holders!.top_10_pct, 79.31)
    assert.equal(market!.mcap, Math.floor(((115_005_359_057 / 279_900_000_000_000) * 1e15 * 150) / 1e9))
    const told = folded.told().map(({ type, data }) => [type, data.mint])
    assert.ok(
      told.some(([type, mint]) => type === 'token_graduated' && mint === folded.snapshot(MINT).meta!.mint),
      JSON.stringify(told),
    )
  })

  test('the migration alone begins to track the token', async () => {
    const folded = await foldMaterial([json('migrate_tx_sep20')])
    const token = folded.engine.tokens.peek(MINT)!.token
    assert.deepEqual([token.launchpad, token.supply, token.createdKnown], [LAUNCHPAD.pumpfun, 1e15, false])
    const { status, market } = folded.snapshot(MINT)
    assert.equal(status!.has_migrated, true)
    assert.equal(market!.mcap, Math.floor(((84_990_359_056 / 206_900_000_000_000) * 1e15 * 150) / 1e9))
    assert.deepEqual(
      folded.told().map(({ type }) => type),
      ['token_graduated'],
    )
  })
})

describe('whole transactions', { skip: NO_DATA }, () => {
  test('a sell on the curve and one of SOL in a reversed pool, as blockSubscribe gives them', async () => {
    const { pump, pamm } = json('block-cpi')
    for (const [one, venue, isBuy] of [
      [pump, VENUE.pump, false],
      [pamm, VENUE.pumpswap, true],
    ]) {
      const folded = await foldMaterial([{ slot: Number(one.slot), blockTime: 1_788_000_000, ...one.tx }])
      const trades = folded.events.filter((event) => event.kind === 'trade')
      const [trade] = trades
      assert.ok(trade !== undefined && trades.length === 1)
      assert.deepEqual([trade.venue, trade.isBuy], [venue, isBuy])
      // the token program moved exactly what the trade says: TransferChecked is 12, the amount, the decimals
      const inner = one.tx.meta.innerInstructions as { instructions: { data: string }[] }[]
      const moved = inner
        .flatMap(({ instructions }) => instructions.map(({ data }) => base58DecodeBytes(data, 4_096)!))
        .filter((data) => data.length === 10 && data[0] === 12)
        .map((data) => Number(data.readBigUInt64LE(1)))
      assert.ok(moved.includes(trade.tokenAmount), `${moved}`)
      const { market, status, meta } = folded.snapshot(trade.mint)
      // nobody says how many tokens there are of a mint that is only known by a pool of its own
      assert.deepEqual(
        [(market!.mcap as number) > 0, status!.has_migrated, meta!.launchpad],
        venue === VENUE.pump ? [true, false, 'pumpfun'] : [false, false, null],
      )
    }
  })

  test('an ordinary buy of 489 bytes; its pool is found by the balances', async () => {
    const tx = json('buy_v1_481_wsol')
    const transaction = { message: { accountKeys: tx.accountKeys, instructions: [] }, signatures: [tx.signature] }
    const meta = { ...tx.meta, preBalances: [], postBalances: [] }
    const folded = await foldMaterial([
      { slot: tx.slot, blockTime: tx.blockTime, version: 'legacy', transaction, meta },
    ])
    const trades = folded.events.filter((event) => event.kind === 'trade')
    assert.deepEqual(
      trades.map(({ mint, userQuote }) => [mint, userQuote]),
      [[key('AWof251XpdZS4kq8TKeQmUNtFiCcW8Jy7DgPPau3pump'), 809_397_893]],
    )
  })
})
