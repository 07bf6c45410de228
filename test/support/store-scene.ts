import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { Changes } from '@ti/core/engine/state.ts'
import type { Actor } from '@ti/core/model/actors.ts'
import { FEE_CHANGE } from '@ti/core/model/events.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import type { Globals, Position, Token, Wallet } from '@ti/core/model/state.ts'
import { encodeEntry } from '@ti/service/log/codec.ts'
import type { Store } from '@ti/service/store/store.ts'

/** Records for tests of the store, and commits of them that say what exists, as the fold's do. */

export function emptyDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'store-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export const keyOf = (n: number): Key =>
  String.fromCharCode(n & 255, (n >>> 8) & 255, (n >>> 16) & 255).padEnd(32, '\0') as Key

const zeros = <T extends string>(...names: T[]) => Object.fromEntries(names.map((name) => [name, 0])) as Record<T, 0>

/** of what exists by then, unless something else is said */
export const globals = (seq: number, some: Partial<Globals> = {}): Globals => ({
  ...zeros('factsSince', 'nextToken', 'nextWallet', 'nextTrade', 'nextActor', 'unpricedTrades', 'missingSlots'),
  ...zeros('frames', 'tokenEvents', 'verdicts', 'readings'),
  seq,
  chain: '',
  firstSlot: 0,
  gapSlot: -1,
  slot: seq * 2,
  time: seq + 0.25,
  solUsd: 150.5,
  population: {
    picks: 3,
    healthyPicks: 1,
    holds: [0, 2],
    veterans: 1,
    veteranPnl: [1],
    veteranRoi: [1],
    veteranWin: [0, 1],
  },
  outlook: {
    ...{ n: [2], hits: [1], total: [3], totalHits: [1], expected: [1_200_000], squared: [400_000] },
    ...{
      sumN: [2],
      sumHits: [1],
      weights: [500_000],
      errors: [250_000],
      by: [2, 0, 0],
      since: [3, 0, 0],
      firstSlot: 7,
    },
  },
  migrated: [1, 2],
  ...some,
})

export const token = (id: number, trades = 0): Token => ({
  ...zeros('quote', 'startQuote', 'rate', 'lastTradeSlot', 'lastTradeTime', 'ath', 'athTime', 'migratedTime'),
  ...zeros(
    'realQuote',
    'startPrice',
    'birthBag',
    'slotBag',
    'dexPaidTime',
    'buys',
    'sells',
    'buyers',
    'lastFreeTradeSlot',
    'holders',
    'owned',
    'strategiesSeen',
  ),
  id,
  mint: keyOf(id),
  launchpad: 1,
  createdKnown: true,
  fromStart: true,
  launch: {
    ...{ signed: true, payer: keyOf(7), creator: keyOf(8), slot: 11, sig: 'c'.repeat(64) as Sig },
    ...{ owners: [keyOf(9)], shares: [10_000] },
    changes: [{ how: FEE_CHANGE.takeover, key: keyOf(8), slot: 12, sig: 't'.repeat(64) as Sig }],
  },
  createdSlot: 1,
  createdTime: 2,
  deployer: -1,
  name: `name ${id}`,
  symbol: 'S',
  uri: '',
  metadata: null,
  asset: null,
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
  drainedSlot: -1,
  ruggedSlot: -1,
  ruggedBy: 0,
  takenOverSlot: -1,
  checkedSlot: -1,
  ...zeros('outstanding', 'programs', 'burned', 'checkedMoved', 'gained', 'earlySold'),
  exits: [],
  classes: [],
  firstBuyers: [],
  realQuote: 0,
  verdict: {
    history: [{ colour: 3, code: 0, event: 0, slot: 5 }],
    ...{ red: 1, yellow: 2, dueSlot: 9, readSlot: 8, points: 31, knownPct: 12.5, top10Pct: 40 },
    ...{ deployerLevel: 1, actorLevel: 2, actorsSeen: 1 },
  },
  dead: false,
  trades,
  lastTradeNo: -1,
  buckets: [],
  impacts: [],
  ...{ firstPick: -1, firstDue: -1, lastPick: -1, lastDue: -1 },
  asked: [],
  latched: [],
  watched: [],
  actors: [],
  liquidity: null,
  wakeSlot: -1,
})

export const actor = (id: number, lastSlot: number): Actor => ({
  ...zeros('firstSlot', 'firstToken', 'founder'),
  ...{ id, mergedInto: -1, lastSlot, wallets: [], tokens: [] },
})

