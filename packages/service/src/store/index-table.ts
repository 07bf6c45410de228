import type { DenseTable } from './tables.ts'

/**
 * Maps keys of one length to numbers. The buckets are records of a dense table: a key missing from its bucket, whose
 * checksum is right, was never added. A B-tree could lose a key to one damaged page and report it as new.
 *
 * Linear hashing: there are `ceil(count / PER_BUCKET)` buckets, and each new one takes its share of exactly one
 * earlier one, so a key's bucket depends only on the number of keys.
 */
export type IndexTable = ReturnType<typeof createIndexTable>

/** mean number of keys in a bucket: at 36 bytes each, one bucket about fills a page */
const PER_BUCKET = 48
const VALUE_BYTES = 4
/** spare room for keys in a changed bucket, before it is copied again */
const ROOM = 8

interface IndexOptions {
  readonly buckets: DenseTable
  /** Latin-1 characters of a key. */
  readonly keyLength: number
  /** Strangers choose the keys, but must not be able to choose keys of the same bucket. */
  readonly seed: number
  readonly count: number
}

/** An unwritten bucket with spare room after its entries. */
interface Filling {
  readonly bytes: Buffer
  used: number
}

export const bucketsFor = (count: number): number => Math.ceil(count / PER_BUCKET)

export function createIndexTable({ buckets, keyLength, seed, count: counted }: IndexOptions) {
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

  /** The offset of `key` in the bucket's bytes, -1 if absent. */
  function placeOf(key: string, bytes: Buffer): number {
    for (let at = bytes.indexOf(key, 0, 'latin1'); at >= 0; at = bytes.indexOf(key, at + 1, 'latin1')) {
      if (at % entryBytes === 0) return at
    }
    return -1
  }

  /** Creates the bucket `total`, which takes its keys from the bucket it splits. */
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
    find(key: string): number | undefined {
      if (total === 0) return undefined
      const bytes = read(bucketOf(hashOf(key, seed), total))
      const at = placeOf(key, bytes)
      return at < 0 ? undefined : bytes.readUInt32LE(at + keyLength)
    },
    /** `key` must be new. It is part of the table once `flush` has written it. */
    add(key: string, value: number): void {
      count++
      while (total < bucketsFor(count)) split()
      const bucket = bucketOf(hashOf(key, seed), total)
      let filling = changed.get(bucket)
      if (filling === undefined || filling.used === filling.bytes.length) filling = change(bucket, [read(bucket)])
      filling.bytes.write(key, filling.used, keyLength, 'latin1')
      filling.bytes.writeUInt32LE(value, filling.used + keyLength)
      filling.used += entryBytes
    },
    /** `key` must be in the table. The new value counts at once and is stored by `flush`. */
    set(key: string, value: number): void {
      const bucket = bucketOf(hashOf(key, seed), total)
      const filling = changed.get(bucket) ?? change(bucket, [read(bucket)])
      filling.bytes.writeUInt32LE(value, placeOf(key, filling.bytes.subarray(0, filling.used)) + keyLength)
    },
    flush(): void {
      for (const [bucket, { bytes, used }] of changed) buckets.put(bucket, bytes.subarray(0, used))
      changed.clear()
    },
    /** The number of keys, including unflushed ones. */
    count: (): number => count,
    /** Discards unflushed keys and values; `count` is the committed number. */
    reset(to: number): void {
      changed.clear()
      count = to
      total = bucketsFor(to)
    },
    /** All keys and values, in no particular order. */
    *entries(): IterableIterator<readonly [key: string, value: number]> {
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

/** The highest power of two in `n`, which must be at least 1. */
const topBit = (n: number): number => 2 ** (31 - Math.clz32(n))

function bucketOf(hash: number, total: number): number {
  const width = total <= 1 ? 1 : topBit(total - 1) * 2
  const bucket = hash & (width - 1)
  return bucket < total ? bucket : bucket - width / 2
}

/** A hash of 31 bits over every character of a key. */
function hashOf(key: string, seed: number): number {
  let hash = seed | 0
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995) ^ (hash >>> 15)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & 0x7fffffff
}
