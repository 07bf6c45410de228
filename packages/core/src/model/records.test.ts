import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import type { Key, Sig } from '../base/ids.ts'
import type { Actor, ActorEdges } from './actors.ts'
import type { Bucket } from './buckets.ts'
import { MalformedBytes } from './bytes.ts'
import { FEE_CHANGE, type Launchpad, QUOTE, type Quote, type Venue } from './events.ts'
import { decodeActor, decodeActorEdges, encodeActor, encodeActorEdges } from './generated/actors.ts'
import {
  decodeReadingRow,
  decodeTokenEventRow,
  decodeTradeRow,
  encodeReadingRow,
  encodeTokenEventRow,
  encodeTradeRow,
} from './generated/rows.ts'
import { decodeToken, encodeToken } from './generated/token.ts'
import {
  decodeGlobals,
  decodePosition,
  decodeWallet,
  encodeGlobals,
  encodePosition,
  encodeWallet,
} from './generated/wallet.ts'
import type { Dup } from './metadata.ts'
import type { ReadingRow, TokenEventRow, TradeRow } from './rows.ts'
import type { Globals, Position, Token, Wallet } from './state.ts'

const latin1 = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const key = latin1(32) as fc.Arbitrary<Key>
const sig = fc.oneof(fc.constant(''), latin1(64)) as fc.Arbitrary<Sig>
const id = fc.nat({ max: 2 ** 32 - 1 })
const num = fc.oneof(
  fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER),
  fc.nat(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const numOrNull = fc.option(num)
/** Base units, mostly zero. */
const amount = fc.oneof(fc.constant(0), fc.nat({ max: Number.MAX_SAFE_INTEGER }))
const nums = fc.array(num, { maxLength: 20 })
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
const textOrNull = fc.option(text)
const flag = fc.boolean()
const dup = fc.constantFrom<Dup>(0, 1, 2)

const bucket: fc.Arbitrary<Bucket> = fc.record({
  ...{ index: num, buyLamports: num, sellLamports: num, buys: num, sells: num },
  ...{ open: num, reserve: num, holders: num },
})

const latched = fc.array(
  fc.record({ question: fc.nat({ max: 2 }), slot: num, n: num, hits: num, by: fc.nat({ max: 9 }), bins: num }),
  { maxLength: 3 },
)

const metadata = fc.record({
  description: textOrNull,
  image: textOrNull,
  twitter: textOrNull,
  telegram: textOrNull,
  website: textOrNull,
})

const flags = fc.record({
  name: dup,
  symbol: dup,
  symbolName: dup,
  image: dup,
  twitter: dup,
  telegram: dup,
  website: dup,
})

const launched = fc.record({
  ...{ signed: flag, payer: fc.option(key), creator: fc.option(key), slot: num, sig },
  ...{ owners: fc.array(key, { maxLength: 3 }), shares: nums },
  changes: fc.array(
    fc.record({ how: fc.constantFrom(...Object.values(FEE_CHANGE)), key: fc.option(key), slot: num, sig }),
    { maxLength: 3 },
  ),
})

const bareToken = fc.record({
  id,
  mint: key,
  launchpad: fc.constantFrom<Launchpad>(0, 1, 2),
  createdKnown: flag,
  createdSlot: num,
  createdTime: num,
  deployer: num,
  name: text,
  symbol: text,
  uri: text,
  metadata: fc.option(metadata),
  launch: launched,
  dup: flags,
  decimals: num,
  supply: num,
  curve: fc.option(key),
  pool: fc.option(key),
  mayhem: flag,
  ...{ startQuote: num, rate: amount },
  quoteReserve: num,
  baseReserve: num,
  realToken: num,
  lastTradeSlot: num,
  lastTradeTime: num,
  ...{ mcap: num, ath: num, athSlot: num, athTime: num },
  completeSlot: num,
  migratedSlot: num,
  migratedTime: num,
  dexPaidTime: num,
  deployerDumped: flag,
  drainedSlot: num,
  ruggedSlot: num,
  ruggedBy: num,
  ...{ takenOverSlot: num, gained: num, earlySold: num },
  exits: fc.array(fc.record({ index: num, tokens: num, early: num }), { maxLength: 3 }),
  classes: fc.array(fc.record({ wallets: num, held: num, peak: num, sold: num, paid: num, got: num }), {
    maxLength: 5,
  }),
  firstBuyers: nums,
  realQuote: num,
  dead: flag,
  fromStart: flag,
  trades: num,
  ...{ buys: num, sells: num, buyers: num },
  ...{ holders: num, owned: num, strategiesSeen: num, outstanding: num, programs: num, burned: num },
  ...{ checkedSlot: num, checkedMoved: num, lastTradeNo: num, lastFreeTradeSlot: num },
  buckets: fc.array(bucket, { maxLength: 3 }),
  impacts: fc.array(fc.record({ wallet: num, dueSlot: num, priceBefore: num, weight: num }), { maxLength: 3 }),
  ...{ firstPick: num, firstDue: num, lastPick: num, lastDue: num },
  watched: fc.array(fc.record({ wallet: num, slot: num, lamports: num, smart: flag, kol: flag }), { maxLength: 3 }),
  actors: fc.array(fc.record({ actor: num, slot: num, by: num }), { maxLength: 3 }),
  wakeSlot: num,
  ...{ startPrice: num, birthBag: num, slotBag: num },
  asked: fc.array(
    fc.record({
      ...{ decided: flag, hit: flag, dueSlot: num, from: num, bins: num, p: num, question: fc.nat({ max: 2 }) },
      age: fc.nat({ max: 2 }),
    }),
    { maxLength: 3 },
  ),
  latched,
  verdict: fc.record({
    history: fc.array(
      fc.record({ colour: fc.nat({ max: 3 }), code: fc.nat({ max: 63 }), event: fc.nat({ max: 3 }), slot: num }),
      { maxLength: 3 },
    ),
    ...{ red: num, yellow: num, dueSlot: num, readSlot: num, points: num, knownPct: num, top10Pct: num },
    ...{ deployerLevel: fc.nat({ max: 2 }), actorLevel: fc.nat({ max: 2 }), actorsSeen: num },
  }),
  liquidity: fc.option(
    fc.record({
      ...{ pool: key, opened: sig, opening: num, total: num, locked: num },
      providers: fc.array(fc.record({ wallet: num, tokens: num, took: num, slot: num, sig }), { maxLength: 3 }),
    }),
  ),
})
const quoted: fc.Arbitrary<Pick<Token, 'quote' | 'asset'>> = fc.oneof(
  fc.record({ quote: fc.constantFrom<Quote>(QUOTE.SOL, QUOTE.USDC, QUOTE.USD1), asset: fc.constant(null) }),
  fc.record({ quote: fc.constant(QUOTE.other), asset: fc.record({ mint: key, decimals: fc.maxSafeInteger() }) }),
)
const token: fc.Arbitrary<Token> = fc.tuple(bareToken, quoted).map(([bare, its]) => ({ ...bare, ...its }))

const launch = fc.record({
  drained: flag,
  rugged: flag,
  token: num,
  taken: num,
  firstSale: num,
  bought: num,
  bundled: num,
})

const deployer = fc.record({
  ...{ drained: num, rugged: num, taken: num, seen: num, bought: num, sales: num, saleSlots: num },
  ...{ minutes: num, bundled: num },
  recent: fc.array(launch, { maxLength: 3 }),
})
const dealings = { firstBuySlot: num, bought: num, sold: num, paid: num, got: num }
const membership = fc.record({ ...dealings, shared: flag, token: num, group: num, lastSellSlot: num })

const wallet: fc.Arbitrary<Wallet> = fc.record({
  id,
  actor: num,
  serves: num,
  memberships: fc.array(membership, { maxLength: 3 }),
  address: key,
  name: textOrNull,
  kol: flag,
  agent: flag,
  exchange: flag,
  wash: flag,
  funder: num,
  funderSlot: num,
  funderLamports: num,
  deployer: fc.option(deployer),
  funded: num,
  payer: num,
  paidFor: num,
  rugs: num,
  ...{ stale: fc.constant(false), changed: fc.constant(false) },
  firstSlot: num,
  lastSlot: num,
  lastTime: num,
  ...{ trades: num, buys: num, sells: num },
  bundledTrades: num,
  mintsBought: num,
  ...{ launches: num, launchesTraded: num, launchesAboveFloor: num, launchesBonded: num },
  buyLamports: num,
  holdCostSlots: num,
  holdCost: num,
  holdBins: nums,
  holdBinCosts: nums,
  realised: num,
  closedCost: num,
  realisations: num,
  closed: num,
  won: num,
  rank: num,
  writtenOff: num,
  picksResolved: num,
  picksHealthy: num,
  impactWeighted: num,
  impactWeight: num,
  solBalance: num,
  smart: flag,
  recent: nums,
})

const position: fc.Arbitrary<Position> = fc.record({
  token: id,
  wallet: id,
  balance: num,
  unpriced: amount,
  account: num,
  others: nums,
  unplaced: amount,
  cost: num,
  settledCost: amount,
  settledMark: amount,
  acquiredSlot: num,
  bought: num,
  sold: num,
  firstBuySlot: num,
  lastBuySlot: num,
  lastSellSlot: num,
  received: num,
  peak: num,
  episodeIn: num,
  episodeOut: num,
  closed: flag,
  writtenOff: flag,
  roundTrips: num,
  ...{ soldCounted: num, fromOthers: amount, paidMore: amount, gotMore: amount },
  classes: amount,
  ...{ pick: amount, nextPick: num, nextAfter: amount },
  tripOpen: flag,
  group: num,
  rugCounted: flag,
  ...{ owner: fc.constant(null), changed: fc.constant(false) },
})

const trade: fc.Arbitrary<TradeRow> = fc.record({
  no: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  token: num,
  wallet: num,
  prev: num,
  sig,
  outer: num,
  inner: num,
  venue: fc.constantFrom<Venue>(0, 1, 2),
  slot: num,
  time: num,
  isBuy: flag,
  lamports: num,
  own: amount,
  tokens: num,
  mcap: num,
  buysBefore: num,
  buyLamportsBefore: num,
  avgHoldSlots: numOrNull,
  pnlLamports: numOrNull,
  roi: numOrNull,
  winRate: numOrNull,
  healthyRate: numOrNull,
  sellImpact: numOrNull,
  bundledRate: numOrNull,
  solBalance: numOrNull,
  group: num,
  smart: flag,
  pricing: flag,
  wash: flag,
})

const veterans = { veterans: num, veteranPnl: nums, veteranRoi: nums, veteranWin: nums }

const learnt = { n: nums, hits: nums, sumN: nums, sumHits: nums, weights: nums, errors: nums, by: nums, since: nums }
const outlook = { ...learnt, total: nums, totalHits: nums, expected: nums, squared: nums, firstSlot: num }

const globals: fc.Arbitrary<Globals> = fc.record({
  seq: num,
  chain: fc.string(),
  firstSlot: num,
  slot: num,
  time: num,
  factsSince: num,
  nextToken: num,
  nextWallet: num,
  nextTrade: num,
  nextActor: num,
  frames: num,
  tokenEvents: num,
  verdicts: num,
  readings: num,
  solUsd: num,
  population: fc.record({ picks: num, healthyPicks: num, holds: nums, ...veterans }),
  outlook: fc.record(outlook),
  unpricedTrades: num,
  missingSlots: num,
  gapSlot: num,
  migrated: nums,
})

const actorToken = fc.record({ ...dealings, grouped: flag, token: num, deployer: num, exitSlot: num })
const actor: fc.Arbitrary<Actor> = fc.record({
  ...{ id, mergedInto: num, firstSlot: num, firstToken: num, founder: num, lastSlot: num, wallets: nums },
  tokens: fc.array(actorToken, { maxLength: 3 }),
})
const edge = fc.record({ a: num, b: num, families: num, slot: num, mints: nums })
const actorEdges: fc.Arbitrary<ActorEdges> = fc.record({ id, edges: fc.array(edge, { maxLength: 3 }) })

/** Round trip; equal records give equal bytes; damaged bytes give a record or MalformedBytes. */
function check<T>(arbitrary: fc.Arbitrary<T>, encode: (value: T) => Buffer, decode: (value: T, bytes: Buffer) => T) {
  const hit = fc.record({ at: fc.nat(), cut: fc.nat({ max: 5 }), with: fc.uint8Array({ maxLength: 5 }) })
  fc.assert(
    fc.property(arbitrary, hit, (value, damage) => {
      const bytes = Buffer.from(encode(value))
      const back = decode(value, bytes)
      // structuredClone, because fast-check's records have no prototype, which deepStrictEqual compares
      assert.deepStrictEqual(back, structuredClone(value))
      assert.deepEqual(encode(back), bytes)
      const at = damage.at % (bytes.length + 1)
      try {
        decode(value, Buffer.concat([bytes.subarray(0, at), damage.with, bytes.subarray(at + damage.cut)]))
      } catch (error) {
        assert.ok(error instanceof MalformedBytes, String(error))
      }
    }),
    { numRuns: 300 },
  )
}

test('tokens', () => check(token, encodeToken, (value, bytes) => decodeToken(value.id, bytes)))

test('wallets', () => check(wallet, encodeWallet, (value, bytes) => decodeWallet(value.id, bytes)))

test('positions', () =>
  check(position, encodePosition, (value, bytes) => decodePosition(value.token, value.wallet, bytes)))

test('trade rows', () => check(trade, encodeTradeRow, (value, bytes) => decodeTradeRow(value.no, bytes)))

const eventBase = { seq: num, token: num, slot: num, time: num }
const tokenEvent: fc.Arbitrary<TokenEventRow> = fc.oneof(
  fc.record({ ...eventBase, kind: fc.constantFrom('created' as const, 'dex_paid' as const), image: textOrNull }),
  fc.record({ ...eventBase, kind: fc.constant('graduated' as const), image: textOrNull, mcap: num }),
  fc.record({ ...eventBase, kind: fc.constant('metadata' as const), metadata }),
  fc.record({ ...eventBase, kind: fc.constant('duplication' as const), dup: flags }),
  fc.record({
    ...{ ...eventBase, kind: fc.constant('verdict' as const), no: num, score: num },
    ...{ from: fc.nat(3), colour: fc.nat(3), code: fc.nat(63), event: fc.nat(3) },
  }),
)

const reading: fc.Arbitrary<ReadingRow> = fc.record({
  ...{ no: num, token: num, slot: num, age: num, points: num, score: num, knownPct: num, top10Pct: num },
  ...{ colour: fc.nat(3), code: fc.nat(63), latched },
})

test('readings', () => check(reading, encodeReadingRow, (value, bytes) => decodeReadingRow(value.no, bytes)))

test('token events', () =>
  check(tokenEvent, encodeTokenEventRow, (value, bytes) => decodeTokenEventRow(value.seq, bytes)))

test('actors', () => check(actor, encodeActor, (value, bytes) => decodeActor(value.id, bytes)))

test('evidence of actors', () =>
  check(actorEdges, encodeActorEdges, (value, bytes) => decodeActorEdges(value.id, bytes)))

test('globals', () => check(globals, encodeGlobals, (_, bytes) => decodeGlobals(bytes)))

test('what has no price takes its bytes only where there is something of it', () => {
  const sample = <T>(of: fc.Arbitrary<T>): T => fc.sample(of, { numRuns: 1, seed: 3 })[0]!
  const priced = { quote: QUOTE.USDC, asset: null }
  const other = { quote: QUOTE.other, asset: { mint: 'q'.repeat(32) as Key, decimals: 8 } }
  const of = (its: Pick<Token, 'quote' | 'asset'>): number => encodeToken({ ...sample(token), ...its }).length
  // mint and decimals
  assert.equal(of(other) - of(priced), 33)
  const row = (own: number): Buffer => Buffer.from(encodeTradeRow({ ...sample(trade), own }))
  assert.deepEqual([row(0)[0]! & 64, row(7)[0]! & 64], [0, 64])
  assert.equal(row(7).length - row(0).length, 1)
  const held = (unpriced: number): Buffer => Buffer.from(encodePosition({ ...sample(position), unpriced }))
  assert.deepEqual([held(0)[0]! & 16, held(7)[0]! & 16], [0, 16])
  assert.equal(held(7).length - held(0).length, 1)
})

test('null and 0 stay apart', () => {
  const [row] = fc.sample(trade, { numRuns: 1, seed: 1 })
  for (const roi of [null, 0, -0]) {
    const back = decodeTradeRow(row!.no, encodeTradeRow({ ...row!, roi }))
    assert.ok(Object.is(back.roi, roi))
  }
})
