import { z } from 'zod'
import type { Connection } from './connection.ts'
import { NUMBERED } from './schema.ts'
import { createDenseTable } from './tables.ts'

/** What a state file is. */
const Identity = z.object({
  format: z.int(),
  formulas: z.string().max(100),
  /** of the log it is a fold of */
  log: z.string().regex(/^[0-9a-f]{32}$/),
  /** where its checksums begin: a record of another store fails */
  seed: z.int().min(0).max(0xffffffff),
})
export type Identity = z.infer<typeof Identity>

const Position = z.object({
  /** newest log entry folded, -1 none, and the log's running checksum after it */
  seq: z.int().min(-1),
  chain: z.int().min(0),
  /** grows before each checkpoint of the write-ahead log; the main file has at least `floor` of it */
  generation: z.int().min(0),
  floor: z.int().min(0),
  /** entries of what no other record counts */
  frames: z.int().min(0),
  pools: z.int().min(0),
  firstUses: z.int().min(0),
  agents: z.int().min(0).max(1),
})
/** The position of the state in the log; written with every commit. */
export type StatePosition = z.infer<typeof Position>

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

const IDENTITY = 0
const POSITION = 1
/** both are checked before the store's own seed is known */
const SEED = 0

export interface Meta {
  /** DamagedState where it cannot be read */
  identity(): Identity
  position(): StatePosition
  writeIdentity(identity: Identity): void
  writePosition(position: StatePosition): void
}

export function createMeta(connection: Connection): Meta {
  const table = createDenseTable(connection, 'meta', NUMBERED.meta, SEED, () => 2)
  const read = <T>(id: number, schema: z.ZodType<T>): T => {
    const bytes = table.get(id)!
    const parsed = schema.safeParse(JSON.parse(bytes.toString()))
    if (!parsed.success) throw connection.damage(`its own id (${id}) is not valid`)
    return parsed.data
  }
  const write = (id: number, value: unknown): void => table.put(id, Buffer.from(JSON.stringify(value)))
  return {
    identity: () => read(IDENTITY, Identity),
    position: () => read(POSITION, Position),
    writeIdentity: (identity) => write(IDENTITY, identity),
    writePosition: (position) => write(POSITION, position),
  }
}
