import { crc32 } from 'node:zlib'
import type { Connection } from './connection.ts'
import type { DamagedState } from './damage.ts'

/**
 * Tables whose reads cannot be wrong unnoticed. Every record carries a CRC-32 of its bytes that begins with its table, its
 * key and the store it belongs to, so that damaged bytes, a record of another key and one of another store all fail. What is
 * absent is told apart from what was lost by numbers without gaps (`DenseTable`) and by counts (`PairTable`).
 */

export interface Row {
  readonly id: number
  readonly bytes: Buffer
}

/** Records under the numbers 0, 1, 2 … without a gap below `count()`. */
export interface DenseTable {
  /** undefined at and beyond the end; throws DamagedState where a record below it is missing or broken */
  get(id: number): Buffer | undefined
  put(id: number, bytes: Uint8Array): void
  /** as many calls of `put`, for less */
  putAll(rows: readonly Row[]): void
  /** rows from `from` on in order, read in pieces; each is checked, and none may be missing before the end */
  from(from: number): IterableIterator<Row>
}

interface SealedRow {
  readonly id: number
  readonly v: Uint8Array
  readonly sum: number
}

/** The same as SQLite gives it without names, which is faster where there are many. */
type SealedCells = readonly [id: number, v: Uint8Array, sum: number]

/** bytes of a row beside its record, about */
const ROW_BYTES = 24

/** rows read at a time: some tens of kilobytes */
const PIECE_ROWS = 256

/** rows of one statement, largest first: with 16 a row costs half of what it costs alone, and more save little */
const ROWS_AT_ONCE = [16, 4]

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A damaged page may say that something else is there; SQLite looks at types only when it writes. */
const isBlob = (v: unknown): boolean => v instanceof Uint8Array

