import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bytes, decode, hex, join, keyOf, token, u8, u16, u64, WHO } from '../../../../test/support/encode.ts'
import {
  accountsAt,
  CONFIG,
  createAccounts,
  createData,
  DAMM_POOL,
  damm,
  dbc,
  event,
  evtDammInitializePool,
  evtInitializePool,
  evtLiquidityChange,
  evtPermanentLock,
  type Step,
  transaction,
} from '../../../../test/support/meteora.ts'
import { METEORA_DAMM } from '../../../../test/support/programs.ts'
import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { LIQUIDITY, type LiquidityEvent, QUOTE } from '../model/events.ts'
import {
  METEORA_DAMM_AUTHORITY,
  METEORA_DBC,
  METEORA_DBC_AUTHORITY,
  PUMPSWAP,
  TOKEN_2022_TEXT,
  WRAPPED_SOL,
} from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'

const { mint, user, pool } = WHO
const liquidityIn = (tx: RawTransaction): LiquidityEvent[] =>
  decode(tx).events.flatMap((one) => (one.kind === 'liquidity' ? [one] : []))
const reasons = (tx: RawTransaction) => [...decode(tx).counts]

describe('PumpSwap', () => {
  const CALL = { deposit: 'f223c68952e1f2b6', withdraw: 'b712469c946da122' }
  const EVENT = { deposit: '78f83d531f8e6b90', withdraw: '1609851aa02c47c0' }
  /** 10 of 100 LP tokens, base and quote units, of pools with 1,000 and 200. */
  const payload = (kind: 'deposit' | 'withdraw'): Buffer =>
    join(
      join(hex(EVENT[kind]), u64(1_790_000_000), u64(10), u64(1), u64(1), u64(5), u64(5)),
      join(u64(1_000), u64(200), u64(100), u64(20), u64(100), bytes(pool), bytes(user)),
      join(bytes(keyOf(81)), bytes(keyOf(82)), bytes(keyOf(83))),
    )
  const made = (kind: 'deposit' | 'withdraw', base: Key, quote: Key, bytesOf = payload(kind)): RawTransaction =>
    transaction(user, [
      {
        call: [PUMPSWAP, accountsAt(15, { 0: pool, 2: user, 3: base, 4: quote }), hex(CALL[kind])],
        inner: [event(PUMPSWAP, bytesOf)],
      },
    ])

  test('reserves and LP supply are those afterwards', () => {
    const [deposit] = liquidityIn(made('deposit', mint, WRAPPED_SOL))
    assert.deepEqual(
      [deposit!.change, deposit!.mint, deposit!.pool, deposit!.owner, deposit!.quote],
      [LIQUIDITY.deposit, mint, pool, user, QUOTE.SOL],
    )
    const amounts = ({ tokens, quoteAmount, baseReserve, quoteReserve, units, total, locked }: LiquidityEvent) => [
      tokens,
      quoteAmount,
      baseReserve,
      quoteReserve,
      units,
      total,
      locked,
    ]
    assert.deepEqual(amounts(deposit!), [100, 20, 1_100, 220, 10, 110, -1])
    const [withdrawal] = liquidityIn(made('withdraw', mint, WRAPPED_SOL))
    assert.equal(withdrawal!.change, LIQUIDITY.withdraw)
    assert.deepEqual(amounts(withdrawal!), [100, 20, 900, 180, 10, 90, -1])
    const [reversed] = liquidityIn(made('withdraw', WRAPPED_SOL, mint))
    assert.equal(reversed!.mint, mint)
    assert.deepEqual(amounts(reversed!), [20, 100, 180, 900, 10, 90, -1])
  })

  test('what cannot be read is named', () => {
    const [short, name] = [payload('deposit').subarray(0, 255), 'pump_amm.DepositEvent']
    assert.deepEqual(reasons(made('deposit', mint, WRAPPED_SOL, short)), [[`too_short:${name}`, 1]])
    const other = accountsAt(15, { 0: keyOf(9), 3: mint, 4: WRAPPED_SOL })
    const elsewhere = transaction(user, [
      { call: [PUMPSWAP, other, hex(CALL.deposit)], inner: [event(PUMPSWAP, payload('deposit'))] },
    ])
    assert.deepEqual(reasons(elsewhere), [[`pool_unknown:${name}`, 1]])
  })

  test('LP tokens burned by the instruction that opens the pool are locked, with the minimum that nobody has', () => {
    const lp = keyOf(90)
    const created = join(
      join(hex('b1310cd2a076a774'), u64(1_790_000_000), u16(0), bytes(WHO.creator), bytes(mint), bytes(WRAPPED_SOL)),
      join(u8(6), u8(9), ...[1_000, 200, 1_000, 200, 100, 500, 400].map(u64), u8(255), bytes(pool), bytes(lp)),
    )
    const burn = (of: Key): Step => [key(TOKEN_2022_TEXT), [keyOf(91), of, user], join(u8(8), u64(300))]
    const opened = (burned: Key) =>
      liquidityIn(
        transaction(user, [
          { call: [PUMPSWAP, [pool], hex('e992d18ecf6840bc')], inner: [event(PUMPSWAP, created), burn(burned)] },
        ]),
      )[0]!
    const { change, total, locked, tokens, quoteAmount } = opened(lp)
    assert.deepEqual([change, total, locked, tokens, quoteAmount], [LIQUIDITY.open, 500, 400, 1_000, 200])
    assert.equal(opened(mint).locked, 100, 'another mint')
  })
})

