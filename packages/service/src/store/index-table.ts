import type { DenseTable } from './tables.ts'

/**
 * Keys of one length → a number, in buckets that are records of a dense table: a key that is not in its bucket, whose
 * checksum is right, was never added. A tree could lose a key to one damaged page and call it new.
 *
 * Linear hashing: there are `ceil(count / PER_BUCKET)` buckets, and each new one takes its share of exactly one before it,
 * so where a key lies depends on the number of keys alone.
 */
export interface IndexTable {
  find(key: string): number | undefined
  /** `key` must not be there; part of the table once `flush` has written it */
  add(key: string, value: number): void
  flush(): void
  /** of keys, those not flushed included */
  count(): number
  /** forgets what was added and not flushed; `count` is what the store says it is */
  reset(count: number): void
  /** key and value of everything, in no particular order */
  entries(): IterableIterator<readonly [key: string, value: number]>
}

/** mean number of keys in a bucket: with 36 bytes each about as much as a page holds with its neighbours */
const PER_BUCKET = 48
const VALUE_BYTES = 4
/** keys that a changed bucket has room for before it is copied again */
const ROOM = 8

interface IndexOptions {
  readonly buckets: DenseTable
  /** characters of a key, all of them latin-1 */
  readonly keyLength: number
  /** keys are chosen by strangers: which of them share a bucket must not be theirs to choose */
  readonly seed: number
  readonly count: number
}

/** A bucket that is not written yet, with room behind its entries. */
interface Filling {
  readonly bytes: Buffer
  used: number
}

export const bucketsFor = (count: number): number => Math.ceil(count / PER_BUCKET)

export function createIndexTable({ buckets, keyLength, seed, count: counted }: IndexOptions): IndexTable {
  const entryBytes = keyLength + VALUE_BYTES
  const changed = new Map<number, Filling>()
  let count = counted
  let total = bucketsFor(counted)

  function read(bucket: number): Buffer {
    const filling = changed.get(bucket)
    if (filling !== undefined) return filling.bytes.subarray(0, filling.used)
    return buckets.get(bucket) ?? EMPTY
  }

  function change(bucket: number, entries: readonly Buffer[]): Filling {
    const used = entries.reduce((sum, { length }) => sum + length, 0)
    const filling = { bytes: Buffer.allocUnsafe(used + ROOM * entryBytes), used }
    let at = 0
    for (const entry of entries) at += entry.copy(filling.bytes, at)
    changed.set(bucket, filling)
    return filling
  }

  /** Place of `key` in the bucket's bytes, -1 when it is not there. */
  function placeOf(key: string, bytes: Buffer): number {
    for (let at = bytes.indexOf(key, 0, 'latin1'); at >= 0; at = bytes.indexOf(key, at + 1, 'latin1')) {
      if (at % entryBytes === 0) return at
    }
    return -1
  }

  /** The bucket `total` comes into being and takes what is its own from the one it is split from. */
  function split(): void {
    const bucket = total++
    const moved: Buffer[] = []
    if (bucket > 0) {
      const from = bucket - topBit(bucket)
      const kept: Buffer[] = []
      const bytes = read(from)
      for (let at = 0; at < bytes.length; at += entryBytes) {
        const entry = bytes.subarray(at, at + entryBytes)
        const key = entry.toString('latin1', 0, keyLength)
        ;(bucketOf(hashOf(key, seed), total) === bucket ? moved : kept).push(entry)
      }
      change(from, kept)
    }
    change(bucket, moved)
  }

  return {
    find(key) {
      if (total === 0) return undefined
      const bytes = read(bucketOf(hashOf(key, seed), total))
      const at = placeOf(key, bytes)
      return at < 0 ? undefined : bytes.readUInt32LE(at + keyLength)
    },
    add(key, value) {
      count++
      while (total < bucketsFor(count)) split()
      const bucket = bucketOf(hashOf(key, seed), total)
      let filling = changed.get(bucket)
      if (filling === undefined || filling.used === filling.bytes.length) filling = change(bucket, [read(bucket)])
      filling.bytes.write(key, filling.used, keyLength, 'latin1')
      filling.bytes.writeUInt32LE(value, filling.used + keyLength)
      filling.used += entryBytes
    },
    flush() {
      for (const [bucket, { bytes, used }] of changed) buckets.put(bucket, bytes.subarray(0, used))
      changed.clear()
    },
    count: () => count,
    reset(to) {
      changed.clear()
      count = to
      total = bucketsFor(to)
    },
    *entries() {
      for (let bucket = 0; bucket < total; bucket++) {
        const bytes = read(bucket)
        for (let at = 0; at < bytes.length; at += entryBytes) {
          yield [bytes.toString('latin1', at, at + keyLength), bytes.readUInt32LE(at + keyLength)]
        }
      }
    },
  }
}

const EMPTY: Buffer = Buffer.alloc(0)

/** Highest power of two in `n`, which is at least 1. */
const topBit = (n: number): number => 2 ** (31 - Math.clz32(n))

function bucketOf(hash: number, total: number): number {
  const width = total <= 1 ? 1 : topBit(total - 1) * 2
  const bucket = hash & (width - 1)
  return bucket < total ? bucket : bucket - width / 2
}

/** 32 bits of a key, every character of which counts. */
function hashOf(key: string, seed: number): number {
  let hash = seed | 0
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995) ^ (hash >>> 15)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & 0x7fffffff
}
