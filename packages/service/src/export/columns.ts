import type { SchemaElement } from 'hyparquet-writer'
import type { Names } from './names.ts'

/** The type of a column; times are given as Unix seconds. */
type Kind = 'int' | 'double' | 'text' | 'flag' | 'time'
type Value = number | string | boolean | null

/** One column of a table: its name, type, and value in a record. */
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
/** Unix seconds; 0, for unknown or not happened, becomes null */
export const timeOrNull = <Row>(name: string, of: (row: Row) => number): Column<Row> => ({
  name,
  kind: 'time',
  nullable: true,
  of: (row) => of(row) || null,
})

/** Null for -1, which means never, unknown or none. */
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

/** The values of one column in one row group, in the writer's format. */
interface Cells {
  /** Returns the number of characters of text added. */
  set(at: number, value: Value): number
  /** The first `count` values, valid until the next `set`. */
  take(count: number): unknown[] | BigInt64Array | Float64Array
}

/** Uses typed arrays for columns without nulls, which take a tenth of the memory. */
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

/** Clamps to 64 bits, which sums of hostile amounts can exceed. Throws if `value` is not whole. */
export function int64(value: number): bigint {
  if (value >= 2 ** 63) return MAX
  return value < -(2 ** 63) ? -MAX - 1n : BigInt(value)
}

/** Dictionaries do not distinguish -0 from 0. */
const plain = (value: number): number => (value === 0 ? 0 : value)
const same = <V>(value: V): V => value

const CONVERT: { readonly [K in Kind]: (value: never) => unknown } = {
  int: int64,
  double: plain,
  text: same,
  flag: same,
  time: (seconds: number) => int64(Math.round(seconds * 1e6)),
}
