import type { Connection } from './connection.ts'
import { FORMAT_VERSION, NUMBERED } from './schema.ts'
import { createDenseTable } from './tables.ts'

/** The identity of a state file. */
export interface Identity {
  readonly format: number
  /** Fingerprint of the fold that made it. */
  readonly fingerprint: string
  /** Id of the log it is a fold of. */
  readonly log: string
  /** Seed of its checksums, so that records of another store fail. */
  readonly seed: number
}

/** The position of the state in the log, written with every commit. */
export interface StatePosition {
  /** Newest log entry folded, -1 if none, and the log's running checksum after it. */
  readonly seq: number
  readonly chain: number
  /** Grows before each checkpoint of the write-ahead log; the main file has a generation of at least `floor`. */
  readonly generation: number
  readonly floor: number
  /** The number of entries in tables that nothing else counts. */
  readonly frames: number
  readonly pools: number
  readonly firstUses: number
  readonly agents: number
}

export const START: StatePosition = {
  seq: -1,
  chain: 0,
  generation: 0,
  floor: 0,
  frames: 0,
  pools: 0,
  firstUses: 0,
  agents: 0,
}

// hand-written, because every command opens a store, and loading a schema library takes longer
const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

const isText = (value: unknown, shape: RegExp): boolean => typeof value === 'string' && shape.test(value)

/** Only the format of another version is known. */
const isIdentity = ({ format, fingerprint, log, seed }: Identity): boolean =>
  isWhole(format, 0) &&
  (format !== FORMAT_VERSION ||
    (isText(fingerprint, /^[0-9a-f]{16}$/) && isText(log, /^[0-9a-f]{32}$/) && isWhole(seed, 0, 0xffffffff)))

/** -1 means no entry; everything else counts from 0 */
const isPosition = (value: StatePosition): boolean =>
  Object.keys(START).every((name) => isWhole(value[name as keyof StatePosition], name === 'seq' ? -1 : 0)) &&
  value.agents <= 1

const IDENTITY = 0
const POSITION = 1
/** both records are checked before the store's own seed is known */
const SEED = 0

export type Meta = ReturnType<typeof createMeta>

export function createMeta(connection: Connection) {
  const table = createDenseTable(connection, 'meta', NUMBERED.meta, SEED, () => 2)
  const read = <T>(id: number, isValid: (value: T) => boolean): T => {
    const value: T | null = JSON.parse(table.get(id)!.toString())
    if (value === null || !isValid(value)) throw connection.damage(`its own id (${id}) is not valid`)
    return value
  }
  const write = (id: number, value: unknown): void => table.put(id, Buffer.from(JSON.stringify(value)))
  return {
    /** Throws DamagedState if it cannot be read. */
    identity: (): Identity => read(IDENTITY, isIdentity),
    position: (): StatePosition => read(POSITION, isPosition),
    writeIdentity: (identity: Identity): void => write(IDENTITY, identity),
    writePosition: (position: StatePosition): void => write(POSITION, position),
  }
}
