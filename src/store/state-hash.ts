import { createHash, type Hash } from 'node:crypto'
import type { Key } from 'lmdb'
import { type Databases, FIRST_KEY } from './databases.ts'

/** Databases that are state, in the order of the hash. The log is not: only how far it goes. */
const STATE = [
  'globals',
  'tokens',
  'wallets',
  'positions',
  'trades',
  'tokenEvents',
  'frames',
  'mints',
  'walletIds',
  'pools',
  'firstUses',
  'launches',
  'live',
  'bundles',
  'agents',
] as const satisfies (keyof Databases)[]

/** bytes gathered before they are given to the hash: one native call for some hundred records */
const BATCH_BYTES = 64 << 10

/**
 * SHA-256 (hex) over all state in key order: equal state gives an equal hash, however it was cut into commits. Reads
 * everything, one record at a time.
 */
export function hashState(databases: Databases, newestSeq: number): string {
  const hash = createHash('sha256')
  hash.update(`log ${newestSeq}\n`)
  for (const name of STATE) {
    hash.update(`${name} ${(databases[name].getStats() as { entryCount: number }).entryCount}\n`)
    hashDatabase(hash, databases[name], FIRST_KEY[name])
  }
  return hash.digest('hex')
}

function hashDatabase(hash: Hash, database: Databases[(typeof STATE)[number]], start: Key): void {
  let batch = Buffer.alloc(BATCH_BYTES * 2)
  let at = 0
  for (const { key, value } of database.getRange({ start })) {
    const text = keyText(key)
    const room = text.length + value.length + 8
    if (at + room > batch.length) {
      hash.update(batch.subarray(0, at))
      at = 0
      if (room > batch.length) batch = Buffer.alloc(room)
    }
    at = batch.writeUInt32LE(text.length, at)
    at = batch.writeUInt32LE(value.length, at)
    at += batch.write(text, at, 'latin1')
    at += value.copy(batch, at)
  }
  hash.update(batch.subarray(0, at))
}

/** A key as latin-1 text, one way only per database. */
function keyText(key: unknown): string {
  if (typeof key === 'string') return key
  if (typeof key === 'number') return String(key)
  return Buffer.isBuffer(key) ? key.toString('latin1') : (key as readonly number[]).join(',')
}
