import type { Engine } from '../engine/engine.ts'
import { type Crowd, crowdInto, emptyCrowd } from '../engine/reading/crowd.ts'
import type { ReadToken } from '../engine/reading/holding.ts'
import type { Market } from '../engine/reading/market.ts'
import { type Reading, readingOf } from '../engine/reading/reading.ts'
import { emptyScan, scanInto } from '../engine/reading/scan.ts'
import { type Condition, readSignals } from '../engine/reading/signals.ts'
import { copySizes, recentSizes } from '../engine/reading/sizes.ts'
import type { Changes, StateReader } from '../engine/state.ts'
import { holderMinimum } from '../engine/tokens.ts'
import { emptyBundleBook } from '../model/generated/empty.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import { createShares, type Shares } from './shares.ts'

/** The reads of the store that scanning a token in pieces needs. */
export interface CutReader
  extends Pick<StateReader, 'token' | 'bundles' | 'wallet' | 'wallets' | 'positions' | 'positionCount'> {
  tradesBack(lastNo: number, limit: number): TradeRow[]
  positionOf(token: number, wallet: number): Position | undefined
  /** At most `limit` positions in order of wallet ids, after the given wallet. */
  positionsAfter(token: number, wallet: number, limit: number): Position[]
}

/** An immutable snapshot of a token with very many holders, as of one slot. */
export interface Cut {
  readonly seq: number
  /** Unix seconds of the block of its slot. */
  readonly time: number
  readonly live: ReadToken
  readonly market: Market
  readonly reading: Reading
  readonly conditions: readonly Condition[] | null
  readonly crowd: Readonly<Crowd>
  /** Null if the wallets behind the shares were not requested. */
  readonly shares: Shares | null
}

/**
 * Scans one token over several turns of the event loop, as of the commit at which it began. Positions that a later
 * commit is about to overwrite are read first, while the store still has them.
 */
export interface CutScan {
  readonly token: number
  /** Continues for this many units; true when all positions were read. */
  slice(units: number): boolean
  /** Called within a commit, when everything is folded and nothing is written yet. */
  beforeWrite(changes: Pick<Changes, 'positions' | 'wallets'>): void
  finish(): Cut
  /** Must be called exactly once, also after an abort. */
  close(): void
}

interface CutScanOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: CutReader
  readonly token: number
  /** Wallets named per share; null if shares were not requested. */
  readonly shares: number | null
  /** Above this many positions, holders' records are not cached for the next reading. */
  readonly metMost: number
}

/**
 * Cost units of a slice. A position in memory is one (about 1.3 µs). A record from the store, and finding the wallets
 * behind the shares, cost several, as measured.
 */
const UNITS = { position: 1, stored: 2, wallet: 4, shares: 1 } as const

/** A copy of the token for a reading, without pending impacts and questions, which readings ignore. */
const copyToken = (token: Token): Token => ({
  ...token,
  metadata: token.metadata && { ...token.metadata },
  dup: { ...token.dup },
  launch: { ...token.launch, changes: [...token.launch.changes] },
  exits: token.exits.map((one) => ({ ...one })),
  classes: token.classes.map((one) => ({ ...one })),
  firstBuyers: [...token.firstBuyers],
  buckets: token.buckets.map((one) => ({ ...one })),
  watched: token.watched.map((one) => ({ ...one })),
  impacts: [],
  asked: [],
  latched: token.latched.map((one) => ({ ...one })),
  verdict: { ...token.verdict, history: [...token.verdict.history] },
})

