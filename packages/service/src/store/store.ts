import { statSync } from 'node:fs'
import type { Changes, StateReader } from '@ti/core/engine/state.ts'
import { MalformedBytes } from '@ti/core/model/bytes.ts'
import { decodeActor, decodeActorEdges } from '@ti/core/model/generated/actors.ts'
import { decodeAgentBook, decodeBundleBook } from '@ti/core/model/generated/books.ts'
import { decodeReadingRow, decodeTokenEventRow, decodeTradeRow } from '@ti/core/model/generated/rows.ts'
import { decodeToken } from '@ti/core/model/generated/token.ts'
import { decodeGlobals, decodePosition, decodeWallet } from '@ti/core/model/generated/wallet.ts'
import type { ReadingRow, TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Globals, Position } from '@ti/core/model/state.ts'
import { closeAll } from '../base/parts.ts'
import type { SegmentReader } from '../log/segments/position.ts'
import type { SegmentLog } from '../log/segments/segment-log.ts'
import type { Checkpointer } from './checkpointer.ts'
import { createCommits, type FoundFiles } from './commits.ts'
import type { Connection } from './connection.ts'
import { type Counts, type Databases, openDatabases } from './databases.ts'
import { createMeta, type Identity, type StatePosition } from './meta.ts'
import { hashState, readAll } from './state-hash.ts'
import type { PairRow } from './tables.ts'
import {
  checkNext,
  firstUseKey,
  liveIn,
  positionCount,
  readFrame,
  tokenBytes,
  writeChanges,
  writeTrades,
} from './write.ts'

/** State, trade rows and indexes in one SQLite file, as of one entry of the log beside it. */
export interface Store extends StateReader {
  readonly log: SegmentReader
  readonly identity: Identity
  position(): StatePosition
  /**
   * All or nothing, and synchronous, so that no read intervenes. Entries that `work` appends to the log are synced
   * before the state records them as folded.
   */
  transaction<T>(work: () => T): T
  /** Appends an encoded entry to the log, within the caller's transaction. */
  append(seq: number, bytes: Buffer): void
  /** Called once within the caller's transaction. */
  write(changes: Changes): void
  /** Writes trade rows before the other changes of the transaction. */
  writeTrades(rows: readonly TradeRow[]): void
  /**
   * For readers of a store that another process writes: `work` reads the current commit. Otherwise reads are as of the
   * opening, which keeps the write-ahead log from being reused.
   */
  snapshot<T>(work: () => T): T
  trade(no: number): TradeRow | undefined
  /** At most `limit` rows of one token, newest first, starting with row `lastNo`. */
  tradesBack(lastNo: number, limit: number): TradeRow[]
  positionOf(token: number, wallet: number): Position | undefined
  /**
   * At most `limit` positions of a token in order of wallet ids, after the given one. A caller that reads all of them
   * must check their number.
   */
  positionsAfter(token: number, wallet: number, limit: number): Position[]
  /** Rows in order of the fold. */
  trades(fromNo: number): Iterable<TradeRow>
  /** Positions of all tokens in order of token and wallet, from the given one on. */
  positionsFrom(token: number, wallet: number): Iterable<Position>
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  readings(fromNo: number): Iterable<ReadingRow>
  /** The newest mark at or before a frame: its seq and its first row; undefined before the first. */
  frameMark(seq: number): readonly [seq: number, no: number] | undefined
  /** The seq of the token event of a change of verdict. */
  verdictEvent(no: number): number | undefined
  /** Token ids, newest launch first. */
  launches(deployer: number, offset: number, limit: number): number[]
  /** SHA-256 (hex) over the whole state, independent of how it came about. Reads and verifies every record. */
  stateHash(): string
  /** Reads and verifies the records of every table, one per step. */
  readAll(): Iterable<void>
  /** The number of entries per counted table; for the log, of folded entries. */
  entries(): Record<string, number>
  /** The number of positions of all tokens; reads through their table. */
  positionTotal(): number
  /** Bytes used by log and state, and bytes of their files. */
  sizes(): { readonly usedBytes: number; readonly fileBytes: number }
  close(): Promise<void>
}

