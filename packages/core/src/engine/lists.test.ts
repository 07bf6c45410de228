import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import { VERDICT_CODES, type VerdictCode } from '../base/verdict-codes.ts'
import type { Group } from '../model/bundles.ts'
import { emptyBundleBook, emptyToken } from '../model/generated/empty.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import { newGlobals } from './globals.ts'
import { newWallet } from './history.ts'
import {
  type Candidate,
  graduatedTokens,
  type ListMarket,
  newTokens,
  passesRugFilter,
  pumpingTokens,
  survivingTokens,
} from './lists.ts'
import { openPosition } from './positions.ts'
import { crowdInto, emptyCrowd } from './reading/crowd.ts'
import type { Market } from './reading/market.ts'
import { readToken } from './reading/reading.ts'
import type { Condition } from './reading/signals.ts'
import { type LiveToken, readLiveToken } from './resident.ts'
import type { StateReader } from './state.ts'
import { newToken } from './tokens.ts'
import { bucketFor } from './windows.ts'

const NOW = 1_000_000
const SUPPLY = 1e15

interface Extra {
  readonly holders?: number
  readonly position?: (wallet: number) => Partial<Position>
  readonly group?: Partial<Group>
}

/** A healthy token of 30 holders, launched `age` slots ago. */
function healthy(id: number, age: number, changes: Partial<Token> = {}, extra: Extra = {}): LiveToken {
  const holders = extra.holders ?? 30
  const positions = Array.from({ length: holders }, (_, n): Position => {
    const wallet = n + 1
    const opened = openPosition(id, newWallet(wallet, `w${wallet}`.padEnd(32, '.') as Key, 0), NOW - 10)
    const held = { balance: SUPPLY / 100, bought: SUPPLY / 100, firstBuySlot: NOW - 10, lastBuySlot: NOW - 10 }
    return { ...opened, ...held, ...extra.position?.(wallet) }
  })
  const group: Group = {
    ...{
      no: 0,
      mergedInto: -1,
      firstSlot: 0,
      founder: 1,
      members: [],
      balance: 0,
      peak: 0,
      remembered: 0,
      confirmedSlot: 5,
    },
    ...{ bought: 0, sold: 0, flows: [], red: false, netSellSlot: -1 },
    ...extra.group,
  }
  const bundles = { ...emptyBundleBook(), groups: extra.group === undefined ? [] : [group] }
  return readLiveToken({ positions: () => positions, bundles: () => bundles } as unknown as StateReader, {
    ...newToken(id, `mint ${id}`.padEnd(32, '.') as Key, NOW - age, 1),
    ...{ createdKnown: true, supply: SUPPLY, startQuote: 30e9, quoteReserve: 60e9, baseReserve: 5e14 },
    owned: positions.reduce((sum, { balance }) => sum + balance, 0),
    ...{ lastTradeSlot: NOW - 1, mcap: 20_000, ath: 20_000, buyers: holders, deployer: 0 },
    ...changes,
  })
}

const met = (pump: number, dump: number): readonly Condition[] =>
  Array.from({ length: 24 }, (_, i) => ({ name: '', value: 0, pump: i < pump, dump: i < dump }))

function market(
  tokens: readonly LiveToken[],
  deployer: Partial<Wallet> = {},
  signals: (live: LiveToken) => readonly Condition[] | null = () => met(10, 6),
): ListMarket {
  const { population } = newGlobals()
  const around: Market = {
    ...{ slot: NOW, firstSlot: 0, solUsd: 150, population },
    wallet: (id) => ({ ...newWallet(id, 'd'.repeat(32) as Key, 0), ...(id === 0 ? deployer : {}) }),
  }
  const candidate = (live: LiveToken): Candidate => ({
    ...{ live, slot: NOW, wallet: around.wallet },
    crowd: () => crowdInto(emptyCrowd(), live.bundles, NOW, live.positions.passing()),
    reading: () => readToken(live, around),
    conditions: () => signals(live),
  })
  return { ...around, live: () => tokens, candidate }
}

