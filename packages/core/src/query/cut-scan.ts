import type { Engine } from '../engine/engine.ts'
import type { OutlookMarket } from '../engine/outlook/outlook.ts'
import { type Crowd, crowdInto, emptyCrowd } from '../engine/reading/crowd.ts'
import type { ReadToken } from '../engine/reading/holding.ts'
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

/** What reading a token in pieces takes from the store. */
export interface CutReader
  extends Pick<StateReader, 'token' | 'bundles' | 'wallet' | 'wallets' | 'positions' | 'positionCount'> {
  tradesBack(lastNo: number, limit: number): TradeRow[]
  positionOf(token: number, wallet: number): Position | undefined
  /** at most `limit` in order of their wallets, behind one of them */
  positionsAfter(token: number, wallet: number, limit: number): Position[]
}

/** A token with very many holders, read as of one slot; nothing in it changes any more. */
export interface Cut {
  readonly seq: number
  readonly live: ReadToken
  readonly market: OutlookMarket
  readonly reading: Reading
  readonly conditions: readonly Condition[] | null
  readonly crowd: Readonly<Crowd>
  /** null if the wallets behind the shares were not requested */
  readonly shares: Shares | null
}

/**
 * Reads one token over several turns of the event loop, as of the commit at which it began. What is about to be overwritten by
 * a later commit and was not read yet is read first, as the store still has it.
 */
export interface CutScan {
  readonly token: number
  /** continues for this many units; true when all positions were read */
  slice(units: number): boolean
  /** within a commit, when everything is folded and nothing of it is written */
  beforeWrite(changes: Pick<Changes, 'positions' | 'wallets'>): void
  finish(): Cut
  /** exactly once, also where it was given up */
  close(): void
}

interface CutScanOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: CutReader
  readonly token: number
  /** wallets named per share; null: not asked for */
  readonly shares: number | null
  /** of a token with more positions, records of holders are not kept in memory for the next reading */
  readonly metMost: number
}

/**
 * Units of a slice: a position in memory is one (about 1.3 µs). A record read from the store counts as several, as measured,
 * and so does finding the wallets behind the shares.
 */
const UNITS = { position: 1, stored: 2, wallet: 4, shares: 1 } as const

/**
 * A token as of now, for a reading. Picks, impacts and questions that are due later are no part of one; the record of a token that 100,000
 * wallets bought within the hour has as many of them, and takes 40 ms to decode.
 */
const copyToken = (token: Token): Token => ({
  ...token,
  metadata: token.metadata && { ...token.metadata },
  dup: { ...token.dup },
  exits: token.exits.map((one) => ({ ...one })),
  classes: token.classes.map((one) => ({ ...one })),
  firstBuyers: [...token.firstBuyers],
  buckets: token.buckets.map((one) => ({ ...one })),
  watched: token.watched.map((one) => ({ ...one })),
  impacts: [],
  picks: [],
  asked: [],
  floors: [...token.floors],
})

export function createCutScan({ engine, store, token: id, shares: most, metMost }: CutScanOptions): CutScan {
  const { globals } = engine
  const seq = globals.seq
  /** what came after the cut has a higher id */
  const wallets = globals.nextWallet
  const inMemory = engine.tokens.peekId(id)
  const token = inMemory === undefined ? store.token(id)! : copyToken(inMemory.token)
  const bundles = store.bundles(id) ?? emptyBundleBook()
  const minimum = holderMinimum(token)
  const count = inMemory?.positionCount ?? store.positionCount(id)
  const areMet = inMemory !== undefined && count <= metMost
  /** a bit for each wallet whose position was read, or did not exist */
  const read = new Uint8Array((wallets >> 3) + 1)
  /** wallets that the deployer was found to have funded since: at the cut they had no funder */
  const fundedSince = new Set<number>()
  const deployer = token.deployer < 0 ? null : { ...store.wallet(token.deployer)! }
  const firstBuyers = new Set(token.firstBuyers)
  /** the deployer's, the first buyers' and those in groups */
  const kept = new Map<number, Position>()
  const scan = emptyScan()
  const crowd = emptyCrowd()
  const market: OutlookMarket = { ...marketOf(globals), wallet: walletAtCut }
  const live: ReadToken = { token, bundles, positions: kept, sizes: sizesOf() }
  const shares = most === null ? null : createShares(live, market, most)
  const held = inMemory?.positions
  // none may leave while it is read: it could be missed
  held?.pin()
  const next = held === undefined ? fromStore() : held.values()
  /** read ahead, with the owners of those that count, and not added yet */
  const ahead: Position[] = []
  let done = 0

  /** Of wallets that hold nothing only the funders are needed. */
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
    // their records keep changing
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

  /** Only reads, because the commit waits: they are added by the slices. */
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

  /** At most this many of those that were read ahead. */
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
        // says what is lost where the store is damaged
        store.positions(id)
        throw new Error(`${done} positions of token ${id} were read, there were ${count}`)
      }
      const reading = readingOf(live, market, scan)
      const conditions = readSignals(live, reading, market, store.tradesBack)
      return { seq, live, market, reading, conditions, crowd, shares }
    },
  }
}

/** rows of the store read at a time */
const STORED_PIECE = 256

function marketOf({ slot, firstSlot, solUsd, population, outlook }: Engine['globals']): Omit<OutlookMarket, 'wallet'> {
  return {
    slot,
    firstSlot,
    solUsd,
    population: { ...population, holds: [...population.holds] },
    outlook: { ...outlook, n: [...outlook.n], hits: [...outlook.hits], odds: [...outlook.odds] },
  }
}