export const wallet = (id: number, trades = 0): Wallet => ({
  ...zeros('buys', 'sells', 'bundledTrades', 'mintsBought', 'launches', 'launchesTraded', 'launchesAboveFloor'),
  ...zeros('launchesBonded', 'buyLamports', 'holdCostSlots', 'holdCost', 'closedCost', 'realisations', 'closed'),
  ...zeros(
    'won',
    'picksResolved',
    'picksHealthy',
    'impactWeighted',
    'impactWeight',
    'funded',
    'paidFor',
    'rugs',
    'writtenOff',
  ),
  name: null,
  kol: false,
  agent: false,
  exchange: false,
  wash: false,
  funder: -1,
  funderSlot: -1,
  funderLamports: -1,
  deployer: null,
  payer: -1,
  ...{ stale: false, changed: false },
  rank: -1,
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
  actor: -1,
  serves: -1,
  memberships: [],
})

export const position = (tokenId: number, walletId: number, balance = 1): Position => ({
  ...zeros('bought', 'sold', 'firstBuySlot', 'lastBuySlot', 'lastSellSlot', 'received', 'roundTrips'),
  ...zeros('peak', 'episodeIn', 'episodeOut', 'unpriced', 'settledCost', 'settledMark', 'soldCounted', 'classes'),
  ...zeros('fromOthers', 'paidMore', 'gotMore'),
  ...{ account: -1, others: [], unplaced: 0, pick: 0, nextPick: -1, nextAfter: 0 },
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
  ...{ owner: null, changed: false },
})

export const trade = (no: number, prev: number): TradeRow => ({
  ...zeros('own', 'token', 'wallet', 'inner', 'buysBefore', 'buyLamportsBefore', 'pnlLamports', 'winRate'),
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
  pricing: true,
  wash: false,
})

/** What of `Changes` a test says; `tokens` and `positions` belong together by the tokens' ids. */
export interface Given extends Partial<Omit<Changes, 'tokens' | 'positions' | 'trades'>> {
  readonly tokens?: readonly Token[]
  readonly positions?: readonly Position[]
  readonly trades?: readonly TradeRow[]
}

const lengthOf = (rows: Iterable<unknown> = []): number => [...rows].length

/** Of the next entry of the log, counting on from what `store` has: every new token and wallet needs its record, too. */
export function changes(store: Store, { tokens = [], positions = [], ...some }: Given = {}, seq?: number): Changes {
  const before = store.globals()
  const held = (id: number): number => {
    const wallets = new Set(store.positions(id).map(({ wallet }) => wallet))
    for (const one of positions) if (one.token === id) wallets.add(one.wallet)
    return wallets.size
  }
  return {
    globals: globals(seq ?? store.log.newest() + 1, {
      nextToken: (before?.nextToken ?? 0) + lengthOf(some.newTokens),
      nextWallet: (before?.nextWallet ?? 0) + lengthOf(some.newWallets),
      nextTrade: (before?.nextTrade ?? 0) + lengthOf(some.trades),
      tokenEvents: (before?.tokenEvents ?? 0) + lengthOf(some.tokenEvents),
      verdicts: (before?.verdicts ?? 0) + lengthOf(some.tokenEvents?.filter(({ kind }) => kind === 'verdict')),
      readings: (before?.readings ?? 0) + lengthOf(some.readings),
      nextActor: Math.max(before?.nextActor ?? 0, ...Array.from(some.actors ?? [], ({ id }) => id + 1)),
    }),
    tokens: tokens.map((token) => ({ token, positionCount: held(token.id) })),
    wallets: [],
    positions,
    bundles: [],
    agents: null,
    actors: [],
    actorEdges: [],
    trades: [],
    tokenEvents: [],
    readings: [],
    frameMarks: [],
    newTokens: [],
    newWallets: [],
    pools: new Map(),
    firstUses: [],
    launches: [],
    live: new Map(),
    ...some,
  }
}

/** A log entry that says nothing. */
export const entry = (seq: number): Buffer => Buffer.from(encodeEntry({ kind: 'gap', from: seq, to: seq }))

/** A log entry, which says nothing, and what a fold would have made of it. */
export function commit(store: Store, given: Given = {}): void {
  const seq = store.log.newest() + 1
  const all = changes(store, given, seq)
  store.transaction(() => {
    store.append(seq, entry(seq))
    store.write(all)
  })
}
