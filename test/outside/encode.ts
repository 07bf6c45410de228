import { address, getAddressEncoder } from '@solana/kit'
import { eventHex, IDLS, type IdlField, type IdlType, type Program } from './witness.ts'

/** A value for a field: keys in base58, enums by number. */
export type Wire = bigint | boolean | string | Wire[] | { [field: string]: Wire }

const integer = (value: bigint, bytes: number): Buffer => {
  const out = Buffer.alloc(bytes)
  for (let i = 0; i < bytes; i++) out[i] = Number((value >> BigInt(8 * i)) & 255n)
  return out
}

function encode(program: Program, type: IdlType, value: Wire): Buffer {
  if (typeof type === 'string') {
    if (type === 'pubkey') return Buffer.from(getAddressEncoder().encode(address(value as string)))
    if (type === 'bool') return Buffer.from([value === true ? 1 : 0])
    if (type === 'string')
      return Buffer.concat([integer(BigInt(Buffer.byteLength(value as string)), 4), Buffer.from(value as string)])
    return integer(value as bigint, Number(type.slice(1)) / 8)
  }
  if ('vec' in type) {
    const items = value as Wire[]
    return Buffer.concat([integer(BigInt(items.length), 4), ...items.map((one) => encode(program, type.vec, one))])
  }
  if (!('defined' in type)) throw new Error(`no such type here: ${JSON.stringify(type)}`)
  const found = IDLS[program].types.find(({ name }) => name === type.defined.name)!.type
  if (found.kind === 'enum') return integer(value as bigint, 1)
  const record = value as { [field: string]: Wire }
  return Buffer.concat((found.fields ?? []).map((field) => encode(program, field.type, record[field.name]!)))
}

export const fieldsOf = (program: Program, event: string): IdlField[] => {
  const found = IDLS[program].types.find(({ name }) => name === event)!.type
  if (found.kind !== 'struct') throw new Error(`${event} is no struct`)
  return found.fields ?? []
}

/** The event as its interface lays it out, and where each field ends. */
export function encodeEvent(
  program: Program,
  event: string,
  values: Readonly<Record<string, Wire>>,
): { readonly payload: Buffer; readonly ends: readonly number[] } {
  const parts: Buffer[] = [Buffer.from(eventHex(program, event), 'hex')]
  const ends: number[] = []
  let end = 8
  for (const { name, type } of fieldsOf(program, event)) {
    const part = encode(program, type, values[name]!)
    parts.push(part)
    end += part.length
    ends.push(end)
  }
  return { payload: Buffer.concat(parts), ends }
}
