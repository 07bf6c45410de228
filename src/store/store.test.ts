import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Key, Sig } from '../base/ids.ts'
import type { Changes, Globals, Position, Token, TokenEventRow, TradeRow, Wallet } from '../engine/state.ts'
import { encodeEntry } from '../log/codec.ts'
import { openStore } from './open.ts'
import type { Store } from './store.ts'

const OPTIONS = { formulasVersion: '1' }

function emptyDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'store-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

function opened(t: TestContext, dir: string): Store {
  const store = openStore(dir, OPTIONS)
  t.after(() => store.close())
  return store
}

const keyOf = (n: number): Key =>
  String.fromCharCode(n & 255, (n >>> 8) & 255, (n >>> 16) & 255).padEnd(32, '\0') as Key

const zeros = <T extends string>(...names: T[]) => Object.fromEntries(names.map((name) => [name, 0])) as Record<T, 0>

const globals = (seq: number): Globals => ({
  ...zeros('factsSince', 'nextToken', 'nextWallet', 'nextTrade', 'unpricedTrades', 'missingSlots'),
  ...zeros('frames', 'tokenEvents'),
  seq,
  firstSlot: 0,
  slot: seq * 2,
  time: seq + 0.25,
  solUsd: 150.5,
  population: { picks: 3, healthyPicks: 1, holds: [0, 2] },
  migrated: [1, 2],
})

const token = (id: number, trades = 0): Token => ({
  ...zeros('quote', 'startQuote', 'lastTradeSlot', 'lastTradeTime', 'ath', 'athTime', 'migratedTime'),
  ...zeros('dexPaidTime', 'buys', 'sells', 'buyers', 'lastFreeTradeSlot', 'holders', 'owned', 'strategiesSeen'),
  id,
  mint: keyOf(id),
  launchpad: 1,
  createdKnown: true,
  createdSlot: 1,
  createdTime: 2,
  deployer: -1,
  name: `name ${id}`,
  symbol: 'S',
  uri: '',
  metadata: null,
  dup: { name: 1, symbol: 2, symbolName: 0, image: 0, twitter: 0, telegram: 0, website: 0 },
  decimals: 6,
  supply: 1e15,
  curve: null,
  pool: null,
  mayhem: false,
  quoteReserve: 1,
  baseReserve: 2,
  realToken: -1,
  mcap: 0.5,
  athSlot: -1,
  completeSlot: -1,
  migratedSlot: -1,
  deployerDumped: false,
  ruggedSlot: -1,
  dead: false,
  trades,
  lastTradeNo: -1,
  buckets: [],
  impacts: [],
  picks: [],
  watched: [],
  wakeSlot: -1,
})

const wallet = (id: number, trades = 0): Wallet => ({
  ...zeros('buys', 'sells', 'bundledTrades', 'mintsBought', 'launches', 'launchesTraded', 'launchesAboveFloor'),
  ...zeros('launchesBonded', 'buyLamports', 'holdCostSlots', 'holdCost', 'closedCost', 'realisations', 'closed'),
  ...zeros('won', 'picksResolved', 'picksHealthy', 'impactWeighted', 'impactWeight', 'funded', 'paidFor', 'rugs'),
  name: null,
  kol: false,
  agent: false,
  exchange: false,
  wash: false,
  funder: -1,
  funderSlot: -1,
  payer: -1,
  partners: [],
  stale: false,
  id,
  address: keyOf(id),
  firstSlot: 1,
  lastSlot: 2,
  lastTime: 3,
  trades,
  holdBins: [1],
  holdBinCosts: [2],
  realised: -5,
  solBalance: -1,
  smart: false,
  recent: [],
})

const position = (tokenId: number, walletId: number, balance = 1): Position => ({
  ...zeros('bought', 'sold', 'firstBuySlot', 'lastBuySlot', 'lastSellSlot', 'received', 'roundTrips'),
  ...zeros('peak', 'episodeIn', 'episodeOut'),
  token: tokenId,
  wallet: walletId,
  balance,
  cost: 0.5,
  acquiredSlot: 1.5,
  closed: false,
  writtenOff: true,
  tripOpen: false,
  rugCounted: false,
  group: -1,
  owner: null,
})

