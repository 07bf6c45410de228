import { crc32 } from 'node:zlib'
import { asBuffer, prepareGather, type StoredRow } from './batch-read.ts'
import type { Connection } from './connection.ts'
import type { DamagedState } from './damage.ts'

/**
 * Tables whose reads cannot be silently wrong. Every record has a CRC-32 of its bytes, seeded with its table, its key
 * and its store, so damaged bytes and records of another key or store all fail. Lost records are told from absent ones
 * by numbers without gaps (`DenseTable`) and by counts (`PairTable`).
 */

interface Row {
  readonly id: number
  readonly bytes: Buffer
}

/** Records with the numbers 0, 1, 2 … without gaps below `count()`. */
export type DenseTable = ReturnType<typeof createDenseTable>

interface SealedRow {
  readonly id: number
  readonly v: Uint8Array
  readonly sum: number
}

/** approximate bytes of a row besides its record */
const ROW_BYTES = 24

/** rows read at a time, some tens of kilobytes */
const PIECE_ROWS = 256

/** rows per statement, largest first: with 16 a row costs half, and more save little */
const ROWS_AT_ONCE = [16, 4, 1]

/** A damaged page may claim any type, and SQLite checks types only when it writes. */
const isBlob = (v: unknown): boolean => v instanceof Uint8Array

