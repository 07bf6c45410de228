import type { Connection } from './connection.ts'
import { bucketsFor, createIndexTable, type IndexTable } from './index-table.ts'
import type { Identity } from './meta.ts'
import { NUMBERED, PAIRED } from './schema.ts'
import { createDenseTable, createPairTable, type DenseTable, type PairTable } from './tables.ts'

/** The number of records per table as of the last commit, which tells a lost record from one that never existed. */
export interface Counts {
  readonly globals: number
  readonly tokens: number
  readonly wallets: number
  readonly trades: number
  readonly tokenEvents: number
  readonly verdicts: number
  readonly readings: number
  readonly frames: number
  readonly agents: number
  readonly actors: number
  readonly pools: number
  readonly firstUses: number
}

/** tokens whose liveness shares one record */
export const LIVE_CHUNK = 1_024

/** characters of a public key, and of a first use's key */
const KEY_LENGTH = 32
const FIRST_USE_LENGTH = 17

export interface Databases {
  readonly globals: DenseTable
  readonly tokens: DenseTable
  readonly wallets: DenseTable
  readonly trades: DenseTable
  readonly tokenEvents: DenseTable
  readonly verdicts: DenseTable
  readonly readings: DenseTable
  readonly frames: DenseTable
  readonly bundles: DenseTable
  readonly agents: DenseTable
  readonly actors: DenseTable
  readonly actorEdges: DenseTable
  readonly live: DenseTable
  readonly mints: IndexTable
  readonly addresses: IndexTable
  readonly pools: IndexTable
  readonly firstUses: IndexTable
  readonly positions: PairTable
  readonly launches: PairTable
}

export const INDEXES = ['mints', 'addresses', 'pools', 'firstUses'] as const satisfies (keyof Databases)[]

/** `counts`: as of the last commit, or of the current snapshot. */
export function openDatabases(connection: Connection, { seed }: Identity, counts: () => Counts): Databases {
  const dense = (name: keyof typeof NUMBERED, count: () => number): DenseTable =>
    createDenseTable(connection, name, NUMBERED[name], seed, count)
  const index = (name: (typeof INDEXES)[number], keyLength: number, count: () => number): IndexTable =>
    createIndexTable({
      buckets: dense(name, () => bucketsFor(count())),
      keyLength,
      seed,
      count: count(),
    })
  return {
    globals: dense('globals', () => counts().globals),
    tokens: dense('tokens', () => counts().tokens),
    wallets: dense('wallets', () => counts().wallets),
    trades: dense('trades', () => counts().trades),
    tokenEvents: dense('tokenEvents', () => counts().tokenEvents),
    verdicts: dense('verdicts', () => counts().verdicts),
    readings: dense('readings', () => counts().readings),
    frames: dense('frames', () => counts().frames),
    bundles: dense('bundles', () => counts().tokens),
    agents: dense('agents', () => counts().agents),
    actors: dense('actors', () => counts().actors),
    actorEdges: dense('actorEdges', () => counts().actors),
    live: dense('live', () => Math.ceil(counts().tokens / LIVE_CHUNK)),
    mints: index('mints', KEY_LENGTH, () => counts().tokens),
    addresses: index('addresses', KEY_LENGTH, () => counts().wallets),
    pools: index('pools', KEY_LENGTH, () => counts().pools),
    firstUses: index('firstUses', FIRST_USE_LENGTH, () => counts().firstUses),
    positions: createPairTable(connection, 'positions', PAIRED.positions, seed),
    launches: createPairTable(connection, 'launches', PAIRED.launches, seed),
  }
}
