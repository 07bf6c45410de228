import type { StatementSyncInstance } from '@photostructure/sqlite'
import { OperatorError } from '../base/errors.ts'
import { openSqliteFile, SQLITE, SQLITE_SHORT_READ, sqliteCode } from '../base/sqlite.ts'
import { DamagedState } from './damage.ts'

/** A connection to the state file, with the settings the store relies on. */
export interface Connection {
  readonly path: string
  prepare(sql: string): StatementSyncInstance
  /** Runs `work`. Throws DamagedState for a damaged file, OperatorError for a full disk or missing rights. */
  guarded<T>(work: () => T): T
  exec(sql: string): void
  /** The value of a pragma. */
  number(pragma: string): number
  /** Bytes of records written so far, as reported to `count`. */
  written(): number
  count(bytes: number): void
  /** Creates the error for a read that contradicts what was written, and notifies the damage listener. */
  damage(what: string, cause?: unknown): DamagedState
  close(): void
}

interface ConnectionOptions {
  readonly readOnly?: boolean
  /** Opens the main file without its write-ahead log. */
  readonly mainFileOnly?: boolean
  /** KiB of pages cached in memory. */
  readonly cacheKiB: number
  /** Called with the first damage found. */
  readonly onDamage?: ((error: DamagedState) => void) | undefined
}

/** size to which a grown write-ahead log is truncated on reuse */
const WAL_BYTES = 32 << 20

/**
 * Uses a write-ahead log without a sync per commit. A power cut may lose the newest commits, never part of one, and the
 * synced log of entries has them. The file is synced before its write-ahead log is reused.
 */
export function openConnection(path: string, options: ConnectionOptions): Connection {
  const { readOnly = false, mainFileOnly = false, cacheKiB } = options
  let { onDamage } = options
  const damage = (what: string, cause?: unknown): DamagedState => {
    const error = new DamagedState(path, what, cause)
    const listener = onDamage
    onDamage = undefined
    listener?.(error)
    return error
  }
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw explained(path, error, damage)
    }
  }
  const db = guarded(() => openSqliteFile(path, { readOnly, immutable: mainFileOnly, cacheKiB }))
  let written = 0
  const connection: Connection = {
    path,
    guarded,
    prepare: (sql) => guarded(() => db.prepare(sql)),
    exec: (sql) => guarded(() => db.exec(sql)),
    number: (pragma) => Number(Object.values(guarded(() => db.prepare(`pragma ${pragma}`).get()))[0]),
    written: () => written,
    count(bytes) {
      written += bytes
    },
    damage,
    close: () => guarded(() => db.close()),
  }
  try {
    if (!readOnly && !mainFileOnly) {
      connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0')
      connection.exec(`pragma journal_size_limit = ${WAL_BYTES}`)
    }
  } catch (error) {
    db.close()
    throw error
  }
  return connection
}

/** Explains errors of disk and system; every other SQLite error means a damaged file. */
function explained(path: string, error: unknown, damage: Connection['damage']): unknown {
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: string }
  // no number that was written is that large
  if (code === 'ERR_OUT_OF_RANGE') return damage(message ?? 'a number is too large', error)
  const result = sqliteCode(error)
  // callers that check for a lack of resources need the number
  if (errcode === undefined && result !== undefined) Object.assign(error as Error, { errcode: result })
  return explainedBy(path, result, error, damage)
}

function explainedBy(path: string, errcode: unknown, error: unknown, damage: Connection['damage']): unknown {
  const { message } = error as Error
  if (typeof errcode !== 'number') return error
  const saying = (text: string): OperatorError => new OperatorError(text, { cause: error })
  switch (errcode === SQLITE_SHORT_READ ? errcode : errcode & 0xff) {
    case SQLITE.full:
      return saying(`the disk of ${path} is full: make room and start again; nothing acknowledged is lost`)
    case SQLITE.ioError:
      return saying(`${path} cannot be read or written (${message}): check the disk and start again`)
    case SQLITE.readOnly:
    case SQLITE.cannotOpen:
      return saying(`${path} cannot be opened for writing (${message}): check its owner and permissions`)
    case SQLITE.busy:
    case SQLITE.locked:
    case SQLITE.noMemory:
    case SQLITE.protocol:
      return error
    default:
      return damage(message ?? 'SQLite cannot read it', error)
  }
}
