import { type Counts, count, createCounts } from '../base/counts.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import type { VerdictEvent } from '../base/verdict-codes.ts'
import { FAMILIES, type Family } from '../model/bundles.ts'
import type { Block, Facts, Gap, LogEntry } from '../model/entries.ts'
import type { BalanceEvent, ChainEvent, CreateEvent, PoolEvent, TradeEvent } from '../model/events.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Globals, Token, Wallet } from '../model/state.ts'
import type { Dealt } from './actors/record.ts'
import { type ActorTracker, createActorTracker } from './actors/tracker.ts'
import { createAgenda } from './agenda.ts'
import { type AgentTracker, createAgentTracker } from './agents/tracker.ts'
import { judgeAgain } from './bundles/settle.ts'
import { LISTS, SLOTS } from './constants.ts'
import { applyFact } from './facts.ts'
import { createFirstUses } from './first-uses.ts'
import { bundleContext, type Fold, schedule } from './fold.ts'
import { numberFrames } from './frames.ts'
import { newGlobals } from './globals.ts'
import { onMigrate } from './graduation.ts'
import {
  applyCreator,
  applyShares,
  creatorInTrade,
  nameToken,
  recordCreation,
  setDeployer,
  startUnseen,
} from './launch.ts'
import { creditDeployer, isLossNew, lostBefore, noticeCreation, settleLoss } from './launches.ts'
import { onLiquidity } from './liquidity.ts'
import { takeRate } from './rates.ts'
import type { LiveToken, QuietBounds } from './resident.ts'
import type { Changes, StateReader } from './state.ts'
import { createTokenBook, type TokenBook } from './token-book.ts'
import { createTokenEvents, imageOf } from './token-events.ts'
import { applyHop, applyTrade, type Moment } from './trade.ts'
import { applyBalances } from './transfers.ts'
import { hasPrice, sameUnit, valueOfTrade } from './units.ts'
import { judge } from './verdict/judge.ts'
import { wake } from './wakes.ts'
import { createWalletCache } from './wallet-cache.ts'

/**
 * The fold: log entries in, state out, without clock, randomness or network. The same entries give the same state, byte
 * for byte, however they are grouped into commits and wherever the fold was interrupted.
 */
export interface Engine {
  /** Folds one entry. Returns false, without any change, if it was folded before or is not past the last chain slot. */
  apply(seq: number, entry: LogEntry): boolean
  /** False for a chain block at or before the last chain slot, which must not enter the log. */
  accepts(entry: LogEntry): boolean
  /** Rows of the trades folded since the last call. Rows not taken become part of `changes`. */
  takeTrades(): readonly TradeRow[]
  /** The changes of the next commit; valid until `committed`. */
  changes(): Changes
  committed(): void
  readonly globals: Readonly<Globals>
  /** Tokens in memory. Other tokens can be read from the store without affecting the fold. */
  readonly tokens: Pick<TokenBook, 'live' | 'peek' | 'peekId' | 'idByPool'>
  /** A wallet by id, from memory if cached. Reading changes no state. */
  wallet(id: number): Wallet
  /** Several wallets, in the order of `ids`. */
  wallets(ids: readonly number[]): Wallet[]
  readonly agents: AgentTracker
  /** Actors by id, and the evidence behind them. */
  readonly actors: Pick<ActorTracker, 'byId' | 'rootOf' | 'edgesOf'>
  readonly counts: Counts
  /** The numbers of objects in memory; `positions` includes `graduatePositions`. */
  sizes(): { tokens: number; wallets: number; positions: number; graduatePositions: number }
}

interface EngineOptions {
  readonly reader: StateReader
  /** Wallets cached in memory between commits. */
  readonly walletsCached: number
  /** Controls when positions of quiet tokens leave memory. By default they never do. */
  readonly quiet?: QuietBounds | undefined
  /** Evidence families that bundle detection ignores. For evaluation only. */
  readonly hide?: readonly Family[]
}

