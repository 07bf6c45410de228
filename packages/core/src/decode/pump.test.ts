import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bytes,
  decode,
  hex,
  join,
  keyOf,
  pumpTrade,
  pumpTx,
  text,
  u8,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import { ZERO_KEY } from '../base/ids.ts'
import type { ChainEvent, CreateEvent, TradeEvent } from '../model/events.ts'
import { LAUNCHPAD, QUOTE, VENUE } from '../model/events.ts'
import { USDC, WRAPPED_SOL } from '../model/programs.ts'

function one<K extends ChainEvent['kind']>(payload: Buffer, kind: K): Extract<ChainEvent, { kind: K }> {
  const { events } = decode(pumpTx([payload]))
  assert.equal(events.length, 1)
  assert.equal(events[0]!.kind, kind)
  return events[0] as Extract<ChainEvent, { kind: K }>
}

const trade = (payload: Buffer): TradeEvent => one(payload, 'trade')

function skipped(payload: Buffer, reason: string): void {
  const { events, counts } = decode(pumpTx([payload]))
  assert.deepEqual(events, [])
  assert.deepEqual([...counts], [[reason, 1]])
}

describe('pump TradeEvent', () => {
  test('every field of the 2026 layout', () => {
    assert.deepEqual(trade(pumpTrade()), {
      kind: 'trade',
      sig: pumpTx([]).signature,
      txIndex: 3,
      outer: 0,
      inner: 0,
      venue: VENUE.pump,
      mint: WHO.mint,
      pool: WHO.curve,
      user: WHO.user,
      isBuy: true,
      quote: QUOTE.SOL,
      quoteAmount: 1_000_000_000,
      userQuote: 1_012_500_000,
      tokenAmount: 34_612_903_225_806,
      quoteReserve: 31_000_000_000,
      baseReserve: 1_038_387_096_774_194,
      quoteBefore: -1,
      realToken: 758_487_096_774_194,
      supply: -1,
      decimals: 6,
      creator: WHO.creator,
      mayhem: false,
      payer: WHO.user,
      tipper: null,
      solBefore: -1,
      solAfter: -1,
      hop: false,
      account: -1,
      held: 0,
    })
  })

  test('trap 3: a short old payload reads what it has', () => {
    const oldest = trade(pumpTrade({}, 2024))
    assert.equal(pumpTrade({}, 2024).length, 129)
    assert.equal(oldest.creator, null)
    assert.equal(oldest.userQuote, 1_000_000_000)
    const older = trade(pumpTrade({}, 2025))
    assert.equal(pumpTrade({}, 2025).length, 225)
    assert.equal(older.creator, WHO.creator)
    assert.equal(older.userQuote, 1_012_500_000)
  })

  test('trap 3: the chain is ahead of the interface, unknown tail bytes are normal', () => {
    assert.deepEqual(trade(join(pumpTrade(), Buffer.alloc(500, 7))), trade(pumpTrade()))
  })

  test('a seller receives the amount less fees; cashback leaves the wallet too', () => {
    assert.equal(trade(pumpTrade({ buy: false, name: 'sell' })).userQuote, 987_500_000)
    assert.equal(trade(pumpTrade({ creatorFee: 0, cashback: 3_000_000 })).userQuote, 1_012_500_000)
    assert.equal(trade(pumpTrade({ buy: false, sol: 5 })).userQuote, 0)
  })

  test('trap 1: a USDC curve is read from its quote fields', () => {
    const usdc = trade(
      pumpTrade({
        sol: 0,
        virtualSol: 0,
        quoteMint: USDC,
        quoteAmount: 3_500_000,
        virtualQuote: 9_800_000_000,
        fee: 0,
        creatorFee: 0,
      }),
    )
    assert.equal(usdc.quote, QUOTE.USDC)
    assert.equal(usdc.quoteAmount, 3_500_000)
    assert.equal(usdc.userQuote, 3_500_000)
    assert.equal(usdc.quoteReserve, 9_800_000_000)
  })

  test('wrapped SOL as quote mint is SOL, from the quote fields', () => {
    const wrapped = trade(pumpTrade({ sol: 0, quoteMint: WRAPPED_SOL, quoteAmount: 42 }))
    assert.equal(wrapped.quote, QUOTE.SOL)
    assert.equal(wrapped.quoteAmount, 42)
  })

  test('shareholders move the quote fields', () => {
    const shared = trade(pumpTrade({ shareholders: 3, quoteMint: USDC, quoteAmount: 77, fee: 0, creatorFee: 0 }))
    assert.equal(shared.quoteAmount, 77)
  })

  test('another quote is named, with decimals that nothing here tells', () => {
    const trade = one(pumpTrade({ quoteMint: keyOf(9) }), 'trade')
    assert.equal(trade.quote, QUOTE.other)
    assert.deepEqual(trade.asset, { mint: keyOf(9), decimals: -1 })
  })

  test('shorter than any layout is counted', () => {
    skipped(pumpTrade({}, 2024).subarray(0, 128), 'too_short:pump.TradeEvent')
    skipped(pumpTrade({ quoteMint: USDC }).subarray(0, pumpTrade().length - 20), 'too_short:pump.TradeEvent')
  })

  test('a name or a list that cannot be true leaves the first 129 bytes', () => {
    const long = pumpTrade()
    long.writeUInt32LE(65, 258)
    const crowded = pumpTrade()
    crowded.writeUInt32LE(0xffff_ffff, 262 + 3 + 33)
    for (const payload of [long, crowded]) {
      const { events, counts } = decode(pumpTx([payload]))
      assert.deepEqual(events, [trade(pumpTrade({}, 2024))])
      assert.deepEqual([...counts], [['guard:pump.TradeEvent', 1]])
    }
  })

  test('an amount above 2^53 is the nearest number', () => {
    assert.equal(trade(pumpTrade({ tokens: 2n ** 53n - 1n })).tokenAmount, Number.MAX_SAFE_INTEGER)
    assert.equal(trade(pumpTrade({ tokens: 10n ** 18n + 129n })).tokenAmount, Number(10n ** 18n + 129n))
    assert.equal(trade(pumpTrade({ virtualToken: 2n ** 64n - 1n })).baseReserve, 2 ** 64)
  })

  test('reserves of zero are no price', () => {
    skipped(pumpTrade({ virtualSol: 0 }), 'zero_reserve:pump.TradeEvent')
    skipped(pumpTrade({ virtualToken: 0 }), 'zero_reserve:pump.TradeEvent')
  })
})

