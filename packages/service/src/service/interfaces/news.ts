import { IDL_TABLE } from '@ti/core/decode/idl-table.ts'
import type { Published } from './published.ts'

/** Something that a published interface has and the decoder's table lacks. */
export interface News {
  readonly what: 'event' | 'instruction'
  readonly name: string
  readonly discriminator: string
  /** The widths of a decoded event's fields, ours and the published ones; null for what is new altogether. */
  readonly layout: { readonly ours: string; readonly published: string } | null
}

/** What a published interface of a known program says that the table does not. An older one says nothing. */
export function newsOf(program: string, { events, instructions }: Published): News[] {
  const table = IDL_TABLE[program]!
  const calls = new Set(table.instructions.trim().split(/\s+/))
  const known = new Map(table.events.map(([discriminator, , widths]) => [discriminator, widths]))
  const news: News[] = []
  for (const { name, discriminator } of instructions)
    if (!calls.has(discriminator)) news.push({ what: 'instruction', name, discriminator, layout: null })
  for (const { name, discriminator, widths } of events) {
    const ours = known.get(discriminator)
    if (ours === undefined) news.push({ what: 'event', name, discriminator, layout: null })
    else if (ours !== '' && !isOlder(widths, ours))
      news.push({ what: 'event', name, discriminator, layout: { ours, published: widths ?? 'cannot be expressed' } })
  }
  return news
}

/** Programs append fields, so the beginning of a layout is an older one. */
const isOlder = (widths: string | null, ours: string): boolean => widths !== null && `${ours} `.startsWith(`${widths} `)

/** Days since a program's interface was last seen to be the newest. */
export const ageInDays = (asOf: string, now: number): number => Math.floor((now - Date.parse(asOf)) / 86_400_000)
