import { z } from 'zod'
import { keyFromBase58 } from '../base/base58.ts'
import { BATCH_MAX } from './batch.ts'
import { SNAPSHOT_GROUPS, type SnapshotGroup } from './resources.ts'

/** Pages of the deployer answer: default, clamp, and the largest offset (no wallet launched a million tokens). */
export const PAGE = { limitDefault: 50, limitMax: 100, offsetMax: 1_000_000 } as const

/** A value, or the message of a 400. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

interface Parameter<T = unknown> {
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  /** The format for clients, used by the OpenAPI document and the tools. */
  readonly schema: z.ZodType
  /** `raw` is undefined if the parameter is absent, an array if it was given several times. */
  parse(raw: string | readonly string[] | undefined): Parsed<T>
}

type Raw = string | readonly string[] | undefined

const ok = <T>(value: T): Parsed<T> => ({ ok: true, value })
const bad = (message: string): Parsed<never> => ({ ok: false, message })

/** Limits how much hostile text a message repeats. */
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** The largest number of exactly 32 bytes, and the smallest with 43 digits: base58 digits sort by character. */
const HIGHEST = 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'
const LOWEST_43 = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'

/** Avoids decoding if the text has no leading zero bytes, as all but one in 256 addresses. */
function isAddress(text: string): boolean {
  if (/^[2-9A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]{42,43}$/.test(text)) {
    return text.length === 44 ? text <= HIGHEST : text >= LOWEST_43
  }
  return keyFromBase58(text) !== null
}

function addressParameter<Name extends string>(name: Name, what: string): Parameter<string> & { readonly name: Name } {
  return {
    name,
    in: 'path',
    schema: z.string().meta({ description: what, example: '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp' }),
    parse: (raw) =>
      typeof raw === 'string' && isAddress(raw) ? ok(raw) : bad(`${name} must be a ${what}: base58 of 32 bytes`),
  }
}

const GROUP_NAMES: ReadonlySet<string> = new Set(SNAPSHOT_GROUPS)

function parseFields(raw: Raw): Parsed<readonly SnapshotGroup[]> {
  if (raw === undefined) return ok(SNAPSHOT_GROUPS)
  if (typeof raw !== 'string') return bad('fields was given more than once: separate the groups by commas')
  const named = new Set(raw.split(',').map((item) => item.trim()))
  named.delete('')
  const unknown = [...named].filter((name) => !GROUP_NAMES.has(name))
  if (unknown.length > 0) {
    const names = unknown.slice(0, 10).map(shown).join(', ')
    return bad(`fields names unknown groups: ${names}. Valid are ${SNAPSHOT_GROUPS.join(', ')}`)
  }
  return ok(named.size === 0 ? SNAPSHOT_GROUPS : SNAPSHOT_GROUPS.filter((group) => named.has(group)))
}

function parseInteger(name: string, raw: Raw, absent: number, min: number): Parsed<number> {
  if (raw === undefined) return ok(absent)
  if (typeof raw !== 'string') return bad(`${name} was given more than once`)
  if (!/^-?\d+$/.test(raw)) return bad(`${name} must be an integer, not "${shown(raw)}"`)
  const value = Number(raw)
  return value < min ? bad(`${name} must be at least ${min}`) : ok(value)
}

function parseLimit(raw: Raw): Parsed<number> {
  const parsed = parseInteger('limit', raw, PAGE.limitDefault, 1)
  return parsed.ok ? ok(Math.min(parsed.value, PAGE.limitMax)) : parsed
}

function parseOffset(raw: Raw): Parsed<number> {
  const parsed = parseInteger('offset', raw, 0, 0)
  return parsed.ok && parsed.value > PAGE.offsetMax ? bad(`offset must be at most ${PAGE.offsetMax}`) : parsed
}

/** An actor's stable name or number. */
export const ACTOR_ID = /^(act_[1-9A-HJ-NP-Za-km-z]{12}|0|[1-9]\d{0,8})$/

function parseActor(raw: Raw): Parsed<string> {
  return typeof raw === 'string' && ACTOR_ID.test(raw)
    ? ok(raw)
    : bad('id must be an actor: `act_` and 12 base58 characters, or its number')
}

