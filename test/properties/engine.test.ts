import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sig } from '@ti/core/base/ids.ts'
import { CLASS } from '@ti/core/engine/class-memory.ts'
import { resultOf, ruggedBy } from '@ti/core/engine/drain.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import * as history from '@ti/core/engine/history.ts'
import { type QuietBounds, readLiveToken } from '@ti/core/engine/resident.ts'
import { BUNDLE_BOOK } from '@ti/core/model/bundles.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, FEE_CHANGE } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import { GLOBALS, POSITION, TOKEN, WALLET } from '@ti/core/model/state.ts'
import { createViews } from '@ti/core/query/view.ts'
import { assertBounded } from '../support/bounds.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, CROWD, crowdSteps, mintKey, type Step, steps, walletKey } from '../support/histories.ts'
import { createMemoryStore, type MemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { createReference } from './reference.ts'

const RUNS = runs(150)
const CROWDS = runs(20)

/** Folds entries into a plain store, committing after every `group` entries and starting anew after every `restart`. */
function fold(
  entries: readonly LogEntry[],
  group = 1,
  restart = Number.POSITIVE_INFINITY,
  quiet: QuietBounds = QUIET_AT_ONCE,
): MemoryStore {
  const store = createMemoryStore()
  const start = () => createEngine({ reader: store, walletsCached: 4, quiet })
  let engine = start()
  entries.forEach((entry, i) => {
    engine.apply(i, entry)
    if ((i + 1) % group !== 0 && i + 1 < entries.length) return
    store.write(engine.changes())
    engine.committed()
    if ((i + 1) % restart === 0) engine = start()
  })
  return store
}

/** Rows of all trades in order of their number, and which of them were made by members of confirmed groups. */
function tradeRows(store: MemoryStore): { rows: TradeRow[]; bundled: Set<number> } {
  const rows: TradeRow[] = []
  for (let id = 0; id < (store.globals()?.nextToken ?? 0); id++) {
    rows.push(...store.tradesBack(store.token(id)!.lastTradeNo, 1_000))
  }
  rows.sort((a, b) => a.no - b.no)
  return { rows, bundled: new Set(rows.filter(({ group }) => group >= 0).map(({ no }) => no)) }
}

const near = (actual: number | null | undefined, expected: number | null, what: string): void => {
  if (expected === null || actual === null || actual === undefined) return assert.equal(actual, expected, what)
  assert.ok(Math.abs(actual - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), `${what}: ${actual} ≠ ${expected}`)
}

function checkBounds(store: MemoryStore): void {
  const { nextToken, nextWallet } = store.globals()!
  assertBounded(GLOBALS, store.globals()!)
  for (let id = 0; id < nextWallet; id++) assertBounded(WALLET, store.wallet(id)!)
  for (let id = 0; id < nextToken; id++) {
    assertBounded(TOKEN, store.token(id)!)
    assertBounded(BUNDLE_BOOK, store.bundles(id) ?? emptyBundleBook())
    for (const position of store.positions(id)) assertBounded(POSITION, position)
  }
}

function compareStatistics(list: readonly Step[]): void {
  const entries = buildHistory(list)
  const store = fold(entries)
  checkBounds(store)
  const { rows, bundled } = tradeRows(store)
  const reference = createReference(entries, bundled)
  const trades = reference.events.filter(({ event }) => event.kind === 'trade')
  assert.equal(rows.length, trades.length)
  for (const [n, row] of rows.entries()) {
    const { index, slot, event } = trades[n]!
    assert.equal(event.sig, row.sig)
    const then = reference.history(store.wallet(row.wallet)!.address, { index, slot })
    assert.equal(row.buysBefore, then.buys)
    assert.equal(row.buyLamportsBefore, then.buyLamports)
    near(row.avgHoldSlots, then.avgHold, 'avg_hold_slots')
    near(row.pnlLamports, then.pnl, 'user_pnl')
    near(row.roi, then.roi, 'roi')
    near(row.winRate, then.winRate, 'win_rate')
    near(row.healthyRate, then.healthyRate, 'healthy_coins_rate')
    near(row.sellImpact, then.sellImpact, 'sell_impact')
    near(row.bundledRate, then.trades > 0 ? then.bundledTrades / then.trades : null, 'bundled_trades_rate')
  }
  const globals = store.globals()!
  for (let n = 0; n < CROWD; n++) {
    const id = store.walletIdByAddress(walletKey(n))
    if (id === undefined) continue
    const wallet = store.wallet(id)!
    const now = reference.history(walletKey(n))
    assert.equal(wallet.trades, now.trades)
    assert.equal(wallet.closed - wallet.writtenOff, now.soldOut)
    assert.ok(wallet.closedCost <= wallet.buyLamports, 'what was paid is charged once')
    near(history.pnlLamports(wallet), now.pnl, 'pnl_sol')
    near(history.winRate(wallet), now.winRate, 'win_rate')
    near(history.avgHoldSlots(wallet), now.avgHold, 'avg_hold_slots')
    near(history.healthyRate(wallet, globals.population), now.healthyRate, 'healthy_coins_rate')
    const median = history.medianHoldSlots(wallet)
    if (now.medianHold === null) assert.equal(median, null)
    else assert.ok(Math.abs(median! - now.medianHold) <= 1, `median ${median} ≠ ${now.medianHold}`)
    assert.deepEqual(
      wallet.recent.map((token) => store.token(token)!.mint),
      now.recent,
    )
  }
}

test('every served statistic equals the slow reference, before each trade and at the end', () => {
  fc.assert(fc.property(steps, compareStatistics), { numRuns: RUNS })
})

test('so it does in a crowd', () => {
  fc.assert(fc.property(crowdSteps, compareStatistics), { numRuns: CROWDS })
})

function compareTokens(list: readonly Step[]): void {
  const entries = buildHistory(list)
  const store = fold(entries)
  const reference = createReference(entries, tradeRows(store).bundled)
  for (const mint of reference.mints) {
    const id = store.tokenIdByMint(mint)
    assert.equal(id === undefined, reference.birth(mint) === undefined)
    if (id === undefined) continue
    const token = store.token(id)!
    const expected = reference.token(mint)
    assert.equal(token.trades, expected.trades)
    assert.equal(token.mcap, expected.mcap)
    assert.equal(token.ath, expected.ath)
    assert.equal(token.athSlot, expected.athSlot)
    const { drainedSlot, ruggedSlot, takenOverSlot } = token
    assert.deepEqual({ drainedSlot, ruggedSlot, by: ruggedBy(token), takenOverSlot }, expected.drain)
    assert.equal(resultOf(token, CLASS.own), reference.taken(mint))
    assert.equal(token.migratedSlot, expected.migratedSlot)
    const live = readLiveToken(store, token)
    let owned = 0
    let count = 0
    for (const [address, holding] of expected.balances) {
      const wallet = store.walletIdByAddress(address)
      const position = wallet === undefined ? undefined : live.positions.get(wallet)
      assert.equal(position?.balance ?? 0, holding.balance)
      assert.equal(position?.cost ?? 0, holding.cost)
      assert.equal(position?.sold ?? 0, holding.sold)
      if (holding.balance > 0) near(position!.acquiredSlot, holding.acquired, 'acquired_slot')
      if (holding.balance >= 1e6) {
        owned += holding.balance
        count++
      }
    }
    assert.equal(token.holders, count)
    assert.equal(token.owned, owned)
  }
}

test('token basics and holders equal the slow reference', () => {
  fc.assert(fc.property(steps, compareTokens), { numRuns: RUNS })
})

test('so they do in a crowd', () => {
  fc.assert(fc.property(crowdSteps, compareTokens), { numRuns: CROWDS })
})

test('the state does not depend on commit grouping, restarts or cache size', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 4 }), (list, group, restarts) => {
      const entries = withLaunches(buildHistory(list))
      assert.equal(fold(entries, group, group * restarts).dump(), fold(entries).dump())
    }),
    { numRuns: RUNS },
  )
})

