import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decode, hex, join, keyOf, token, u64, WHO } from '../../../../test/support/encode.ts'
import {
  CALLS,
  DAMM_POOL,
  type DammSwap,
  damm,
  dammSwapAccounts,
  dbc,
  evtCurveComplete,
  evtDammInitializePool,
  evtDammSwap,
  evtSwap,
  evtSwap2,
  type Step,
  swapAccounts,
  transaction,
} from '../../../../test/support/meteora.ts'
import { METEORA_DAMM } from '../../../../test/support/programs.ts'
import type { Key } from '../base/ids.ts'
import { QUOTE, VENUE } from '../model/events.ts'
import { METEORA_DAMM_AUTHORITY, METEORA_DBC, USDC, WRAPPED_SOL } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'

const { mint, user } = WHO
/** A price of 0.0001 lamports per base unit after a purchase of 1 SOL, with a fee of 1 % from the input. */
const BUY: DammSwap = {
  ...{ pool: DAMM_POOL, isBuy: true, included: 1_000_000_000n, excluded: 990_000_000n, output: 9_800_000_000_000n },
  ...{ root: (1n << 64n) / 100n, fees: [8_000_000n, 1_000_000n, 600_000n, 400_000n], reserve: 20_990_000_000n },
}

const swapTx = (payload: Buffer, accounts: readonly Key[], call: string = CALLS.swap): RawTransaction =>
  transaction(user, [{ call: [METEORA_DAMM, accounts, hex(call)], inner: [damm(payload)] }])
const ACCOUNTS = dammSwapAccounts(mint, WRAPPED_SOL, user)

describe('DAMM v2 swap', () => {
  test('a purchase: what was paid, what moved, the pool’s quote before and after', () => {
    for (const call of [CALLS.swap, CALLS.swap2]) {
      const [event] = decode(swapTx(evtDammSwap(BUY), ACCOUNTS, call)).events
      assert.ok(event?.kind === 'trade')
      assert.deepEqual(
        [event.venue, event.mint, event.pool, event.user],
        [VENUE.meteora_damm_v2, mint, DAMM_POOL, user],
      )
      assert.deepEqual(
        [event.isBuy, event.quote, event.quoteAmount, event.userQuote, event.tokenAmount],
        [true, QUOTE.SOL, 990_000_000, 1_000_000_000, 9_800_000_000_000],
      )
      assert.deepEqual([event.quoteReserve, event.quoteBefore], [20_990_000_000, 20_000_000_000])
      assert.ok(Math.abs(event.quoteReserve / event.baseReserve / 1e-4 - 1) < 1e-9)
    }
  })

  test('a sale: the fee is taken from the quote that comes out', () => {
    const sold = 10_000_000_000_000n
    const sale: DammSwap = {
      ...{ ...BUY, isBuy: false, included: sold, excluded: sold, output: 990_000_000n, reserve: 20_000_000_000n },
      fees: [8_000_000n, 1_000_000n, 600_000n, 400_000n],
    }
    const [event] = decode(swapTx(evtDammSwap(sale), ACCOUNTS)).events
    assert.ok(event?.kind === 'trade')
    assert.deepEqual(
      [event.isBuy, event.quoteAmount, event.userQuote, event.tokenAmount, event.quoteBefore],
      [false, 1_000_000_000, 990_000_000, Number(sold), 21_000_000_000],
    )
  })

  test('another quote is kept in its own unit', () => {
    const [event] = decode(swapTx(evtDammSwap(BUY), dammSwapAccounts(mint, keyOf(99), user))).events
    assert.ok(event?.kind === 'trade')
    assert.deepEqual([event.quote, event.asset], [QUOTE.other, { mint: keyOf(99), decimals: -1 }])
  })

  test('in a reversed pool SOL is the base: its price, reserve and directions are the other way round', () => {
    const accounts = dammSwapAccounts(WRAPPED_SOL, mint, user)
    // 1 SOL in for 9,800,000 tokens out, at a stated price of 10,000 base units a lamport
    const root = 100n << 64n
    const reserves = { otherReserve: 20_990_000_000n, reserve: 300_000_000_000_000n }
    const [bought] = decode(swapTx(evtDammSwap({ ...BUY, ...reserves, isBuy: false, root }), accounts)).events
    assert.ok(bought?.kind === 'trade')
    assert.deepEqual([bought.mint, bought.isBuy, bought.quote], [mint, true, QUOTE.SOL])
    assert.deepEqual(
      [bought.quoteAmount, bought.userQuote, bought.tokenAmount, bought.quoteReserve, bought.quoteBefore],
      [990_000_000, 1_000_000_000, 9_800_000_000_000, 20_990_000_000, 20_000_000_000],
    )
    assert.ok(Math.abs(bought.quoteReserve / bought.baseReserve / 1e-4 - 1) < 1e-9)
    const sale = { ...BUY, ...reserves, root, included: 10_000_000_000_000n, excluded: 10_000_000_000_000n }
    const [sold] = decode(swapTx(evtDammSwap({ ...sale, output: 990_000_000n }), accounts)).events
    assert.ok(sold?.kind === 'trade')
    assert.deepEqual(
      [sold.isBuy, sold.quoteAmount, sold.userQuote, sold.tokenAmount],
      [false, 1_000_000_000, 990_000_000, 10_000_000_000_000],
    )
  })

  test('skipped by name', () => {
    const name = 'meteora_damm_v2.EvtSwap2'
    const payload = evtDammSwap(BUY)
    const direction = Buffer.from(payload)
    direction[40] = 2
    const cases: [RawTransaction, string][] = [
      [swapTx(payload.subarray(0, 187), ACCOUNTS), `too_short:${name}`],
      [swapTx(payload.subarray(0, 7), ACCOUNTS), 'too_short:meteora_damm_v2'],
      [swapTx(join(hex('0011223344556677'), u64(0)), ACCOUNTS), 'unknown_event:meteora_damm_v2'],
      [swapTx(direction, ACCOUNTS), `guard:${name}`],
      [swapTx(payload, ACCOUNTS, '0011223344556677'), `no_instruction:${name}`],
      [swapTx(payload, []), `no_instruction:${name}`],
      [swapTx(payload, dammSwapAccounts(USDC, WRAPPED_SOL, user)), `no_token:${name}`],
      [swapTx(evtDammSwap({ ...BUY, reserve: 0n }), ACCOUNTS), `zero_reserve:${name}`],
      [swapTx(evtDammSwap({ ...BUY, root: 0n }), ACCOUNTS), `zero_reserve:${name}`],
      [swapTx(evtDammSwap({ ...BUY, output: 0n }), ACCOUNTS), `zero_amount:${name}`],
    ]
    for (const [tx, reason] of cases) {
      const { events, counts } = decode(tx)
      assert.deepEqual([events, [...counts]], [[], [[reason, 1]]], reason)
    }
  })

  test('the pool’s vault is no holder, its trader is told by the trade', () => {
    const rows = (vault: number, held: number) => [
      token(1, mint, METEORA_DAMM_AUTHORITY, vault),
      token(2, mint, user, held, 6),
    ]
    const tx = swapTx(evtDammSwap(BUY), ACCOUNTS)
    const output = Number(BUY.output)
    const { events } = decode({ ...tx, preTokens: rows(2e14, 5), postTokens: rows(2e14 - output, 5 + output) })
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['trade'],
    )
  })
})