const SLOT_MAX = Number.MAX_SAFE_INTEGER

/** -1: not given */
const parseSlot =
  (name: string) =>
  (raw: Raw): Parsed<number> => {
    const parsed = parseInteger(name, raw, -1, 0)
    return parsed.ok && parsed.value > SLOT_MAX ? bad(`${name} is not a slot of this chain`) : parsed
  }

/** The slot and number (of a token or trade) after which a page begins. */
const CURSOR = /^(\d{1,15})-(\d{1,15})$/

export interface Cursor {
  readonly slot: number
  readonly no: number
}

export const cursorText = ({ slot, no }: Cursor): string => `${slot}-${no}`

function parseCursor(raw: Raw): Parsed<Cursor | null> {
  if (raw === undefined) return ok(null)
  if (typeof raw !== 'string') return bad('cursor was given more than once')
  const parts = CURSOR.exec(raw)
  if (parts === null) return bad('cursor must be the `meta.page.next_cursor` of the previous page')
  return ok({ slot: Number(parts[1]), no: Number(parts[2]) })
}

/** Without duplicates, in the given order. */
function parseMints(raw: Raw): Parsed<readonly string[]> {
  const named = typeof raw === 'string' ? raw.split(',') : (raw ?? [])
  const mints = new Set(named.map((one) => one.trim()))
  if (mints.size === 0 || mints.has('')) return bad('mints must be a list of token mint addresses')
  if (named.length > BATCH_MAX) return bad(`mints has ${named.length} items, at most ${BATCH_MAX} are accepted`)
  const wrong = [...mints].find((mint) => !isAddress(mint))
  if (wrong !== undefined) return bad(`mints must be token mint addresses, base58 of 32 bytes, not "${shown(wrong)}"`)
  return ok([...mints])
}

export const PARAMETERS = {
  mint: addressParameter('mint', 'token mint address'),
  address: addressParameter('address', 'wallet address'),
  fields: {
    name: 'fields',
    in: 'query',
    schema: z
      .string()
      .optional()
      .meta({
        description: `Comma-separated groups: ${SNAPSHOT_GROUPS.join(', ')}. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.`,
        example: 'meta,market,score',
      }),
    parse: parseFields,
  },
  limit: {
    name: 'limit',
    in: 'query',
    schema: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: `Page size. Values over ${PAGE.limitMax} are clamped; \`meta.page.limit\` is the size applied.`,
        default: PAGE.limitDefault,
      }),
    parse: parseLimit,
  },
  offset: {
    name: 'offset',
    in: 'query',
    schema: z.int().min(0).max(PAGE.offsetMax).optional().meta({ description: 'Rows to skip.', default: 0 }),
    parse: parseOffset,
  },
  id: {
    name: 'id',
    in: 'path',
    schema: z.string().meta({ description: 'actor: its stable id, or its number', example: 'act_7hQ2mVx9TzKc' }),
    parse: parseActor,
  },
  wallet: addressParameter('wallet', 'wallet address'),
  mints: {
    name: 'mints',
    in: 'body',
    schema: z
      .array(z.string())
      .min(1)
      .max(BATCH_MAX)
      .meta({ description: `Token mint addresses, 1 to ${BATCH_MAX}.` }),
    parse: parseMints,
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    schema: z
      .string()
      .optional()
      .meta({ description: '`meta.page.next_cursor` of the previous page; the first page when omitted.' }),
    parse: parseCursor,
  },
  at_slot: {
    name: 'at_slot',
    in: 'query',
    schema: z.int().min(0).max(SLOT_MAX).optional().meta({
      description:
        'Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.',
    }),
    parse: parseSlot('at_slot'),
  },
  min_slot: {
    name: 'min_slot',
    in: 'query',
    schema: z.int().min(0).max(SLOT_MAX).optional().meta({
      description:
        'The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.',
    }),
    parse: parseSlot('min_slot'),
  },
} as const satisfies Record<string, Parameter>

export type ParameterName = keyof typeof PARAMETERS
