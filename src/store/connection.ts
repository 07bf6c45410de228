import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { OperatorError } from '../base/errors.ts'
import { DamagedState } from './damage.ts'

/** The state file of SQLite, opened with what the store relies on. */
export interface Connection {
  readonly path: string
  prepare(sql: string): StatementSyncInstance
  /** runs `work`; what SQLite says of a damaged file becomes DamagedState, of a full disk or missing rights an OperatorError */
  guarded<T>(work: () => T): T
  exec(sql: string): void
  /** value of a pragma */
  number(pragma: string): number
  /** bytes of records written so far, as far as tables told `count` */
  written(): number
  count(bytes: number): void
  close(): void
}

export interface ConnectionOptions {
  readonly readOnly?: boolean
  /** the main file alone, as it is without its write-ahead log */
  readonly mainFileOnly?: boolean
  /** KiB of pages kept in memory */
  readonly cacheKiB: number
}

/** milliseconds to wait for another process' checkpoint to let go */
const BUSY_MS = 10_000

/**
 * Write-ahead logging without a sync at each commit: a power cut may take the newest commits, never part of one, and the log
 * of entries, which is synced, has them. The file is synced before its write-ahead log is used again.
 */
export function openConnection(path: string, options: ConnectionOptions): Connection {
  const { readOnly = false, mainFileOnly = false, cacheKiB } = options
  const location = mainFileOnly ? `file:${encodeURI(path).replaceAll('?', '%3f').replaceAll('#', '%23')}?immutable=1` : path
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw explained(path, error)
    }
  }
  const db = guarded(() => new DatabaseSync(location, { readOnly: readOnly || mainFileOnly }))
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
    close: () => guarded(() => db.close()),
  }
  try {
    connection.exec(`pragma busy_timeout = ${BUSY_MS}; pragma cell_size_check = on; pragma cache_size = -${cacheKiB}`)
    if (!readOnly && !mainFileOnly) {
      connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0')
    }
  } catch (error) {
    db.close()
    throw error
  }
  return connection
}

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const RESULT = { readonly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const

function explained(path: string, error: unknown): unknown {
  const { errcode, message } = error as { errcode?: unknown; message?: string }
  if (typeof errcode !== 'number') return error
  switch (errcode & 0xff) {
    case RESULT.corrupt:
    case RESULT.notADatabase:
      return new DamagedState(path, message ?? 'SQLite cannot read it', error)
    case RESULT.full:
      return new OperatorError(`the disk of ${path} is full: make room and start again; nothing acknowledged is lost`, {
        cause: error,
      })
    case RESULT.ioError:
      return new OperatorError(`${path} cannot be read or written (${message}): check the disk and start again`, {
        cause: error,
      })
    case RESULT.readonly:
    case RESULT.cannotOpen:
      return new OperatorError(`${path} cannot be opened for writing (${message}): check its owner and its rights`, {
        cause: error,
      })
    default:
      return error
  }
}
