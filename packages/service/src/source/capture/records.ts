import { plainLine } from '@ti/core/base/plain-text.ts'
import { type ChainEvent, EVENTS, QUOTE } from '@ti/core/model/events.ts'
import { FACTS, type Fact } from '@ti/core/model/facts.ts'
import type { Fields, Union } from '@ti/core/model/field.ts'
import { Packr } from 'msgpackr/pack'
import type { DecodedItem, FactsItem, GapItem } from '../source.ts'

/**
 * Decoded blocks and facts as msgpack arrays: the number of a kind, then its fields' values in the order of the model's tables,
 * keys as 32 bytes. The same tables check what is read: a file is a stranger.
 */
interface Kind {
  readonly kind: string
  readonly fields: readonly (readonly [name: string, field: AnyField])[]
  /** how many of the fields every row has */
  readonly least: number
  /** the field that comes last, and only where the record has it */
  readonly last: readonly [name: string, field: AnyField] | undefined
}
type AnyField = Fields[string]

const kindsOf = ({ head, kinds }: Union): Kind[] =>
  kinds.map(([kind, own]) => {
    const fields = { ...head.fields, ...own.fields }
    const first = own.captured ?? Object.keys(fields).filter((name) => fields[name]!.how !== 'optional')
    const names = [...first, ...(own.appended ?? [])]
    const last = Object.entries(fields).find(([, { how }]) => how === 'optional')
    return { kind, fields: names.map((name) => [name, fields[name]!] as const), least: first.length, last }
  })
const EVENT_KINDS = kindsOf(EVENTS)
const FACT_KINDS = kindsOf(FACTS)

/** characters of a text: no description or link that is observed has more */
const TEXT_LENGTH = 2_048

const packr = new Packr({ useRecords: false })

export const encodeDecoded = (item: DecodedItem): Buffer =>
  packr.pack([item.slot, item.parent, item.time, item.events.map((event) => toRow(EVENT_KINDS, event))])

export const encodeFacts = (item: FactsItem): Buffer =>
  packr.pack([item.time, item.facts.map((fact) => toRow(FACT_KINDS, fact))])

export const encodeGap = (item: GapItem): Buffer => packr.pack([item.from, item.to])

/** Null when the bytes are not such a record. */
export function decodeDecoded(bytes: Buffer): DecodedItem | null {
  const row = unpack(bytes)
  if (row === null || row.length !== 4 || !Array.isArray(row[3])) return null
  const [slot, parent, time] = row
  if (!isInt(slot) || slot < 0 || !isInt(parent) || !isNumber(time)) return null
  const events = rowsOf(EVENT_KINDS, row[3]) as ChainEvent[] | null
  return events === null ? null : { kind: 'decoded', slot, parent, time, events }
}

/** Null when the bytes are not such a record. */
export function decodeFacts(bytes: Buffer): FactsItem | null {
  const row = unpack(bytes)
  if (row === null || row.length !== 2 || !Array.isArray(row[1]) || !isNumber(row[0])) return null
  const facts = rowsOf(FACT_KINDS, row[1]) as Fact[] | null
  return facts === null ? null : { kind: 'facts', time: row[0], facts }
}

/** Null when the bytes are not such a record. */
export function decodeGap(bytes: Buffer): GapItem | null {
  const row = unpack(bytes)
  if (row === null || row.length !== 2) return null
  const [from, to] = row
  return isInt(from) && isInt(to) && from >= 0 && to >= from ? { kind: 'gap', from, to } : null
}

function unpack(bytes: Buffer): unknown[] | null {
  try {
    const value: unknown = packr.unpack(bytes)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const isInt = (value: unknown): value is number => Number.isSafeInteger(value)
const isNumber = (value: unknown): value is number => Number.isFinite(value)

type Values = Readonly<Record<string, unknown>>

function toRow(kinds: readonly Kind[], record: { readonly kind: string }): unknown[] {
  const number = kinds.findIndex(({ kind }) => kind === record.kind)
  const { fields, last } = kinds[number]!
  const values = record as unknown as Values
  const row = [number, ...fields.map(([name, field]) => packed(field, values[name]))]
  if (last !== undefined && values[last[0]] !== undefined) row.push(packed(last[1], values[last[0]]) as number)
  return row
}

function packed({ kind, of }: AnyField, value: unknown): unknown {
  if (of !== undefined) return Object.entries(of.fields).map(([name, field]) => packed(field, (value as Values)[name]))
  if (kind === 'keys') return (value as readonly string[]).map((one) => Buffer.from(one, 'latin1'))
  const bytes = kind === 'key' || kind === 'sig' || kind === 'same'
  return bytes && typeof value === 'string' ? Buffer.from(value, 'latin1') : value
}

function rowsOf(kinds: readonly Kind[], rows: readonly unknown[]): unknown[] | null {
  const records: unknown[] = []
  for (const row of rows) {
    const its = Array.isArray(row) && isInt(row[0]) ? kinds[row[0]] : undefined
    if (its === undefined || !Array.isArray(row)) return null
    // a record quoted in a currency of unknown price has one more field, which names the currency
    const record: Record<string, unknown> = { kind: its.kind }
    if (row.length <= its.least || !fill(record, its.fields, row, 1)) return null
    const isOther = record.quote === QUOTE.other
    if (isOther ? row.length !== its.fields.length + 2 : row.length > its.fields.length + 1) return null
    if (isOther && !fill(record, [its.last!], row, its.fields.length + 1)) return null
    records.push(record)
  }
  return records
}

/**
 * Checked values of `row` from `at` on; false where one is not what its field says. Fields that were appended since a row was written have
 * their start values.
 */
function fill(record: Record<string, unknown>, fields: Kind['fields'], row: readonly unknown[], at: number): boolean {
  for (const [i, [name, field]] of fields.entries()) {
    const value = at + i < row.length ? checked(field, row[at + i]) : field.start
    if (value === undefined) return false
    record[name] = value
  }
  return true
}

/** The value as the field has it, undefined when it is not of that kind. */
function checked(field: AnyField, value: unknown): unknown {
  const { kind, max, values, of } = field
  if (value === null) return field.start === null ? null : undefined
  switch (kind) {
    case 'key':
    case 'same':
      return bytesOf(value, 32)
    case 'sig':
      return bytesOf(value, 64) ?? bytesOf(value, 0)
    case 'int':
      return isInt(value) ? value : undefined
    case 'small':
    case 'quote':
      return isInt(value) && value >= 0 && value <= max! ? value : undefined
    case 'packed':
      return values!.includes(value as number) ? value : undefined
    case 'num':
      return isNumber(value) ? value : undefined
    case 'flag':
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'text':
    case 'textOrNull':
      return typeof value === 'string' ? plainLine(value, TEXT_LENGTH) : undefined
    case 'keys':
      return listOf(value, (one) => bytesOf(one, 32))
    case 'numbers':
      return listOf(value, (one) => (isNumber(one) ? one : undefined))
    case 'asset': {
      const record = {}
      const fields = Object.entries(of!.fields)
      const whole = Array.isArray(value) && value.length === fields.length && fill(record, fields, value, 0)
      return whole ? record : undefined
    }
    default:
      throw new Error(`a ${kind} is not a kind of record that captures keep`)
  }
}

function listOf<T>(value: unknown, read: (one: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list = value.flatMap((one) => read(one) ?? [])
  return list.length === value.length ? list : undefined
}

const bytesOf = (value: unknown, size: number): string | undefined =>
  Buffer.isBuffer(value) && value.length === size ? value.toString('latin1') : undefined