export function createEngine({ reader, walletsCached, quiet, hide = [] }: EngineOptions): Engine {
  const globals = reader.globals() ?? newGlobals()
  const tokens = createTokenBook(reader, () => globals.nextToken++, quiet)
  const wallets = createWalletCache(
    reader,
    { max: walletsCached, quietSlots: quiet?.slots },
    () => globals.nextWallet++,
  )
  const fold: Fold = {
    globals,
    tokens,
    wallets,
    firstUses: createFirstUses(reader),
    agenda: createAgenda(),
    agents: createAgentTracker(reader.agents()),
    actors: createActorTracker({ globals, reader, tokens, wallets }),
    hidden: hide.map((family) => FAMILIES.indexOf(family)),
    trades: [],
    judged: new Set(),
    tokenEvents: createTokenEvents(globals),
    readings: [],
    frames: numberFrames(),
    frameMarks: [],
    launches: [],
    counts: createCounts(),
  }
  for (const { token } of fold.tokens.live()) if (token.wakeSlot >= 0) fold.agenda.add(token.wakeSlot, token.id)

  const accepts = (entry: LogEntry): boolean => headOf(entry) > globals.slot

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
      else if (entry.kind === 'facts') applyFacts(fold, entry)
      else if (entry.kind === 'gap') applyGap(fold, entry)
      else if (globals.chain === '') globals.chain = entry.name
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
      bundles: fold.tokens.changes.bundles,
      agents: fold.agents.changed(),
      ...fold.actors.changes,
      trades: fold.trades,
      tokenEvents: fold.tokenEvents.added,
      readings: fold.readings,
      frameMarks: fold.frameMarks,
      newTokens: fold.tokens.changes.created,
      newWallets: fold.wallets.created,
      pools: fold.tokens.changes.pools,
      firstUses: fold.firstUses.added,
      launches: fold.launches,
      live: fold.tokens.changes.live,
    }),
    committed() {
      fold.tokens.committed(globals.slot)
      fold.wallets.committed(globals.slot)
      fold.firstUses.committed()
      fold.agents.committed()
      fold.actors.committed()
      fold.tokenEvents.committed()
      fold.readings.length = 0
      fold.frameMarks.length = 0
      fold.trades = []
      fold.launches.length = 0
    },
    globals,
    tokens: fold.tokens,
    wallet: fold.wallets.byId,
    wallets: fold.wallets.byIds,
    agents: fold.agents,
    actors: fold.actors,
    counts: fold.counts,
    sizes: () => ({ ...fold.tokens.sizes(), wallets: fold.wallets.size() }),
  }
}

function applyBlock(fold: Fold, block: Block): void {
  const { globals } = fold
  runAgenda(fold, block.slot)
  const now: Moment = { slot: block.slot, time: block.time > 0 ? block.time : globals.time }
  if (globals.firstSlot < 0) globals.firstSlot = block.slot
  fold.frames = numberFrames()
  applyEvents(fold, block, now)
  judgeTouched(fold, now, 'trade')
  globals.frames += fold.frames.count
  fold.agents.endBlock(fold, now)
  globals.slot = block.slot
  globals.time = now.time
  globals.factsSince = 0
  while (globals.migrated.length > 0 && isOffList(fold, globals.migrated[0]!, block.slot)) globals.migrated.shift()
}

/** Judges the tokens that the entry touched. */
function judgeTouched(fold: Fold, now: Moment, event: VerdictEvent): void {
  for (const live of fold.judged) {
    judge(fold, live, now, event)
    if (live.token.verdict.dueSlot >= 0) schedule(fold, live, now.slot - 1)
  }
  fold.judged.clear()
}

const isOffList = (fold: Fold, id: number, slot: number): boolean =>
  slot - fold.tokens.byId(id).token.migratedSlot >= SLOTS.day

/** Folds a gap. The chain continues after it, so later blocks of its slots are rejected. */
function applyGap(fold: Fold, { from, to }: Gap): void {
  const { globals } = fold
  runAgenda(fold, to)
  globals.missingSlots += to - Math.max(from, globals.slot + 1) + 1
  globals.gapSlot = to
  globals.slot = to
  globals.factsSince = 0
}