const trade = (no: number, prev: number): TradeRow => ({
  ...zeros('token', 'wallet', 'inner', 'buysBefore', 'buyLamportsBefore', 'pnlLamports', 'winRate'),
  group: -1,
  no,
  prev,
  sig: 'x'.repeat(64) as Sig,
  outer: -1,
  venue: 1,
  slot: no,
  time: no,
  isBuy: true,
  lamports: 1,
  tokens: 2,
  mcap: 3,
  avgHoldSlots: null,
  roi: null,
  healthyRate: null,
  sellImpact: null,
  bundledRate: null,
  solBalance: null,
  smart: false,
})

const changes = (seq: number, some: Partial<Changes> = {}): Changes => ({
  globals: globals(seq),
  tokens: [],
  wallets: [],
  positions: [],
  bundles: [],
  agents: null,
  trades: [],
  tokenEvents: [],
  frameMarks: [],
  newTokens: [],
  newWallets: [],
  pools: new Map(),
  firstUses: [],
  launches: [],
  live: new Map(),
  ...some,
})

const commit = (store: Store, some: Partial<Changes>, seq = 0): void =>
  store.transaction(() => store.write(changes(seq, some)))

test('what was written is read back', (t) => {
  const store = opened(t, emptyDir(t))
  assert.equal(store.globals(), null)
  const [a, b] = [token(0), token(300)]
  const [w, v] = [wallet(0), wallet(2 ** 32 - 1)]
  commit(store, {
    tokens: [b, a],
    newTokens: [a, b],
    wallets: [w, v],
    newWallets: [w, v],
    pools: new Map([[keyOf(9), 300]]),
  })
  assert.deepEqual(store.globals(), globals(0))
  assert.deepEqual([store.token(0), store.token(300), store.token(1)], [a, b, undefined])
  assert.deepEqual([store.wallet(0), store.wallet(2 ** 32 - 1), store.wallet(5)], [w, v, undefined])
  assert.deepEqual([store.tokenIdByMint(a.mint), store.tokenIdByMint(b.mint)], [0, 300])
  assert.deepEqual([store.tokenIdByPool(keyOf(9)), store.tokenIdByPool(keyOf(8))], [300, undefined])
  assert.deepEqual([store.walletIdByAddress(v.address), store.walletIdByAddress(keyOf(77))], [2 ** 32 - 1, undefined])
  assert.deepEqual(
    [store.entries().tokens, store.entries().wallets, store.entries().mints, store.entries().log],
    [2, 2, 2, 0],
  )
  assert.ok(store.sizes().usedBytes > 0 && store.sizes().usedBytes < store.sizes().fileBytes)
})

test('positions are those of the token, by wallet', (t) => {
  const store = opened(t, emptyDir(t))
  const all = [position(1, 500), position(0, 2 ** 32 - 1), position(1, 0), position(2, 0), position(1, 7)]
  commit(store, { positions: all })
  assert.deepEqual(store.positions(1), [all[2], all[4], all[0]])
  assert.deepEqual(store.positions(0), [all[1]])
  assert.deepEqual(store.positions(3), [])
})

test('trade rows are followed backwards, beyond 2^32 of them too', (t) => {
  const store = opened(t, emptyDir(t))
  const rows = [trade(0, -1), trade(1, -1), trade(2, 0), trade(2 ** 33, 2)]
  commit(store, { trades: rows })
  assert.deepEqual(store.tradesBack(2 ** 33, 100), [rows[3], rows[2], rows[0]])
  assert.deepEqual(store.tradesBack(2 ** 33, 2), [rows[3], rows[2]])
  assert.deepEqual(store.tradesBack(-1, 10), [])
  assert.deepEqual([store.trade(1), store.trade(5)], [rows[1], undefined])
  assert.deepEqual([...store.trades(1)], rows.slice(1))
  assert.throws(() => commit(store, { trades: [trade(1, -1)] }), /not after the newest/)
  assert.throws(() => store.tradesBack(7, 10), /chain of trade rows breaks at 7/)
})

