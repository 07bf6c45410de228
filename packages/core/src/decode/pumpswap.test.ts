import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bytes,
  decode,
  hex,
  i128,
  instruction,
  join,
  keyOf,
  rawTx,
  selfCpi,
  text,
  token,
  u8,
  u16,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { createCounts } from '../base/counts.ts'
import type { Key } from '../base/ids.ts'
import { type ChainEvent, QUOTE, VENUE } from '../model/events.ts'
import { PUMPSWAP, USD1, USDC, WRAPPED_SOL } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { createPoolBook } from './pools.ts'
import { decodeTransaction } from './transaction.ts'

const POOL_BASE = 200_000_000_000_000
const POOL_QUOTE = 80_000_000_000
const VIRTUAL = 17_000_000_000n

interface SwapFields {
  buy: boolean
  base: number | bigint
  quote: number
  virtual: bigint
  name: string
  creator: Key
}

function swap(fields: Partial<SwapFields> = {}): Buffer {
  const f = {
    buy: true,
    base: 1_000_000_000_000,
    quote: 500_000_000,
    virtual: VIRTUAL,
    name: 'buy',
    creator: WHO.creator,
    ...fields,
  }
  const user = f.buy ? f.quote + 6_000_000 : f.quote - 6_000_000
  const amounts = join(
    u64(1_700_000_000),
    u64(f.base),
    u64(0),
    u64(1),
    u64(2),
    u64(POOL_BASE),
    u64(POOL_QUOTE),
    u64(f.quote),
  )
  const fees = join(u64(20), u64(1_000_000), u64(5), u64(2_000_000), u64(f.quote), u64(user))
  const keys = join(bytes(WHO.pool), bytes(WHO.user), ...[11, 12, 13, 14].map((n) => bytes(keyOf(n))), bytes(f.creator))
  const volume = f.buy ? join(u8(1), u64(0), u64(0), u64(0), u64(0), u64(0), text(f.name)) : Buffer.alloc(0)
  const tail = join(volume, u64(0), u64(0), u64(5_000), u64(0), i128(f.virtual), u8(1), u64(999_000_000_000_000))
  return join(hex(f.buy ? '67f4521f2cf57777' : '3e2f370aa503dc2a'), amounts, fees, keys, u64(5), u64(3_000_000), tail)
}

const SWAP_CALL = { true: hex('66063d1201daebea'), false: hex('33e685a4017f83ad') }

function swapTx(
  payload: Buffer,
  base: Key = WHO.mint,
  quote: Key = WRAPPED_SOL,
  fields: Partial<RawTransaction> = {},
): RawTransaction {
  const keys: Key[] = [keyOf(90), WHO.user]
  const accounts = [WHO.pool, WHO.user, keyOf(91), base, quote]
  const outer = instruction(keys, PUMPSWAP, accounts, SWAP_CALL[payload[0] === 0x67 ? 'true' : 'false'])
  const event = instruction(keys, PUMPSWAP, [], selfCpi(payload))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [event] }], ...fields })
}

/** The same without a known call, so only the pool's token accounts reveal the pair. */
function unnamedTx(payload: Buffer, preTokens: RawTransaction['preTokens']): RawTransaction {
  const tx = swapTx(payload)
  return { ...tx, instructions: [{ ...tx.instructions[0]!, data: Buffer.alloc(8) }], preTokens, postTokens: preTokens }
}

function skipped(tx: RawTransaction, reason: string): void {
  const { events, counts } = decode(tx)
  assert.deepEqual(
    events.filter((event) => event.kind !== 'balance'),
    [],
  )
  assert.deepEqual([...counts], [[reason, 1]])
}

