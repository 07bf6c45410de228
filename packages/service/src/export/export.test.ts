import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { openPosition } from '@ti/core/engine/positions.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import { emptyBundleBook, emptyGlobals } from '@ti/core/model/generated/empty.ts'
import type { ReadingRow, TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Position, Token, Wallet } from '@ti/core/model/state.ts'
import {
  expectedLaunch,
  expectedMoney,
  expectedPosition,
  expectedReading,
  expectedTrade,
  expectedVerdicts,
  expectedWallet,
} from '../../../../test/support/export-expected.ts'
import { type Cells, contentsOf, readAll, readManifest, readTable } from '../../../../test/support/export-reader.ts'
import { markState, OTHER_FINGERPRINT } from '../../../../test/support/other-fold.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { lockDataDir } from '../base/lock.ts'
import { encodeEntry } from '../log/codec.ts'
import { openStore } from '../store/open.ts'
import { int64 } from './columns.ts'
import { exportParquet } from './export.ts'
import type { ExportNews } from './news.ts'

const BOUNDS = { partRows: 3, groupRows: 2, groupText: 1e6, names: 2, manifestBytes: 1e5 }
const HUGE = 2 ** 70
const TEXT = 'a"b\0\n,🐸\u{1F468}\u200Dé'

const keyOf = (n: number): Key => String.fromCharCode(255, 7, n).padEnd(32, 'x') as Key

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'export-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

interface State {
  readonly seq: number
  readonly trades: readonly TradeRow[]
  readonly tokens?: readonly Token[]
  readonly wallets?: readonly Wallet[]
  readonly positions?: readonly Position[]
  readonly verdicts?: readonly TokenEventRow[]
  readonly readings?: readonly ReadingRow[]
  readonly bundles?: readonly { token: Token; bundles: ReturnType<typeof emptyBundleBook> }[]
}

/** Brings the store in `dir` to a state, as the fold would. */
async function bring(dir: string, state: State): Promise<void> {
  const { seq, trades, tokens = plainTokens, wallets = plainWallets, positions = [], bundles = [] } = state
  const { verdicts: tokenEvents = [], readings = [] } = state
  const store = openStore(dir)
  const { nextToken = 0, nextWallet = 0, nextTrade = 0 } = store.globals() ?? {}
  const held = (id: number): number => {
    const all = [...store.positions(id), ...positions.filter(({ token }) => token === id)]
    return new Set(all.map(({ wallet }) => wallet)).size
  }
  const counts = {
    ...{ nextToken: tokens.length, nextWallet: wallets.length, nextTrade: nextTrade + trades.length },
    ...{ tokenEvents: tokenEvents.length, verdicts: tokenEvents.length, readings: readings.length },
  }
  const changes = {
    globals: { ...emptyGlobals(), ...counts, solUsd: 1, firstSlot: 0, seq, slot: seq * 2, time: 1.5 },
    tokens: tokens.map((token) => ({ token, positionCount: held(token.id) })),
    ...{ wallets, positions, trades, bundles, agents: null, actors: [], actorEdges: [] },
    ...{ newTokens: tokens.slice(nextToken), newWallets: wallets.slice(nextWallet) },
    ...{
      tokenEvents,
      readings,
      frameMarks: [],
      pools: new Map(),
      firstUses: [],
      launches: [],
      live: new Map(),
    },
  }
  store.transaction(() => {
    for (let i = store.log.newest() + 1; i <= seq; i++) store.append(i, encodeEntry({ kind: 'gap', from: i, to: i }))
    store.write(changes)
  })
  await store.close()
}

const plainTokens = [newToken(0, keyOf(1), 5, 6)]
const plainWallets = [newWallet(0, keyOf(2), 5)]

const trade = (no: number, more: Partial<TradeRow> = {}): TradeRow => ({
  ...{ no, token: 0, wallet: 0, prev: -1, sig: '' as Sig, outer: -1, inner: 0, venue: 0, slot: 5, time: 0 },
  ...{ isBuy: true, lamports: 1, own: 0, tokens: 2, mcap: 0, buysBefore: 0, buyLamportsBefore: 0, avgHoldSlots: null },
  ...{ pnlLamports: null, roi: null, winRate: null, healthyRate: null, sellImpact: null, bundledRate: null },
  ...{ solBalance: null, smart: false, pricing: true, wash: false, group: -1 },
  ...more,
})
const trades = (from: number, count: number, more: Partial<TradeRow> = {}): TradeRow[] =>
  Array.from({ length: count }, (_, i) => trade(from + i, more))

