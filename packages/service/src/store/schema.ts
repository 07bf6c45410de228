import type { Connection } from './connection.ts'

/** Must be raised with every change of the layout of a key or table, or of the state file's metadata. */
export const FORMAT_VERSION = 9

/**
 * Tables of records with one number, and each table's number in checksums, which is part of the format and never
 * reused. Tables of keys hold the buckets of an index.
 */
export const NUMBERED = {
  meta: 0,
  globals: 1,
  tokens: 2,
  wallets: 3,
  trades: 4,
  /** From seq 1 on, stored at seq − 1. */
  tokenEvents: 5,
  /** In order, for each block with trades: seq of its first frame, number of its first trade row. */
  frames: 6,
  /** By token. */
  bundles: 7,
  /** One record, or none yet. */
  agents: 8,
  /** Bits of 1,024 tokens each that mark live ones. */
  live: 9,
  mints: 10,
  addresses: 11,
  pools: 12,
  firstUses: 13,
  /** The same people across tokens, and the evidence behind each actor. */
  actors: 14,
  actorEdges: 15,
  /** Changes of verdicts from 1 on, stored at number − 1: the seq of the token event. */
  verdicts: 16,
  readings: 17,
} as const

/** Tables of records with two ids. */
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
