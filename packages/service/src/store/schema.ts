import type { Connection } from './connection.ts'

/** Raise with every change to the layout of a key or table, or to what a state file says of itself. */
export const FORMAT_VERSION = 7

/**
 * Tables of records under one number, and the number that represents each in checksums: part of the format, never reused.
 * Tables of keys hold the buckets of an index.
 */
export const NUMBERED = {
  meta: 0,
  globals: 1,
  tokens: 2,
  wallets: 3,
  trades: 4,
  /** from seq 1 on, at seq − 1 */
  tokenEvents: 5,
  /** in order, for each block with trades: seq of its first frame, number of its first trade row */
  frames: 6,
  /** by token */
  bundles: 7,
  /** one record, or none yet */
  agents: 8,
  /** bits of 1,024 tokens each: which are live */
  live: 9,
  mints: 10,
  addresses: 11,
  pools: 12,
  firstUses: 13,
  /** the same people across tokens, and the evidence behind each */
  actors: 14,
  actorEdges: 15,
} as const

/** Tables of records under two ids. */
export const PAIRED = {
  /** token, wallet */
  positions: 20,
  /** deployer, token */
  launches: 21,
} as const

export function createTables(connection: Connection): void {
  for (const name of Object.keys(NUMBERED)) {
    connection.exec(`create table ${name} (id integer primary key, v blob not null, sum integer not null) strict`)
  }
  for (const name of Object.keys(PAIRED)) {
    connection.exec(
      `create table ${name} (a integer not null, b integer not null, v blob not null, sum integer not null, ` +
        'primary key (a, b)) strict, without rowid',
    )
  }
}
