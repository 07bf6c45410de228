import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { blockAt, createTape, keyOf } from '../../../../test/support/planted-rug.ts'
import { type Key, type Sig, ZERO_KEY } from '../base/ids.ts'
import type { LogEntry } from '../model/entries.ts'
import type { ChainEvent, CreateEvent, TradeEvent } from '../model/events.ts'
import { FEE_CHANGE, VENUE } from '../model/events.ts'
import type { LaunchFact } from '../model/facts.ts'
import { DUP } from '../model/metadata.ts'
import type { Token, Wallet } from '../model/state.ts'
import { CLASS, classOf } from './class-memory.ts'
import { LAUNCH } from './constants.ts'
import { createEngine } from './engine.ts'

const [launcher, famous, unknown, buyer] = ['launcher', 'famous', 'unknown', 'buyer'].map(keyOf) as [Key, Key, Key, Key]
const [one, two, three] = ['one', 'two', 'three'].map(keyOf) as [Key, Key, Key]
const sigOf = (name: string): Sig => name.padEnd(64, '.') as Sig

function scene() {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  let seq = 0
  let slot = 100
  const feed = (entry: LogEntry): void => {
    engine.apply(seq++, entry)
    store.write(engine.changes())
    engine.committed()
  }
  return {
    /** each list in a slot of its own */
    happens: (...lists: readonly (readonly ChainEvent[])[]): void => {
      for (const events of lists) feed(blockAt(slot++, events))
    },
    told: (fact: LaunchFact): void => feed({ kind: 'facts', time: 1, byOperator: false, facts: [fact] }),
    token: (mint: Key): Token => store.token(store.tokenIdByMint(mint)!)!,
    wallet: (address: Key): Wallet | undefined => {
      const id = store.walletIdByAddress(address)
      return id === undefined ? undefined : store.wallet(id)
    },
    counts: engine.counts,
  }
}

const launchOf = (mint: Key, more: Partial<CreateEvent> = {}): CreateEvent => ({
  ...createTape(mint).create(),
  ...{ sig: sigOf(`creation ${mint}`), user: launcher, creator: launcher, payer: launcher, signed: true },
  ...more,
})
const tradeOf = (mint: Key, more: Partial<TradeEvent> = {}): TradeEvent => ({
  ...createTape(mint).buy(buyer, 1e9),
  ...{ sig: sigOf('trade'), creator: launcher },
  ...more,
})
const head = (mint: Key, sig = 'change') => ({ sig: sigOf(sig), txIndex: 0, outer: 0, inner: 0, mint })

test('launches of one launcher under two named creators share a record, and the named have none', () => {
  const { happens, token, wallet } = scene()
  happens([launchOf(one, { creator: famous, signed: false })], [launchOf(two, { creator: unknown, signed: false })])
  assert.equal(token(one).deployer, token(two).deployer)
  assert.equal(wallet(launcher)!.launches, 2)
  assert.deepEqual([wallet(famous), wallet(unknown)], [undefined, undefined])
  assert.deepEqual([token(one).launch.creator, token(two).launch.creator], [famous, unknown])
})

test('a launch that names a known launcher does not touch its record', () => {
  const { happens, token, wallet } = scene()
  happens([launchOf(one, { user: famous, creator: famous })])
  const before = structuredClone(wallet(famous))
  happens([launchOf(two, { creator: famous, signed: false })], [tradeOf(two, { creator: famous })])
  assert.deepEqual(wallet(famous), before)
  assert.equal(token(two).deployer, wallet(launcher)!.id)
})

test('a token first met in a trade has no launcher, whatever creator the trade states', () => {
  const { happens, token, wallet } = scene()
  happens([tradeOf(one, { creator: famous })])
  assert.deepEqual([token(one).deployer, token(one).launch.creator, wallet(famous)], [-1, famous, undefined])
  assert.deepEqual([token(one).launch.slot, token(one).launch.sig], [-1, sigOf('trade')])
})

test('a creation without a launcher gives none', () => {
  const { happens, token } = scene()
  happens([launchOf(one, { user: ZERO_KEY, creator: famous, signed: false })])
  assert.deepEqual([token(one).deployer, token(one).launch.creator, token(one).createdKnown], [-1, famous, true])
})