describe('PumpSwap trades', () => {
  test('a buy: reserves after the trade, virtual quote included', () => {
    const { events, counts } = decode(
      swapTx(swap(), WHO.mint, WRAPPED_SOL, { preBalances: [1, 9e9], postBalances: [1, 8e9] }),
    )
    assert.deepEqual([...counts], [])
    assert.deepEqual(events, [
      {
        kind: 'trade',
        sig: rawTx().signature,
        txIndex: 3,
        outer: 0,
        inner: 0,
        venue: VENUE.pumpswap,
        mint: WHO.mint,
        pool: WHO.pool,
        user: WHO.user,
        isBuy: true,
        quote: QUOTE.SOL,
        quoteAmount: 500_000_000,
        userQuote: 506_000_000,
        tokenAmount: 1_000_000_000_000,
        quoteReserve: POOL_QUOTE + 500_000_000 + 1_000_000 + Number(VIRTUAL),
        baseReserve: POOL_BASE - 1_000_000_000_000,
        quoteBefore: POOL_QUOTE,
        realToken: -1,
        supply: 999_000_000_000_000,
        decimals: 6,
        creator: WHO.creator,
        mayhem: false,
        payer: keyOf(90),
        tipper: null,
        solBefore: 9e9,
        solAfter: 8e9,
        hop: false,
        account: -1,
        held: 0,
      },
    ])
  })

  test('a sell of 417 bytes and one of 360', () => {
    const payload = swap({ buy: false })
    assert.equal(payload.length, 417)
    const [full] = decode(swapTx(payload)).events
    assert.ok(full?.kind === 'trade' && !full.isBuy)
    assert.equal(full.userQuote, 494_000_000)
    assert.equal(full.quoteReserve, POOL_QUOTE - 500_000_000 + 1_000_000 + Number(VIRTUAL))
    assert.equal(full.baseReserve, POOL_BASE + 1_000_000_000_000)
    const [short] = decode(swapTx(payload.subarray(0, 360))).events
    assert.ok(short?.kind === 'trade')
    assert.equal(short.quoteReserve, full.quoteReserve - Number(VIRTUAL))
    assert.equal(short.supply, -1)
  })

  test('a buy of 360 bytes has no virtual quote, a negative one is subtracted', () => {
    assert.equal(swap().length, 465)
    const [short] = decode(swapTx(swap().subarray(0, 360))).events
    assert.ok(short?.kind === 'trade')
    assert.equal(short.quoteReserve, POOL_QUOTE + 501_000_000)
    const [negative] = decode(swapTx(swap({ virtual: -1_000n }))).events
    assert.ok(negative?.kind === 'trade')
    assert.equal(negative.quoteReserve, POOL_QUOTE + 501_000_000 - 1_000)
  })

  test('a pool without a creator', () => {
    const [trade] = decode(swapTx(swap({ creator: Buffer.alloc(32).toString('latin1') as Key }))).events
    assert.ok(trade?.kind === 'trade' && trade.creator === null)
  })

  test('a pool with wrapped SOL as its base: who buys the SOL sells the token', () => {
    const bought = decode(swapTx(swap({ base: 4_000, quote: 700_000 }), WRAPPED_SOL, WHO.mint)).events[0]
    assert.ok(bought?.kind === 'trade')
    assert.equal(bought.mint, WHO.mint)
    assert.deepEqual(
      [bought.isBuy, bought.quote, bought.quoteAmount, bought.userQuote, bought.tokenAmount],
      [false, QUOTE.SOL, 4_000, 4_000, 700_000 + 6_000_000],
    )
    assert.deepEqual([bought.quoteReserve, bought.quoteBefore], [POOL_BASE - 4_000, POOL_BASE])
    assert.equal(bought.baseReserve, POOL_QUOTE + 700_000 + 1_000_000 + Number(VIRTUAL))
    assert.deepEqual(
      [bought.supply, bought.creator],
      [-1, null],
      'they are those of the base, and of who opened the pool',
    )
    const sold = decode(swapTx(swap({ buy: false, base: 4_000, quote: 7_000_000 }), WRAPPED_SOL, WHO.mint)).events[0]
    assert.ok(sold?.kind === 'trade' && sold.isBuy)
    assert.deepEqual([sold.userQuote, sold.tokenAmount], [4_000, 7_000_000 - 6_000_000])
  })

  test('pairs of two quote assets are skipped', () => {
    skipped(swapTx(swap(), USDC, WRAPPED_SOL), 'no_token:pump_amm.BuyEvent')
    skipped(swapTx(swap(), USD1, USDC), 'no_token:pump_amm.BuyEvent')
  })

  test('of a pair without one the base is the token, and the other its quote', () => {
    const [event] = decode(swapTx(swap(), WHO.mint, keyOf(77))).events
    assert.ok(event?.kind === 'trade')
    assert.deepEqual([event.mint, event.quote, event.asset], [WHO.mint, QUOTE.other, { mint: keyOf(77), decimals: -1 }])
    const [bought] = decode(swapTx(swap({ buy: false, base: 4_000, quote: 7_000_000 }), USD1, WHO.mint)).events
    assert.ok(bought?.kind === 'trade')
    assert.deepEqual([bought.mint, bought.quote, bought.isBuy], [WHO.mint, QUOTE.USD1, true])
  })

  test('what the call says of a pool wins over what the state has of its token', () => {
    const pools = createPoolBook(() => ({ mint: WHO.mint, quote: QUOTE.SOL, decimals: 6 }))
    const events: ChainEvent[] = []
    decodeTransaction(swapTx(swap(), WHO.mint, keyOf(77)), 0, events, createCounts(), pools)
    // a graduation known to the state is not reported again
    assert.deepEqual(
      events.map((event) => (event.kind === 'trade' ? event.quote : event.kind)),
      [QUOTE.other],
    )
  })

  test('short, drained, too large, lying name', () => {
    skipped(swapTx(swap().subarray(0, 311)), 'too_short:pump_amm.BuyEvent')
    skipped(swapTx(swap({ base: POOL_BASE })), 'zero_reserve:pump_amm.BuyEvent')
    skipped(swapTx(swap({ base: 2n ** 60n })), 'zero_reserve:pump_amm.BuyEvent')
    const lying = swap()
    lying.writeUInt32LE(1_000, 401)
    const { events, counts } = decode(swapTx(lying))
    assert.equal(events.length, 1)
    assert.deepEqual([...counts], [['guard:pump_amm.BuyEvent', 1]])
  })
})