const passes = (live: LiveToken, deployer: Partial<Wallet> = {}): boolean =>
  passesRugFilter(market([], deployer).candidate(live))
const ids = (tokens: readonly LiveToken[]): number[] => tokens.map(({ token }) => token.id)

test('rug filter: a healthy token passes', () => {
  assert.equal(passes(healthy(1, 800)), true)
})

test('rug filter: dead, by time without a trade or by a curve back at its start', () => {
  assert.equal(passes(healthy(1, 5_000, { lastTradeSlot: NOW - 4_500 })), false)
  assert.equal(passes(healthy(1, 5_000, { lastTradeSlot: NOW - 4_499 })), true)
  assert.equal(passes(healthy(1, 751, { quoteReserve: 30e9 * 1.02 })), false)
  assert.equal(passes(healthy(1, 751, { quoteReserve: 30e9 * 1.02 + 1 })), true)
  assert.equal(passes(healthy(1, 750, { quoteReserve: 30e9 * 1.02 })), true)
  assert.equal(passes(healthy(1, 751, { quoteReserve: 30e9, migratedSlot: NOW - 9 })), true)
})

test('rug filter: rugged, or dumped by its deployer', () => {
  assert.equal(passes(healthy(1, 800, RED('rugged'))), false)
  assert.equal(passes(healthy(1, 800, { deployerDumped: true })), false)
})

test('rug filter: at least five buyers outside confirmed groups', () => {
  assert.equal(passes(healthy(1, 800, {}, { holders: 5 })), true)
  assert.equal(passes(healthy(1, 800, {}, { holders: 4 })), false)
  const inGroup = (members: number, group: Partial<Group> = {}, changes: Partial<Position> = {}): LiveToken =>
    healthy(1, 800, {}, { holders: 10, group, position: (n) => (n <= members ? { group: 0, ...changes } : {}) })
  assert.equal(passes(inGroup(5)), true)
  assert.equal(passes(inGroup(6)), false)
  assert.equal(passes(inGroup(6, { confirmedSlot: -1 })), true)
  assert.equal(passes(inGroup(6, {}, { bought: 0, received: 1 })), true)
})

test('rug filter: nobody holds 30 % of supply', () => {
  const whale = (balance: number): LiveToken => healthy(1, 800, {}, { position: (n) => (n === 1 ? { balance } : {}) })
  assert.equal(passes(whale(SUPPLY * 0.3 - 1)), true)
  assert.equal(passes(whale(SUPPLY * 0.3)), false)
})

test('rug filter: 80 % in groups of which one sells out', () => {
  // 30 equal holders: 24 of them are 80 %
  const grouped = (members: number, group: Partial<Group>): LiveToken =>
    healthy(
      1,
      800,
      {},
      { group: { balance: SUPPLY / 4, ...group }, position: (n) => (n <= members ? { group: 0 } : {}) },
    )
  const red = { red: true, netSellSlot: NOW - 1_499 }
  assert.equal(passes(grouped(24, red)), false)
  assert.equal(passes(grouped(23, red)), true)
  assert.equal(passes(grouped(24, {})), true)
  assert.equal(passes(grouped(24, { ...red, netSellSlot: NOW - 1_500 })), true)
})

test('rug filter: a deployer of ten other launches, none graduated, three quarters of the peaks below $7k', () => {
  const failure = { launches: 11, launchesTraded: 8, launchesAboveFloor: 2 }
  assert.equal(passes(healthy(1, 800), failure), false)
  assert.equal(passes(healthy(1, 800), { ...failure, launches: 10 }), true)
  assert.equal(passes(healthy(1, 800), { ...failure, launchesBonded: 1 }), true)
  assert.equal(passes(healthy(1, 800), { ...failure, launchesAboveFloor: 3 }), true)
  assert.equal(passes(healthy(1, 800), { launches: 11, launchesTraded: 0 }), true)
  // of nine peaks its own is one, and six of the other eight are as low
  const own = { ath: 6_999, athSlot: NOW - 9 }
  assert.equal(passes(healthy(1, 800, own), { ...failure, launchesTraded: 9 }), false)
  assert.equal(passes(healthy(1, 800, own), failure), true)
  assert.equal(passes(healthy(1, 800, { deployer: -1 }), failure), true)
})