test('token events and frames are found by their seq', (t) => {
  const store = opened(t, emptyDir(t))
  const event = (seq: number): TokenEventRow => ({ kind: 'created', seq, token: 7, slot: 1, time: 2.5, image: null })
  const marks = [
    [1, 0],
    [4, 2 ** 33],
    [2 ** 33, 2 ** 34],
  ] as const
  commit(store, { tokenEvents: [event(1), event(2), event(2 ** 33)], frameMarks: marks })
  assert.deepEqual([...store.tokenEvents(2)], [event(2), event(2 ** 33)])
  assert.deepEqual([...store.tokenEvents(2 ** 33 + 1)], [])
  const found = [0, 1, 3, 4, 5, 2 ** 33 - 1, 2 ** 33, 2 ** 40].map((seq) => store.frameMark(seq)?.[0])
  assert.deepEqual(found, [undefined, 1, 1, 4, 4, 4, 2 ** 33, 2 ** 33])
  assert.deepEqual(store.frameMark(5), marks[1])
  assert.throws(() => commit(store, { tokenEvents: [event(2)] }), /not after the newest/)
  assert.throws(() => commit(store, { frameMarks: [[4, 9]] }), /not after the newest/)
})

test('launches of one deployer, newest first, in pages', (t) => {
  const store = opened(t, emptyDir(t))
  commit(store, {
    launches: [
      [1, 4],
      [0, 0],
      [1, 900],
      [2, 1],
      [1, 70],
      [0, 2 ** 32 - 1],
    ],
  })
  assert.deepEqual(store.launches(1, 0, 2), [900, 70])
  assert.deepEqual(store.launches(1, 2, 2), [4])
  assert.deepEqual(store.launches(1, 3, 2), [])
  assert.deepEqual(store.launches(0, 0, 10), [2 ** 32 - 1, 0])
})

test('the earliest use of a text stays, within a commit and across', (t) => {
  const store = opened(t, emptyDir(t))
  const use = (norm: string, id: number, field: 'name' | 'twitter' = 'name') => ({ field, norm, token: id })
  commit(store, { firstUses: [use('a', 3), use('a', 5), use('b', 6)] })
  commit(store, { firstUses: [use('a', 9), use('a', 9, 'twitter')] })
  assert.deepEqual([store.firstUse('name', 'a'), store.firstUse('name', 'b')], [3, 6])
  assert.deepEqual([store.firstUse('twitter', 'a'), store.firstUse('symbol', 'a')], [9, undefined])
})

test('tokens enter and leave the live set', (t) => {
  const store = opened(t, emptyDir(t))
  commit(store, {
    live: new Map([
      [700, true],
      [0, true],
      [3, true],
    ]),
  })
  commit(store, {
    live: new Map([
      [3, false],
      [5, false],
    ]),
  })
  assert.deepEqual(store.liveTokenIds(), [0, 700])
})

test('a commit is all or nothing, and the next one is unharmed', (t) => {
  const store = opened(t, emptyDir(t))
  store.transaction(() => {
    store.log.append(0, encodeEntry({ kind: 'gap', from: 1, to: 2 }))
    store.write(changes(0, { tokens: [token(0)], live: new Map([[0, true]]) }))
  })
  const before = store.stateHash()
  const failing = () => {
    store.log.append(1, encodeEntry({ kind: 'gap', from: 3, to: 4 }))
    store.write(changes(1, { tokens: [token(0, 9), token(1)], positions: [position(0, 0)], trades: [trade(0, -1)] }))
    throw new Error('stop')
  }
  assert.throws(() => store.transaction(failing), /stop/)
  assert.equal(store.stateHash(), before)
  assert.deepEqual(store.globals(), globals(0))
  assert.deepEqual([store.token(0), store.token(1), store.trade(0)], [token(0), undefined, undefined])
  assert.deepEqual(store.positions(0), [])
  assert.equal(store.log.newest(), 0)
  store.transaction(() => {
    store.log.append(1, encodeEntry({ kind: 'gap', from: 5, to: 6 }))
    store.write(changes(1, { tokens: [token(1)] }))
  })
  assert.deepEqual([...store.log.read(1)], [{ seq: 1, entry: { kind: 'gap', from: 5, to: 6 } }])
  assert.deepEqual(store.token(1), token(1))
})