const run = (dataDir: string, out: string, onNews: (news: ExportNews) => void = () => {}) =>
  exportParquet({ dataDir, out, bounds: BOUNDS, onNews })

const refused = (doing: Promise<unknown>, why: RegExp, exitCode: number = EXIT.failed): Promise<void> =>
  assert.rejects(doing, (error) => {
    assert.equal(error instanceof OperatorError, true, String(error))
    assert.match((error as OperatorError).message, why)
    assert.equal((error as OperatorError).exitCode, exitCode)
    return true
  })

test('whole numbers are exact, stay within 64 bits, and nothing else passes for one', () => {
  for (const value of [0, -0, -1, Number.MAX_SAFE_INTEGER, 2 ** 62, -(2 ** 63)])
    assert.equal(int64(value), BigInt(value))
  assert.equal(int64(2 ** 63), 2n ** 63n - 1n)
  assert.equal(int64(-HUGE), -(2n ** 63n))
  assert.throws(() => int64(0.5), RangeError)
})

const NO_READING = { points: 0, score: 0, knownPct: 0, top10Pct: 0, colour: 0, code: 19, latched: [] }

/** One record with all values unknown, and one with all values known. */
function extremes(): Required<State> {
  const known: Token = {
    ...newToken(1, keyOf(3), 7, 8.25),
    ...{
      launchpad: 2,
      createdKnown: true,
      deployer: 1,
      name: TEXT,
      symbol: 'S',
      uri: 'ipfs://x',
      quote: 1,
      decimals: 9,
    },
    metadata: { description: TEXT, image: 'i', twitter: 't', telegram: 'g', website: 'w' },
    dup: { name: 1, symbol: 2, symbolName: 1, image: 2, twitter: 1, telegram: 2, website: 1 },
    ...{ supply: 2 ** 53 - 1, curve: keyOf(4), pool: keyOf(5), mayhem: true, startQuote: 11, quoteReserve: 12 },
    ...{ baseReserve: 13, realToken: 0, lastTradeSlot: 14, lastTradeTime: 15, mcap: 1e300, ath: 0.5, athSlot: 16 },
    ...{ athTime: 17, completeSlot: 18, migratedSlot: 19, migratedTime: 20, dexPaidTime: 21, deployerDumped: true },
    ...{
      drainedSlot: 0,
      ruggedSlot: 0,
      ruggedBy: 5,
      takenOverSlot: 0,
      classes: [1, 2].map((paid) => ({ wallets: 1, held: 1, peak: 1, sold: 1, paid, got: 2 ** 53 - 1 })),
      dead: true,
      trades: 22,
      buys: 23,
      sells: 24,
      buyers: 25,
      holders: 26,
      owned: 2 ** 60,
    },
  }
  const wallet: Wallet = {
    ...newWallet(1, keyOf(6), 1),
    ...{ name: TEXT, kol: true, agent: true, exchange: true, wash: true, smart: true, lastSlot: 2, lastTime: 1.000001 },
    ...{ trades: 4, buys: 5, sells: 6, bundledTrades: 1, mintsBought: 8, launches: 9, launchesTraded: 10 },
    ...{
      launchesAboveFloor: 11,
      launchesBonded: 12,
      buyLamports: 13,
      holdCostSlots: 14.5,
      holdCost: 15,
      holdBins: [3],
    },
    ...{ holdBinCosts: [15], realised: -12e9, closedCost: 16e9, realisations: 17, closed: 18, writtenOff: 7, won: 9 },
    picksResolved: 20,
    ...{ picksHealthy: 5, impactWeighted: -2.5, impactWeight: 1, solBalance: 0, funder: 0, funderSlot: 0, funded: 21 },
    ...{ payer: 0, paidFor: 22, rugs: 23 },
  }
  const group = {
    remembered: 0,
    balance: 0,
    peak: 0,
    bought: 0,
    sold: 0,
    flows: [],
    red: false,
    netSellSlot: -1,
    founder: 1,
  }
  const groups = [
    { ...group, no: 0, mergedInto: 1, firstSlot: 3, members: [], confirmedSlot: 4 },
    { ...group, no: 1, mergedInto: -1, firstSlot: 5, members: [1], confirmedSlot: 6 },
    { ...group, no: 2, mergedInto: -1, firstSlot: 7, members: [0], confirmedSlot: -1 },
  ]
  const position: Position = {
    ...openPosition(1, wallet, 3.75),
    ...{ balance: 2, unpriced: 1, cost: 3, settledCost: 2, settledMark: 1, bought: 2 ** 62, sold: 5 },
    ...{ firstBuySlot: 6, lastBuySlot: 7, lastSellSlot: 8, received: 9 },
    ...{
      peak: 10,
      episodeIn: 11,
      episodeOut: 12,
      paidMore: 3,
      gotMore: 4,
      closed: true,
      writtenOff: true,
      roundTrips: 13,
      group: 0,
    },
  }
  const newest = trade(1, {
    ...{ token: 1, wallet: 1, sig: String.fromCharCode(200).repeat(64) as Sig, outer: 0, inner: 3, venue: 2, slot: 7 },
    ...{
      time: 1.75e9,
      isBuy: false,
      lamports: 2 ** 53 - 1,
      own: 6,
      tokens: 2 ** 60,
      mcap: 1e21,
      buysBefore: 4,
      roi: -0.25,
    },
    ...{ buyLamportsBefore: 5, avgHoldSlots: 1.5, pnlLamports: -1, winRate: 1, healthyRate: 0, sellImpact: -3.5 },
    ...{ bundledRate: 1 / 3, solBalance: 0, smart: true, pricing: true, wash: true, group: 0 },
  })
  const unconfirmed = { ...openPosition(1, plainWallets[0]!, 4), group: 2 }
  return {
    seq: 9,
    tokens: [newToken(0, keyOf(1), 5, 0), known],
    wallets: [newWallet(0, keyOf(2), 5), wallet],
    positions: [openPosition(0, wallet, 3), unconfirmed, position],
    bundles: [{ token: known, bundles: { ...emptyBundleBook(), groups } }],
    trades: [trade(0), newest],
    verdicts: [
      { kind: 'verdict', seq: 1, token: 0, slot: 6, time: 0, no: 1, from: 0, colour: 1, code: 22, event: 0, score: -1 },
      { kind: 'verdict', seq: 2, token: 1, slot: 8, time: 9, no: 2, from: 1, colour: 3, code: 0, event: 3, score: 29 },
    ],
    readings: [
      { ...NO_READING, no: 0, token: 0, slot: 80, age: 75 },
      {
        ...{
          no: 1,
          token: 1,
          slot: 157,
          age: 150,
          points: 100,
          score: 29,
          knownPct: 12.5,
          top10Pct: 99,
          colour: 3,
          code: 0,
        },
        latched: [0, 1, 2].map((question) => ({ question, slot: 157, n: 20 + question, hits: 7, by: 0, bins: 0 })),
      },
    ],
  }
}