describe('DAMM v2', () => {
  const CALLS = { add: 'b59d59438fb63448', remove: '5055d14818ceb16c', removeAll: '0a333d2370691855' }
  const change = { pool: DAMM_POOL, owner: user, a: 1_000n, b: 20n, reserveA: 4_000n, reserveB: 80n, delta: 1n << 90n }
  const made = (call: keyof typeof CALLS, a: Key, b: Key, isDeposit = call === 'add', more = {}): RawTransaction => {
    const accounts =
      call === 'add' ? accountsAt(14, { 0: DAMM_POOL, 6: a, 7: b }) : accountsAt(15, { 1: DAMM_POOL, 7: a, 8: b })
    const payload = evtLiquidityChange({ ...change, isDeposit, ...more })
    return transaction(user, [{ call: [METEORA_DAMM, accounts, hex(CALLS[call])], inner: [damm(payload)] }])
  }

  test('deposits and withdrawals, with the units of the whole pool', () => {
    const [deposit] = liquidityIn(made('add', mint, WRAPPED_SOL))
    assert.deepEqual(
      [deposit!.change, deposit!.mint, deposit!.owner, deposit!.tokens, deposit!.quoteAmount],
      [LIQUIDITY.deposit, mint, user, 1_000, 20],
    )
    assert.deepEqual([deposit!.quoteReserve, deposit!.baseReserve], [80, 4_000])
    assert.deepEqual([deposit!.units, deposit!.total], [2 ** 90, 4 * 2 ** 90])
    for (const call of ['remove', 'removeAll'] as const)
      assert.equal(liquidityIn(made(call, mint, WRAPPED_SOL))[0]!.change, LIQUIDITY.withdraw)
    const [all] = liquidityIn(made('removeAll', WRAPPED_SOL, mint, false, { reserveA: 0n, reserveB: 0n }))
    assert.deepEqual([all!.mint, all!.tokens, all!.quoteAmount, all!.total], [mint, 20, 1_000, 0])
    const [none] = liquidityIn(made('remove', mint, WRAPPED_SOL, false, { a: 0n, b: 0n }))
    assert.equal(none!.total, -1)
  })

  test('the transaction’s balances say what the withdrawer holds; the pool is no holder', () => {
    const rows = (vault: number, held: number) => [
      token(1, mint, METEORA_DAMM_AUTHORITY, vault),
      token(2, mint, user, held, 6),
    ]
    const tx = made('removeAll', mint, WRAPPED_SOL)
    const { events } = decode({ ...tx, preTokens: rows(5_000, 0), postTokens: rows(4_000, 1_000) })
    const owners = events.flatMap((one) => (one.kind === 'balance' ? [one.owner] : []))
    assert.deepEqual(owners, [user])
  })

  test('a permanent lock states what is locked in all; a pool is opened at the price it states', () => {
    const accounts = accountsAt(20, { 8: METEORA_DAMM_AUTHORITY })
    const lock: Step = [METEORA_DAMM, accountsAt(6, { 0: DAMM_POOL, 3: user }), hex('a5b07d06e7abbad5')]
    for (const dynamic of [false, true]) {
      const opening = evtDammInitializePool(DAMM_POOL, mint, WRAPPED_SOL, { dynamic })
      const [opened, locked] = liquidityIn(
        transaction(user, [
          {
            call: [METEORA_DAMM, accounts, hex('5fb40aac54aee828')],
            inner: [damm(opening), lock, damm(evtPermanentLock(DAMM_POOL, 5n, 1n << 99n))],
          },
        ]),
      )
      assert.deepEqual(
        [opened!.change, opened!.total, opened!.quoteReserve, opened!.baseReserve],
        [LIQUIDITY.open, 2 ** 100, 10_000_000_000, 100_000_000_000_000],
      )
      assert.deepEqual(
        [locked!.change, locked!.owner, locked!.units, locked!.total, locked!.locked],
        [LIQUIDITY.lock, user, 5, -1, 2 ** 99],
      )
    }
  })

  test('an unknown layout opens a pool without facts about its liquidity', () => {
    const short = evtDammInitializePool(DAMM_POOL, mint, WRAPPED_SOL).subarray(0, 339)
    const { events, counts } = decode(
      transaction(user, [{ call: [METEORA_DAMM, [], hex('5fb40aac54aee828')], inner: [damm(short)] }]),
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['pool'],
    )
    assert.deepEqual([...counts], [['too_short:meteora_damm_v2.EvtInitializePool', 1]])
  })
})

