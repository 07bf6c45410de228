import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import type { Bucket, WatchedTrade } from '../../model/buckets.ts'
import type { Group } from '../../model/bundles.ts'
import { emptyBundleBook } from '../../model/generated/empty.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Position, Token } from '../../model/state.ts'
import { newGlobals } from '../globals.ts'
import { newWallet } from '../history.ts'
import { openPosition } from '../positions.ts'
import { type LiveToken, readLiveToken } from '../resident.ts'
import type { StateReader } from '../state.ts'
import { newToken } from '../tokens.ts'
import { type Holding, readHolding } from './holding.ts'
import type { Market } from './market.ts'
import type { ScoreMetrics } from './score.ts'
import { countDump, countPump, readSignals } from './signals.ts'

/** At a bucket's edge, which makes windows easy to count. */
const NOW = 100_000
const SUPPLY = 1e15
const SOL = 1e9

interface Case {
  readonly token?: Partial<Token>
  readonly positions?: readonly (Partial<Position> & { readonly wallet: number })[]
  readonly metrics?: Partial<ScoreMetrics>
  readonly overduePct?: number
  readonly groups?: readonly Partial<Group>[]
  readonly rows?: readonly Partial<TradeRow>[]
}

function liveOf({ token, positions, groups }: Case): LiveToken {
  const held = (positions ?? []).map((one): Position => {
    const owner = newWallet(one.wallet, `w${one.wallet}`.padEnd(32, '.') as Key, 0)
    return { ...openPosition(0, owner, NOW), ...one }
  })
  const whole = (groups ?? []).map(
    (group, no): Group => ({
      ...{
        no,
        mergedInto: -1,
        firstSlot: 0,
        founder: 0,
        members: [],
        balance: 0,
        peak: 0,
        remembered: 0,
        confirmedSlot: 0,
      },
      ...{ bought: 0, sold: 0, flows: [], red: false, netSellSlot: -1 },
      ...group,
    }),
  )
  const read = { positions: () => held, bundles: () => ({ ...emptyBundleBook(), groups: whole }) }
  return readLiveToken(read as unknown as StateReader, {
    ...newToken(0, 'm'.repeat(32) as Key, 0, 1),
    ...{ supply: SUPPLY, lastTradeSlot: NOW, quoteReserve: 130 * SOL, baseReserve: 1e14, startQuote: 30 * SOL },
    trades: 1_000,
    ...token,
  })
}

/** [pump, dump] of one condition. */
function asked(name: string, one: Case): [boolean, boolean] {
  const live = liveOf(one)
  const market: Market = {
    ...{ slot: NOW, firstSlot: 0, solUsd: 150, population: newGlobals().population },
    wallet: (id) => newWallet(id, `w${id}`.padEnd(32, '.') as Key, 0),
  }
  const real = readHolding(live, market)
  const overduePct = one.overduePct ?? real.overduePct
  const reading: Holding = { ...real, overduePct, metrics: { ...real.metrics, ...one.metrics } }
  const rows = (one.rows ?? []).map((row) => ({ slot: NOW, ...row }) as TradeRow)
  const conditions = readSignals(live, reading, market, () => rows)!
  assert.equal(conditions.length, 24)
  assert.equal(new Set(conditions.map((condition) => condition.name)).size, 24)
  const { pump, dump } = conditions.find((condition) => condition.name === name)!
  return [pump, dump]
}

const PUMP = [true, false] as const
const DUMP = [false, true] as const
const NEITHER = [false, false] as const

function check(name: string, cases: readonly (readonly [Case, readonly boolean[]])[]): void {
  cases.forEach(([one, expected], i) => {
    assert.deepEqual(asked(name, one), [...expected], `${name}, case ${i}`)
  })
}

/** `ago`: buckets before the current one. */
const bucket = (ago: number, changes: Partial<Bucket>): Bucket => ({
  ...{ index: NOW / 25 - ago, buyLamports: 0, sellLamports: 0, buys: 0, sells: 0, open: 1, reserve: 0 },
  ...{ holders: 0, sold: 0, deployerSold: 0, groupSold: 0, insiderSold: 0, insideTook: 0 },
  ...changes,
})
const buckets = (...list: readonly Bucket[]): Case => ({ token: { buckets: [...list] } })

test('null until the token has traded', () => {
  const live = liveOf({ token: { lastTradeSlot: -1 } })
  const market = { slot: NOW, firstSlot: 0, solUsd: 1, population: newGlobals().population }
  const wallet = (id: number) => newWallet(id, 'w'.repeat(32) as Key, 0)
  const reading = readHolding(live, { ...market, wallet })
  assert.equal(
    readSignals(live, reading, { ...market, wallet }, () => []),
    null,
  )
})