function createPayload(tail: number, quoteMint = ZERO_KEY): Buffer {
  const keys = join(bytes(WHO.mint), bytes(WHO.curve), bytes(WHO.user), bytes(WHO.creator))
  const numbers = join(
    u64(1_700_000_000),
    u64(1_073_000_000_000_000),
    u64(30_000_000_000),
    u64(793_100_000_000_000),
    u64(1e15),
  )
  const rest = join(bytes(keyOf(8)), u8(1), u8(0), bytes(quoteMint), u64(9_000_000_000), u64(30), u8(0))
  const strings = join(text('Moon \u202eCat'), text('M\u200bCAT'), text('https://example.org/1.json'))
  return join(hex('1b72a94ddeeb6376'), strings, join(keys, numbers, rest).subarray(0, tail))
}

describe('pump CreateEvent', () => {
  test('the whole layout, text cleaned and normalised', () => {
    assert.deepEqual(one(createPayload(251), 'create'), {
      kind: 'create',
      sig: pumpTx([]).signature,
      txIndex: 3,
      outer: 0,
      inner: 0,
      launchpad: LAUNCHPAD.pumpfun,
      mint: WHO.mint,
      pool: WHO.curve,
      creator: WHO.creator,
      user: WHO.user,
      payer: WHO.user,
      signed: false,
      name: 'Moon Cat',
      symbol: 'MCAT',
      uri: 'https://example.org/1.json',
      nameNorm: 'mooncat',
      symbolNorm: 'mcat',
      quote: QUOTE.SOL,
      supply: 1e15,
      decimals: 6,
      quoteReserve: 30_000_000_000,
      baseReserve: 1_073_000_000_000_000,
      mayhem: true,
    })
  })

  test('trap 3: every tail seen on chain', () => {
    const oldest: CreateEvent = one(createPayload(96), 'create')
    assert.equal(oldest.creator, ZERO_KEY)
    assert.equal(oldest.baseReserve, 0)
    assert.equal(oldest.supply, 1e15)
    for (const tail of [168, 242, 260]) {
      const create = one(createPayload(tail), 'create')
      assert.equal(create.creator, WHO.creator)
      assert.equal(create.baseReserve, 1_073_000_000_000_000)
      assert.equal(create.mayhem, tail > 168)
    }
  })

  test('a USDC curve starts with its quote reserve', () => {
    const create = one(createPayload(251, USDC), 'create')
    assert.equal(create.quote, QUOTE.USDC)
    assert.equal(create.quoteReserve, 9_000_000_000)
  })

  test('too short, a string past the end, another quote', () => {
    skipped(createPayload(95), 'too_short:pump.CreateEvent')
    const lying = createPayload(251)
    lying.writeUInt32LE(100_000, 8)
    skipped(lying, 'guard:pump.CreateEvent')
    const create = one(createPayload(251, keyOf(9)), 'create')
    assert.equal(create.quote, QUOTE.other)
    assert.deepEqual(create.asset, { mint: keyOf(9), decimals: -1 })
  })
})

describe('pump completion and migration', () => {
  const complete = join(hex('5f72619cd42e9808'), bytes(WHO.user), bytes(WHO.mint), bytes(WHO.curve), u64(1_700_000_000))
  const migration = join(
    join(hex('bde95db95c94ea94'), bytes(WHO.user), bytes(WHO.mint), u64(1), u64(2), u64(3), bytes(WHO.curve)),
    join(u64(1_700_000_000), bytes(WHO.pool)),
  )

  test('complete', () => {
    assert.equal(one(complete, 'complete').mint, WHO.mint)
    assert.equal(one(join(complete, Buffer.alloc(32)), 'complete').mint, WHO.mint)
    skipped(complete.subarray(0, 71), 'too_short:pump.CompleteEvent')
  })

  test('migration names the canonical pool', () => {
    for (const payload of [
      migration,
      join(migration, Buffer.alloc(32)),
      join(migration, bytes(USDC)),
      join(migration, bytes(keyOf(9))),
    ]) {
      const migrate = one(payload, 'migrate')
      assert.equal(migrate.mint, WHO.mint)
      assert.equal(migrate.pool, WHO.pool)
    }
    skipped(migration.subarray(0, 167), 'too_short:pump.CompletePumpAmmMigrationEvent')
  })

  test('unknown events are counted by program', () => {
    skipped(join(hex('0011223344556677'), Buffer.alloc(40)), 'unknown_event:pump')
    skipped(hex('0011'), 'too_short:pump')
  })
})
