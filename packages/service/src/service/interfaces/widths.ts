import { z } from 'zod'

/** types within types; published interfaces have four levels. A type that contains itself ends here too */
const DEPTH_MAX = 16
/** fields of one event, those of nested types included; published ones have 40 */
const FIELDS_MAX = 1_000

const Fields = z.array(z.union([z.object({ type: z.unknown() }), z.unknown()]))
const Defined = z.union([z.string(), z.object({ name: z.string() })])

/**
 * The widths of a type's fields as the decoder's table writes them: bytes; `s`: a string; `v34`: a list of 34-byte
 * elements; `e8,0`: a byte that selects a width. Null if the type cannot be written so.
 */
export function widthsOf(type: unknown, defined: ReadonlyMap<string, unknown>): string | null {
  try {
    return flat(type, defined, 0).join(' ')
  } catch (error) {
    if (error instanceof Inexpressible) return null
    throw error
  }
}

class Inexpressible extends Error {}

function flat(type: unknown, defined: ReadonlyMap<string, unknown>, depth: number): string[] {
  if (depth > DEPTH_MAX) throw new Inexpressible()
  if (typeof type === 'string') return [primitive(type)]
  if (typeof type !== 'object' || type === null) throw new Inexpressible()
  const fixed = (one: unknown): number => sum(flat(one, defined, depth + 1))
  if ('vec' in type) return [`v${fixed(type.vec)}`]
  if ('option' in type) return [`e0,${fixed(type.option)}`]
  if ('array' in type) {
    const [element, length] = Array.isArray(type.array) ? type.array : []
    return [String(fixed(element) * whole(length))]
  }
  if ('defined' in type) {
    const name = Defined.safeParse(type.defined)
    if (!name.success) throw new Inexpressible()
    return flat(defined.get(typeof name.data === 'string' ? name.data : name.data.name), defined, depth + 1)
  }
  return composite(type, defined, depth)
}

function composite(type: object, defined: ReadonlyMap<string, unknown>, depth: number): string[] {
  const fieldsOf = (one: unknown): string[] => {
    const fields = Fields.safeParse(Object(one).fields ?? [])
    if (!fields.success) throw new Inexpressible()
    const widths: string[] = []
    for (const field of fields.data) {
      widths.push(...flat((Object(field) as { type?: unknown }).type ?? field, defined, depth + 1))
      if (widths.length > FIELDS_MAX) throw new Inexpressible()
    }
    return widths
  }
  const { kind, variants } = type as { kind?: unknown; variants?: unknown }
  if (kind === 'struct') return fieldsOf(type)
  if (kind !== 'enum' || !Array.isArray(variants) || variants.length > 256) throw new Inexpressible()
  const sizes = variants.map((variant) => sum(fieldsOf(variant)))
  return sizes.every((size) => size === 0) ? ['1'] : [`e${sizes.join(',')}`]
}

function primitive(type: string): string {
  if (type === 'pubkey' || type === 'publicKey') return '32'
  if (type === 'string') return 's'
  if (type === 'bool') return '1'
  const bits = /^[iuf](8|16|32|64|128)$/.exec(type)?.[1]
  if (bits === undefined) throw new Inexpressible()
  return String(Number(bits) / 8)
}

function whole(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw new Inexpressible()
  return value
}

/** The width of fields together; only fixed ones have one. */
const sum = (widths: readonly string[]): number => widths.reduce((total, width) => total + whole(Number(width)), 0)
