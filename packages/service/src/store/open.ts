import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'
import { DamagedLog } from '../log/segments/damaged.ts'
import { openSegmentLogToRead } from '../log/segments/log-reader.ts'
import { missingSegments } from '../log/segments/missing-segments.ts'
import type { LogPosition, SegmentReader } from '../log/segments/position.ts'
import { openSegmentLog, type SegmentLog } from '../log/segments/segment-log.ts'
import { createCheckpointer, createThreadedCheckpointer } from './checkpointer.ts'
import { type Connection, openConnection } from './connection.ts'
import { DamagedState, markDamaged, markedDamage, refuse } from './damage.ts'
import { FOLD_FINGERPRINT } from './fingerprint.ts'
import { createMeta, type Identity, START, type StatePosition } from './meta.ts'
import { createTables, FORMAT_VERSION } from './schema.ts'
import { createStore, type Store } from './store.ts'

/** KiB of the state's pages in memory: of the owner, and of each reader beside it; live tokens and wallets are kept besides */
export const STATE_CACHE_KIB = 64 << 10
const STATE_READER_CACHE_KIB = 4 << 10

/** KiB of pages that a service has in its own memory: the kernel keeps the others as far as memory goes, and gives them back */
const SERVING_CACHE_KIB = 16 << 10

/** The layout of a data directory. */
export const stateDir = (dir: string): string => join(dir, 'state')
export const stateFile = (dir: string): string => join(stateDir(dir), 'state.db')
export const logDir = (dir: string): string => join(dir, 'log')

interface OpenOptions {
  /** Checkpoints the write-ahead log in a thread of its own, so that no commit waits for it. */
  readonly serving?: boolean
  /** Called with the first damage that a later read finds. */
  readonly onDamage?: ((error: DamagedState) => void) | undefined
}

/**
 * Opens or creates log and state in `dir`, whose lock the caller holds. The state may end before the log: the caller
 * folds the rest. Throws DamagedState or OtherFold if the state must be folded again, DamagedLog if the log is
 * incomplete, and OperatorError (badFile) for another format; these change nothing.
 */
export function openStore(dir: string, { serving = false, onDamage }: OpenOptions = {}): Store {
  const path = stateFile(dir)
  if (!existsSync(path)) createState(dir)
  else if (!existsSync(logDir(dir))) {
    throw refuse(path, `the log beside it, ${logDir(dir)}, is missing. Put it back from a copy`)
  }
  checkFile(path)
  const marked = markedDamage(path)
  if (marked !== null) throw new DamagedState(path, marked)
  const base = baseGeneration(path)
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const connection = openConnection(path, {
    cacheKiB: serving ? SERVING_CACHE_KIB : STATE_CACHE_KIB,
    onDamage(error) {
      markDamaged(path, error)
      onDamage?.(error)
    },
  })
  let log: SegmentLog | null = null
  try {
    const meta = createMeta(connection)
    const identity = meta.identity()
    checkFormat(path, identity)
    const position = meta.position()
    checkGeneration(path, base, position)
    const expected = { ...position, id: identity.log }
    log = openSegmentLog(logDir(dir), { expected })
    checkPosition(dir, log, expected)
    checkFold(path, identity)
    const checkpointer = serving ? createThreadedCheckpointer(connection) : createCheckpointer(connection)
    const found = { generation: base, walBytes }
    return createStore({ connection, log, writable: log, checkpointer, found })
  } catch (error) {
    connection.close()
    log?.close()
    throw error
  }
}

/**
 * Opens the store in `dir` for reading its last commit, while another process may own it. Throws OtherFold if another
 * build folded it, and OperatorError (badFile) if it is missing or has another format.
 */
export function openStoreToRead(dir: string, { onDamage }: OpenOptions = {}): Store {
  const path = stateFile(dir)
  if (!existsSync(path)) throw refuse(path, 'there is no such file')
  checkFile(path)
  const connection = openConnection(path, { readOnly: true, cacheKiB: STATE_READER_CACHE_KIB, onDamage })
  const log = openSegmentLogToRead(logDir(dir))
  try {
    const identity = createMeta(connection).identity()
    checkFormat(path, identity)
    checkFold(path, identity)
    return createStore({ connection, log, writable: null, checkpointer: null, found: null })
  } catch (error) {
    connection.close()
    log.close()
    throw error
  }
}