export function createCutScan({ engine, store, token: id, shares: most, metMost }: CutScanOptions): CutScan {
  const { globals } = engine
  const { seq, time } = globals
  /** later wallets have higher ids */
  const wallets = globals.nextWallet
  const inMemory = engine.tokens.peekId(id)
  const token = inMemory === undefined ? store.token(id)! : copyToken(inMemory.token)
  const bundles = store.bundles(id) ?? emptyBundleBook()
  const minimum = holderMinimum(token)
  const count = inMemory?.positionCount ?? store.positionCount(id)
  const areMet = inMemory !== undefined && count <= metMost
  /** one bit per wallet whose position was read or did not exist */
  const read = new Uint8Array((wallets >> 3) + 1)
  /** wallets found since to be funded by the deployer; at the snapshot they had no funder */
  const fundedSince = new Set<number>()
  const deployer = token.deployer < 0 ? null : { ...store.wallet(token.deployer)! }
  const firstBuyers = new Set(token.firstBuyers)
  /** positions of the deployer, the first buyers and group members */
  const kept = new Map<number, Position>()
  const scan = emptyScan()
  const crowd = emptyCrowd()
  const market: Market = { ...marketOf(globals), wallet: walletAtCut }
  const live: ReadToken = { token, bundles, positions: kept, sizes: sizesOf() }
  const shares = most === null ? null : createShares(live, market, most)
  const held = inMemory?.positions
  // eviction during the scan could skip positions
  held?.pin()
  const next = held === undefined ? fromStore() : held.values()
  /** positions read ahead, with the owners of those that count, to be added later */
  const ahead: Position[] = []
  let done = 0

  /** The wallet as of the snapshot. Wallets without a balance need only their funder. */
  function walletAtCut(wallet: number): Wallet {
    if (deployer !== null && wallet === deployer.id) return deployer
    const now = inMemory === undefined ? store.wallet(wallet)! : engine.wallet(wallet)
    return fundedSince.has(wallet) ? { ...now, funder: -1, funderSlot: -1 } : now
  }

  function sizesOf() {
    const of = inMemory ?? { token, sizes: null }
    return copySizes(recentSizes(of, globals.slot, store.tradesBack), token.trades)
  }

  function* fromStore(): Generator<Position, undefined> {
    for (let after = -1; ; ) {
      const piece = store.positionsAfter(id, after, STORED_PIECE)
      yield* piece
      if (piece.length < STORED_PIECE) return
      after = piece.at(-1)!.wallet
    }
  }

  const isRead = (wallet: number): boolean => wallet >= wallets || (read[wallet >> 3]! & (1 << (wallet & 7))) !== 0

  function mark(wallet: number): void {
    read[wallet >> 3]! |= 1 << (wallet & 7)
  }

  function add(positions: readonly Position[]): void {
    done += positions.length
    const known = scan.kols.length
    scanInto(scan, live, market, positions)
    crowdInto(crowd, bundles, market.slot, positions)
    shares?.add(positions)
    // copied, because wallet records keep changing
    for (let i = known; i < scan.kols.length; i++) {
      const kol = scan.kols[i]!
      scan.kols[i] = { ...kol, wallet: { ...kol.wallet } }
    }
    for (const position of positions) {
      const { group, wallet } = position
      if (group < 0 && wallet !== token.deployer && !firstBuyers.has(wallet)) continue
      kept.set(wallet, { ...position, owner: null })
    }
  }

  const setOwners = (positions: readonly Position[], owners: readonly Wallet[]): void => {
    for (const [i, position] of positions.entries()) position.owner = owners[i]!
  }

  /** Only reads, because the commit waits; slices add the positions. */
  function readAhead(unread: ReadonlySet<number>): void {
    const holding: Position[] = []
    for (const wallet of unread) {
      mark(wallet)
      const position = store.positionOf(id, wallet)
      if (position === undefined) continue
      ahead.push(position)
      if (position.balance >= minimum) holding.push(position)
    }
    setOwners(holding, store.wallets(holding.map(({ wallet }) => wallet)))
  }

  /** Adds at most `most` of the positions read ahead. */
  function addAhead(most: number): number {
    const piece = ahead.splice(-most)
    add(piece)
    return piece.length
  }

  return {
    token: id,
    slice(units) {
      const piece: Position[] = []
      const unmet: Position[] = []
      const costly = (inMemory === undefined ? UNITS.stored : UNITS.position) + (shares === null ? 0 : UNITS.shares)
      let left = units - costly * addAhead(Math.ceil(units / costly))
      let ended = false
      while (left > 0) {
        const { done: isLast, value: position } = next.next()
        if (isLast === true) {
          ended = true
          break
        }
        left -= costly
        if (isRead(position.wallet)) continue
        mark(position.wallet)
        piece.push(position)
        if (position.balance < minimum || position.owner?.stale === false) continue
        unmet.push(position)
        left -= UNITS.wallet
      }
      const owners = (areMet ? engine : store).wallets(unmet.map(({ wallet }) => wallet))
      setOwners(unmet, owners)
      add(piece)
      if (!areMet) for (const position of unmet) position.owner = null
      return ended
    },
    beforeWrite(changes) {
      // funders first, because the classes of later wallets depend on them
      for (const { id: wallet, funder } of changes.wallets) {
        if (wallet >= wallets || funder < 0 || funder !== token.deployer) continue
        if (store.wallet(wallet)!.funder < 0) fundedSince.add(wallet)
      }
      const unread = new Set<number>()
      for (const { token, wallet } of changes.positions) if (token === id && !isRead(wallet)) unread.add(wallet)
      for (const { id: wallet } of changes.wallets) {
        if (!isRead(wallet) && held?.has(wallet) !== false) unread.add(wallet)
      }
      readAhead(unread)
    },
    close: () => held?.unpin(),
    finish() {
      if (done !== count) {
        // throws with details if the store is damaged
        store.positions(id)
        throw new Error(`${done} positions of token ${id} were read, there were ${count}`)
      }
      const reading = readingOf(live, market, scan)
      const conditions = readSignals(live, reading, market, store.tradesBack)
      return { seq, time, live, market, reading, conditions, crowd, shares }
    },
  }
}

/** rows read from the store at a time */
const STORED_PIECE = 256

function marketOf({ slot, firstSlot, solUsd, population }: Engine['globals']): Omit<Market, 'wallet'> {
  return {
    slot,
    firstSlot,
    solUsd,
    population: { ...population, holds: [...population.holds] },
  }
}