describe('pool to mint', () => {
  const accounts = [token(5, WHO.mint, WHO.pool, POOL_BASE, 9), token(6, WRAPPED_SOL, WHO.pool, POOL_QUOTE, 9)]

  test('from the token accounts that hold exactly the stated reserves', () => {
    const planted = [token(4, keyOf(66), WHO.pool, 1), ...accounts]
    const [trade] = decode(unnamedTx(swap(), planted)).events
    assert.ok(trade?.kind === 'trade')
    assert.equal(trade.mint, WHO.mint)
    assert.equal(trade.decimals, 9)
  })

  test('two accounts with the same amount are no answer, nor is none', () => {
    skipped(
      unnamedTx(swap(), [token(4, keyOf(66), WHO.pool, POOL_BASE), ...accounts]),
      'pool_unknown:pump_amm.BuyEvent',
    )
    skipped(unnamedTx(swap(), []), 'pool_unknown:pump_amm.BuyEvent')
  })

  test('from CreatePool before, and from the resolver last', () => {
    const pools = createPoolBook((pool) =>
      pool === WHO.pool ? { mint: keyOf(70), quote: QUOTE.USDC, decimals: 8 } : undefined,
    )
    const create = (base: Key): Buffer =>
      join(
        join(
          hex('b1310cd2a076a774'),
          u64(0),
          u16(0),
          bytes(WHO.creator),
          bytes(base),
          bytes(WRAPPED_SOL),
          u8(5),
          u8(9),
        ),
        join(...[1, 2, 3, 4, 5, 6, 7].map(u64), u8(255), bytes(WHO.pool), bytes(keyOf(80))),
      )
    const events: ChainEvent[] = []
    const counts = createCounts()
    decodeTransaction(unnamedTx(swap(), []), 0, events, counts, pools)
    assert.ok(events[0]?.kind === 'trade' && events[0].mint === keyOf(70) && events[0].quote === QUOTE.USDC)
    decodeTransaction(unnamedTx(create(WHO.mint), []), 1, events, counts, pools)
    assert.deepEqual(
      { ...events[1], sig: '' },
      {
        kind: 'pool',
        sig: '',
        txIndex: 1,
        outer: 0,
        inner: 0,
        mint: WHO.mint,
        pool: WHO.pool,
        quote: QUOTE.SOL,
        decimals: 5,
      },
    )
    decodeTransaction(unnamedTx(swap(), []), 2, events, counts, pools)
    assert.ok(events[2]?.kind === 'liquidity' && events[2].mint === WHO.mint)
    assert.ok(events[3]?.kind === 'trade' && events[3].mint === WHO.mint && events[3].decimals === 5)
    skipped(swapTx(create(WRAPPED_SOL)), 'no_token:pump_amm.CreatePoolEvent')
    skipped(swapTx(create(WHO.mint).subarray(0, 236)), 'too_short:pump_amm.CreatePoolEvent')
  })

  test('the book forgets the oldest pools, not the recent ones', () => {
    const pools = createPoolBook(undefined, 10)
    for (let n = 0; n < 100; n++)
      pools.set(keyOf(n), { mint: keyOf(n), quote: 0, decimals: 6, reversed: false, skip: null })
    assert.equal(pools.get(keyOf(1)), undefined)
    assert.equal(pools.get(keyOf(99))?.mint, keyOf(99))
  })
})
