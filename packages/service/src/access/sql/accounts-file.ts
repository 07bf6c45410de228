import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { OperatorError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/make-directory.ts'
import { openSqliteFile, SQLITE, SQLITE_SHORT_READ, type SqliteOpening, sqliteCode } from '../../base/sqlite.ts'
import { syncDirectory } from '../../base/sync-path.ts'
import { type Places, placesIn } from './places.ts'
import type { Schema } from './schema.ts'
import { ACCOUNTS_FORMAT, type ColumnTypes, createTable, TABLES, tableNames } from './tables.ts'

/** The accounts file differs from what was last written. */
export class Damage extends Error {
  override readonly name = 'Damage'
}

/** Distinguishes damage of the file from a shortage of the machine. */
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
/** column with the checksum of its row */
export const sumColumn = (table: keyof Schema): string => `${table}_sum`

const sumOf = (table: keyof Schema, prefix = ''): string => {
  const columns = Object.keys(TABLES[table].columns).map((column) => prefix + column)
  return `row_sum('${table}', ${columns.join(', ')})`
}

/** CRC-32 over a table's name and a row's values; lengths make the text unambiguous. */
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
      // a commit is on disk when it returns; the log is synced before its pages reach the file
      db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
      db.exec(`pragma journal_size_limit = ${WAL_BYTES}`)
    }
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** size to which a reused write-ahead log is truncated */
const WAL_BYTES = 8 << 20

const ASIDE = '.new'
/** Path of the file until it is complete. */
export const asideOf = ({ file }: Places): string => file + ASIDE

const isAside = (name: string): boolean => name.startsWith(`accounts.sqlite${ASIDE}`)

/** Names allowed in a data directory before its first start: locks, and remains of an interrupted start. */
const isNothing = (name: string): boolean => /^(lock\.sock|admin\.sock|lost\+found)$/.test(name) || isAside(name)

const isUnused = ({ dataDir }: Places): boolean => !existsSync(dataDir) || readdirSync(dataDir).every(isNothing)

/**
 * Creates the embedded database in an empty directory, or with `always` beside other files. Leaves an existing database alone.
 * The caller holds the lock of the directory.
 */
export function beginAccounts(dataDir: string, always = false): void {
  const places = placesIn(dataDir)
  if (existsSync(places.file) || !(always || isUnused(places))) return
  makeDirectory(dataDir)
  for (const name of readdirSync(dataDir)) if (isAside(name)) rmSync(join(dataDir, name))
  // created under another name, so that a file of this name is always complete
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
 * Refuses a missing or damaged database and one of another format; changes nothing. `behind` accepts one that only lost its
 * newest commits.
 */
export function verifyFile(places: Places, { behind = false } = {}): void {
  if (!existsSync(places.file)) throw new Damage('accounts.sqlite is missing, and this directory was in use')
  // SQLite would treat it as new and remove its write-ahead log
  if (statSync(places.file).size === 0) throw new Damage('accounts.sqlite is empty')
  // read first, because a running service keeps committing
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
    // an unreadable schema fails as an error of the statement
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

/** Reads a whole copy; throws Damage if it differs from what was written. */
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

/** A numbered commit; `id` identifies the database. */
export interface Commit {
  readonly id: string
  readonly n: number
}

const NUMBER_DIGITS = 16

/** Has a fixed length within one disk sector. */
export const commitText = ({ id, n }: Commit): string => `${String(n).padStart(NUMBER_DIGITS, '0')} ${id}\n`

/** Returns null if no commit was acknowledged here, or a power cut lost the file, which is not synced. */
function readAcknowledged({ acknowledged }: Places): Commit | null {
  if (!existsSync(acknowledged)) return null
  const found = /^(\d{16}) ([0-9a-f]{32})\n$/.exec(readFileSync(acknowledged, 'latin1'))
  return found === null ? null : { n: Number(found[1]), id: found[2]! }
}