/** The chain slot after an entry; only blocks and gaps move it. */
const headOf = (entry: LogEntry): number =>
  entry.kind === 'block' ? entry.slot : entry.kind === 'gap' ? entry.to : Number.POSITIVE_INFINITY

/** Runs everything that is due before `slot`, in order of slot and token. */
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

function applyEvents(fold: Fold, { events }: Block, now: Moment): void {
  for (let i = 0; i < events.length; ) {
    const event = events[i]!
    if (event.kind !== 'balance') {
      applyEvent(fold, event, now)
      i++
      continue
    }
    let end = i + 1
    while (end < events.length && belongsTo(events[end]!, event)) end++
    applyBalances(fold, events.slice(i, end) as BalanceEvent[], now)
    i = end
  }
}

const belongsTo = (event: ChainEvent, first: BalanceEvent): boolean =>
  event.kind === 'balance' && event.txIndex === first.txIndex && event.mint === first.mint && event.sig === first.sig

function applyEvent(fold: Fold, event: Exclude<ChainEvent, BalanceEvent>, now: Moment): void {
  switch (event.kind) {
    case 'trade':
      return onTrade(fold, event, now)
    case 'create':
      return onCreate(fold, event, now)
    case 'complete':
      return onKnown(fold, event.mint, now, ({ token }) => {
        if (token.completeSlot < 0) token.completeSlot = now.slot
      })
    case 'migrate':
      return onMigrate(fold, event, now)
    case 'pool':
      return onKnown(fold, event.mint, now, (live) => addPool(fold, live, event))
    case 'liquidity':
      return onKnown(fold, event.mint, now, (live) => onLiquidity(fold, live, event, now))
    case 'creator':
      return onKnown(fold, event.mint, now, ({ token }) => void applyCreator(token, event, now.slot))
    case 'shares':
      return onKnown(fold, event.mint, now, ({ token }) => applyShares(token, event, now.slot))
  }
}