test('what is unknown is null, everything else is exact, at the ends of what there can be', async (t) => {
  const [data, out] = [join(folder(t), 'data'), join(folder(t), 'out')]
  const state = extremes()
  await bring(data, state)
  await run(data, out)
  const tables = await readAll(out)
  const store = openStore(data)
  t.after(() => store.close())
  assert.deepEqual(
    tables.trades,
    Array.from(store.trades(0), (row) => expectedTrade(store, row)),
  )
  assert.deepEqual(
    tables.launches,
    state.tokens.map(({ id }) => expectedLaunch(store, store.token(id)!)),
  )
  assert.deepEqual(
    tables.positions,
    state.positions.map((position) => expectedPosition(store, position)),
  )
  assert.deepEqual(tables.verdicts, expectedVerdicts(store))
  assert.deepEqual(
    tables.readings,
    state.readings.map((row) => expectedReading(store, row)),
  )
  assert.deepEqual(tables.money, state.tokens.flatMap(expectedMoney))
  tables.wallets.forEach((row, id) => {
    const expected = expectedWallet(store, store.wallet(id)!)
    assert.deepEqual({ ...row, ...expected }, row)
  })
  const readings = (row: Cells) => [row.pnl_lamports, row.roi, row.win_rate, row.sell_impact_pct, row.avg_hold_slots]
  assert.deepEqual(tables.wallets.map(readings), [
    [null, null, null, null, null],
    [-12_000_000_000n, -0.75, 0.5, -2.5, 14.5 / 15],
  ])
  // a column with the same value for both could be mapped wrongly without notice
  const same = Object.entries(tables).flatMap(([table, rows]) =>
    Object.keys(rows[0]!)
      .filter((name) => new Set(rows.map((row) => row[name])).size === 1)
      .map((name) => `${table}.${name}`),
  )
  assert.deepEqual(same, [])
})

