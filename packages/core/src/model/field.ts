import type { Key, Sig } from '../base/ids.ts'

/**
 * The language of the tables that events, facts and state records are declared in, once each. The order of a table's fields is the
 * order of its bytes, so it is part of a format. Types are inferred from the tables; the codecs of log and store and the empty
 * records in `packages/core/src/model/generated` are made of them by `scripts/model/codecs.ts` (`npm run model`); the codec of captures walks them.
 */
type Kind =
  | 'num'
  | 'int'
  | 'numOrNull'
  | 'small'
  | 'bool'
  | 'text'
  | 'textOrNull'
  | 'key'
  | 'sig'
  | 'numbers'
  | 'record'
  | 'list'
  | 'keys'
  | 'same'
  | 'packed'
  | 'flag'
  | 'quote'
  | 'asset'
  | 'given'
  | 'shortcut'

/** fixed: never assigned after the record was made. optional: the property may be absent. */
type How = 'plain' | 'fixed' | 'optional'

/** Bits in a byte of flags, which stands where the first field of it is declared. A record has two such bytes at most. */
export interface Bits {
  readonly byte: 1 | 2
  /** value of the lowest bit */
  readonly bit: number
}

/** `T` is what the field holds in memory, `H` how its property is declared. */
export interface Field<T, H extends How = 'plain'> {
  readonly kind: Kind
  readonly how: H
  /** what an empty record has; a list is empty */
  readonly start?: T
  /** greatest value of a small number */
  readonly max?: number
  /** fields of a record, or of a list's items */
  readonly of?: Table
  /** the bit that says whether the field is there: where it is not, it has its start value */
  readonly when?: Bits
  /** flags and packed numbers themselves */
  readonly bits?: Bits
  /** values of a packed number, by its bits */
  readonly values?: readonly (string | number)[]
  /** `same`: the field it may equal, and the bit that says so */
  readonly as?: { readonly field: string; readonly bits: Bits }
}

export type Fields = Readonly<Record<string, Field<unknown, How>>>

/** The name is that of the TypeScript type beside the table. */
export interface Table<F extends Fields = Fields> {
  readonly name: string
  readonly fields: F
  /** order of a capture's values where it is another than that of the fields */
  readonly captured?: readonly string[]
  /** written and read by functions of this module, next to the table, because its bytes follow no rule of tables */
  readonly byHand?: string
}

type Value<F> = F extends Field<infer T, How> ? T : never
type ReadonlyList<T> = T extends readonly (infer U)[] ? readonly U[] : T

/** A record nobody changes: what happened. */
export type Sealed<T extends Table> = {
  readonly [K in keyof T['fields'] as T['fields'][K] extends Field<unknown, 'optional'> ? never : K]: ReadonlyList<
    Value<T['fields'][K]>
  >
} & {
  readonly [K in keyof T['fields'] as T['fields'][K] extends Field<unknown, 'optional'> ? K : never]?: Value<
    T['fields'][K]
  >
}

/** A record that the engine changes in place, except for its fixed fields. */
export type Open<T extends Table> = {
  -readonly [K in keyof T['fields'] as T['fields'][K] extends Field<unknown, 'fixed'> ? never : K]: Value<
    T['fields'][K]
  >
} & {
  readonly [K in keyof T['fields'] as T['fields'][K] extends Field<unknown, 'fixed'> ? K : never]: Value<T['fields'][K]>
}

export const table = <const F extends Fields>(
  name: string,
  fields: F,
  more: Pick<Table, 'captured' | 'byHand'> = {},
) => ({
  name,
  fields,
  ...more,
})

/** A record that begins with a number for its kind: its place in the list, so only ever append. */
export interface Union {
  readonly name: string
  /** what all kinds begin with */
  readonly head: Table
  readonly kinds: readonly (readonly [kind: string, own: Table])[]
  /** where `field` of `kind` is there, it follows, and the record's number is the one behind the last of `kinds` */
  readonly with?: { readonly kind: string; readonly field: string; readonly of: Table }
}

const field = <T>(kind: Kind, start: T, more: Partial<Field<T>> = {}): Field<T> => ({
  kind,
  how: 'plain',
  start,
  ...more,
})

/** any finite number */
export const num = field('num', 0)
/** a safe integer; in the store `num` is used for these too, because it has always been */
export const int = field('int', 0)
/** a number that is -1 as long as there is none */
export const none = field('num', -1)
export const starting = (start: number) => field('num', start)
export const numOrNull = field<number | null>('numOrNull', null)
export const text = field('text', '')
export const textOrNull = field<string | null>('textOrNull', null)
export const key = field<Key>('key', '' as Key)
export const sig = field<Sig>('sig', '' as Sig)
export const bool = field('bool', false)
export const numbers = field<number[]>('numbers', [])
export const keys = field<Key[]>('keys', [])
/** one byte, of at most `max` */
export const small = <T extends number>(max: T | number, start = 0) => field<T>('small', start as T, { max })

const bits = (bit: number, byte: 1 | 2): Bits => ({ byte, bit })

export const flag = (bit: number, byte: 1 | 2 = 1) => field('flag', false, { bits: bits(bit, byte) })
/** a number or name kept in the bits from `bit` on as its place in `values` */
export const packed = <T extends string | number>(bit: number, values: readonly T[]) =>
  field<T>('packed', values[0]!, { bits: bits(bit, 1), values })
/** kept only where it is something else than its start value; `bit` says so */
export const when = <T>(bit: number, of: Field<T>, byte: 1 | 2 = 1): Field<T> => ({ ...of, when: bits(bit, byte) })
export const orNull = <T>(bit: number, { start: _, ...of }: Field<T>): Field<T | null> => ({
  ...of,
  start: null,
  when: bits(bit, 1),
})
/** a key that often is that of `field`: null, another, or the same, by two bits of the second byte */
export const sameOrNull = (bit: number, field: string): Field<Key | null> => ({
  ...{ kind: 'same', how: 'plain', start: null, when: bits(bit, 2) },
  as: { field, bits: bits(bit << 1, 2) },
})

export const nested = <T extends Table>(of: T) => field<Open<T>>('record', undefined as never, { of })
export const list = <T extends Table>(of: T) => field<Open<T>[]>('list', [], { of })

export const fixed = <T>(of: Field<T>): Field<T, 'fixed'> => ({ ...of, how: 'fixed' })
export const optional = <T>(of: Field<T>): Field<T, 'optional'> => ({ ...of, how: 'optional' })
/** said by the record's key or place, not repeated in its bytes */
export const given: Field<number, 'fixed'> = { kind: 'given', how: 'fixed' }
/** kept at hand in memory, no state: it has its start value wherever a record is read */
export const shortcut = <T>(start: T) => field<T>('shortcut', start)
