import { type Counts, count, createCounts } from '../base/counts.ts'
import type { Key } from '../base/ids.ts'
import type {
  BalanceEvent,
  Block,
  ChainEvent,
  CreateEvent,
  Fact,
  LogEntry,
  MetadataFact,
  MigrateEvent,
  PoolEvent,
  TradeEvent,
} from '../decode/events.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import { EXCLUDED_OWNERS, LISTS, SLOTS } from './constants.ts'
import { createFirstUses, type FirstUses } from './duplication.ts'
import { openPosition, transferIn, transferOut } from './positions.ts'
import { type Changes, DUP, type Globals, type StateReader, type Token, type TradeRow } from './state.ts'
import { createTokenBook, type LiveToken, type TokenBook } from './token-book.ts'
import { applyTrade, type Moment } from './trade.ts'
import { nextWake, wake } from './wakes.ts'
import { createWalletCache, type WalletCache } from './wallet-cache.ts'

/**
 * The fold: log entries in, state out. No clock, no randomness, no network: the same entries give the same state, byte
 * for byte, however they are grouped into commits and wherever the fold was interrupted.
 */
export interface Engine {
  /**
   * Folds one entry. False, and nothing changed, when it was folded before (seq) or lies at or before the last chain
   * slot.
   */
  apply(seq: number, entry: LogEntry): boolean
  /** false for a chain block at or before the last chain slot: it must not enter the log */
  accepts(entry: LogEntry): boolean
  /** rows of the trades folded since the last call; what nobody takes is part of `changes` */
  takeTrades(): readonly TradeRow[]
  /** what the next commit must write; valid until `committed` */
  changes(): Changes
  committed(): void
  readonly globals: Readonly<Globals>
  /** tokens in memory; a token that is not there is read from the store without touching the fold */
  readonly tokens: Pick<TokenBook, 'live' | 'peek' | 'peekId' | 'idByPool'>
  readonly counts: Counts
  /** tokens and wallets in memory */
  sizes(): { tokens: number; wallets: number }
}

export interface EngineOptions {
  readonly reader: StateReader
  /** wallets kept in memory between commits */
  readonly walletsCached: number
}

interface Fold {
  readonly globals: Globals
  readonly tokens: TokenBook
  readonly wallets: WalletCache
  readonly firstUses: FirstUses
  readonly agenda: Agenda
  trades: TradeRow[]
  readonly launches: (readonly [number, number])[]
  readonly counts: Counts
}

export const emptyGlobals = (): Globals => ({
  seq: -1,
  slot: -1,
  time: 0,
  factsSince: 0,
  nextToken: 0,
  nextWallet: 0,
  nextTrade: 0,
  solUsd: 0,
  population: { picks: 0, healthyPicks: 0 },
  unpricedTrades: 0,
  missingSlots: 0,
  migrated: [],
})

export function createEngine({ reader, walletsCached }: EngineOptions): Engine {
  const globals = reader.globals() ?? emptyGlobals()
  const fold: Fold = {
    globals,
    tokens: createTokenBook(reader, () => globals.nextToken++),
    wallets: createWalletCache(reader, walletsCached, () => globals.nextWallet++),
    firstUses: createFirstUses(reader),
    agenda: createAgenda(),
    trades: [],
    launches: [],
    counts: createCounts(),
  }
  for (const { token } of fold.tokens.live()) if (token.wakeSlot >= 0) fold.agenda.add(token.wakeSlot, token.id)

  const accepts = (entry: LogEntry): boolean => entry.kind !== 'block' || entry.slot > globals.slot

  return {
    accepts,
    apply(seq, entry) {
      if (seq <= globals.seq || !accepts(entry)) {
        count(fold.counts, 'entries_dropped')
        if (seq > globals.seq) globals.seq = seq
        return false
      }
      globals.seq = seq
      if (entry.kind === 'block') applyBlock(fold, entry)
      else if (entry.kind === 'facts') applyFacts(fold, entry.facts)
      else globals.missingSlots += entry.to - entry.from + 1
      return true
    },
    takeTrades() {
      const { trades } = fold
      fold.trades = []
      return trades
    },
    changes: () => ({
      globals,
      tokens: fold.tokens.changes.tokens,
      wallets: fold.wallets.dirty,
      positions: fold.tokens.changes.positions,
      trades: fold.trades,
      newTokens: fold.tokens.changes.created,
      newWallets: fold.wallets.created,
      pools: fold.tokens.changes.pools,
      firstUses: fold.firstUses.added,
      launches: fold.launches,
      live: fold.tokens.changes.live,
    }),
    committed() {
      fold.tokens.committed()
      fold.wallets.committed()
      fold.firstUses.committed()
      fold.trades = []
      fold.launches.length = 0
    },
    globals,
    tokens: fold.tokens,
    counts: fold.counts,
    sizes: () => ({ tokens: countOf(fold.tokens.live()), wallets: fold.wallets.size() }),
  }
}