/** Twelve steps of a made-up fold, committed `size` steps at a time. */
function fold(store: Store, size: number): void {
  for (let step = 0; step < 12; step += size) {
    const tokens = new Map<number, Token>()
    const positions = new Map<string, Position>()
    const [trades, newTokens, launches]: [TradeRow[], Token[], [number, number][]] = [[], [], []]
    for (let i = step; i < step + size; i++) {
      const id = i % 5
      const changed = token(id, i)
      if (i < 5) newTokens.push(changed)
      if (i < 5) launches.push([1, id])
      tokens.set(id, changed)
      positions.set(`${id} ${i % 3}`, position(id, i % 3, i))
      trades.push(trade(i, i - 1))
    }
    const live = new Map([[step % 5, true]])
    store.transaction(() => {
      for (let i = step; i < step + size; i++) store.log.append(i, encodeEntry({ kind: 'gap', from: i, to: i }))
      store.write(
        changes(step + size - 1, {
          tokens: [...tokens.values()].reverse(),
          newTokens,
          positions: positions.values(),
          trades,
          launches,
          live: step === 0 ? live : new Map(),
        }),
      )
    })
  }
}

test('the state hash does not depend on how the state was cut into commits, nor on a restart', async (t) => {
  const hashes: string[] = []
  for (const size of [1, 3, 4, 12]) {
    const dir = emptyDir(t)
    const store = openStore(dir, OPTIONS)
    fold(store, size)
    hashes.push(store.stateHash())
    await store.close()
    const again = openStore(dir, OPTIONS)
    hashes.push(again.stateHash())
    await again.close()
  }
  assert.deepEqual(new Set(hashes).size, 1, hashes.join(' '))
})

test('the state hash tells every difference', (t) => {
  const hashes = new Set<string>()
  const differences: Partial<Changes>[] = [
    {},
    { tokens: [token(1)] },
    { tokens: [token(1, 1)] },
    { tokens: [token(2)] },
    { wallets: [wallet(1)] },
    { positions: [position(0, 1)] },
    { positions: [position(1, 0)] },
    { trades: [trade(0, -1)] },
    { newTokens: [token(1)] },
    { newTokens: [token(0)] },
    { newWallets: [wallet(1)] },
    { pools: new Map([[keyOf(1), 1]]) },
    { firstUses: [{ field: 'name', norm: 'a', token: 1 }] },
    { firstUses: [{ field: 'symbol', norm: 'a', token: 1 }] },
    { launches: [[0, 1]] },
    { live: new Map([[0, true]]) },
    { globals: globals(1) },
  ]
  for (const some of differences) {
    const store = opened(t, emptyDir(t))
    commit(store, some)
    hashes.add(store.stateHash())
  }
  const store = opened(t, emptyDir(t))
  store.transaction(() => {
    store.log.append(0, encodeEntry({ kind: 'gap', from: 1, to: 1 }))
    store.write(changes(0))
  })
  hashes.add(store.stateHash())
  assert.equal(hashes.size, differences.length + 1)
})

test('a store larger than its first memory map keeps working', (t) => {
  const dir = emptyDir(t)
  const store = openStore(dir, { ...OPTIONS, mapSize: 1 << 20 })
  t.after(() => store.close())
  for (let round = 0; round < 4; round++) {
    const wallets = Array.from({ length: 10_000 }, (_, i) => wallet(round * 10_000 + i))
    commit(store, { wallets })
  }
  assert.ok(store.sizes().usedBytes > 2 << 20)
  assert.deepEqual([store.wallet(0), store.wallet(39_999)], [wallet(0), wallet(39_999)])
})