interface StoreParts {
  readonly connection: Connection
  readonly log: SegmentReader
  /** The log for this process's own writes; null if it only reads the state as of one commit. */
  readonly writable: SegmentLog | null
  readonly checkpointer: Checkpointer | null
  /** Null if this process does not write. */
  readonly found: FoundFiles | null
}

export function createStore({ connection, log, writable, checkpointer, found }: StoreParts): Store {
  const { path } = connection
  const meta = createMeta(connection)
  const commits = createCommits({ connection, meta, log: writable, checkpointer, found, onRollback: forget })
  const identity = meta.identity()
  let counts = countsOf(commits.position(), null)
  const db = openDatabases(connection, identity, () => counts)
  const read = createDecoding(connection)
  const globals = (): Globals | null =>
    read('globals', 0, db.globals.get(0), (_, bytes) => decodeGlobals(bytes)) ?? null
  counts = countsOf(commits.position(), globals())
  forget()

  /** Discards uncommitted index entries. */
  function forget(): void {
    db.mints.reset(counts.tokens)
    db.addresses.reset(counts.wallets)
    db.pools.reset(counts.pools)
    db.firstUses.reset(counts.firstUses)
  }

  let newest: Globals | null = null
  /** written within this transaction */
  let newTrades = 0
  function addTrades(rows: readonly TradeRow[]): void {
    for (const { no } of rows) checkNext('trade row', no, counts.trades + newTrades++)
    writeTrades(db, rows)
  }

  return {
    ...createReading(connection, db, () => counts),
    globals,
    log,
    identity,
    position: commits.position,
    transaction(work) {
      newest = null
      newTrades = 0
      const result = commits.transaction(work)
      if (newest !== null) counts = countsOf(commits.position(), newest)
      return result
    },
    snapshot: (work) =>
      commits.snapshot(() => {
        counts = countsOf(commits.position(), null)
        counts = countsOf(commits.position(), globals())
        forget()
        return work()
      }),
    append: (seq, bytes) => writable!.append(seq, bytes),
    write(changes) {
      const before = commits.position()
      newest = changes.globals
      addTrades(changes.trades)
      for (const [i, { seq }] of changes.tokenEvents.entries()) {
        checkNext('token event', seq, counts.tokenEvents + 1 + i)
      }
      for (const [i, { no }] of changes.readings.entries()) checkNext('reading', no, counts.readings + i)
      commits.stage({ ...before, ...writeChanges(db, changes, before), seq: changes.globals.seq })
    },
    writeTrades: addTrades,
    stateHash: () => hashState(db, commits.position().seq),
    readAll: () => readAll(db),
    entries: () => ({ log: commits.position().seq + 1, ...counts }),
    positionTotal: db.positions.total,
    sizes() {
      const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(connection.number)
      const logBytes = log.segments().reduce((sum, { bytes }) => sum + bytes, 0)
      return { usedBytes: size! * (pages! - free!) + logBytes, fileBytes: sizeOf(path) + logBytes }
    },
    close: () => closeAll([commits.close, connection.close, log.close]),
  }
}

type Reading = Omit<
  Store,
  | 'globals'
  | 'log'
  | 'identity'
  | 'position'
  | 'transaction'
  | 'append'
  | 'snapshot'
  | 'write'
  | 'writeTrades'
  | 'stateHash'
  | 'readAll'
  | 'entries'
  | 'positionTotal'
  | 'sizes'
  | 'close'
>