/** SQLite would wait forever for a writer of a named pipe, and would create a new state in an empty file. */
function checkFile(path: string): void {
  const stat = statSync(path)
  if (!stat.isFile()) throw refuse(path, 'it is not a regular file')
  if (stat.size === 0) throw new DamagedState(path, 'it is empty')
}

/** Creates an empty state for the log in `dir`, which is created if missing. */
function createState(dir: string): void {
  const log = openSegmentLog(logDir(dir))
  const { id } = log
  const { seq } = log.position()
  const chain = log.chain(START.seq)
  log.close()
  if (chain === undefined) throw noHistory(dir, seq)
  createStateFile(dir, id, { ...START, chain })
}

/** The state in `dir` cannot be folded, because its log, which ends at `newest`, lacks its beginning. */
export function noHistory(dir: string, newest: number): OperatorError {
  const whatToDo =
    missingSegments(logDir(dir)).length > 0
      ? 'With LOG_URL and CHECKPOINTS the next start uses the newest one'
      : 'Restore the newest checkpoint into an empty DATA_DIR'
  return new OperatorError(
    `the state of ${dir} cannot be folded: its log, which ends at entry ${newest}, does not begin with the first, because earlier ` +
      `entries are in the checkpoint it started from. ${whatToDo}`,
    { exitCode: EXIT.badFile },
  )
}

/** Created aside and moved into place, so that a crash never leaves half a file. */
function createStateFile(dir: string, log: string, position: StatePosition): void {
  const aside = join(dir, 'state-new')
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const connection = openConnection(join(aside, 'state.db'), { cacheKiB: STATE_READER_CACHE_KIB })
  try {
    connection.exec('begin')
    createTables(connection)
    const meta = createMeta(connection)
    const seed = randomBytes(4).readUInt32LE()
    meta.writeIdentity({ format: FORMAT_VERSION, fingerprint: FOLD_FINGERPRINT, log, seed })
    meta.writePosition(position)
    connection.exec('commit; pragma wal_checkpoint(truncate)')
  } finally {
    connection.close()
  }
  rmSync(stateDir(dir), { recursive: true, force: true })
  renameSync(aside, stateDir(dir))
}

/** The generation in the main file without its write-ahead log; null if a checkpoint was interrupted. */
function baseGeneration(path: string): number | null {
  let main: Connection | null = null
  try {
    main = openConnection(path, { mainFileOnly: true, cacheKiB: STATE_READER_CACHE_KIB })
    return createMeta(main).position().generation
  } catch {
    return null
  } finally {
    main?.close()
  }
}

/**
 * Rejects a main file combined with a write-ahead log of another time. SQLite would read a mixture of both, each record
 * with a valid checksum.
 */
function checkGeneration(path: string, base: number | null, position: { generation: number; floor: number }): void {
  if (base === null || (base >= position.floor && base <= position.generation)) return
  throw new DamagedState(path, 'its write-ahead log belongs to another time')
}

/** Another build folded the state from this log, and this build's fold may differ. */
export class OtherFold extends OperatorError {
  constructor(path: string, theirs: string) {
    super(
      `${path} was folded by another build (fingerprint ${theirs}, this one has ${FOLD_FINGERPRINT}). Nothing was changed. ` +
        'The service folds it again from the log when it starts, and so does `verify --repair`',
      { exitCode: EXIT.badFile },
    )
  }
}

function checkFormat(path: string, { format }: Identity): void {
  if (format === FORMAT_VERSION) return
  const why = `its format is ${format}, this program reads ${FORMAT_VERSION}. \`verify --repair\` folds it again from the log`
  throw refuse(path, why)
}

function checkFold(path: string, { fingerprint }: Identity): void {
  if (fingerprint !== FOLD_FINGERPRINT) throw new OtherFold(path, fingerprint)
}

/** The log must contain the entries that the state folded. */
export function checkPosition(dir: string, log: SegmentReader, position: LogPosition): void {
  const mismatch = log.mismatch(position)
  if (mismatch === undefined) return
  if (mismatch === 'differs')
    throw new DamagedState(stateFile(dir), `it is not a fold of the log at entry ${position.seq}`)
  if (mismatch === 'other log') {
    throw refuse(
      stateFile(dir),
      `it belongs to log ${position.id}, but the log beside it is ${log.id}. Put the right log back`,
    )
  }
  throw new DamagedLog(logDir(dir), log.newest() + 1, `the state has folded up to entry ${position.seq}`)
}
