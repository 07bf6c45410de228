import type { ColumnType, Generated, Selectable } from 'kysely'
import type { ColumnTypes, TABLES } from './tables.ts'

/** Row types of the tables of accounts and money, as `tables.ts` declares their columns. */
export type Schema = {
  readonly [T in keyof typeof TABLES]: {
    readonly [C in keyof (typeof TABLES)[T]['columns']]: Column<(typeof TABLES)[T]['columns'][C]>
  }
}

/** Keys are set once. */
type Column<D> = D extends `${string}primary key${string}` | `${string}references ${string}`
  ? ColumnType<Value<D>, Value<D>, never>
  : D extends `${string} default ${string}` | 'serial'
    ? Generated<Value<D>>
    : Value<D>

type Value<D> = D extends `${string} in ${infer Word}`
  ? Word
  : D extends `${string}not null${string}` | `${string}primary key${string}` | 'serial'
    ? Values[TypeOf<D>]
    : Values[TypeOf<D>] | null

type TypeOf<D> = Extract<D extends `${infer Type} ${string}` ? Type : D, keyof ColumnTypes>

interface Values extends Readonly<Record<keyof ColumnTypes, unknown>> {
  readonly text: string
  readonly bigint: number
  readonly integer: number
  readonly real: number
  readonly bytes: Uint8Array
  readonly time: Date
  readonly flag: boolean
  readonly serial: number
}

export type PaymentState = Schema['payments']['state']

export type DestinationRow = Selectable<Schema['destinations']>
export type DeliveryRow = Selectable<Schema['deliveries']>
export type WatchRow = Selectable<Schema['watches']>
export type AccountRow = Selectable<Schema['accounts']>
export type ApiKeyRow = Selectable<Schema['api_keys']>
export type PaymentRow = Selectable<Schema['payments']>
export type PayerRow = Selectable<Schema['payers']>
