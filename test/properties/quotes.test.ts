import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { VERDICT_CODES, type VerdictCode } from '@ti/core/base/verdict-codes.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { type LiveToken, readLiveToken } from '@ti/core/engine/resident.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE, type QuoteAsset, VENUE } from '@ti/core/model/events.ts'
import type { Position, Token, Wallet } from '@ti/core/model/state.ts'
import { decodeEntry, encodeEntry } from '@ti/service/log/codec.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, mintKey, steps, TRADERS, walletKey } from '../support/histories.ts'
import { createMemoryStore, type MemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'

/** Trades in something of unknown price beside trades in SOL: they change no figure in SOL or USD, and everything else works. */
const RUNS = runs(60)
const PRICED = [0, 1].map(mintKey)
const OTHERS = [2, 3].map(mintKey)
/** with SOL's decimals, so that an amount of it is a number of lamports elsewhere */
const ASSET: QuoteAsset = { mint: 'stonk'.padEnd(32, '.') as Key, decimals: 9 }

type Change = (event: ChainEvent) => ChainEvent | null

const changed = (entries: readonly LogEntry[], change: Change): LogEntry[] =>
  entries.map((entry) =>
    entry.kind === 'block' ? { ...entry, events: entry.events.flatMap((event) => change(event) ?? []) } : entry,
  )

const isOther = ({ mint }: ChainEvent): boolean => OTHERS.includes(mint)
/** A curve of LaunchLab; what a wallet's purse shows is a figure in SOL that no quote hides. */
const onLaunchLab: Change = (event) => {
  if (event.kind !== 'trade' || !isOther(event)) return event
  const venue = event.venue === VENUE.pump ? VENUE.launchlab : event.venue
  return { ...event, venue, solBefore: -1, solAfter: -1 }
}
const inAsset: Change = (event) =>
  isOther(event) && (event.kind === 'trade' || event.kind === 'create')
    ? { ...event, quote: QUOTE.other, asset: ASSET }
    : event
/** Transfers go as well: of a token nobody trades the quote is not known, and what was received is written off as worth nothing. */
const withoutOthers: Change = (event) => (isOther(event) ? null : event)

/** Through the log's bytes, with a commit and a new engine after every few entries. */
function fold(entries: readonly LogEntry[]): MemoryStore {
  const store = createMemoryStore()
  const start = () => createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
  let engine = start()
  entries.forEach((entry, seq) => {
    engine.apply(seq, decodeEntry(seq, Buffer.from(encodeEntry(entry))))
    store.write(engine.changes())
    engine.committed()
    if (seq % 5 === 4) engine = start()
  })
  return store
}

function tokenOf(store: MemoryStore, mint: Key): LiveToken | null {
  const id = store.tokenIdByMint(mint)
  return id === undefined ? null : readLiveToken(store, store.token(id)!)
}

function walletOf(store: MemoryStore, n: number): Wallet | null {
  const id = store.walletIdByAddress(walletKey(n))
  return id === undefined ? null : store.wallet(id)!
}

/** By wallet number: ids are given in the order of the log, which has fewer events without the trades. */
function positionsOf<T>(store: MemoryStore, live: LiveToken, of: (position: Position) => T): (T | null)[] {
  return Array.from({ length: TRADERS }, (_, n) => {
    const id = store.walletIdByAddress(walletKey(n))
    const position = id === undefined ? undefined : live.positions.get(id)
    return position === undefined ? null : of(position)
  })
}

function figuresOf(store: MemoryStore) {
  return {
    tokens: PRICED.map((mint) => {
      const live = tokenOf(store, mint)
      if (live === null) return null
      const { mcap, ath, athSlot, quoteReserve, baseReserve, holders, owned, buckets } = live.token
      const flows = buckets.map(({ index, buyLamports, sellLamports, open, reserve }) => [
        ...[index, buyLamports, sellLamports, open, reserve],
      ])
      const held = positionsOf(store, live, (p) => [p.balance, p.cost, p.episodeIn, p.episodeOut, p.closed])
      return { mcap, ath, athSlot, quoteReserve, baseReserve, holders, owned, flows, held }
    }),
    wallets: Array.from({ length: TRADERS }, (_, n) => {
      const wallet = walletOf(store, n)
      // one that only traded in something else was never seen without those trades
      if (wallet === null) return null
      const { buyLamports, realised, closedCost, realisations, closed, won, holdCost, holdCostSlots, solBalance } =
        wallet
      return { buyLamports, realised, closedCost, realisations, closed, won, holdCost, holdCostSlots, solBalance }
    }),
    holds: store.globals()?.population.holds,
  }
}
const UNSEEN = {
  ...{ buyLamports: 0, realised: 0, closedCost: 0, realisations: 0, closed: 0, won: 0, holdCost: 0, holdCostSlots: 0 },
  solBalance: -1,
}

test('trades in something of unknown price change no figure in SOL or USD of other tokens and of wallets', () => {
  let traded = 0
  fc.assert(
    fc.property(steps, (list) => {
      const entries = changed(buildHistory(list), (event) => inAsset(onLaunchLab(event)!))
      const full = fold(entries)
      const less = fold(changed(entries, withoutOthers))
      const [now, before] = [figuresOf(full), figuresOf(less)]
      assert.deepEqual(now.tokens, before.tokens)
      assert.deepEqual(now.holds, before.holds)
      for (const [n, wallet] of now.wallets.entries()) assert.deepEqual(wallet, wallet && (before.wallets[n] ?? UNSEEN))
      for (const mint of OTHERS) {
        const live = tokenOf(full, mint)
        if (live === null || live.token.trades === 0) continue
        const { mcap, ath, athSlot, quote, asset } = live.token
        assert.deepEqual([mcap, ath, athSlot, quote, asset], [0, 0, -1, QUOTE.other, ASSET])
        for (const { cost, episodeIn, episodeOut } of live.positions.values())
          assert.deepEqual([cost, episodeIn, episodeOut], [0, 0, 0])
        for (const row of full.tradesBack(live.token.lastTradeNo, 1_000)) {
          traded++
          assert.deepEqual([row.lamports, row.mcap], [0, 0])
          assert.ok(row.own > 0)
        }
      }
    }),
    { numRuns: RUNS },
  )
  assert.ok(traded > RUNS, `${traded} trades`)
})

/**
 * A dead token rests once nothing waits for its market cap, and one at rest is not told who funded whom: either nobody dies or nobody
 * is funded.
 */
const deathOrFunders = fc
  .tuple(steps, fc.boolean())
  .map(([list, dies]) =>
    dies ? list.filter(({ action }) => action !== 'funder') : list.map((step) => ({ ...step, gap: step.gap % 8 })),
  )

/** A share of the first SOL needs a price, so each wallet was sent more than it can have spent. */
const richlyFunded = (entry: LogEntry): LogEntry =>
  entry.kind === 'facts'
    ? { ...entry, facts: entry.facts.map((fact) => (fact.kind === 'funding' ? { ...fact, lamports: 1e15 } : fact)) }
    : entry

test('whatever needs no price is what it is for the same trades in SOL', () => {
  fc.assert(
    fc.property(deathOrFunders, (list) => {
      const inSol = changed(buildHistory(list).map(richlyFunded), onLaunchLab)
      const [sol, own] = [fold(inSol), fold(changed(inSol, inAsset))]
      for (const mint of OTHERS) {
        const [a, b] = [tokenOf(sol, mint), tokenOf(own, mint)]
        if (a === null || b === null) {
          assert.equal(a, b)
          continue
        }
        const neutral = ({ token, bundles, positions }: LiveToken) => ({
          verdict: unpricedOf(token.verdict),
          // what is told in USD, what waits for the market cap, and what compares wallets by it
          token: { ...token, quote: 0, asset: null, mcap: 0, ath: 0, athSlot: 0, athTime: 0, ...UNCOMPARED },
          classes: token.classes.map(({ wallets, held, peak, sold }) => [wallets, held, peak, sold]),
          bundles,
          held: [...positions.values()].map(({ balance, bought, sold, received, acquiredSlot, group }) => [
            ...[balance, bought, sold, received, acquiredSlot, group],
          ]),
        })
        assert.deepEqual(neutral(b), neutral(a))
        let owned = 0
        for (const { balance, unpriced } of b.positions.values()) {
          if (balance >= 1e6) owned += balance
          assert.ok(unpriced >= 0 && unpriced <= balance, `${unpriced} of ${balance}`)
        }
        assert.equal(b.token.owned, owned)
      }
    }),
    { numRuns: RUNS },
  )
})
/**
 * Picks and impacts weigh in USD and SOL; smart money and strategies look at profits; an episode ends with a write-off; a drain is
 * one of 2 SOL at least; an actor is named once it has a stake, which can be one of SOL.
 */
const UNCOMPARED = {
  ...{
    firstPick: -1,
    firstDue: -1,
    lastPick: -1,
    lastDue: -1,
    impacts: [],
    watched: [],
    strategiesSeen: 0,
    wakeSlot: 0,
  },
  ...{ takenOverSlot: -1, gained: 0, classes: [] },
  ...{ drainedSlot: -1, ruggedSlot: -1, ruggedBy: 0, asked: [], latched: [] },
  ...{ actors: [], verdict: null },
}

const UNPRICED_CODES: readonly VerdictCode[] = ['bundled', 'insiders', 'concentrated', 'snipers', 'phantom']
/**
 * What of a verdict needs no price: reasons that are shares of supply and change with events alone, and the holders of the latest
 * reading. Its colour and history do, because a drain and a forecast can be the reason for them.
 */
function unpricedOf({ red, yellow, readSlot, knownPct, top10Pct }: Token['verdict']) {
  const codesOf = (bits: number) => UNPRICED_CODES.filter((code) => (bits & (1 << VERDICT_CODES.indexOf(code))) !== 0)
  return { red: codesOf(red), yellow: codesOf(yellow), readSlot, knownPct, top10Pct }
}
