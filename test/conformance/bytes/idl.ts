import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Idl, IdlField, IdlType } from '../../outside/witness.ts'

/** Real data for tests lies beside the project; it is not part of it. */
export const DATA = join(import.meta.dirname, '../../../../shared/data')
export const NO_DATA = existsSync(join(DATA, 'MANIFEST.md')) ? false : 'real data (../shared/data) is not here'

/** A decoded value: bigint, boolean, string (text, or hex of a key), list, or record; enums are their variant's name. */
export type Value = bigint | boolean | string | Value[] | { [field: string]: Value }
export interface OracleEvent {
  readonly name: string
  /** the fields the payload was long enough for */
  readonly fields: Record<string, Value>
}

class OutOfBytes extends Error {}

function readIdl(file: string): Idl {
  const bytes = readFileSync(join(DATA, 'idl', file))
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as Idl
}

/** A slow, obvious borsh reader driven by an interface file: the oracle. It reads fields until the bytes run out. */
export function createOracle(source: string | Idl): (payload: Buffer) => OracleEvent | null {
  const idl = typeof source === 'string' ? readIdl(source) : source
  const definitions = new Map(idl.types.map((definition) => [definition.name, definition]))

  return (payload) => {
    const event = idl.events.find(
      ({ name, discriminator }) =>
        Buffer.from(discriminator).equals(payload.subarray(0, 8)) &&
        createHash('sha256').update(`event:${name}`).digest().subarray(0, 8).equals(payload.subarray(0, 8)),
    )
    if (event === undefined) return null
    let at = 8
    const take = (length: number): Buffer => {
      if (length > payload.length - at) throw new OutOfBytes()
      at += length
      return payload.subarray(at - length, at)
    }
    const integer = (size: number, signed: boolean): bigint => {
      let value = 0n
      for (const [i, byte] of take(size).entries()) value |= BigInt(byte) << BigInt(8 * i)
      return signed ? BigInt.asIntN(size * 8, value) : value
    }
    const many = (type: IdlType, length: number): Value[] => {
      const out: Value[] = []
      for (let i = 0; i < length; i++) out.push(read(type))
      return out
    }
    const read = (type: IdlType): Value => {
      if (typeof type === 'string') {
        if (type === 'pubkey') return take(32).toString('hex')
        if (type === 'bool') return integer(1, false) !== 0n
        if (type === 'string') return take(Number(integer(4, false))).toString('utf8')
        const number = /^([ui])(\d+)$/.exec(type)
        if (number === null) throw new Error(`oracle: no such type ${type}`)
        return integer(Number(number[2]) / 8, number[1] === 'i')
      }
      if ('vec' in type) return many(type.vec, Number(integer(4, false)))
      if ('array' in type) return many(type.array[0], type.array[1])
      if ('option' in type) return integer(1, false) === 0n ? [] : [read(type.option)]
      const definition = definitions.get(type.defined.name)!
      if (definition.type.kind === 'struct') return record(definition.type.fields ?? [])
      const variant = definition.type.variants[Number(integer(1, false))]
      if (variant === undefined) throw new OutOfBytes()
      return variant.fields === undefined ? variant.name : { variant: variant.name, ...record(variant.fields) }
    }
    const record = (fields: IdlField[], into: { [field: string]: Value } = {}): { [field: string]: Value } => {
      for (const field of fields) into[field.name] = read(field.type)
      return into
    }
    const fields: Record<string, Value> = {}
    const definition = definitions.get(event.name)!
    try {
      if (definition.type.kind === 'struct') record(definition.type.fields ?? [], fields)
    } catch (error) {
      if (!(error instanceof OutOfBytes)) throw error
    }
    return { name: event.name, fields }
  }
}

/** Rows of a CSV file: quoted fields may hold commas, doubled quotes and line breaks. */
export function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]]
  let field = ''
  let quoted = false
  for (let i = 0; i <= text.length; i++) {
    const c = text[i] ?? '\n'
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') field += text[++i]
      else if (c === '"') quoted = false
      else field += c
    } else if (c === '"') quoted = true
    else if (c === ',' || c === '\n') {
      rows.at(-1)!.push(field)
      field = ''
      if (c === '\n') rows.push([])
    } else if (c !== '\r') field += c
  }
  const [header, ...body] = rows.filter((row) => row.length > 1)
  return body.map((row) => Object.fromEntries(header!.map((name, i) => [name, row[i] ?? ''])))
}

export const readData = (path: string): string => readFileSync(join(DATA, path), 'utf8')
export const listData = (folder: string): string[] => readdirSync(join(DATA, folder)).sort()