test('sums of hostile amounts end at 64 bits and spoil nothing else', async (t) => {
  const [data, out] = [join(folder(t), 'data'), join(folder(t), 'out')]
  const position = { ...openPosition(0, plainWallets[0]!, 1), bought: HUGE, sold: 7 }
  const wallets = [{ ...plainWallets[0]!, realised: -HUGE }]
  await bring(data, { seq: 1, trades: [trade(0, { time: 1e300 })], positions: [position], wallets })
  await run(data, out)
  const tables = await readAll(out)
  assert.deepEqual([tables.positions[0]!.bought_base_units, tables.positions[0]!.sold_base_units], [2n ** 63n - 1n, 7n])
  assert.equal(tables.wallets[0]!.realised_lamports, -(2n ** 63n))
  assert.equal(tables.trades[0]!.block_at, 2n ** 63n - 1n)
})

test('each further export adds trades, writes the rest anew, and leaves the one before it whole', async (t) => {
  const [data, out] = [join(folder(t), 'data'), join(folder(t), 'out')]
  await bring(data, { seq: 1, trades: trades(0, 4) })
  const first = (await run(data, out)).manifest
  const files = first.tables.trades.parts.map(({ file }) => file)
  assert.deepEqual(files, ['trades/000000000000-000000000002.parquet', 'trades/000000000003-000000000003.parquet'])

  await bring(data, { seq: 2, trades: trades(4, 5, { isBuy: false }) })
  const second = (await run(data, out)).manifest
  assert.deepEqual(
    second.tables.trades.parts.slice(2).map(({ rows }) => rows),
    [3, 2],
  )
  assert.deepEqual(second.tables.trades.parts.slice(0, 2), first.tables.trades.parts)
  assert.equal((await readTable(out, 'trades')).length, 9)
  assert.equal((await readTable(out, 'wallets', first)).length, 1)

  await bring(data, { seq: 3, trades: trades(9, 1), wallets: [...plainWallets, newWallet(1, keyOf(9), 9)] })
  const third = (await run(data, out)).manifest
  assert.deepEqual([third.previous, third.tables.wallets.rows, third.tables.trades.rows], [2, 2, 10])
  // the rest of a copy whose removal was interrupted
  mkdirSync(join(out, '.copy.making'))
  assert.deepEqual(await run(data, out), { manifest: third, isNew: false })
  assert.deepEqual(readdirSync(out).sort(), ['manifest.json', 'state-000000000002', 'state-000000000003', 'trades'])
})

test('a loaded file that was removed is written again, and what an abandoned export left behind goes', async (t) => {
  const [data, out] = [join(folder(t), 'data'), join(folder(t), 'out')]
  await bring(data, { seq: 1, trades: trades(0, 7) })
  await run(data, out)
  const before = contentsOf(join(out, 'trades'))
  await bring(data, { seq: 2, trades: trades(7, 4) })
  const halt = ({ kind }: ExportNews): void => {
    if (kind === 'part') throw new Error('halt')
  }
  await assert.rejects(run(data, out, halt), /halt/)
  assert.equal(readdirSync(join(out, 'trades')).length, 4)
  rmSync(join(out, '.copy'), { recursive: true })
  rmSync(join(out, 'trades/000000000003-000000000005.parquet'))
  await bring(data, { seq: 3, trades: trades(11, 1) })
  await run(data, out)
  const rows = await readTable(out, 'trades')
  assert.deepEqual(
    rows.map((row) => Number(row.trade_no)),
    Array.from({ length: 12 }, (_, no) => no),
  )
  const now = contentsOf(join(out, 'trades'))
  const first = '000000000000-000000000002.parquet'
  assert.deepEqual([now[first], Object.keys(now).length], [before[first], readManifest(out).tables.trades.parts.length])
})

