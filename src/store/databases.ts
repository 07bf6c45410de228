import type { Database, RootDatabase } from 'lmdb'
import { type Key, ZERO_KEY } from '../base/ids.ts'

/** Two ids as one key, ordered by the first, then the second. */
export type Pair = [first: number, second: number]

export type ById = Database<Buffer, number>
export type ByKey = Database<Buffer, Key>
export type ByPair = Database<Buffer, Pair>
export type ByBytes = Database<Buffer, Buffer>

/** Highest token and wallet id: they are kept in four bytes. */
export const ID_MAX = 2 ** 32 - 1

/** Everything lies under dense numeric ids; the 32-byte keys only in the indexes from key to id. */
export type Databases = ReturnType<typeof openDatabases>

export function openDatabases(root: RootDatabase) {
  const byId = (name: string): ById => root.openDB(name, { encoding: 'binary', keyEncoding: 'uint32' })
  const byKey = (name: string): ByKey => root.openDB(name, encodedBy(keyBytes))
  const byPair = (name: string): ByPair => root.openDB(name, encodedBy(pairBytes))
  return {
    globals: byId('globals'),
    tokens: byId('tokens'),
    wallets: byId('wallets'),
    /** [token, wallet] */
    positions: byPair('positions'),
    /** eight bytes: four are used up by a year of busy trading */
    trades: root.openDB('trades', encodedBy(wideBytes)) as ById,
    /** by seq */
    tokenEvents: root.openDB('tokenEvents', encodedBy(wideBytes)) as ById,
    /** seq of a block's first frame → number of its first trade row, in eight bytes */
    frames: root.openDB('frames', encodedBy(wideBytes)) as ById,
    mints: byKey('mints'),
    walletIds: byKey('walletIds'),
    pools: byKey('pools'),
    firstUses: root.openDB('firstUses', { encoding: 'binary', keyEncoding: 'binary' }) as ByBytes,
    /** [deployer, token] */
    launches: byPair('launches'),
    live: byId('live'),
    /** by token */
    bundles: byId('bundles'),
    /** one record */
    agents: byId('agents'),
    log: byId('log'),
  }
}

/** Where a whole database begins: without a start lmdb begins at byte 5 where the key encoding is our own. */
export const FIRST_KEY = {
  globals: 0,
  tokens: 0,
  wallets: 0,
  positions: [0, 0],
  trades: 0,
  tokenEvents: 0,
  frames: 0,
  mints: ZERO_KEY,
  walletIds: ZERO_KEY,
  pools: ZERO_KEY,
  firstUses: Buffer.from([0]),
  launches: [0, 0],
  live: 0,
  bundles: 0,
  agents: 0,
  log: 0,
} satisfies Record<keyof Databases, unknown>

interface KeyEncoder<K> {
  writeKey(key: K, target: Buffer, start: number): number
  readKey(source: Buffer, start: number): K
}

/** The types know `keyEncoder` for the root only. */
const encodedBy = <K>(keyEncoder: KeyEncoder<K>) => ({ encoding: 'binary', keyEncoder }) as const

/** lmdb hands over one fixed buffer, so the bytes must be copied out and in. */
const keyBytes: KeyEncoder<Key> = {
  writeKey: (key, target, start) => start + target.write(key, start, 32, 'latin1'),
  readKey: (source, start) => source.toString('latin1', start, start + 32) as Key,
}

const pairBytes: KeyEncoder<Pair> = {
  writeKey(pair, target, start) {
    target.writeUInt32BE(pair[0], start)
    return target.writeUInt32BE(pair[1], start + 4)
  },
  readKey: (source, start) => [source.readUInt32BE(start), source.readUInt32BE(start + 4)],
}

const wideBytes: KeyEncoder<number> = {
  writeKey(key, target, start) {
    target.writeUInt32BE(Math.floor(key / 2 ** 32), start)
    return target.writeUInt32BE(key % 2 ** 32, start + 4)
  },
  readKey: (source, start) => source.readUInt32BE(start) * 2 ** 32 + source.readUInt32BE(start + 4),
}