function onKnown(fold: Fold, mint: Key, now: Moment, change: (live: LiveToken) => void): void {
  const live = fold.tokens.find(mint)
  if (live === undefined) return count(fold.counts, 'events_of_unknown_tokens')
  change(live)
  fold.judged.add(live)
  fold.tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

function onTrade(fold: Fold, event: TradeEvent, now: Moment): void {
  const { tokens, wallets } = fold
  const live = tokens.find(event.mint) ?? startUnseen(fold, event, now)
  const { token } = live
  if (!hasPrice(event)) count(fold.counts, 'trades_in_own_unit')
  takeRate(tokens, token, event, fold.globals.solUsd)
  creatorInTrade(token, event, now.slot)
  if (event.hop) return onHop(fold, live, event, now)
  const wallet = wallets.findOrCreate(event.user, now.slot)
  const peakBefore = token.athSlot < 0 ? -1 : token.ath
  const before = lostBefore(token)
  const context = bundleContext(fold, live, now.slot)
  learnPayer(fold, wallet, event, now.slot)
  fold.actors.traded(token, wallet, dealtOf(token, event, fold.globals.solUsd), now.slot)
  const row = applyTrade(fold.globals, context, wallet, event, now)
  fold.trades.push(row)
  countFrame(fold, row)
  creditPeak(fold, token, peakBefore)
  const paid = valueOfTrade(token, event, event.userQuote, fold.globals.solUsd) ?? 0
  token.dead = false
  judgeAgain(context)
  settleLoss(wallets, context, before)
  creditDeployer(wallets, live, row, paid)
  wallets.touch(wallet)
  tokens.touch(live)
  tokens.touchBundles(live)
  fold.agents.noticeTrade(live, wallet, row)
  fold.judged.add(live)
  schedule(fold, live, now.slot - 1)
}

function onHop(fold: Fold, live: LiveToken, event: TradeEvent, now: Moment): void {
  const { token } = live
  const peakBefore = token.athSlot < 0 ? -1 : token.ath
  const before = lostBefore(token)
  applyHop(fold.globals, live, event, now)
  if (isLossNew(token, before)) settleLoss(fold.wallets, bundleContext(fold, live, now.slot), before)
  creditPeak(fold, token, peakBefore)
  fold.judged.add(live)
  token.dead = false
  fold.tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

const dealtOf = (token: Token, event: TradeEvent, solUsd: number): Dealt => ({
  isBuy: event.isBuy,
  tokens: event.tokenAmount,
  lamports: valueOfTrade(token, event, event.userQuote, solUsd) ?? 0,
})

/** Numbers the row's frame. The first frame of a block is stored with its row, from which readers find any frame. */
function countFrame({ globals, frames, frameMarks }: Fold, row: TradeRow): void {
  if (frames.count === 0) frameMarks.push([globals.frames + 1, row.no])
  frames.of(row)
}

/** Records another wallet that pays the trader's network fee, or its tip, in a transaction that both sign. */
function learnPayer({ wallets }: Fold, wallet: Wallet, { payer, tipper }: TradeEvent, slot: number): void {
  const otherAt = (address: Key | null): Wallet | null =>
    address === null || address === wallet.address ? null : wallets.findOrCreate(address, slot)
  const [pays, tips] = [otherAt(payer), otherAt(tipper)]
  const other = pays ?? tips
  if (other === null || other.id === wallet.payer) return
  wallet.payer = other.id
  other.paidFor++
  wallets.touch(other)
}

/** Updates the deployer's counters of traded launches and of those with an ATH above the floor. */
function creditPeak({ wallets }: Fold, token: Token, before: number): void {
  const after = token.athSlot < 0 ? -1 : token.ath
  if (token.deployer < 0 || after === before) return
  const deployer = wallets.byId(token.deployer)
  if (before < 0) deployer.launchesTraded++
  if (before < LISTS.serialAthP75Usd && after >= LISTS.serialAthP75Usd) deployer.launchesAboveFloor++
  wallets.touch(deployer)
}

function onCreate(fold: Fold, event: CreateEvent, now: Moment): void {
  const { tokens, tokenEvents } = fold
  const live = tokens.find(event.mint) ?? tokens.create(event.mint, now.slot, now.time)
  const { token } = live
  if (token.createdKnown) return count(fold.counts, 'creations_repeated')
  token.createdKnown = true
  if (token.trades === 0) token.fromStart = true
  token.launchpad = event.launchpad
  token.curve = event.pool
  token.quote = event.quote
  token.asset = event.asset ?? null
  token.mayhem = event.mayhem
  token.startQuote = event.quoteReserve
  if (event.quoteReserve > 0 && event.baseReserve > 0) token.startPrice = event.quoteReserve / event.baseReserve
  if (token.launch.slot < 0) recordCreation(token, event, now.slot)
  if (token.deployer >= 0) noticeCreation(fold.wallets, token)
  else if (event.user !== ZERO_KEY) setDeployer(fold, live, event.user, now.slot)
  nameToken(fold, token, event, now)
  tokenEvents.record(token, { kind: 'created', image: imageOf(token) }, now)
  tokenEvents.record(token, { kind: 'duplication', dup: { ...token.dup } }, now)
  tokens.addPool(event.pool, token.id)
  fold.judged.add(live)
  tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

/** Adds a pool of the token. One in another unit is not stored, because readers assume the token's. */
function addPool(fold: Fold, live: LiveToken, event: PoolEvent): void {
  if (!sameUnit(live.token, event)) return
  if (fold.tokens.idByPool(event.pool) === undefined) fold.tokens.addPool(event.pool, live.token.id)
}

function applyFacts(fold: Fold, { facts, byOperator, time }: Facts): void {
  if (!byOperator) fold.globals.factsSince++
  const now: Moment = { slot: fold.globals.slot, time }
  for (const fact of facts) applyFact(fold, fact, now)
  judgeTouched(fold, now, 'fact')
}
