import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'

export interface SqliteOpening {
  readonly readOnly?: boolean
  /** opens the main file without its write-ahead log; no process may write to it, and no file is created beside it */
  readonly immutable?: boolean
  /** KiB of pages kept in memory */
  readonly cacheKiB: number
}

/** milliseconds to wait for the lock of another reader or checkpoint */
const BUSY_MS = 10_000

export function openSqliteFile(path: string, opening: SqliteOpening): DatabaseSyncInstance {
  const { readOnly = false, immutable = false, cacheKiB } = opening
  const uri = (): string => `file:${encodeURI(path).replaceAll('?', '%3f').replaceAll('#', '%23')}?immutable=1`
  const db = new DatabaseSync(immutable ? uri() : path, { readOnly: readOnly || immutable })
  try {
    db.exec(`pragma busy_timeout = ${BUSY_MS}; pragma cell_size_check = on; pragma cache_size = -${cacheKiB}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Result codes of SQLite (sqlite.org/rescode.html): the low byte names the kind, the rest the case. */
export const SQLITE = {
  error: 1,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const
/** a file that ends within a page */
export const SQLITE_SHORT_READ = 522

/** When the package reads several rows, it gives no code, only the message for one. */
const WORDS: Readonly<Record<string, number>> = {
  'database is locked': SQLITE.busy,
  'database table is locked': SQLITE.locked,
  'out of memory': SQLITE.noMemory,
  'attempt to write a readonly database': SQLITE.readOnly,
  'disk I/O error': SQLITE.ioError,
  'database disk image is malformed': SQLITE.corrupt,
  'database or disk is full': SQLITE.full,
  'unable to open database file': SQLITE.cannotOpen,
  'locking protocol': SQLITE.protocol,
  'file is not a database': SQLITE.notADatabase,
}

/** The result code of an error of the SQLite package; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: string }
  if (typeof errcode === 'number') return errcode
  return code === 'ERR_SQLITE_ERROR' ? (WORDS[String(message)] ?? SQLITE.error) : undefined
}