describe('the plan of a bonding curve', () => {
  /** EvtCreateConfigV2 up to the percentages: partner, partner locked, creator, creator locked. */
  const configured = (percents: readonly number[], dynamic: boolean): Buffer =>
    join(
      join(hex('a34a42bb77c31a90'), ...[CONFIG, WRAPPED_SOL, user, user].map(bytes), Buffer.alloc(27, 1)),
      join(u8(dynamic ? 1 : 0), Buffer.alloc(dynamic ? 32 : 0, 1), Buffer.alloc(5, 0), ...percents.map(u8)),
    )
  const launched = (config: Buffer): RawTransaction => {
    const launch = { call: 'createSpl' as const, creator: user, payer: user, config: CONFIG, quoteMint: WRAPPED_SOL }
    return transaction(
      user,
      [
        { call: [METEORA_DBC, [CONFIG], hex('c9cff3724b6f2fbd')], inner: [dbc(config)] },
        {
          call: [METEORA_DBC, createAccounts(launch), createData('createSpl', 'Plan', 'PLN', 'https://example.org')],
          inner: [dbc(evtInitializePool(pool, user, mint))],
        },
      ],
      () => ({ postTokens: [token(1, mint, METEORA_DBC_AUTHORITY, 1e15, 6)] }),
    )
  }

  test('what will be locked for ever, whatever the fees look like', () => {
    for (const dynamic of [false, true]) {
      const [plan] = liquidityIn(launched(configured([5, 20, 65, 10], dynamic)))
      assert.deepEqual(
        [plan!.change, plan!.pool, plan!.mint, plan!.units, plan!.total, plan!.locked],
        [LIQUIDITY.plan, pool, mint, 65, 100, 30],
      )
    }
  })

  test('is none where percentages are impossible or the configuration is older', () => {
    const impossible = decode(launched(configured([60, 20, 20, 1], false)))
    assert.ok(!impossible.events.some(({ kind }) => kind === 'liquidity'))
    assert.equal(impossible.counts.get('guard:meteora_dbc.EvtCreateConfigV2'), 1)
    const cut = decode(launched(configured([0, 0, 100], false)))
    assert.equal(cut.counts.get('too_short:meteora_dbc.EvtCreateConfigV2'), 1)
  })
})
