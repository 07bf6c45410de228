import { createHash, type Hash, hash } from 'node:crypto'
import { type Databases, INDEXES } from './databases.ts'

/** Tables of numbered records, in the order of the hash. */
const DENSE = [
  'globals',
  'tokens',
  'wallets',
  'trades',
  'tokenEvents',
  'verdicts',
  'readings',
  'frames',
  'bundles',
  'agents',
  'actors',
  'actorEdges',
  'live',
] as const satisfies (keyof Databases)[]

/** bytes collected per update of the hash: one native call for some hundred records */
const BATCH_BYTES = 64 << 10

/**
 * SHA-256 (hex) over the whole state. Equal states have equal hashes, however they were divided into commits. The
 * buckets of an index differ between stores, so its keys and values count in any order. Reads and verifies everything.
 */
export function hashState(db: Databases, seq: number): string {
  const whole = createHash('sha256')
  whole.update(`log ${seq}\n`)
  const batch = createBatch(whole)
  for (const name of DENSE) {
    batch.text(`${name}\n`)
    for (const { id, bytes } of db[name].from(0)) batch.record(id, 0, bytes)
  }
  for (const name of ['positions', 'launches'] as const) {
    batch.text(`${name}\n`)
    for (const { first, second, bytes } of db[name].everything()) batch.record(first, second, bytes)
  }
  batch.end()
  for (const name of INDEXES) {
    whole.update(`${name} ${db[name].count()}\n`)
    whole.update(sumOf(db[name].entries()))
  }
  return whole.digest('hex')
}

/** Reads and verifies the records of every table, one per step. */
export function* readAll(db: Databases): Generator<void> {
  for (const name of DENSE) for (const _ of db[name].from(0)) yield
  for (const name of ['positions', 'launches'] as const) for (const _ of db[name].everything()) yield
  for (const name of INDEXES) for (const _ of db[name].entries()) yield
}

/** The exclusive or of the SHA-256 of all entries of an index, which are all different. */
function sumOf(entries: Iterable<readonly [string, number]>): Buffer {
  const sum = Buffer.alloc(32)
  for (const [key, value] of entries) {
    // one call: for short texts a Hash object costs more than hashing
    const one = hash('sha256', Buffer.from(`${value} ${key}`, 'latin1'), 'buffer')
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! ^ one[i]!
  }
  return sum
}

function createBatch(hash: Hash) {
  let batch = Buffer.alloc(BATCH_BYTES * 2)
  let at = 0
  const end = (): void => {
    hash.update(batch.subarray(0, at))
    at = 0
  }
  const room = (bytes: number): void => {
    if (at + bytes <= batch.length) return
    end()
    if (bytes > batch.length) batch = Buffer.alloc(bytes)
  }
  return {
    text(text: string): void {
      room(text.length)
      at += batch.write(text, at, 'latin1')
    },
    record(first: number, second: number, bytes: Buffer): void {
      room(bytes.length + 20)
      at = batch.writeDoubleLE(first, at)
      at = batch.writeDoubleLE(second, at)
      at = batch.writeUInt32LE(bytes.length, at)
      at += bytes.copy(batch, at)
    },
    end,
  }
}
