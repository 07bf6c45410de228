import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { IDL_TABLE, type Idl } from './idl-table.ts'
import { type Tag, tag, u32 } from './reader.ts'

/** An event in a program's interface file. */
interface IdlEvent extends Tag {
  readonly name: string
  /** Fields after the discriminator, adjacent fixed-width ones joined; null if the event is ignored on purpose. */
  readonly fields: readonly Field[] | null
  /** Lengths of older layouts that are no longer in the interface file. */
  readonly older: ReadonlySet<number>
}

/** `width` bytes; `each`: a u32 count and as many elements of this width; `choices`: a byte that selects a width. */
interface Field {
  readonly width: number
  readonly each: number
  readonly choices: readonly number[] | null
  /** 1 at each offset where one of the joined fields ends. */
  readonly ends: Uint8Array
}

interface Known {
  readonly label: string
  readonly text: string
  readonly events: readonly IdlEvent[]
  readonly eventWords: Words
  readonly instructionWords: Words
}

/**
 * Discriminators in an open hash table of words, because every payload and call is looked up and a Map boxes its keys.
 * `places` holds the index in the source list plus one, 0 if empty.
 */
interface Words {
  readonly mask: number
  readonly lo: Int32Array
  readonly hi: Int32Array
  readonly places: Uint16Array
}

/** At most a quarter of the table is used, so a miss ends after a step or two. */
function wordsOf(tags: readonly Tag[]): Words {
  let size = 8
  while (size < tags.length * 4) size *= 2
  const words = { mask: size - 1, lo: new Int32Array(size), hi: new Int32Array(size), places: new Uint16Array(size) }
  for (const [i, { lo, hi }] of tags.entries()) {
    let at = lo & words.mask
    while (words.places[at] !== 0) at = (at + 1) & words.mask
    words.lo[at] = lo
    words.hi[at] = hi
    words.places[at] = i + 1
  }
  return words
}

/** The index of the discriminator at `o`, of which all bytes must exist; -1 if unknown. */
function find({ mask, lo, hi, places }: Words, b: Buffer, o: number): number {
  const first = u32(b, o) | 0
  const second = u32(b, o + 4) | 0
  for (let at = first & mask; places[at] !== 0; at = (at + 1) & mask)
    if (lo[at] === first && hi[at] === second) return places[at]! - 1
  return -1
}

/** Lengths of recorded events that predate a field. LaunchLab inserted a fee before the last fields. */
const OLDER: Readonly<Record<string, readonly number[]>> = {
  'launchlab.TradeEvent': [138],
  // before PumpSwap paid coin creators (March 2025)
  'pump_amm.BuyEvent': [312],
  'pump_amm.SellEvent': [312],
}
const NONE: ReadonlySet<number> = new Set()

const NO_ENDS = new Uint8Array(0)

function fieldOf(text: string): Field {
  if (text === 's') return { width: 4, each: 1, choices: null, ends: NO_ENDS }
  if (text.startsWith('v')) return { width: 4, each: Number(text.slice(1)), choices: null, ends: NO_ENDS }
  if (text.startsWith('e')) return { width: 1, each: 0, choices: text.slice(1).split(',').map(Number), ends: NO_ENDS }
  return { width: Number(text), each: 0, choices: null, ends: NO_ENDS }
}

function join(fields: readonly Field[]): Field[] {
  const joined: Field[] = []
  for (const field of fields) {
    const before = joined.at(-1)
    const isFixed = (one: Field): boolean => one.each === 0 && one.choices === null
    if (before !== undefined && isFixed(before) && isFixed(field)) {
      const width = before.width + field.width
      const ends = new Uint8Array(width)
      ends.set(before.ends)
      ends[before.width] = 1
      joined[joined.length - 1] = { ...before, width, ends }
    } else joined.push(field)
  }
  return joined
}

function eventOf(label: string, [discriminator, name, widths]: Idl['events'][number]): IdlEvent {
  const older = OLDER[`${label}.${name}`]
  const fields = widths === '' ? null : join(widths.split(' ').map(fieldOf))
  return { ...tag(discriminator), name, fields, older: older === undefined ? NONE : new Set(older) }
}

function tableOf(text: string, { label, events, instructions }: Idl): Known {
  const known = events.map((event) => eventOf(label, event))
  const calls = instructions.trim().split(/\s+/).map(tag)
  return { label, text, events: known, eventWords: wordsOf(known), instructionWords: wordsOf(calls) }
}

const known = new Map<Key, Known>(
  Object.entries(IDL_TABLE).map(([text, program]) => [key(text), tableOf(text, program)]),
)

/** The program's table; undefined without an interface file. */
export const idlOf = (program: Key): Known | undefined => known.get(program)

/** The event whose payload begins at `o`; undefined if the interface file lacks this discriminator. */
export function eventIn(program: Known, b: Buffer, o: number): IdlEvent | undefined {
  const place = b.length - o < 8 ? -1 : find(program.eventWords, b, o)
  return place < 0 ? undefined : program.events[place]
}

export function hasInstruction(program: Known, data: Buffer): boolean {
  return data.length >= 8 && find(program.instructionWords, data, 0) >= 0
}

/**
 * True if the payload at `o` ends at the end of a field. Programs append fields, so an older layout is a prefix of a
 * newer one; any other length is an unknown layout.
 */
export function endsAtField({ fields, older }: IdlEvent, b: Buffer, o: number): boolean {
  return fields === null || endsIn(fields, b, o) || older.has(b.length - o)
}

function endsIn(fields: readonly Field[], b: Buffer, o: number): boolean {
  let end = o + 8
  for (let i = 0; i < fields.length; i++) {
    if (end === b.length) return true
    const { width, each, choices, ends } = fields[i]!
    if (end + width > b.length) return ends[b.length - end] === 1
    if (each > 0) end += width + each * u32(b, end)
    else if (choices === null) end += width
    else {
      const chosen = choices[b[end]!]
      if (chosen === undefined) return false
      end += width + chosen
    }
  }
  return end === b.length
}
