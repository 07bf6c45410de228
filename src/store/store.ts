import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { EXIT, OperatorError } from '../base/errors.ts'
import type { Key } from '../base/ids.ts'
import type { Changes, DupField, StateReader, TradeRow } from '../engine/state.ts'
import { createLog, type EventLog } from '../log/log.ts'
import * as codec from './codec.ts'
import { checkDataFile } from './data-file.ts'

/** Log, state, trade rows and indexes in one LMDB file. */
export interface Store extends StateReader {
  readonly log: EventLog
  /** all or nothing; synchronous, so that nobody reads in between */
  transaction<T>(work: () => T): T
  /** within the caller's transaction */
  write(changes: Changes): void
  /** at most `limit` rows, newest first, starting with row `lastNo` */
  tradesBack(lastNo: number, limit: number): TradeRow[]
  /** rows in order of the fold */
  trades(fromNo: number): Iterable<TradeRow>
  /** token ids, newest launch first */
  launches(deployer: number, offset: number, limit: number): number[]
  /** SHA-256 over all state in key order: equal state, equal hash, however it came about */
  stateHash(): string
  /** entries by database */
  entries(): Record<string, number>
  /** the last commit has reached the disk, not only the operating system */
  flushed(): Promise<void>
  close(): Promise<void>
}

const FORMAT_VERSION = 1

/** Databases that are state, in the order of the hash. The log is not: its newest seq is in `globals`. */
const STATE = [
  'globals',
  'tokens',
  'wallets',
  'positions',
  'trades',
  'mints',
  'addresses',
  'pools',
  'first_uses',
  'launches',
  'live',
] as const

type ById = Database<Buffer, number>
type ByBytes = Database<Buffer, Buffer>

const EMPTY = Buffer.alloc(0)

/** Opens or creates the store in `dir`. OperatorError when what lies there is not usable; it is left untouched then. */
export function openStore(dir: string, options: { readonly formulasVersion: string }): Store {
  mkdirSync(dir, { recursive: true })
  const path = join(dir, 'data.mdb')
  const isNew = !existsSync(path)
  if (!isNew) checkDataFile(path)
  const root = open({ path: dir, noSubdir: false, encoding: 'binary', keyEncoding: 'binary', maxDbs: 16 })
  const meta = root.openDB('meta', { encoding: 'json', keyEncoding: 'ordered-binary' })
  checkVersions(path, meta, options.formulasVersion)
  return createStore(root)
}

function checkVersions(path: string, meta: Database, formulasVersion: string): void {
  const mine = { format: FORMAT_VERSION, formulas: formulasVersion }
  const theirs = meta.get('versions')
  if (theirs === undefined) {
    meta.putSync('versions', mine)
    return
  }
  if (theirs.format === mine.format && theirs.formulas === mine.formulas) return
  const words = (v: typeof mine): string => `format ${v.format} and formulas ${v.formulas}`
  throw new OperatorError(
    `${path} was written with ${words(theirs)}, this program needs ${words(mine)}: use the program that wrote it, or an empty DATA_DIR`,
    { exitCode: EXIT.badFile },
  )
}

