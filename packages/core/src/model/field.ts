import type { Key, Sig } from '../base/ids.ts'

/**
 * The schema language of events, facts and state records. The order of a table's fields is the order of its bytes, so
 * it is part of a format. Types are inferred from the tables; `scripts/model/codecs.ts` (`npm run model`) generates the
 * codecs of log and store and the empty records in `packages/core/src/model/generated`. The codec of captures interprets the tables.
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

/** fixed: never assigned after creation. optional: the property may be absent. */
type How = 'plain' | 'fixed' | 'optional'

/** Bits in a byte of flags, which is written at the first field declared in it. A record has at most two such bytes. */
export interface Bits {
  readonly byte: 1 | 2
  /** Value of the lowest bit. */
  readonly bit: number
}

/** `T` is the type of the value, `H` the kind of property. */
export interface Field<T, H extends How = 'plain'> {
  readonly kind: Kind
  readonly how: H
  /** The value in an empty record; a list is empty. */
  readonly start?: T
  /** The largest value of a small number. */
  readonly max?: number
  /** The most items of a list. Each list of a state record has it, so that no record grows with its token, wallet or market. */
  readonly most?: number
  /** Fields of a nested record, or of a list's items. */
  readonly of?: Table
  /** The bit that marks the field as present; if absent, it has its start value. */
  readonly when?: Bits
  /** The bits of flags and packed numbers. */
  readonly bits?: Bits
  /** Values of a packed number, by its bits. */
  readonly values?: readonly (string | number)[]
  /** `same`: the field it may equal, and the bit that marks this. */
  readonly as?: { readonly field: string; readonly bits: Bits }
}

export type Fields = Readonly<Record<string, Field<unknown, How>>>

/** The name is that of the TypeScript type declared beside the table. */
export interface Table<F extends Fields = Fields> {
  readonly name: string
  readonly fields: F
  /** The order of values in a capture, if it differs from the order of fields. */
  readonly captured?: readonly string[]
  /** Fields at the end of a captured row that older rows do not have; they then have their start values. */
  readonly appended?: readonly string[]
  /** The module with hand-written codec functions, for bytes that tables cannot describe. */
  readonly byHand?: string
}

type Value<F> = F extends Field<infer T, How> ? T : never
type ReadonlyList<T> = T extends readonly (infer U)[] ? readonly U[] : T

/** An immutable record, such as an event. */
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
  more: Pick<Table, 'captured' | 'appended' | 'byHand'> = {},
) => ({
  name,
  fields,
  ...more,
})

/** A record that begins with the number of its kind, the index in the list, so only append. */
export interface Union {
  readonly name: string
  /** The fields shared by all kinds. */
  readonly head: Table
  readonly kinds: readonly (readonly [kind: string, own: Table])[]
  /** If `field` of `kind` is present, its record follows, and the kind's number is one past the last of `kinds`. */
  readonly with?: { readonly kind: string; readonly field: string; readonly of: Table }
}

const field = <T>(kind: Kind, start: T, more: Partial<Field<T>> = {}): Field<T> => ({
  kind,
  how: 'plain',
  start,
  ...more,
})

/** Any finite number. */
export const num = field('num', 0)
/** A safe integer. The store uses `num` for integers too. */
export const int = field('int', 0)
/** A number that is -1 while absent. */
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
/** One byte, of at most `max`. */
export const small = <T extends number>(max: T | number, start = 0) => field<T>('small', start as T, { max })

const bits = (bit: number, byte: 1 | 2): Bits => ({ byte, bit })

export const flag = (bit: number, byte: 1 | 2 = 1) => field('flag', false, { bits: bits(bit, byte) })
/** A number or name stored from bit `bit` on, as its index in `values`. */
export const packed = <T extends string | number>(bit: number, values: readonly T[]) =>
  field<T>('packed', values[0]!, { bits: bits(bit, 1), values })
/** Stored only if it differs from its start value, which `bit` marks. */
export const when = <T>(bit: number, of: Field<T>, byte: 1 | 2 = 1): Field<T> => ({ ...of, when: bits(bit, byte) })
export const orNull = <T>(bit: number, { start: _, ...of }: Field<T>, byte: 1 | 2 = 1): Field<T | null> => ({
  ...of,
  start: null,
  when: bits(bit, byte),
})
/** A key that often equals that of `field`: null, another or the same, by two bits of the second byte. */
export const sameOrNull = (bit: number, field: string): Field<Key | null> => ({
  ...{ kind: 'same', how: 'plain', start: null, when: bits(bit, 2) },
  as: { field, bits: bits(bit << 1, 2) },
})

export const nested = <T extends Table>(of: T) => field<Open<T>>('record', undefined as never, { of })
export const list = <T extends Table>(of: T) => field<Open<T>[]>('list', [], { of })

export const atMost = <T>(most: number, of: Field<T[]>): Field<T[]> => ({ ...of, most })

export const fixed = <T>(of: Field<T>): Field<T, 'fixed'> => ({ ...of, how: 'fixed' })
export const optional = <T>(of: Field<T>): Field<T, 'optional'> => ({ ...of, how: 'optional' })
/** Known from the record's key or index, so not repeated in its bytes. */
export const given: Field<number, 'fixed'> = { kind: 'given', how: 'fixed' }
/** A cache in memory, not state: every record is read with its start value. */
export const shortcut = <T>(start: T) => field<T>('shortcut', start)