function createReading(connection: Connection, db: Databases, counts: () => Counts): Reading {
  const read = createDecoding(connection)
  const trade = (no: number): TradeRow | undefined => read('trade', no, db.trades.get(no), decodeTradeRow)
  const wallet = (id: number) => read('wallet', id, db.wallets.get(id), decodeWallet)
  const position = (row: PairRow): Position =>
    read('positions of token', row.first, row.bytes, () => decodePosition(row.first, row.second, row.bytes))!
  const countOf = (token: number): number => {
    const bytes = db.tokens.get(token)
    return bytes === undefined ? 0 : positionCount(bytes)
  }
  const positions = (token: number): Position[] => {
    const bytes = db.tokens.get(token)
    return bytes === undefined ? [] : db.positions.all(token, positionCount(bytes)).map(position)
  }
  return {
    tokenIdByMint: db.mints.find,
    tokenIdByPool: db.pools.find,
    walletIdByAddress: db.addresses.find,
    firstUse: (field, norm) => db.firstUses.find(firstUseKey(field, norm)),
    token: (id) => read('token', id, db.tokens.get(id), (id, bytes) => decodeToken(id, tokenBytes(bytes))),
    wallet,
    wallets: (ids) => db.wallets.getAll(ids).map(({ id, bytes }) => read('wallet', id, bytes, decodeWallet)!),
    positions,
    positionCount: countOf,
    positionOf(token, wallet) {
      const row = db.positions.get(token, wallet)
      return row === undefined ? undefined : position(row)
    },
    positionsAfter: (token, wallet, limit) => db.positions.after(token, wallet, limit).map(position),
    *positionsFrom(token, wallet) {
      for (let id = token; id < counts().tokens; id++) {
        for (const one of positions(id)) if (id > token || one.wallet >= wallet) yield one
      }
    },
    bundles: (token) => read('bundles of token', token, db.bundles.get(token), (_, bytes) => decodeBundleBook(bytes)),
    agents: () => read('agents', 0, db.agents.get(0), (_, bytes) => decodeAgentBook(bytes)) ?? null,
    actor: (id) => read('actor', id, db.actors.get(id), decodeActor),
    actorEdges: (id) => read('evidence of actor', id, db.actorEdges.get(id), decodeActorEdges),
    liveTokenIds: () => Array.from(db.live.from(0)).flatMap((row) => [...liveIn(row)]),
    trade,
    tradesBack(lastNo, limit) {
      const rows: TradeRow[] = []
      for (let no = lastNo; no >= 0 && rows.length < limit; ) {
        const row = trade(no)
        if (row === undefined || row.prev >= no) throw connection.damage(`the chain of trade rows breaks at ${no}`)
        rows.push(row)
        no = row.prev
      }
      return rows
    },
    *trades(fromNo) {
      for (const { id, bytes } of db.trades.from(fromNo)) yield read('trade', id, bytes, decodeTradeRow)!
    },
    *tokenEvents(fromSeq) {
      for (const { id, bytes } of db.tokenEvents.from(Math.max(0, fromSeq - 1))) {
        yield read('token event', id + 1, bytes, decodeTokenEventRow)!
      }
    },
    *readings(fromNo) {
      for (const { id, bytes } of db.readings.from(fromNo)) yield read('reading', id, bytes, decodeReadingRow)!
    },
    frameMark(seq) {
      let [low, high] = [0, counts().frames]
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        if (readFrame(db.frames.get(middle)!)[0] <= seq) low = middle + 1
        else high = middle
      }
      return low === 0 ? undefined : readFrame(db.frames.get(low - 1)!)
    },
    verdictEvent: (no) => db.verdicts.get(no - 1)?.readDoubleLE(0),
    launches: (deployer, offset, limit) => db.launches.back(deployer, offset, limit, wallet(deployer)?.launches ?? 0),
  }
}

/** Decodes a record. Bytes with a valid checksum that are no record were written by another program. */
function createDecoding({ damage }: Connection) {
  return <T>(name: string, id: number, bytes: Buffer | undefined, decode: (id: number, bytes: Buffer) => T) => {
    if (bytes === undefined) return undefined
    try {
      return decode(id, bytes)
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      throw damage(`${name} ${id} cannot be read (${error.message})`, error)
    }
  }
}

function countsOf({ seq, frames, agents, pools, firstUses }: StatePosition, globals: Globals | null): Counts {
  return {
    globals: seq < 0 ? 0 : 1,
    tokens: globals?.nextToken ?? 0,
    wallets: globals?.nextWallet ?? 0,
    trades: globals?.nextTrade ?? 0,
    tokenEvents: globals?.tokenEvents ?? 0,
    verdicts: globals?.verdicts ?? 0,
    readings: globals?.readings ?? 0,
    frames,
    agents,
    actors: globals?.nextActor ?? 0,
    pools,
    firstUses,
  }
}

function sizeOf(path: string): number {
  let bytes = 0
  for (const name of [path, `${path}-wal`]) bytes += statSync(name, { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