/** The history with creations found later, and with changes of creators and fee owners. */
const withLaunches = (entries: readonly LogEntry[]): LogEntry[] =>
  entries.flatMap((entry, i): LogEntry[] => {
    if (entry.kind !== 'block') return [entry]
    const mint = mintKey(i % 4)
    const head = { sig: `change-${i}`.padEnd(64, '.') as Sig, txIndex: 1_000_000, outer: 0, inner: 0, mint }
    const owners = [walletKey(i % 5), walletKey(7)]
    const change: ChainEvent =
      i % 2 === 0
        ? { kind: 'creator', ...head, how: FEE_CHANGE.takeover, creator: walletKey(i % 5), pool: null }
        : {
            kind: 'shares',
            ...head,
            how: FEE_CHANGE.shares_updated,
            owners,
            shares: [i % 10_000, 10_000 - (i % 10_000)],
          }
    const found: Fact = {
      ...{ kind: 'launch', mint, launcher: walletKey(i % 3), creator: walletKey(i % 5), payer: walletKey(1) },
      ...{ signed: i % 2 === 0, slot: Math.max(0, entry.slot - 10), sig: head.sig },
      ...{
        name: `name ${i % 3}`,
        symbol: '',
        uri: '',
        nameNorm: `name ${i % 3}`,
        symbolNorm: '',
        supply: 1e15,
        decimals: 6,
      },
    }
    const facts: LogEntry = { kind: 'facts', time: entry.time, byOperator: true, facts: [found] }
    return [{ ...entry, events: [...entry.events, change] }, ...(i % 5 === 4 ? [facts] : [])]
  })