test('a full disk is said, and the same call goes on', {
  skip: !existsSync('/dev/full') && 'no /dev/full',
}, async (t) => {
  const dir = folder(t)
  const [data, out, whole] = [join(dir, 'data'), join(dir, 'out'), join(dir, 'whole')]
  await bring(data, { seq: 1, trades: trades(0, 7) })
  await run(data, whole)
  const halt = ({ kind }: ExportNews): void => {
    if (kind === 'part') throw new Error('halt')
  }
  await assert.rejects(run(data, out, halt), /halt/)
  symlinkSync('/dev/full', join(out, 'trades/next.making'))
  await refused(run(data, out), /is full\. Finished files stay: make room and run the same command/)
  assert.deepEqual(readdirSync(join(out, 'trades')), ['000000000000-000000000002.parquet'])
  await run(data, out)
  assert.deepEqual(contentsOf(out), contentsOf(whole))
})

test('what cannot be is refused with what to do, and nothing is touched', async (t) => {
  const dir = folder(t)
  const [data, out] = [join(dir, 'data'), join(dir, 'out')]
  await refused(run(join(dir, 'nothing'), out), /there is no store in .*--data-dir/)
  await bring(data, { seq: 1, trades: trades(0, 2) })

  const strange = join(dir, 'strange')
  mkdirSync(join(strange, 'trades'), { recursive: true })
  writeFileSync(join(strange, 'trades/mine.csv'), 'mine')
  await refused(run(data, strange), /holds something else \(trades\)/)
  await refused(run(data, data), /holds something else/)
  assert.deepEqual([readdirSync(strange), readFileSync(join(strange, 'trades/mine.csv'), 'utf8')], [['trades'], 'mine'])
  writeFileSync(join(dir, 'file'), '')
  await refused(run(data, join(dir, 'file')), /is not a directory/)

  const lock = await lockDataDir(out)
  await refused(run(data, out), /another process is writing/, EXIT.dataDirBusy)
  await lock.release()

  await run(data, out)
  const files = contentsOf(out)
  const other = join(dir, 'other')
  await bring(other, { seq: 5, trades: trades(0, 3, { lamports: 77 }) })
  await refused(run(other, out), /another log/)
  const behind = join(dir, 'behind')
  await bring(behind, { seq: 0, trades: trades(0, 2) })
  await refused(run(behind, out), /a later entry \(1\) than this store has \(0\)/)
  assert.deepEqual(contentsOf(out), files)

  const path = join(out, 'manifest.json')
  const theirs = { ...JSON.parse(readFileSync(path, 'utf8')), fingerprint: OTHER_FINGERPRINT }
  writeFileSync(path, JSON.stringify(theirs))
  await refused(run(data, out), /made by another build \(fingerprint 0123456789abcdef/)
  for (const text of ['{', '{"format":1}', files['manifest.json']!]) {
    writeFileSync(path, text)
    await refused(run(data, out), /is not of an export by this program/, EXIT.badFile)
  }
})

test('an export begun by another build, or whose draft is gone, says how to begin anew', async (t) => {
  const dir = folder(t)
  const [data, out] = [join(dir, 'data'), join(dir, 'out')]
  await bring(data, { seq: 1, trades: trades(0, 4) })
  const halt = ({ kind }: ExportNews): void => {
    if (kind === 'part') throw new Error('halt')
  }
  await assert.rejects(run(data, out, halt), /halt/)
  writeFileSync(join(out, '.copy/draft.json'), '{}')
  await refused(run(data, out), /cannot be read: remove \S+\.copy to begin anew/, EXIT.badFile)
  markState(join(out, '.copy'), { fingerprint: OTHER_FINGERPRINT })
  await refused(run(data, out), /Run the program that began it, or remove \S+\.copy to/, EXIT.badFile)
  rmSync(join(out, '.copy'), { recursive: true })
  const { manifest } = await run(data, out)
  assert.equal(manifest.tables.trades.rows, 4)
})