test('new: at most 750 slots old, launch seen, newest first, bounded', () => {
  const tokens = [
    healthy(1, 750),
    healthy(2, 10),
    healthy(3, 751),
    healthy(4, 5, { createdKnown: false }),
    healthy(5, 20, RED('rugged')),
    healthy(6, 10),
  ]
  assert.deepEqual(ids(newTokens(market(tokens), 50).tokens), [6, 2, 1])
  assert.deepEqual(ids(newTokens(market(tokens), 1).tokens), [6])
})

const RED = (code: VerdictCode): Partial<Token> => ({
  verdict: { ...emptyToken(0, '' as Key).verdict, red: 1 << VERDICT_CODES.indexOf(code) },
})

test('what is drained or rugged, or was sold by its own people within the hour, is on no list, and is counted', () => {
  const select = (changes: Partial<Token>) => {
    const old = { mcap: 50_000, migratedSlot: NOW - 9 }
    const pump = pumping(3)
    Object.assign(pump.token, changes)
    const tokens = [healthy(1, 27_000, { ...old, ...changes }), healthy(2, 10, changes), pump, healthy(4, 300)]
    return [newTokens, pumpingTokens, graduatedTokens, survivingTokens].map((list) => {
      const { tokens: listed, dropped } = list(market(tokens), 50)
      return [ids(listed), dropped]
    })
  }
  const all = [
    [[2, 3, 4], 0],
    [[3], 0],
    [[1], 0],
    [[1], 0],
  ]
  const none = [
    [[4], 2],
    [[], 1],
    [[], 1],
    [[], 1],
  ]
  assert.deepEqual(select({}), all)
  for (const code of ['drained', 'rugged', 'sold_in_hour', 'dead'] as const)
    assert.deepEqual(select(RED(code)), none, code)
  assert.deepEqual(select(RED('outlook_drain')), all)
})

test('what another rule leaves out, or stands below the end of the list, is not counted as dropped', () => {
  const tokens = [healthy(1, 10, { deployerDumped: true }), healthy(2, 20), healthy(3, 30, RED('rugged'))]
  assert.deepEqual(newTokens(market(tokens), 1).dropped, 0)
  assert.deepEqual(newTokens(market(tokens), 2).dropped, 1)
})

/** `open`: the price before the last 5 minutes against the price now. */
function pumping(
  id: number,
  changes: { age?: number; lamports?: number; sold?: number; times?: number } = {},
): LiveToken {
  const live = healthy(id, changes.age ?? 150)
  const bucket = bucketFor(live.token.buckets, NOW - 100, 60e9 / 5e14 / (changes.times ?? 1.3), 0)
  bucket.buyLamports = changes.lamports ?? 10e9
  bucket.sellLamports = changes.sold ?? 0
  return live
}

const pumps = (live: LiveToken, conditions: readonly Condition[] | null = met(10, 6)): boolean =>
  pumpingTokens(
    market([live], {}, () => conditions),
    50,
  ).tokens.length === 1

test('pumps: age, return, volume and buyers at their edges', () => {
  assert.equal(pumps(pumping(1)), true)
  assert.equal(pumps(pumping(1, { age: 149 })), false)
  assert.equal(pumps(pumping(1, { lamports: 10e9 - 1 })), false)
  assert.equal(pumps(pumping(1, { lamports: 5e9, sold: 5e9 })), true)
  assert.equal(pumps(pumping(1, { times: 1.2001 })), true)
  assert.equal(pumps(pumping(1, { times: 1.1999 })), false)
  const since = (slots: number, wallets: number): LiveToken => {
    const live = pumping(1)
    for (const position of live.positions.values()) if (position.wallet > wallets) position.lastBuySlot = NOW - slots
    return live
  }
  assert.equal(pumps(since(5_000, 20)), true)
  assert.equal(pumps(since(5_000, 19)), false)
  assert.equal(pumps(since(750, 19)), true)
  assert.equal(pumps(since(751, 19)), false)
})

