import { crc32 } from 'node:zlib'
import { asBuffer, prepareGather, type StoredRow } from './batch-read.ts'
import type { Connection } from './connection.ts'
import type { DamagedState } from './damage.ts'

/**
 * Tables whose reads cannot be silently wrong. Every record carries a CRC-32 of its bytes that starts with its table, its
 * key and its store, so damaged bytes, a record of another key and one of another store all fail. Absent and lost are
 * distinguished by numbers without gaps (`DenseTable`) and by counts (`PairTable`).
 */

interface Row {
  readonly id: number
  readonly bytes: Buffer
}

/** Records under the numbers 0, 1, 2 … without a gap below `count()`. */
export interface DenseTable {
  /** undefined at and beyond the end; throws DamagedState where a record below it is missing or broken */
  get(id: number): Buffer | undefined
  /** as many calls of `get` for records that must be there, for less; throws DamagedState where one is not */
  getAll(ids: readonly number[]): Row[]
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

/** bytes of a row beside its record, about */
const ROW_BYTES = 24

/** rows read at a time: some tens of kilobytes */
const PIECE_ROWS = 256

/** rows of one statement, largest first: with 16 a row costs half of what it costs alone, and more save little */
const ROWS_AT_ONCE = [16, 4]

/** A damaged page may claim any type; SQLite checks types only when it writes. */
const isBlob = (v: unknown): boolean => v instanceof Uint8Array

/** Where the checksum of a record begins. */
const mix = (seed: number, table: number, high: number, low: number): number =>
  (Math.imul(seed ^ Math.imul(table, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(high | 0, 0xc2b2ae35) ^ low) >>> 0

/** zlib starts over if it gets no bytes. */
const checksum = (bytes: Uint8Array, begin: number): number => (bytes.length === 0 ? begin : crc32(bytes, begin))

const wrongChecksum = ({ damage }: Connection, table: string, id: number | string): DamagedState =>
  damage(`${table} ${id} has a wrong checksum`)
const missing = ({ damage }: Connection, table: string, id: number): DamagedState => damage(`${table} ${id} is missing`)

/** `number` represents the table in checksums and is never reused. */
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
  const range = prepareGather(connection, ['id'], `select * from ${name} where id >= ? and id < ? order by id`)
  const listed = prepareGather(
    connection,
    ['id'],
    `select t.* from json_each(?) as asked cross join ${name} as t on t.id = asked.value order by asked.key`,
  )
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

  /** The record that must be there. */
  function opened(row: StoredRow | undefined, id: number): Row {
    if (row?.first !== id) throw missing(connection, name, id)
    if (sumOf(id, row.v) !== row.sum) throw wrongChecksum(connection, name, id)
    return { id, bytes: row.v }
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
    getAll(ids) {
      const rows = ids.length === 0 ? [] : listed(JSON.stringify(ids))
      return ids.map((id, i) => opened(rows[i], id))
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
        const rows = range(next, end)
        for (let i = 0; next < end; i++) yield opened(rows[i], next++)
      }
    },
  }
}

export interface PairRow {
  readonly first: number
  readonly second: number
  readonly bytes: Buffer
}

/** Records under two ids. The caller knows how many there are with one first id, and has them counted. */
export interface PairTable {
  put(first: number, second: number, bytes: Uint8Array): void
  /** all with this first id in order of the second; throws DamagedState unless there are `count` of them */
  all(first: number, count: number): PairRow[]
  /** one record, undefined where there is none */
  get(first: number, second: number): PairRow | undefined
  /** at most `limit` with this first id and a greater second one, in order; the caller counts what there is in all */
  after(first: number, second: number, limit: number): PairRow[]
  /** at most `limit` second ids, highest first; throws DamagedState unless there are `count` in all */
  back(first: number, offset: number, limit: number, count: number): number[]
  /** every record in order of both ids, read in pieces */
  everything(): IterableIterator<PairRow>
  /** number of records; reads through the table */
  total(): number
}

export function createPairTable(
  connection: Connection,
  name: string,
  number: number,
  /** differs from store to store */
  seed: number,
): PairTable {
  const put = connection.prepare(`insert or replace into ${name} (a, b, v, sum) values (?, ?, ?, ?)`)
  const gather = (from: string) => prepareGather(connection, ['a', 'b'], `select * from ${name} where ${from}`)
  const all = gather('a = ? order by b')
  const one = gather('a = ? and b = ?')
  const after = gather('a = ? and b > ? order by b limit ?')
  const back = gather('a = ? order by b desc limit ? offset ?')
  const next = gather('(a, b) > (?, ?) order by a, b limit ?')
  const of = connection.prepare(`select count(*) as n from ${name} where a = ?`)
  const total = connection.prepare(`select count(*) as n from ${name}`)
  const sumOf = (first: number, second: number, bytes: Uint8Array): number =>
    checksum(bytes, mix(seed, number, first, second))

  function opened({ first, second, v, sum }: StoredRow): PairRow {
    if (sumOf(first, second, v) !== sum) throw wrongChecksum(connection, name, `${first}, ${second}`)
    return { first, second, bytes: v }
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
      const rows = all(first)
      checkCount(first, rows.length, count)
      return rows.map(opened)
    },
    get(first, second) {
      const [row] = one(first, second)
      return row === undefined ? undefined : opened(row)
    },
    after: (first, second, limit) => after(first, second, limit).map(opened),
    back(first, offset, limit, count) {
      checkCount(first, (connection.guarded(() => of.get(first)) as { n: number }).n, count)
      return back(first, limit, offset).map((row) => opened(row).second)
    },
    *everything() {
      for (let after = [-1, -1]; ; ) {
        const rows = next(after[0]!, after[1]!, PIECE_ROWS)
        for (const row of rows) yield opened(row)
        const last = rows.at(-1)
        if (last === undefined) return
        after = [last.first, last.second]
      }
    },
    total: () => (connection.guarded(() => total.get()) as { n: number }).n,
  }
}