/** The seed of a record's checksum. */
const mix = (seed: number, table: number, high: number, low: number): number =>
  (Math.imul(seed ^ Math.imul(table, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(high | 0, 0xc2b2ae35) ^ low) >>> 0

/** zlib restarts if it gets no bytes. */
const checksum = (bytes: Uint8Array, begin: number): number => (bytes.length === 0 ? begin : crc32(bytes, begin))

const wrongChecksum = ({ damage }: Connection, table: string, id: number | string): DamagedState =>
  damage(`${table} ${id} has a wrong checksum`)
const missing = ({ damage }: Connection, table: string, id: number): DamagedState => damage(`${table} ${id} is missing`)

type Value = number | Uint8Array

function preparePuts(connection: Connection, table: string, columns: number) {
  const place = `(${Array(columns).fill('?').join(', ')})`
  const statements = new Map<number, ReturnType<Connection['prepare']>>()

  function statementFor(rows: number): ReturnType<Connection['prepare']> {
    let statement = statements.get(rows)
    if (statement !== undefined) return statement
    statement = connection.prepare(`insert or replace into ${table} values ${Array(rows).fill(place).join(', ')}`)
    statements.set(rows, statement)
    return statement
  }

  const [full = 1] = ROWS_AT_ONCE
  return {
    /** The number of values that are written at once. */
    full: full * columns,
    /** Writes rows of whole values, and empties the list. */
    write(values: Value[]): void {
      let at = 0
      for (const rows of ROWS_AT_ONCE) {
        for (const size = rows * columns; values.length - at >= size; at += size) {
          const some = size === values.length ? values : values.slice(at, at + size)
          connection.guarded(() => statementFor(rows).run(...some))
        }
      }
      values.length = 0
    },
  }
}

/** `number` represents the table in checksums and is never reused. */
export function createDenseTable(
  connection: Connection,
  name: string,
  number: number,
  /** Differs between stores. */
  seed: number,
  count: () => number,
) {
  const get = connection.prepare(`select v, sum from ${name} where id = ?`)
  const puts = preparePuts(connection, `${name} (id, v, sum)`, 3)
  const range = prepareGather(connection, ['id'], `select * from ${name} where id >= ? and id < ? order by id`)
  const listed = prepareGather(
    connection,
    ['id'],
    `select t.* from json_each(?) as asked cross join ${name} as t on t.id = asked.value order by asked.key`,
  )
  const sumOf = (id: number, bytes: Uint8Array): number =>
    checksum(bytes, mix(seed, number, Math.floor(id / 2 ** 32), id % 2 ** 32))

  /** Verifies a record that must exist. */
  function opened(row: StoredRow | undefined, id: number): Row {
    if (row?.first !== id) throw missing(connection, name, id)
    if (sumOf(id, row.v) !== row.sum) throw wrongChecksum(connection, name, id)
    return { id, bytes: row.v }
  }

  return {
    /** Undefined from the end on; throws DamagedState if an earlier record is missing or broken. */
    get(id: number): Buffer | undefined {
      const row = connection.guarded(() => get.get(id)) as SealedRow | undefined
      if (row === undefined) {
        if (id >= 0 && id < count()) throw missing(connection, name, id)
        return undefined
      }
      if (!isBlob(row.v) || sumOf(id, row.v) !== row.sum) throw wrongChecksum(connection, name, id)
      return asBuffer(row.v)
    },
    /** Several existing records, cheaper than calls of `get`; throws DamagedState if one is missing. */
    getAll(ids: readonly number[]): Row[] {
      const rows = ids.length === 0 ? [] : listed(JSON.stringify(ids))
      return ids.map((id, i) => opened(rows[i], id))
    },
    put(id: number, bytes: Uint8Array): void {
      puts.write([id, bytes, sumOf(id, bytes)])
      connection.count(bytes.length + ROW_BYTES)
    },
    /** The records of `items`, cheaper than calls of `put`. */
    putAll<T>(items: Iterable<T>, idOf: (item: T) => number, encode: (item: T) => Uint8Array): void {
      const values: Value[] = []
      for (const item of items) {
        const id = idOf(item)
        const bytes = encode(item)
        values.push(id, bytes, sumOf(id, bytes))
        connection.count(bytes.length + ROW_BYTES)
        if (values.length === puts.full) puts.write(values)
      }
      puts.write(values)
    },
    /** Verified rows from `from` on in order, read in pieces; none may be missing. */
    *from(from: number): IterableIterator<Row> {
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

/** Records with two ids. The caller knows the number of records per first id, which reads check. */
export type PairTable = ReturnType<typeof createPairTable>

export function createPairTable(
  connection: Connection,
  name: string,
  number: number,
  /** Differs between stores. */
  seed: number,
) {
  const puts = preparePuts(connection, `${name} (a, b, v, sum)`, 4)
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
    put(first: number, second: number, bytes: Uint8Array): void {
      puts.write([first, second, bytes, sumOf(first, second, bytes)])
      connection.count(bytes.length + ROW_BYTES)
    },
    /** The records of `items`, cheaper than calls of `put`. */
    putAll<T>(
      items: Iterable<T>,
      firstOf: (item: T) => number,
      secondOf: (item: T) => number,
      encode: (item: T) => Uint8Array,
    ): void {
      const values: Value[] = []
      for (const item of items) {
        const first = firstOf(item)
        const second = secondOf(item)
        const bytes = encode(item)
        values.push(first, second, bytes, sumOf(first, second, bytes))
        connection.count(bytes.length + ROW_BYTES)
        if (values.length === puts.full) puts.write(values)
      }
      puts.write(values)
    },
    /** All records with this first id in order of the second; throws DamagedState unless there are `count`. */
    all(first: number, count: number): PairRow[] {
      const rows = all(first)
      checkCount(first, rows.length, count)
      return rows.map(opened)
    },
    /** One record, undefined if absent. */
    get(first: number, second: number): PairRow | undefined {
      const [row] = one(first, second)
      return row === undefined ? undefined : opened(row)
    },
    /** At most `limit` records with this first id and a greater second one, in order; the caller checks the total. */
    after: (first: number, second: number, limit: number): PairRow[] => after(first, second, limit).map(opened),
    /** At most `limit` second ids, highest first; throws DamagedState unless there are `count` in total. */
    back(first: number, offset: number, limit: number, count: number): number[] {
      checkCount(first, (connection.guarded(() => of.get(first)) as { n: number }).n, count)
      return back(first, limit, offset).map((row) => opened(row).second)
    },
    /** Every record in order of both ids, read in pieces. */
    *everything(): IterableIterator<PairRow> {
      for (let after = [-1, -1]; ; ) {
        const rows = next(after[0]!, after[1]!, PIECE_ROWS)
        for (const row of rows) yield opened(row)
        const last = rows.at(-1)
        if (last === undefined) return
        after = [last.first, last.second]
      }
    },
    /** The number of records; reads through the table. */
    total: (): number => (connection.guarded(() => total.get()) as { n: number }).n,
  }
}
