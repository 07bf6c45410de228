import type { Globals } from '@ti/core/model/state.ts'
import type { Store } from '../store/store.ts'
import type { Column } from './columns.ts'

/** in the order of writing */
export const TABLE_NAMES = ['trades', 'launches', 'wallets', 'positions', 'verdicts', 'readings', 'money'] as const
export type TableName = (typeof TABLE_NAMES)[number]

/** The position at which a table continues: the number of a row or id, or token and wallet of a position. */
export type Cursor = readonly [first: number, second: number]
export const START: Cursor = [0, 0]

/** The store as of one log entry. */
export interface Source {
  readonly store: Store
  readonly globals: Globals
}

/** One table: its columns, and its records in a fixed order. */
export interface Table<Row> {
  readonly name: TableName
  columns(source: Source): readonly Column<Row>[]
  rows(source: Source, from: Cursor): Iterable<Row>
  after(row: Row): Cursor
}