function createStore(root: RootDatabase): Store {
  const byId = (name: string): ById => root.openDB(name, { encoding: 'binary', keyEncoding: 'uint32' })
  const byBytes = (name: string): ByBytes => root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' })
  const db = {
    globals: byId('globals'),
    tokens: byId('tokens'),
    wallets: byId('wallets'),
    positions: byBytes('positions'),
    trades: byId('trades'),
    mints: byBytes('mints'),
    addresses: byBytes('addresses'),
    pools: byBytes('pools'),
    first_uses: byBytes('first_uses'),
    launches: byBytes('launches'),
    live: byId('live'),
  } satisfies Record<(typeof STATE)[number], ById | ByBytes>
  const log = createLog(byId('log'))

  function write(changes: Changes): void {
    db.globals.putSync(0, codec.encodeGlobals(changes.globals))
    for (const token of changes.newTokens) db.mints.putSync(keyBytes(token.mint), idBytes(token.id))
    for (const wallet of changes.newWallets) db.addresses.putSync(keyBytes(wallet.address), idBytes(wallet.id))
    for (const token of changes.tokens) db.tokens.putSync(token.id, codec.encodeToken(token))
    for (const wallet of changes.wallets) db.wallets.putSync(wallet.id, codec.encodeWallet(wallet))
    for (const position of changes.positions) {
      db.positions.putSync(pair(position.token, position.wallet), codec.encodePosition(position))
    }
    for (const row of changes.trades) db.trades.putSync(row.no, codec.encodeTrade(row), { append: true })
    for (const [pool, token] of changes.pools) db.pools.putSync(keyBytes(pool), idBytes(token))
    for (const { field, norm, token } of changes.firstUses) {
      const key = firstUseKey(field, norm)
      if (db.first_uses.getBinary(key) === undefined) db.first_uses.putSync(key, idBytes(token))
    }
    for (const [deployer, token] of changes.launches) db.launches.putSync(pair(deployer, token), EMPTY)
    for (const [id, isLive] of changes.live) {
      if (isLive) db.live.putSync(id, EMPTY)
      else db.live.removeSync(id)
    }
  }

  function* trades(fromNo: number): Iterable<TradeRow> {
    for (const { value } of db.trades.getRange({ start: fromNo })) yield codec.decodeTrade(value)
  }

  return {
    log,
    transaction: (work) => root.transactionSync(work),
    write,
    globals: () => map(db.globals.getBinary(0), codec.decodeGlobals) ?? null,
    tokenIdByMint: (mint) => map(db.mints.getBinary(keyBytes(mint)), idOf),
    tokenIdByPool: (pool) => map(db.pools.getBinary(keyBytes(pool)), idOf),
    token: (id) => map(db.tokens.getBinary(id), codec.decodeToken),
    positions: (token) =>
      Array.from(db.positions.getRange({ start: pair(token, 0), end: pair(token + 1, 0) }), ({ value }) =>
        codec.decodePosition(value),
      ),
    walletIdByAddress: (address) => map(db.addresses.getBinary(keyBytes(address)), idOf),
    wallet: (id) => map(db.wallets.getBinary(id), codec.decodeWallet),
    firstUse: (field, norm) => map(db.first_uses.getBinary(firstUseKey(field, norm)), idOf),
    liveTokenIds: () => Array.from(db.live.getKeys()),
    tradesBack(lastNo, limit) {
      const rows: TradeRow[] = []
      for (let no = lastNo; no >= 0 && rows.length < limit; ) {
        const row = codec.decodeTrade(db.trades.getBinary(no)!)
        rows.push(row)
        no = row.prev
      }
      return rows
    },
    trades,
    launches(deployer, offset, limit) {
      const range = { start: pair(deployer + 1, 0), end: pair(deployer, 0), reverse: true, offset, limit }
      // a reversed range excludes its end: the launch of token 0 would be lost, so it ends one key earlier
      range.end = deployer === 0 ? Buffer.from([0]) : pair(deployer - 1, 0xffff_ffff)
      return Array.from(db.launches.getKeys(range), (key) => key.readUInt32BE(4))
    },
    stateHash: () => hashState(db),
    entries: () =>
      Object.fromEntries(
        Object.entries(db).map(([name, one]) => [name, (one.getStats() as { entryCount: number }).entryCount]),
      ),
    flushed: async () => void (await root.flushed),
    close: () => root.close(),
  }
}

const map = <T, U>(value: T | undefined, use: (value: T) => U): U | undefined =>
  value === undefined ? undefined : use(value)

/** lmdb copies a key before it returns, so one buffer serves every look-up. */
const scratch = Buffer.alloc(32)
function keyBytes(key: Key): Buffer {
  scratch.write(key, 0, 'latin1')
  return scratch
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(id)
  return bytes
}

const idOf = (bytes: Buffer): number => bytes.readUInt32BE(0)

function pair(first: number, second: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeUInt32BE(first, 0)
  bytes.writeUInt32BE(second, 4)
  return bytes
}

/** Field and half a SHA-256 of the text: texts are as long as their authors like. */
const firstUseKey = (field: DupField, norm: string): Buffer =>
  Buffer.concat([Buffer.from([codec.dupFieldCode(field)]), createHash('sha256').update(norm).digest().subarray(0, 16)])

function hashState(db: Record<(typeof STATE)[number], ById | ByBytes>): string {
  const hash = createHash('sha256')
  const lengths = Buffer.alloc(8)
  for (const name of STATE) {
    hash.update(name)
    for (const { key, value } of db[name].getRange({ snapshot: false })) {
      const keyAsBytes = typeof key === 'number' ? idBytes(key) : key
      lengths.writeUInt32BE(keyAsBytes.length, 0)
      lengths.writeUInt32BE(value.length, 4)
      hash.update(lengths).update(keyAsBytes).update(value)
    }
  }
  return hash.digest('hex')
}