test('a change of the creator keeps the one before; only the curve and the canonical pool can tell', () => {
  const { happens, token } = scene()
  const [pool, other] = [keyOf('pool'), keyOf('other pool')]
  happens(
    [launchOf(one)],
    [tradeOf(one)],
    [tradeOf(one, { creator: famous })],
    [tradeOf(one, { venue: VENUE.pumpswap, pool: other, creator: unknown })],
    [{ kind: 'migrate', ...head(one), pool }],
    [{ kind: 'creator', ...head(one), how: FEE_CHANGE.metadata, creator: unknown, pool: other }],
    [{ kind: 'creator', ...head(one), how: FEE_CHANGE.takeover, creator: unknown, pool: null }],
    // the pool's program tells it again
    [{ kind: 'creator', ...head(one), how: FEE_CHANGE.takeover, creator: unknown, pool }],
    [tradeOf(one, { venue: VENUE.pumpswap, pool, creator: unknown })],
  )
  const { creator, changes } = token(one).launch
  assert.equal(creator, unknown)
  assert.deepEqual(
    changes.map(({ how, key, slot }) => [how, key, slot]),
    [
      [FEE_CHANGE.created, launcher, 100],
      [FEE_CHANGE.traded, famous, 102],
      [FEE_CHANGE.takeover, unknown, 106],
    ],
  )
})

test('owners of shared fees are kept with their shares; of many changes the newest', () => {
  const { happens, token } = scene()
  const shares = (n: number): ChainEvent => ({
    ...{ kind: 'shares', ...head(one, `shares ${n}`), how: FEE_CHANGE.shares_updated },
    ...{ owners: [famous, unknown], shares: [10_000 - n, n] },
  })
  happens([launchOf(one)], ...Array.from({ length: LAUNCH.changes + 4 }, (_, n) => [shares(n)]))
  const { owners, shares: bps, changes } = token(one).launch
  assert.deepEqual(
    [owners, bps],
    [
      [famous, unknown],
      [9_981, 19],
    ],
  )
  assert.deepEqual([changes.length, changes.at(-1)!.sig], [LAUNCH.changes, sigOf('shares 19')])
})

const NAMED = { name: 'Name', symbol: 'SYM', uri: 'u', nameNorm: 'new', symbolNorm: 'new', supply: 7e15, decimals: 9 }

test('a creation found later names the token, and gives the launcher its record and what it holds', () => {
  const { happens, told, token, wallet, counts } = scene()
  const market = createTape(one)
  const trades = [market.buy(launcher, 5e9), market.buy(buyer, 1e9)].map((trade) => ({ ...trade, creator: famous }))
  happens([trades[0]!], [trades[1]!], [{ ...market.sell(launcher), creator: famous }])
  assert.equal(token(one).deployer, -1)
  const fact: LaunchFact = {
    ...{ kind: 'launch', mint: one, launcher, creator: unknown, payer: buyer, signed: false },
    ...{ slot: 90, sig: sigOf('creation'), ...NAMED },
  }
  told(fact)
  const { deployer, launch } = token(one)
  assert.equal(deployer, wallet(launcher)!.id)
  assert.equal(wallet(launcher)!.launches, 1)
  const { name, symbol, uri, supply, decimals, dup } = token(one)
  assert.deepEqual(
    { name, symbol, uri, supply, decimals },
    { name: 'Name', symbol: 'SYM', uri: 'u', supply: 7e15, decimals: 9 },
  )
  assert.deepEqual([dup.name, dup.symbol, dup.symbolName], [DUP.no, DUP.no, DUP.no])
  assert.equal(classOf(token(one), CLASS.deployer).peak, trades[0]!.tokenAmount)
  assert.equal(classOf(token(one), CLASS.insiders).sold, trades[0]!.tokenAmount)
  assert.deepEqual([launch.payer, launch.creator, launch.slot, launch.sig], [buyer, famous, 90, sigOf('creation')])
  assert.deepEqual(
    launch.changes.map(({ how, key }) => [how, key]),
    [
      [FEE_CHANGE.created, unknown],
      [FEE_CHANGE.traded, famous],
    ],
  )
  told({ ...fact, launcher: famous })
  assert.equal(token(one).deployer, deployer)
  assert.equal(counts.get('launches_repeated'), 1)
})

test('a creation found later whose launcher is unknown is not asked for again', () => {
  const { happens, told, token } = scene()
  happens([tradeOf(three)])
  const fact = {
    kind: 'launch',
    mint: three,
    launcher: ZERO_KEY,
    creator: ZERO_KEY,
    payer: null,
    signed: false,
  } as const
  told({ ...fact, slot: 90, sig: sigOf('creation'), ...NAMED })
  assert.deepEqual([token(three).deployer, token(three).launch.slot, token(three).launch.creator], [-1, 90, launcher])
})