/** Only what was emptied long ago leaves, and that at once. */
const EMPTIED = { slots: Number.POSITIVE_INFINITY, large: 0, visits: 1_000_000 }

test('nor on emptied positions leaving memory; every reading is the same before each entry', (t) => {
  let gone = 0
  fc.assert(
    fc.property(steps, (list) => {
      const entries = buildHistory(list)
      const sides = [EMPTIED, undefined].map((quiet) => {
        const store = createMemoryStore()
        const engine = createEngine({ reader: store, walletsCached: 4, ...(quiet && { quiet }) })
        return { store, engine }
      })
      entries.forEach((entry, i) => {
        const told = sides.map(({ engine, store }) => {
          engine.apply(i, entry)
          store.write(engine.changes())
          engine.committed()
          return toldOf(engine, store)
        })
        assert.equal(told[0], told[1])
        for (const { positions } of sides[0]!.engine.tokens.live()) gone += positions.size - positions.inMemory
      })
      assert.equal(sides[0]!.store.dump(), sides[1]!.store.dump())
    }),
    { numRuns: RUNS },
  )
  t.diagnostic(`positions out of memory, over all entries: ${gone}`)
  assert.ok(gone > 0)
})

/** What is read of the tokens in memory: reading and signals, and what the lists ask. */
function toldOf(engine: Engine, store: MemoryStore): string {
  const views = createViews(engine, store, 1)
  const told = [...engine.tokens.live()].map((live) => {
    const view = views.of(live)
    const { largestBalance, buyers5m, traders1h, bundledBuyers } = view.crowd()
    return [view.reading(), view.conditions(), largestBalance, buyers5m, traders1h, bundledBuyers]
  })
  const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value)
  return JSON.stringify(told, plain)
}

test('an entry folded twice, or a block at or before the last slot, changes nothing but the sequence', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (list, pick) => {
      const entries = buildHistory(list)
      const again = entries[pick % entries.length]!
      const store = createMemoryStore()
      const engine = createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
      entries.forEach((entry, seq) => void engine.apply(seq, entry))
      store.write(engine.changes())
      engine.committed()
      const before = store.dump()
      assert.equal(engine.apply(pick % entries.length, again), false)
      if (again.kind === 'block') {
        assert.equal(engine.accepts(again), false)
        assert.equal(engine.apply(entries.length, again), false)
      }
      store.write(engine.changes())
      const seq = (dump: string): string => dump.replace(/"seq":\d+/, '')
      assert.equal(seq(store.dump()), seq(before))
    }),
    { numRuns: RUNS },
  )
})