test('pumps: ten conditions with a lead of four, and the rug filter', () => {
  assert.equal(pumps(pumping(1), met(10, 6)), true)
  assert.equal(pumps(pumping(1), met(10, 7)), false)
  assert.equal(pumps(pumping(1), met(9, 0)), false)
  assert.equal(pumps(pumping(1), met(11, 7)), true)
  assert.equal(pumps(pumping(1), null), false)
  const rugged = pumping(1)
  Object.assign(rugged.token, RED('rugged'))
  assert.equal(pumps(rugged), false)
})

test('pumps: strongest net inflow first, the younger first among equals', () => {
  const tokens = [
    pumping(1, { lamports: 20e9, sold: 9e9 }),
    pumping(2, { lamports: 12e9 }),
    pumping(3, { lamports: 11e9 }),
    pumping(4, { lamports: 30e9, sold: 19e9 }),
  ]
  assert.deepEqual(ids(pumpingTokens(market(tokens), 50).tokens), [2, 4, 3, 1])
  assert.deepEqual(ids(pumpingTokens(market(tokens), 2).tokens), [2, 4])
})

test('graduated: within 24 hours, newest first, no rugs', () => {
  const at = (id: number, ago: number, changes: Partial<Token> = {}): LiveToken =>
    healthy(id, 300_000, { migratedSlot: NOW - ago, ...changes })
  const tokens = [at(1, 215_999), at(2, 216_000), at(3, 1), at(4, 0, RED('rugged')), healthy(5, 300)]
  assert.deepEqual(ids(graduatedTokens(market(tokens), 50).tokens), [3, 1])
  assert.deepEqual(ids(graduatedTokens(market(tokens), 1).tokens), [3])
})

test('survivors: 3 to 24 hours old, active, worth something, highest market cap first', () => {
  const alive = { mcap: 6_000, ath: 6_000 }
  const survives = (age: number, changes: Partial<Token> = {}, extra: Extra = {}): boolean =>
    survivingTokens(market([healthy(1, age, { ...alive, ...changes }, extra)]), 50).tokens.length === 1
  assert.equal(survives(27_000), true)
  assert.equal(survives(26_999), false)
  assert.equal(survives(216_000), true)
  assert.equal(survives(216_001), false)
  assert.equal(survives(27_000, { lastTradeSlot: NOW - 2_250 }), true)
  assert.equal(survives(27_000, { lastTradeSlot: NOW - 2_251 }), false)
  assert.equal(survives(27_000, { mcap: 35 * 150 }), true)
  assert.equal(survives(27_000, { mcap: 35 * 150 - 1 }), false)
  assert.equal(survives(27_000, { ath: 30_000 }), true)
  assert.equal(survives(27_000, { ath: 30_001 }), false)
  assert.equal(survives(27_000, RED('rugged')), false)
  const traders = (wallets: number, at: Partial<Position>): Extra => ({
    position: (n) => (n <= wallets ? { lastBuySlot: -1, ...at } : { lastBuySlot: -1 }),
  })
  assert.equal(survives(27_000, {}, traders(10, { lastBuySlot: NOW - 9_000 })), true)
  assert.equal(survives(27_000, {}, traders(9, { lastBuySlot: NOW - 9_000 })), false)
  assert.equal(survives(27_000, {}, traders(10, { lastBuySlot: NOW - 9_001 })), false)
  assert.equal(survives(27_000, {}, traders(10, { lastSellSlot: NOW - 9_000 })), true)
  const tokens = [healthy(1, 27_000), healthy(2, 27_000, { mcap: 50_000 }), healthy(3, 27_000)]
  assert.deepEqual(ids(survivingTokens(market(tokens), 50).tokens), [2, 3, 1])
  assert.deepEqual(ids(survivingTokens(market(tokens), 2).tokens), [2, 3])
})
