import { createHash } from 'node:crypto'
import { z } from 'zod'
import { widthsOf } from './widths.ts'

/** Something that an interface names, with its discriminator in hex. */
export interface Named {
  readonly name: string
  readonly discriminator: string
}

/** What is compared of a program's published interface. */
export interface Published {
  /** Base58; null if the file names no program. */
  readonly address: string | null
  readonly instructions: readonly Named[]
  /** `widths`: those of the fields as in the decoder's table; null if it cannot express the layout. */
  readonly events: readonly (Named & { readonly widths: string | null })[]
}

/** the largest published interface has 57 instructions, 38 events and 120 types */
const LIST_MAX = 2_000
const Name = z.string().min(1).max(200)
const Discriminator = z.array(z.number().int().min(0).max(255)).length(8).optional()
const Interface = z.object({
  address: z.string().optional(),
  metadata: z.object({ address: z.string().optional() }).optional(),
  instructions: z.array(z.object({ name: Name, discriminator: Discriminator })).max(LIST_MAX),
  events: z
    .array(z.object({ name: Name, discriminator: Discriminator, fields: z.array(z.unknown()).optional() }))
    .max(LIST_MAX)
    .default([]),
  types: z
    .array(z.object({ name: Name, type: z.unknown() }))
    .max(LIST_MAX)
    .default([]),
})

/** Reads an Anchor interface (IDL), of 0.30 and later or of before; null if it is none. */
export function readPublished(json: unknown): Published | null {
  const read = Interface.safeParse(json)
  if (!read.success) return null
  const { address, metadata, instructions, events, types } = read.data
  const defined = new Map(types.map(({ name, type }) => [name, type]))
  return {
    address: address || metadata?.address || null,
    instructions: instructions.map(({ name, discriminator }) => ({
      name,
      discriminator: hexOf(discriminator, `global:${snakeCase(name)}`),
    })),
    events: events.map(({ name, discriminator, fields }) => ({
      name,
      discriminator: hexOf(discriminator, `event:${name}`),
      widths: widthsOf(fields === undefined ? defined.get(name) : { kind: 'struct', fields }, defined),
    })),
  }
}

/** Before 0.30, interfaces left out discriminators and wrote names of instructions in camel case. */
const hexOf = (given: readonly number[] | undefined, hashed: string): string =>
  given === undefined
    ? createHash('sha256').update(hashed).digest('hex').slice(0, 16)
    : Buffer.from(given).toString('hex')

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