test('1, 2: net SOL against what is in the pool', () => {
  const net = (ago: number, lamports: number): Case =>
    buckets(bucket(ago, lamports > 0 ? { buyLamports: lamports } : { sellLamports: -lamports }))
  // the pool holds 100 SOL above its virtual start
  check('net_to_pool_1m', [
    [net(0, 5 * SOL), PUMP],
    [net(0, 5 * SOL - 1), NEITHER],
    [net(6, 5 * SOL), PUMP],
    [net(7, 5 * SOL), NEITHER],
    [net(0, -5 * SOL), DUMP],
    [net(0, -5 * SOL + 1), NEITHER],
    [buckets(bucket(1, { buyLamports: 9 * SOL, sellLamports: 4 * SOL + 1 })), NEITHER],
  ])
  check('net_to_pool_5m', [
    [net(0, 10 * SOL), PUMP],
    [net(0, 10 * SOL - 1), NEITHER],
    [net(30, 10 * SOL), PUMP],
    [net(31, 10 * SOL), NEITHER],
    [net(0, -10 * SOL), DUMP],
    [net(0, -10 * SOL + 1), NEITHER],
  ])
})

test('1: on the AMM the pool is the whole reserve, and an empty pool makes any flow infinite', () => {
  const flow = [bucket(0, { buyLamports: 6 * SOL })]
  check('net_to_pool_1m', [
    [{ token: { buckets: flow } }, PUMP],
    [{ token: { buckets: flow, migratedSlot: 5 } }, NEITHER],
    [{ token: { buckets: [bucket(0, { buyLamports: 6.5 * SOL })], migratedSlot: 5 } }, PUMP],
    [{ token: { buckets: flow, quoteReserve: 30 * SOL } }, PUMP],
    [{ token: { buckets: [bucket(0, { sellLamports: 1 })], quoteReserve: 30 * SOL } }, DUMP],
    [{ token: { buckets: [], quoteReserve: 30 * SOL } }, NEITHER],
  ])
})

test('3: buys against sells', () => {
  const counts = (buys: number, sells: number, ago = 0): Case => buckets(bucket(ago, { buys, sells }))
  check('buys_to_sells_1m', [
    [counts(2, 1), PUMP],
    [counts(199, 100), NEITHER],
    [counts(67, 100), DUMP],
    [counts(671, 1_000), NEITHER],
    [counts(1, 0), PUMP],
    [counts(0, 1), DUMP],
    [counts(0, 0), NEITHER],
    [counts(2, 1, 7), NEITHER],
  ])
})

test('4: distinct buyers against sellers', () => {
  const start = NOW - 150
  const people = (buyers: number, sellers: number, slot = start): Case => ({
    positions: Array.from({ length: buyers + sellers }, (_, wallet) =>
      wallet < buyers ? { wallet, lastBuySlot: slot } : { wallet, lastSellSlot: slot },
    ),
  })
  check('buyers_to_sellers_1m', [
    [people(3, 2), PUMP],
    [people(149, 100), NEITHER],
    [people(3, 4), DUMP],
    [people(751, 1_000), NEITHER],
    [people(1, 0), PUMP],
    [people(0, 1), DUMP],
    [people(0, 0), NEITHER],
    [people(3, 2, start - 1), NEITHER],
    [{ positions: [{ wallet: 1, lastBuySlot: NOW, lastSellSlot: NOW }] }, NEITHER],
  ])
})

test('5: holders now against holders at the window’s start', () => {
  const holders = (then: number, now: number, ago = 6): Case => ({
    token: {
      holders: now,
      buckets: [bucket(ago, { holders: then }), bucket(0, { holders: 1 })].slice(ago === 0 ? 1 : 0),
    },
  })
  check('holder_change_1m', [
    [holders(100, 105), PUMP],
    [holders(100, 104), NEITHER],
    [holders(100, 98), DUMP],
    [holders(100, 99), NEITHER],
    [holders(0, 1), PUMP],
    [holders(0, 0), NEITHER],
    [{ token: { holders: 5 } }, NEITHER],
  ])
})

test('6, 7: return since the window’s first trade', () => {
  const opened = (ago: number, open: number): Case => ({
    token: { quoteReserve: 108 * SOL, baseReserve: 100 * SOL, buckets: [bucket(ago, { open })] },
  })
  check('return_1m', [
    [opened(0, 1), PUMP],
    [opened(6, 1), PUMP],
    [opened(7, 1), NEITHER],
    [opened(0, 1.0001), NEITHER],
    [opened(0, 1.08 / 0.92), DUMP],
    [opened(0, 1.08 / 0.9201), NEITHER],
    [{}, NEITHER],
  ])
  check('return_5m', [
    [opened(30, 0.8999), PUMP],
    [opened(31, 0.8999), NEITHER],
    [opened(0, 0.9001), NEITHER],
    [opened(0, 1.3501), DUMP],
    [opened(0, 1.3499), NEITHER],
  ])
})