function countOf(items: Iterable<unknown>): number {
  let total = 0
  for (const _ of items) total++
  return total
}

function applyBlock(fold: Fold, block: Block): void {
  const { globals } = fold
  runAgenda(fold, block.slot)
  const now: Moment = { slot: block.slot, time: block.time > 0 ? block.time : globals.time }
  for (const event of block.events) applyEvent(fold, event, now)
  globals.slot = block.slot
  globals.time = now.time
  globals.factsSince = 0
  while (globals.migrated.length > 0 && isOffList(fold, globals.migrated[0]!, block.slot)) globals.migrated.shift()
}

const isOffList = (fold: Fold, id: number, slot: number): boolean =>
  slot - fold.tokens.byId(id).token.migratedSlot >= SLOTS.day

/** Everything that falls due before `slot`, in order of slot and token. */
function runAgenda(fold: Fold, slot: number): void {
  const { agenda, tokens } = fold
  while (agenda.next() < slot) {
    const due = agenda.next()
    for (const id of agenda.take()) {
      if (!tokens.isLive(id)) continue
      const live = tokens.byId(id)
      if (live.token.wakeSlot !== due) continue
      wake(fold, live, due)
      schedule(fold, live, due)
    }
  }
}

/**
 * Puts the token's next wake after `after` on the agenda. One that stands there already stays when it is earlier: it
 * will ask again. A token at rest that something touched wakes once more, to retire.
 */
function schedule({ agenda, tokens }: Fold, live: LiveToken, after: number): void {
  const { token } = live
  let next = nextWake(live, after)
  if (next < 0 && tokens.isLive(token.id)) next = after + 1
  if (token.wakeSlot > after && (next < 0 || token.wakeSlot <= next)) return
  token.wakeSlot = next
  if (next >= 0) agenda.add(next, token.id)
}

function applyEvent(fold: Fold, event: ChainEvent, now: Moment): void {
  switch (event.kind) {
    case 'trade':
      return onTrade(fold, event, now)
    case 'create':
      return onCreate(fold, event, now)
    case 'balance':
      return onBalance(fold, event, now)
    case 'complete':
      return onKnown(fold, event.mint, now, ({ token }) => {
        if (token.completeSlot < 0) token.completeSlot = now.slot
      })
    case 'migrate':
      return onKnown(fold, event.mint, now, (live) => onMigrate(fold, live, event, now))
    case 'pool':
      return onKnown(fold, event.mint, now, (live) => addPool(fold, live, event))
  }
}

