import type { SchemaElement } from 'hyparquet-writer'
import type { Names } from './names.ts'

/** What a column holds; times are given as Unix seconds. */
type Kind = 'int' | 'double' | 'text' | 'flag' | 'time'
type Value = number | string | boolean | null

/** One column of a table: how it is called, what it holds, and how it is read from a record. */
export interface Column<Row> {
  readonly name: string
  readonly kind: Kind
  readonly nullable: boolean
  readonly of: (row: Row, names: Names) => Value
}

const column =
  <V extends Value>(kind: Kind, nullable: boolean) =>
  <Row>(name: string, of: (row: Row, names: Names) => V): Column<Row> => ({ name, kind, nullable, of })

/** whole numbers */
export const int = column<number>('int', false)
export const intOrNull = column<number | null>('int', true)
export const double = column<number>('double', false)
export const doubleOrNull = column<number | null>('double', true)
export const text = column<string>('text', false)
export const textOrNull = column<string | null>('text', true)
export const flag = column<boolean>('flag', false)
export const flagOrNull = column<boolean | null>('flag', true)
/** Unix seconds, 0 for unknown or has not happened */
export const timeOrNull = <Row>(name: string, of: (row: Row) => number): Column<Row> => ({
  name,
  kind: 'time',
  nullable: true,
  of: (row) => of(row) || null,
})

/** Null for the -1 that stands for never, unknown or nobody. */
export const known = (value: number): number | null => (value < 0 ? null : value)

const TYPES = {
  int: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  flag: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
} as const satisfies Record<Kind, Omit<SchemaElement, 'name'>>

/** The schema of a file with these columns. */
export const schemaOf = (columns: readonly Column<never>[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(
    ({ name, kind, nullable }): SchemaElement => ({
      name,
      ...TYPES[kind],
      repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
    }),
  ),
]

/** The values of one column in one row group, as the writer takes them. */
interface Cells {
  /** returns the characters of text it took */
  set(at: number, value: Value): number
  /** the first `count`, valid until the next `set` */
  take(count: number): unknown[] | BigInt64Array | Float64Array
}

/** Typed arrays where nothing can be null: a tenth of the memory. */
export function createCells({ name, kind, nullable }: Column<never>, room: number): Cells {
  if (kind === 'int' && !nullable) {
    const cells = new BigInt64Array(room)
    return {
      set(at, value) {
        cells[at] = int64(value as number)
        return 0
      },
      take: (count) => cells.subarray(0, count),
    }
  }
  if (kind === 'double' && !nullable) {
    const cells = new Float64Array(room)
    return {
      set(at, value) {
        cells[at] = plain(value as number)
        return 0
      },
      take: (count) => cells.subarray(0, count),
    }
  }
  const cells: unknown[] = new Array(room).fill(null)
  return {
    set(at, value) {
      if (value === null && !nullable) throw new Error(`${name} has no value`)
      cells[at] = value === null ? null : CONVERT[kind](value as never)
      return typeof value === 'string' ? value.length : 0
    },
    take: (count) => cells.slice(0, count),
  }
}

const MAX = 2n ** 63n - 1n

/** Sums of hostile amounts can leave 64 bits: they stay at its ends. Throws on what is not whole. */
export function int64(value: number): bigint {
  if (value >= 2 ** 63) return MAX
  return value < -(2 ** 63) ? -MAX - 1n : BigInt(value)
}

/** A dictionary knows one zero only. */
const plain = (value: number): number => (value === 0 ? 0 : value)
const same = <V>(value: V): V => value

const CONVERT: { readonly [K in Kind]: (value: never) => unknown } = {
  int: int64,
  double: plain,
  text: same,
  flag: same,
  time: (seconds: number) => int64(Math.round(seconds * 1e6)),
}