test('8: drawdown from the all-time high', () => {
  const mcap = (mcap: number): Case => ({ token: { mcap, ath: 100_000 } })
  check('drawdown_from_ath', [
    [mcap(100_000), PUMP],
    [mcap(90_000), PUMP],
    [mcap(89_999), NEITHER],
    [mcap(60_001), NEITHER],
    [mcap(60_000), DUMP],
    [mcap(0), DUMP],
    [{ token: { mcap: 0, ath: 0 } }, NEITHER],
  ])
})

test('9: the last minute against the mean minute of five, and which way it went', () => {
  const volume = (buyLamports: number, sellLamports: number, before: number): Case =>
    buckets(bucket(20, { buyLamports: before }), bucket(0, { buyLamports, sellLamports }))
  // 3 SOL now and 7 before: a mean of 2 per minute
  check('volume_burst_net_sol_1m', [
    [volume(3 * SOL, 0, 7 * SOL), PUMP],
    [volume(3 * SOL, 0, 7 * SOL + 10), NEITHER],
    [volume(0, 3 * SOL, 7 * SOL), DUMP],
    [volume(0, 3 * SOL, 7 * SOL + 10), NEITHER],
    [volume(1.5 * SOL, 1.5 * SOL, 7 * SOL), NEITHER],
    [volume(1.5 * SOL + 1, 1.5 * SOL - 1, 7 * SOL), PUMP],
    [volume(0, 0, 0), NEITHER],
  ])
})

const watch = (wallet: number, lamports: number, changes: Partial<WatchedTrade> = {}): WatchedTrade => ({
  ...{ wallet, lamports, slot: NOW, smart: true, kol: false },
  ...changes,
})
const watched = (...list: readonly WatchedTrade[]): Case => ({ token: { watched: [...list] } })

test('10: smart money of at least two wallets', () => {
  const old = { slot: NOW - 750 }
  check('smart_net_sol_5m', [
    [watched(watch(1, 5), watch(2, -4)), PUMP],
    [watched(watch(1, 4), watch(2, -5)), DUMP],
    [watched(watch(1, 5), watch(2, -5)), NEITHER],
    [watched(watch(1, 5), watch(1, 5)), NEITHER],
    [watched(watch(1, 5), watch(2, 5, old)), NEITHER],
    [watched(watch(1, 5), watch(2, 5, { slot: NOW - 749 })), PUMP],
    [watched(watch(1, 5), watch(2, 5, { smart: false, kol: true })), NEITHER],
  ])
})

test('12: KOLs in and none out, or any out', () => {
  const kol = { smart: false, kol: true }
  check('kols_in_5m', [
    [watched(watch(1, 5, kol)), PUMP],
    [watched(watch(1, 5, kol), watch(2, -1, kol)), DUMP],
    [watched(watch(2, -1, kol)), DUMP],
    [watched(watch(2, 1)), NEITHER],
    [watched(watch(1, 5, { ...kol, slot: NOW - 750 })), NEITHER],
    [watched(watch(1, 5, kol), watch(2, -1, { ...kol, slot: NOW - 750 })), PUMP],
    [{}, NEITHER],
  ])
})

/** Condition, metric, and values: the last with pump, both edges or their neighbours, the first with dump. */
const METRIC_CASES: [string, keyof ScoreMetrics, [pump: number, edge: number, other: number, dump: number]][] = [
  ['alpha_hands_pct', 'alphaHands', [30.01, 30, 25, 24.99]],
  ['bundle_pct', 'bundle', [49.99, 50, 64.99, 65]],
  ['dirty_pct', 'dirty', [49.99, 50, 60, 60.01]],
  ['dumpers_pct', 'dumpers', [49.99, 50, 65, 65.01]],
  ['jeets_pct', 'jeets', [9.99, 10, 20, 20.01]],
  ['in_profit_pct', 'inProfit', [55.01, 55, 40, 39.99]],
  ['conviction_score', 'conviction', [60.01, 60, 50, 49.99]],
  ['cooktimer_slots', 'cooktimer', [2_500, 2_499, 1_000, 999]],
]

