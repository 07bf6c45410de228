import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { OperatorError } from '../../base/errors.ts'
import { openSqliteFile, SQLITE, SQLITE_SHORT_READ, type SqliteOpening, sqliteCode } from '../../base/sqlite.ts'
import { syncDirectory } from '../../base/sync-path.ts'
import { type Places, placesIn } from './places.ts'
import type { Schema } from './schema.ts'
import { ACCOUNTS_FORMAT, type ColumnTypes, createTable, TABLES, tableNames } from './tables.ts'

/** The file of accounts is not what was written last. */
export class Damage extends Error {
  override readonly name = 'Damage'
}

/** True for an error that says the file is damaged, and not that the machine is short of something. */
export function tellsDamage(error: unknown): boolean {
  if (error instanceof Damage || (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE') return true
  const code = sqliteCode(error)
  if (code === undefined) return false
  return [SQLITE.corrupt, SQLITE.notADatabase].some((kind) => kind === (code & 0xff)) || code === SQLITE_SHORT_READ
}

const TYPES: ColumnTypes = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  real: 'real',
  bytes: 'blob',
  // Unix milliseconds
  time: 'integer',
  flag: 'integer',
  serial: 'integer primary key autoincrement',
}

/** marks the file as accounts of this program: "TIac" */
const APPLICATION_ID = 0x54496163
/** the column of a table that has the checksum of its row */
export const sumColumn = (table: keyof Schema): string => `${table}_sum`

const sumOf = (table: keyof Schema, prefix = ''): string => {
  const columns = Object.keys(TABLES[table].columns).map((column) => prefix + column)
  return `row_sum('${table}', ${columns.join(', ')})`
}

/** CRC-32 over a table's name and the values of a row; lengths keep two rows from having one text. */
export function rowSum(...values: readonly unknown[]): number {
  let text = ''
  for (const value of values) {
    const bytes = value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : null
    const part = bytes === null ? String(value) : bytes.toString('latin1')
    text += `${bytes === null ? typeof value : 'bytes'} ${part.length} ${part}\n`
  }
  return crc32(text)
}

const KIB = 8_192

type Opening = Pick<SqliteOpening, 'readOnly' | 'immutable'>

export function openFile(path: string, opening: Opening = {}): DatabaseSyncInstance {
  const db = openSqliteFile(path, { ...opening, cacheKiB: KIB })
  try {
    db.function('row_sum', { deterministic: true, varargs: true }, rowSum)
    if (!opening.readOnly && !opening.immutable) {
      // a commit is on the disk when it returns; the log is synced before its pages are written to the file
      db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
      db.exec(`pragma journal_size_limit = ${WAL_BYTES}`)
    }
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** size of a write-ahead log after it has grown and is used again */
const WAL_BYTES = 8 << 20

const ASIDE = '.new'
/** Path under which the file is made before it gets its name. */
export const asideOf = ({ file }: Places): string => file + ASIDE

const isAside = (name: string): boolean => name.startsWith(`accounts.sqlite${ASIDE}`)

/** Names that a data directory may have before its first start: its lock, and remains of an interrupted start. */
const isNothing = (name: string): boolean => /^(lock\.sock|admin\.sock|lost\+found)$/.test(name) || isAside(name)

const isUnused = ({ dataDir }: Places): boolean => !existsSync(dataDir) || readdirSync(dataDir).every(isNothing)

/**
 * Creates the embedded database of a directory that has nothing in it. With `always` also in one that has other files.
 * A database that is there stays as it is. The caller holds the lock of the directory.
 */
export function beginAccounts(dataDir: string, always = false): void {
  const places = placesIn(dataDir)
  if (existsSync(places.file) || !(always || isUnused(places))) return
  mkdirSync(dataDir, { recursive: true })
  for (const name of readdirSync(dataDir)) if (isAside(name)) rmSync(join(dataDir, name))
  // made under another name, so that a file of this name is always whole
  const aside = asideOf(places)
  closeSync(openSync(aside, 'wx', 0o600))
  const db = openFile(aside)
  try {
    db.exec(`begin;\n${schema().join(';\n')};\ncommit;\npragma wal_checkpoint(truncate)`)
  } finally {
    db.close()
  }
  renameSync(aside, places.file)
  syncDirectory(dataDir)
}

function schema(): string[] {
  return [
    `pragma application_id = ${APPLICATION_ID}`,
    `pragma user_version = ${ACCOUNTS_FORMAT}`,
    'create table commits (id text not null, n integer not null)',
    `insert into commits values ('${randomBytes(16).toString('hex')}', 0)`,
    ...tableNames.flatMap((table) => {
      const sum = sumColumn(table)
      const whole = `${sum} integer not null generated always as (${sumOf(table)}) stored`
      // an update would give a damaged row a new checksum
      const check = `create trigger ${table}_sound before update on ${table} when old.${sum} is not ${sumOf(table, 'old.')}
        begin select raise(abort, '${damagedRow(table)}'); end`
      return [...createTable(table, TYPES, [whole]), check]
    }),
  ]
}

export const damagedRow = (table: keyof Schema): string => `a row of ${table} is not what was written`

/**
 * Refuses a directory without its database, a database of another format, and a damaged one; changes nothing. `behind`: one
 * that lost its newest commits, and is whole otherwise, is taken.
 */
export function verifyFile(places: Places, { behind = false } = {}): void {
  if (!existsSync(places.file)) throw new Damage('accounts.sqlite is missing, and this directory was in use')
  // SQLite would take it for a new one, and remove its write-ahead log
  if (statSync(places.file).size === 0) throw new Damage('accounts.sqlite is empty')
  // read first: while a service runs, its commits go on
  const acknowledged = readAcknowledged(places)
  const db = openFile(places.file, { readOnly: true })
  try {
    check(db, places.file)
    if (acknowledged === null || behind) return
    const { id, n } = db.prepare('select id, n from commits').get() as unknown as Commit
    if (id !== acknowledged.id) throw new Damage('it, or accounts.sqlite-acknowledged, belongs to another database')
    const lost = acknowledged.n - n
    if (lost > 0)
      throw new Damage(`its last ${lost} commits are missing; accounts.sqlite-wal was cut, changed or removed`)
  } finally {
    db.close()
  }
}

/** Reads every page and every row. Throws Damage, or OperatorError for another format. */
function check(db: DatabaseSyncInstance, path: string): void {
  try {
    const value = (sql: string): unknown => Object.values((db.prepare(sql).get() ?? {}) as object)[0]
    if (value('pragma application_id') !== APPLICATION_ID) throw new Damage('its header is not one of accounts')
    const format = value('pragma user_version')
    if (format !== ACCOUNTS_FORMAT) throw new OperatorError(OTHER_FORMAT(path, format))
    const found = value('pragma integrity_check(1)')
    if (found !== 'ok') throw new Damage(String(found))
    if (value('select count(*) from commits') !== 1) throw new Damage('the number of its commits is missing')
    for (const table of tableNames) {
      const wrong = value(`select 1 from ${table} where ${sumColumn(table)} is not ${sumOf(table)} limit 1`)
      if (wrong !== undefined) throw new Damage(damagedRow(table))
    }
  } catch (error) {
    const code = sqliteCode(error)
    // a schema that cannot be read is an error of the statement
    if (!tellsDamage(error) && code !== SQLITE.error) throw error
    throw error instanceof Damage ? error : new Damage((error as Error).message, { cause: error })
  }
}

const OTHER_FORMAT = (path: string, format: unknown): string =>
  `${path} has format ${format} of the accounts, and this version of the program reads format ${ACCOUNTS_FORMAT}: run the version that wrote it, or move ${basename(path)} away and begin anew with \`accounts accept\``

export interface Counts {
  readonly payments: number
  readonly accounts: number
}

/** Reads a copy from end to end; Damage where it is not what was written. */
export function checkCopy(path: string): Counts {
  let db: DatabaseSyncInstance
  try {
    db = openFile(path, { immutable: true })
  } catch (error) {
    throw tellsDamage(error) ? new Damage((error as Error).message, { cause: error }) : error
  }
  try {
    check(db, path)
    const count = (table: keyof Counts): number =>
      (db.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
    return { payments: count('payments'), accounts: count('accounts') }
  } finally {
    db.close()
  }
}

/** A commit by its number; `id`: of the database. */
export interface Commit {
  readonly id: string
  readonly n: number
}

const NUMBER_DIGITS = 16

/** Always as long, and within one sector of a disk. */
export const commitText = ({ id, n }: Commit): string => `${String(n).padStart(NUMBER_DIGITS, '0')} ${id}\n`

/** Null where none was acknowledged here, or where a power cut took what was written: it is not synced. */
function readAcknowledged({ acknowledged }: Places): Commit | null {
  if (!existsSync(acknowledged)) return null
  const found = /^(\d{16}) ([0-9a-f]{32})\n$/.exec(readFileSync(acknowledged, 'latin1'))
  return found === null ? null : { n: Number(found[1]), id: found[2]! }
}
