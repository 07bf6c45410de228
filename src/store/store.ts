import { statSync } from 'node:fs'
import type { RootDatabase } from 'lmdb'
import { EXIT, OperatorError } from '../base/errors.ts'
import type { Changes, Position, StateReader, TokenEventRow, TradeRow } from '../engine/state.ts'
import { MalformedBytes } from '../log/bytes.ts'
import { createLog, type EventLog } from '../log/log.ts'
import { decodeAgents } from './agent-record.ts'
import { decodeBook } from './bundle-record.ts'
import { keepSpare } from './data-file.ts'
import { ID_MAX, openDatabases, type Pair } from './databases.ts'
import * as record from './records.ts'
import { hashState } from './state-hash.ts'
import { decodeTokenEvent } from './token-event-record.ts'
import { decodeToken } from './token-record.ts'
import { firstUseKey, idOf, readWideNumber, writeChanges, writeTrades } from './write.ts'

/** Log, state, trade rows and indexes in one LMDB file. */
export interface Store extends StateReader {
  readonly log: EventLog
  /** all or nothing; synchronous, so that nobody reads in between, and on disk when it returns */
  transaction<T>(work: () => T): T
  /** within the caller's transaction */
  write(changes: Changes): void
  /** rows ahead of the rest of their changes, within the same transaction */
  writeTrades(rows: readonly TradeRow[]): void
  trade(no: number): TradeRow | undefined
  /** at most `limit` rows of one token, newest first, starting with row `lastNo` */
  tradesBack(lastNo: number, limit: number): TradeRow[]
  /** rows in order of the fold */
  trades(fromNo: number): Iterable<TradeRow>
  /** positions of all tokens in order of token and wallet, from one on */
  positionsFrom(token: number, wallet: number): Iterable<Position>
  /** token events in order */
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  /** the newest mark at or before a frame: its seq, and the row with which it begins; undefined before the first */
  frameMark(seq: number): readonly [seq: number, no: number] | undefined
  /** token ids, newest launch first */
  launches(deployer: number, offset: number, limit: number): number[]
  /** SHA-256 (hex) over all state in key order: equal state, equal hash, however it came about */
  stateHash(): string
  /** entries by database */
  entries(): Record<string, number>
  /** bytes: in use, of the file (sparse behind what was ever used) */
  sizes(): { readonly usedBytes: number; readonly fileBytes: number }
  close(): Promise<void>
}

/** `root`: an opened and checked environment whose data file is `path`. A reader leaves the file as it is. */
export function createStore(root: RootDatabase, path: string, readOnly = false): Store {
  const db = openDatabases(root)
  const log = createLog(db.log)
  const usedBytes = (): number => {
    const stats = root.getStats() as { lastPageNumber: number; pageSize: number }
    return (stats.lastPageNumber + 1) * stats.pageSize
  }
  const fileSize = statSync(path).size
  let fileBytes = readOnly ? fileSize : keepSpare(path, usedBytes(), fileSize)

  const read = <T>(name: string, id: number, bytes: Buffer | undefined, decode: (id: number, bytes: Buffer) => T) => {
    if (bytes === undefined) return undefined
    try {
      return decode(id, bytes)
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      const what = `${path}: ${name} ${id} is damaged (${error.message}). Restore the data directory from a copy`
      throw new OperatorError(what, { exitCode: EXIT.badFile, cause: error })
    }
  }
  const position = ([token, wallet]: Pair, bytes: Buffer): Position =>
    read('positions of token', token, bytes, () => record.decodePosition(token, wallet, bytes))!
  const trade = (no: number): TradeRow | undefined => read('trade', no, db.trades.getBinaryFast(no), record.decodeTrade)

  return {
    log,
    transaction(work) {
      try {
        return root.transactionSync(work)
      } finally {
        fileBytes = keepSpare(path, usedBytes(), fileBytes)
      }
    },
    write: (changes) => writeChanges(db, changes),
    writeTrades: (rows) => writeTrades(db, rows),
    globals: () => read('globals', 0, db.globals.getBinaryFast(0), (_, bytes) => record.decodeGlobals(bytes)) ?? null,
    tokenIdByMint: (mint) => idOf(db.mints.getBinaryFast(mint)),
    tokenIdByPool: (pool) => idOf(db.pools.getBinaryFast(pool)),
    token: (id) => read('token', id, db.tokens.getBinaryFast(id), decodeToken),
    positions: (token) =>
      Array.from(db.positions.getRange({ start: [token, 0], end: [token + 1, 0] }), ({ key, value }) =>
        position(key, value),
      ),
    *positionsFrom(token, wallet) {
      for (const { key, value } of db.positions.getRange({ start: [token, wallet] })) yield position(key, value)
    },
    bundles: (token) =>
      read('bundles of token', token, db.bundles.getBinaryFast(token), (_, bytes) => decodeBook(bytes)),
    agents: () => read('agents', 0, db.agents.getBinaryFast(0), (_, bytes) => decodeAgents(bytes)) ?? null,
    walletIdByAddress: (address) => idOf(db.walletIds.getBinaryFast(address)),
    wallet: (id) => read('wallet', id, db.wallets.getBinaryFast(id), record.decodeWallet),
    firstUse: (field, norm) => idOf(db.firstUses.getBinaryFast(firstUseKey(field, norm))),
    liveTokenIds: () => Array.from(db.live.getKeys({ start: 0 })),
    trade,
    tradesBack(lastNo, limit) {
      const rows: TradeRow[] = []
      for (let no = lastNo; no >= 0 && rows.length < limit; ) {
        const row = trade(no)
        if (row === undefined || row.prev >= no) throw new Error(`the chain of trade rows breaks at ${no}`)
        rows.push(row)
        no = row.prev
      }
      return rows
    },
    *trades(fromNo) {
      for (const { key, value } of db.trades.getRange({ start: fromNo })) {
        yield read('trade', key, value, record.decodeTrade)!
      }
    },
    *tokenEvents(fromSeq) {
      for (const { key, value } of db.tokenEvents.getRange({ start: fromSeq })) {
        yield read('token event', key, value, decodeTokenEvent)!
      }
    },
    frameMark(seq) {
      const range = { start: seq, end: 0, inclusiveEnd: true, reverse: true, limit: 1 }
      for (const { key, value } of db.frames.getRange(range)) return [key, readWideNumber(value)]
      return undefined
    },
    launches(deployer, offset, limit) {
      const range = { start: [deployer, ID_MAX], end: [deployer, 0], inclusiveEnd: true, reverse: true, offset, limit }
      return Array.from(db.launches.getKeys(range), ([, token]) => token)
    },
    stateHash: () => hashState(db, log.newest()),
    entries: () =>
      Object.fromEntries(
        Object.entries(db).map(([name, one]) => [name, (one.getStats() as { entryCount: number }).entryCount]),
      ),
    sizes: () => ({ usedBytes: usedBytes(), fileBytes }),
    close: () => root.close(),
  }
}