test('11, 13, 15 to 20: readings at both edges and just beside; none without a reading', () => {
  for (const [name, metric, values] of METRIC_CASES) {
    const [pump, edge, other, dump] = values.map((x): Case => ({ metrics: { [metric]: x } }))
    check(name, [
      [pump!, PUMP],
      [edge!, NEITHER],
      [other!, NEITHER],
      [dump!, DUMP],
      [{ metrics: { [metric]: null } }, NEITHER],
    ])
  }
})

test('14: what confirmed groups sold more than they bought in 5 minutes, of supply', () => {
  const flows = (sold: number, bought = 0, ago = 0) => [{ index: NOW / 25 - ago, sold, bought }]
  const group = (changes: Partial<Group>): Case => ({ groups: [changes] })
  const two = SUPPLY / 50
  check('bundle_net_sell_5m_pct', [
    [{}, PUMP],
    [group({ flows: flows(0) }), PUMP],
    [group({ flows: flows(1, 2) }), PUMP],
    [group({ flows: flows(SUPPLY / 1e6) }), NEITHER],
    [group({ flows: flows(two - 1e9) }), NEITHER],
    [group({ flows: flows(two) }), DUMP],
    [group({ flows: flows(two, 0, 30) }), DUMP],
    [group({ flows: flows(two, 0, 31) }), PUMP],
    [group({ flows: flows(two), confirmedSlot: -1 }), PUMP],
  ])
})

test('21: the ten largest holders', () => {
  const held = (tokens: number): Case => ({ positions: [{ wallet: 1, balance: tokens }] })
  check('top_10_pct', [
    [held(SUPPLY * 0.3), PUMP],
    [held(SUPPLY * 0.3 + 1e9), NEITHER],
    [held(SUPPLY * 0.5 - 1e9), NEITHER],
    [held(SUPPLY * 0.5), DUMP],
    [{}, NEITHER],
  ])
})

test('22: the deployer’s bag', () => {
  const bag = (changes: Partial<Position>): Case => ({ token: { deployer: 1 }, positions: [{ wallet: 1, ...changes }] })
  const five = SUPPLY / 20
  check('deployer_bag_pct', [
    [bag({ balance: five, bought: five }), PUMP],
    [bag({ balance: five + 1e9, bought: five + 1e9 }), NEITHER],
    [bag({ balance: five - 1e9, bought: five, sold: 1e9 }), NEITHER],
    [bag({ balance: 51, bought: 100, sold: 49 }), NEITHER],
    [bag({ balance: 50, bought: 100, sold: 50 }), DUMP],
    [bag({ balance: 50, bought: 50, received: 50, sold: 49 }), NEITHER],
    [bag({ balance: 50, bought: 50, received: 50, sold: 50 }), DUMP],
    [{ token: { deployer: 1 } }, PUMP],
    [{ token: { deployer: -1 } }, NEITHER],
  ])
})

/** Trades below a hundredth of a SOL count nowhere. */
const DUST = 10_000_000

test('23: median buy against median sell', () => {
  const rows = (buys: readonly number[], sells: readonly number[], slot = NOW): Case => ({
    rows: [
      ...buys.map((cents) => ({ isBuy: true, lamports: cents * DUST, slot })),
      ...sells.map((cents) => ({ isBuy: false, lamports: cents * DUST, slot })),
    ],
  })
  check('median_buy_to_sell_5m', [
    [rows([150], [100]), PUMP],
    [rows([149], [100]), NEITHER],
    [rows([67], [100]), DUMP],
    [rows([671], [1_000]), NEITHER],
    [rows([1, 140, 160, 9_999], [100]), PUMP],
    [rows([1, 140, 159, 9_999], [100]), NEITHER],
    [rows([1], []), PUMP],
    [rows([], [1]), DUMP],
    [rows([], []), NEITHER],
    [rows([150], [100], NOW - 749), PUMP],
    [rows([150], [100], NOW - 750), NEITHER],
    [rows([150, 0.9, 0.9], [100, 0.9, 0.9]), PUMP],
  ])
})

test('24: overdue supply, where habits are known', () => {
  const overdue = (overduePct: number, cooktimer: number | null = 0): Case => ({ overduePct, metrics: { cooktimer } })
  check('overdue_pct', [
    [overdue(20), PUMP],
    [overdue(20.01), NEITHER],
    [overdue(49.99), NEITHER],
    [overdue(50), DUMP],
    [overdue(50, null), NEITHER],
    [overdue(0, null), NEITHER],
  ])
})

test('the counters count each side', () => {
  const conditions = [PUMP, PUMP, DUMP, NEITHER].map(([pump, dump]) => ({ name: '', value: 0, pump, dump }))
  assert.equal(countPump(conditions), 2)
  assert.equal(countDump(conditions), 1)
})