function onKnown(fold: Fold, mint: Key, now: Moment, change: (live: LiveToken) => void): void {
  const live = fold.tokens.find(mint)
  if (live === undefined) return count(fold.counts, 'events_of_unknown_tokens')
  change(live)
  fold.tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

function onTrade(fold: Fold, event: TradeEvent, now: Moment): void {
  const { tokens, wallets } = fold
  const live = tokens.find(event.mint) ?? tokens.create(event.mint, now.slot, now.time)
  const { token } = live
  if (token.deployer < 0 && event.creator !== null) setDeployer(fold, token, event.creator, now.slot)
  const wallet = wallets.findOrCreate(event.user, now.slot)
  const peakBefore = token.athSlot < 0 ? -1 : token.ath
  const { row, position } = applyTrade(fold.globals, live, wallet, event, now)
  fold.trades.push(row)
  creditPeak(fold, token, peakBefore)
  token.dead = false
  wallets.touch(wallet)
  tokens.touchPosition(position)
  tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

/** Keeps the deployer's counters of traded and not quite worthless launches. */
function creditPeak({ wallets }: Fold, token: Token, before: number): void {
  const after = token.athSlot < 0 ? -1 : token.ath
  if (token.deployer < 0 || after === before) return
  const deployer = wallets.byId(token.deployer)
  if (before < 0) deployer.launchesTraded++
  if (before < LISTS.serialAthP75Usd && after >= LISTS.serialAthP75Usd) deployer.launchesAboveFloor++
  wallets.touch(deployer)
}

function setDeployer(fold: Fold, token: Token, address: Key, slot: number): void {
  const deployer = fold.wallets.findOrCreate(address, slot)
  deployer.launches++
  if (token.athSlot >= 0) deployer.launchesTraded++
  if (token.ath >= LISTS.serialAthP75Usd) deployer.launchesAboveFloor++
  if (token.migratedSlot >= 0) deployer.launchesBonded++
  fold.wallets.touch(deployer)
  token.deployer = deployer.id
  fold.launches.push([deployer.id, token.id])
}

function onCreate(fold: Fold, event: CreateEvent, now: Moment): void {
  const { tokens, firstUses } = fold
  const live = tokens.find(event.mint) ?? tokens.create(event.mint, now.slot, now.time)
  const { token } = live
  if (token.createdKnown) return count(fold.counts, 'creations_repeated')
  token.createdKnown = true
  token.launchpad = event.launchpad
  token.name = event.name
  token.symbol = event.symbol
  token.uri = event.uri
  token.curve = event.pool
  token.quote = event.quote
  token.decimals = event.decimals
  token.supply = event.supply
  token.mayhem = event.mayhem
  token.startQuote = event.quoteReserve
  if (token.deployer < 0) setDeployer(fold, token, event.creator, now.slot)
  token.dup.name = firstUses.check('name', event.nameNorm, token.id)
  token.dup.symbol = firstUses.check('symbol', event.symbolNorm, token.id)
  const both = event.symbolNorm === '' && event.nameNorm === '' ? null : `${event.symbolNorm}\n${event.nameNorm}`
  token.dup.symbolName = firstUses.check('symbolName', both, token.id)
  tokens.addPool(event.pool, token.id)
  tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

function onMigrate(fold: Fold, live: LiveToken, event: MigrateEvent, now: Moment): void {
  const { token } = live
  if (token.migratedSlot >= 0) return count(fold.counts, 'migrations_repeated')
  token.migratedSlot = now.slot
  token.migratedTime = now.time
  token.pool = event.pool
  fold.tokens.addPool(event.pool, token.id)
  fold.globals.migrated.push(token.id)
  if (token.deployer < 0) return
  const deployer = fold.wallets.byId(token.deployer)
  deployer.launchesBonded++
  fold.wallets.touch(deployer)
}

function addPool(fold: Fold, live: LiveToken, event: PoolEvent): void {
  if (fold.tokens.idByPool(event.pool) === undefined) fold.tokens.addPool(event.pool, live.token.id)
}

/** Tokens that moved without a trade. Curves, pools and burn addresses hold, but are no holders. */
function onBalance(fold: Fold, event: BalanceEvent, now: Moment): void {
  const live = fold.tokens.find(event.mint)
  if (live === undefined) return count(fold.counts, 'events_of_unknown_tokens')
  const { token } = live
  if (event.owner === token.curve || event.owner === token.pool || EXCLUDED_OWNERS.has(event.owner)) return
  if (fold.tokens.idByPool(event.owner) !== undefined) return
  const wallet = fold.wallets.findOrCreate(event.owner, now.slot)
  let position = live.positions.get(wallet.id)
  if (position === undefined) {
    if (event.amount === 0) return
    position = openPosition(token.id, wallet.id, now.slot)
    live.positions.set(wallet.id, position)
  }
  const moved = event.amount - position.balance
  if (moved === 0) return
  if (moved > 0) transferIn(position, moved, now.slot)
  else transferOut(position, -moved, now.slot)
  fold.tokens.touchPosition(position)
  fold.tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

function applyFacts(fold: Fold, facts: readonly Fact[]): void {
  fold.globals.factsSince++
  for (const fact of facts) applyFact(fold, fact)
}

function applyFact(fold: Fold, fact: Fact): void {
  if (fact.kind === 'sol_price') {
    if (fact.usd > 0) fold.globals.solUsd = fact.usd
    return
  }
  const live = fold.tokens.find(fact.mint)
  if (live === undefined) return count(fold.counts, 'facts_of_unknown_tokens')
  const { token } = live
  if (fact.kind === 'metadata') applyMetadata(fold.firstUses, token, fact)
  else if (fact.kind === 'image_hash') token.dup.image = fold.firstUses.check('image', fact.sha256, token.id)
  else if (token.dexPaidTime === 0) token.dexPaidTime = fact.time
  fold.tokens.touch(live)
  schedule(fold, live, fold.globals.slot - 1)
}

function applyMetadata(firstUses: FirstUses, token: Token, fact: MetadataFact): void {
  token.metadata = {
    description: fact.description,
    image: fact.image,
    twitter: fact.twitter,
    telegram: fact.telegram,
    website: fact.website,
  }
  token.dup.twitter = firstUses.check('twitter', fact.twitterNorm, token.id)
  token.dup.telegram = firstUses.check('telegram', fact.telegramNorm, token.id)
  token.dup.website = firstUses.check('website', fact.websiteNorm, token.id)
  if (fact.image === null) token.dup.image = DUP.no
}
