import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATA } from './idl.ts'

type FieldType = string | { readonly vec: unknown }
interface Idl {
  readonly address: string
  readonly events: readonly { readonly name: string; readonly discriminator: readonly number[] }[]
  readonly instructions: readonly {
    readonly name: string
    readonly discriminator: readonly number[]
    readonly accounts: readonly { readonly name: string }[]
  }[]
  readonly types: readonly {
    readonly name: string
    readonly type: { readonly fields?: readonly { readonly name: string; readonly type: FieldType }[] }
  }[]
}

export type FieldValues = Readonly<Record<string, number | bigint | string | boolean>>

export const readIdl = (file: string): Idl => JSON.parse(readFileSync(join(DATA, 'idl', file), 'utf8')) as Idl

/** Payloads of an interface's events, byte by byte in the order of its fields; keys are latin-1 of 32 bytes, what is not given is 0. */
export function createEncoder(file: string): (event: string, values: FieldValues) => Buffer {
  const idl = readIdl(file)
  return (name, values) => {
    const { discriminator } = idl.events.find((event) => event.name === name)!
    const { fields = [] } = idl.types.find((type) => type.name === name)!.type
    const unknown = Object.keys(values).filter((field) => !fields.some((known) => known.name === field))
    if (unknown.length > 0) throw new Error(`${name} has no ${unknown.join(', ')}`)
    return Buffer.concat([Buffer.from(discriminator), ...fields.map((field) => encode(field.type, values[field.name]))])
  }
}

function encode(type: FieldType, value: FieldValues[string] | undefined): Buffer {
  if (typeof type !== 'string') return Buffer.alloc(4)
  if (type === 'pubkey') return value === undefined ? Buffer.alloc(32) : Buffer.from(value as string, 'latin1')
  if (type === 'bool') return Buffer.from([value === true ? 1 : 0])
  if (type === 'string') {
    const text = Buffer.from((value as string | undefined) ?? '')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(text.length)
    return Buffer.concat([length, text])
  }
  const bits = Number(/^[ui](\d+)$/.exec(type)![1])
  const whole = BigInt.asUintN(bits, BigInt(value ?? 0))
  return Buffer.from(Array.from({ length: bits / 8 }, (_, i) => Number((whole >> BigInt(8 * i)) & 255n)))
}