/** Where the checksum of a record begins. */
const mix = (seed: number, table: number, high: number, low: number): number =>
  (Math.imul(seed ^ Math.imul(table, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(high | 0, 0xc2b2ae35) ^ low) >>> 0

/** zlib begins anew where it is given no bytes. */
const checksum = (bytes: Uint8Array, begin: number): number => (bytes.length === 0 ? begin : crc32(bytes, begin))

const wrongChecksum = ({ damage }: Connection, table: string, id: number | string): DamagedState =>
  damage(`${table} ${id} has a wrong checksum`)
const missing = ({ damage }: Connection, table: string, id: number): DamagedState => damage(`${table} ${id} is missing`)

/** `number` stands for the table in checksums and is never given to another one. */
export function createDenseTable(
  connection: Connection,
  name: string,
  number: number,
  /** differs from store to store */
  seed: number,
  count: () => number,
): DenseTable {
  const get = connection.prepare(`select v, sum from ${name} where id = ?`)
  const put = connection.prepare(`insert or replace into ${name} (id, v, sum) values (?, ?, ?)`)
  const putsOf = new Map<number, ReturnType<Connection['prepare']>>()
  const range = connection.prepare(`select id, v, sum from ${name} where id >= ? and id < ? order by id`)
  range.setReturnArrays(true)
  const sumOf = (id: number, bytes: Uint8Array): number =>
    checksum(bytes, mix(seed, number, Math.floor(id / 2 ** 32), id % 2 ** 32))

  function putOne(id: number, bytes: Uint8Array): void {
    connection.guarded(() => put.run(id, bytes, sumOf(id, bytes)))
    connection.count(bytes.length + ROW_BYTES)
  }

  function putOf(size: number): ReturnType<Connection['prepare']> {
    let statement = putsOf.get(size)
    if (statement !== undefined) return statement
    const places = Array(size).fill('(?, ?, ?)').join(', ')
    statement = connection.prepare(`insert or replace into ${name} (id, v, sum) values ${places}`)
    putsOf.set(size, statement)
    return statement
  }

  function putSome(rows: readonly Row[], from: number, size: number): void {
    const statement = putOf(size)
    const values: (number | Uint8Array)[] = []
    let written = 0
    for (let i = from; i < from + size; i++) {
      const { id, bytes } = rows[i]!
      values.push(id, bytes, sumOf(id, bytes))
      written += bytes.length + ROW_BYTES
    }
    connection.guarded(() => statement.run(...values))
    connection.count(written)
  }

  return {
    get(id) {
      const row = connection.guarded(() => get.get(id)) as SealedRow | undefined
      if (row === undefined) {
        if (id >= 0 && id < count()) throw missing(connection, name, id)
        return undefined
      }
      if (!isBlob(row.v) || sumOf(id, row.v) !== row.sum) throw wrongChecksum(connection, name, id)
      return asBuffer(row.v)
    },
    put: putOne,
    putAll(rows) {
      let at = 0
      for (const size of ROWS_AT_ONCE) for (; rows.length - at >= size; at += size) putSome(rows, at, size)
      for (; at < rows.length; at++) putOne(rows[at]!.id, rows[at]!.bytes)
    },
    *from(from) {
      for (let next = from; next < count(); ) {
        const end = Math.min(count(), next + PIECE_ROWS)
        const rows = connection.guarded(() => range.all(next, end)) as unknown as SealedCells[]
        for (const [id, v, sum] of rows) {
          if (id !== next) throw missing(connection, name, next)
          if (!isBlob(v) || sumOf(id, v) !== sum) throw wrongChecksum(connection, name, id)
          yield { id, bytes: asBuffer(v) }
          next++
        }
        if (next !== end) throw missing(connection, name, next)
      }
    },
  }
}

export interface PairRow {
  readonly first: number
  readonly second: number
  readonly bytes: Buffer
}

/** Records under two ids. How many there are with one first id is known to the caller, who has it checked. */
export interface PairTable {
  put(first: number, second: number, bytes: Uint8Array): void
  /** all with this first id in order of the second; throws DamagedState unless there are `count` of them */
  all(first: number, count: number): PairRow[]
  /** at most `limit` second ids, highest first; throws DamagedState unless there are `count` in all */
  back(first: number, offset: number, limit: number, count: number): number[]
  /** every record in order of both ids, read in pieces */
  everything(): IterableIterator<PairRow>
  /** number of records; reads through the table */
  total(): number
}

type SealedPair = readonly [first: number, second: number, v: Uint8Array, sum: number]

export function createPairTable(
  connection: Connection,
  name: string,
  number: number,
  /** differs from store to store */
  seed: number,
): PairTable {
  const put = connection.prepare(`insert or replace into ${name} (a, b, v, sum) values (?, ?, ?, ?)`)
  const all = connection.prepare(`select a, b, v, sum from ${name} where a = ? order by b`)
  const back = connection.prepare(`select a, b, v, sum from ${name} where a = ? order by b desc limit ? offset ?`)
  const next = connection.prepare(`select a, b, v, sum from ${name} where (a, b) > (?, ?) order by a, b limit ?`)
  for (const statement of [all, back, next]) statement.setReturnArrays(true)
  const of = connection.prepare(`select count(*) as n from ${name} where a = ?`)
  const total = connection.prepare(`select count(*) as n from ${name}`)
  const sumOf = (first: number, second: number, bytes: Uint8Array): number =>
    checksum(bytes, mix(seed, number, first, second))

  function opened([a, b, v, sum]: SealedPair): PairRow {
    if (!isBlob(v) || sumOf(a, b, v) !== sum) throw wrongChecksum(connection, name, `${a}, ${b}`)
    return { first: a, second: b, bytes: asBuffer(v) }
  }

  function checkCount(first: number, found: number, count: number): void {
    if (found !== count) throw connection.damage(`${name} of ${first}: ${found} of ${count} are there`)
  }

  return {
    put(first, second, bytes) {
      connection.guarded(() => put.run(first, second, bytes, sumOf(first, second, bytes)))
      connection.count(bytes.length + ROW_BYTES)
    },
    all(first, count) {
      const rows = connection.guarded(() => all.all(first)) as unknown as SealedPair[]
      checkCount(first, rows.length, count)
      return rows.map(opened)
    },
    back(first, offset, limit, count) {
      checkCount(first, (connection.guarded(() => of.get(first)) as { n: number }).n, count)
      const rows = connection.guarded(() => back.all(first, limit, offset)) as unknown as SealedPair[]
      return rows.map((row) => opened(row).second)
    },
    *everything() {
      for (let after = [-1, -1]; ; ) {
        const rows = connection.guarded(() => next.all(after[0], after[1], PIECE_ROWS)) as unknown as SealedPair[]
        for (const row of rows) yield opened(row)
        const last = rows.at(-1)
        if (last === undefined) return
        after = [last[0], last[1]]
      }
    },
    total: () => (connection.guarded(() => total.get()) as { n: number }).n,
  }
}