test('DAMM v2 EvtInitializePool opens a pool', () => {
  const opened = (a: Key, b: Key) => decode(swapTx(evtDammInitializePool(DAMM_POOL, a, b), ACCOUNTS))
  const [event] = opened(mint, USDC).events
  assert.ok(event?.kind === 'pool')
  assert.deepEqual([event.mint, event.pool, event.quote, event.decimals], [mint, DAMM_POOL, QUOTE.USDC, 6])
  const [reversed] = opened(USDC, mint).events
  assert.ok(reversed?.kind === 'pool')
  assert.deepEqual([reversed.mint, reversed.quote], [mint, QUOTE.USDC])
  assert.deepEqual([...opened(USDC, WRAPPED_SOL).counts], [['no_token:meteora_damm_v2.EvtInitializePool', 1]])
  const [other] = opened(mint, keyOf(9)).events
  assert.ok(other?.kind === 'pool')
  assert.deepEqual([other.quote, other.asset], [QUOTE.other, { mint: keyOf(9), decimals: -1 }])
})

describe('hostile payloads in a proper call', () => {
  const swap = { ...BUY, pool: WHO.pool, fees: [8_000_000n, 1_500_000n, 500_000n] as const }
  const seeds: [(payload: Buffer) => Step, Step, Buffer][] = [
    ...[evtSwap(swap), evtSwap2(swap), evtCurveComplete(WHO.pool)].map(
      (payload) => [dbc, [METEORA_DBC, swapAccounts(mint, WRAPPED_SOL, user), hex(CALLS.swap)], payload] as const,
    ),
    [damm, [METEORA_DAMM, ACCOUNTS, hex(CALLS.swap)], evtDammSwap(BUY)] as const,
  ].map(([event, call, payload]) => [event, call as Step, payload])

  test('40,000 changed payloads: no throw, and every event sound', () => {
    let state = 42
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    let events = 0
    for (let i = 0; i < 40_000; i++) {
      const [event, call, seed] = seeds[i % seeds.length]!
      const payload = Buffer.from(seed)
      for (let flips = random(4); flips >= 0; flips--) payload[40 + random(payload.length - 40)]! ^= 1 << random(8)
      if (random(8) === 0) payload.fill(random(2) * 255, 72 + random(payload.length - 72))
      const cut = random(10) === 0 ? payload.subarray(0, random(payload.length)) : payload
      for (const one of decode(transaction(user, [{ call, inner: [event(cut)] }])).events) {
        events++
        for (const [field, value] of Object.entries(one)) {
          if (typeof value === 'number') assert.ok(Number.isInteger(value) && value >= -1, `${field} = ${value}`)
        }
        if (one.kind === 'trade') assert.ok(one.quoteReserve > 0 && one.baseReserve > 0 && one.tokenAmount > 0)
      }
    }
    assert.ok(events > 10_000, `${events} events`)
  })
})
