import { Packr } from 'msgpackr'
import type { Key, Sig } from '../../base/ids.ts'
import { type ChainEvent, type Fact, QUOTE, QUOTE_MAX, type QuoteAsset } from '../../decode/events.ts'
import type { DecodedItem, FactsItem, GapItem } from '../source.ts'

/**
 * Decoded blocks and facts as msgpack arrays: field values in the order of the tables below, keys as 32 bytes. The same
 * tables check what is read: a file is a stranger.
 */
type Type = 'key' | 'key?' | 'sig' | 'int' | 'number' | 'bool' | 'text' | 'text?' | 'quote'
type Table = readonly (readonly [name: string, type: Type])[]

const POSITION: Table = [
  ['sig', 'sig'],
  ['txIndex', 'int'],
  ['outer', 'int'],
  ['inner', 'int'],
]

/** The place of a kind in these lists is its number in the file: only ever append. */
const EVENTS: readonly (readonly [ChainEvent['kind'], Table])[] = [
  [
    'trade',
    [
      ...POSITION,
      ['venue', 'int'],
      ['mint', 'key'],
      ['pool', 'key?'],
      ['user', 'key'],
      ['isBuy', 'bool'],
      ['quote', 'quote'],
      ['quoteAmount', 'int'],
      ['userQuote', 'int'],
      ['tokenAmount', 'int'],
      ['quoteReserve', 'number'],
      ['baseReserve', 'number'],
      ['quoteBefore', 'number'],
      ['realToken', 'number'],
      ['supply', 'number'],
      ['decimals', 'int'],
      ['creator', 'key?'],
      ['mayhem', 'bool'],
      ['payer', 'key?'],
      ['tipper', 'key?'],
      ['solBefore', 'int'],
      ['solAfter', 'int'],
    ],
  ],
  [
    'create',
    [
      ...POSITION,
      ['launchpad', 'int'],
      ['mint', 'key'],
      ['pool', 'key'],
      ['creator', 'key'],
      ['user', 'key'],
      ['name', 'text'],
      ['symbol', 'text'],
      ['uri', 'text'],
      ['nameNorm', 'text'],
      ['symbolNorm', 'text'],
      ['quote', 'quote'],
      ['supply', 'number'],
      ['decimals', 'int'],
      ['quoteReserve', 'number'],
      ['baseReserve', 'number'],
      ['mayhem', 'bool'],
    ],
  ],
  ['complete', [...POSITION, ['mint', 'key']]],
  ['migrate', [...POSITION, ['mint', 'key'], ['pool', 'key']]],
  ['pool', [...POSITION, ['mint', 'key'], ['pool', 'key'], ['quote', 'quote'], ['decimals', 'int']]],
  ['balance', [...POSITION, ['mint', 'key'], ['owner', 'key'], ['amount', 'int']]],
]

const FACTS: readonly (readonly [Fact['kind'], Table])[] = [
  ['sol_price', [['usd', 'number']]],
  [
    'metadata',
    [
      ['mint', 'key'],
      ['description', 'text?'],
      ['image', 'text?'],
      ['twitter', 'text?'],
      ['telegram', 'text?'],
      ['website', 'text?'],
      ['twitterNorm', 'text?'],
      ['telegramNorm', 'text?'],
      ['websiteNorm', 'text?'],
    ],
  ],
  [
    'image_hash',
    [
      ['mint', 'key'],
      ['sha256', 'text'],
    ],
  ],
  [
    'dex_paid',
    [
      ['mint', 'key'],
      ['time', 'number'],
    ],
  ],
  [
    'funder',
    [
      ['wallet', 'key'],
      ['funder', 'key'],
      ['slot', 'int'],
      ['exchange', 'bool'],
    ],
  ],
  [
    'kol',
    [
      ['wallet', 'key'],
      ['name', 'text?'],
    ],
  ],
  [
    'agent',
    [
      ['wallet', 'key'],
      ['name', 'text?'],
    ],
  ],
]

const packr = new Packr({ useRecords: false })

export const encodeDecoded = (item: DecodedItem): Buffer =>
  packr.pack([item.slot, item.parent, item.time, item.events.map((event) => toRow(EVENTS, event))])

export const encodeFacts = (item: FactsItem): Buffer =>
  packr.pack([item.time, item.facts.map((fact) => toRow(FACTS, fact))])

export const encodeGap = (item: GapItem): Buffer => packr.pack([item.from, item.to])

/** Null when the bytes are not such a record. */
export function decodeDecoded(bytes: Buffer): DecodedItem | null {
  const row = unpack(bytes)
  if (row === null || row.length !== 4 || !Array.isArray(row[3])) return null
  const [slot, parent, time] = row
  if (!isInt(slot) || slot < 0 || !isInt(parent) || !isNumber(time)) return null
  const events = rowsOf(EVENTS, row[3]) as ChainEvent[] | null
  return events === null ? null : { kind: 'decoded', slot, parent, time, events }
}

/** Null when the bytes are not such a record. */
export function decodeFacts(bytes: Buffer): FactsItem | null {
  const row = unpack(bytes)
  if (row === null || row.length !== 2 || !Array.isArray(row[1]) || !isNumber(row[0])) return null
  const facts = rowsOf(FACTS, row[1]) as Fact[] | null
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

function toRow(tables: readonly (readonly [string, Table])[], record: { readonly kind: string }): unknown[] {
  const number = tables.findIndex(([kind]) => kind === record.kind)
  const row: unknown[] = [number]
  for (const [name, type] of tables[number]![1]) {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[name]
    const bytes = type === 'key' || type === 'key?' || type === 'sig'
    row.push(bytes && typeof value === 'string' ? Buffer.from(value, 'latin1') : value)
  }
  const { asset } = record as { readonly asset?: QuoteAsset }
  if (asset !== undefined) row.push([Buffer.from(asset.mint, 'latin1'), asset.decimals])
  return row
}

function rowsOf(tables: readonly (readonly [string, Table])[], rows: readonly unknown[]): unknown[] | null {
  const records: unknown[] = []
  for (const row of rows) {
    const table = Array.isArray(row) && isInt(row[0]) ? tables[row[0]] : undefined
    if (table === undefined || !Array.isArray(row)) return null
    const record: Record<string, unknown> = { kind: table[0] }
    const values = table[1].length + 1
    for (const [i, [name, type]] of table[1].entries()) {
      const value = checked(type, row[i + 1])
      if (value === undefined) return null
      record[name] = value
    }
    // what is quoted in something of unknown price says in what
    const isOther = record.quote === QUOTE.other
    if (row.length !== values + (isOther ? 1 : 0)) return null
    if (isOther) {
      const asset = assetOf(row[values])
      if (asset === null) return null
      record.asset = asset
    }
    records.push(record)
  }
  return records
}

function assetOf(value: unknown): QuoteAsset | null {
  if (!Array.isArray(value) || value.length !== 2) return null
  const [mint, decimals] = [bytesOf(value[0], 32), value[1]]
  return mint !== undefined && isInt(decimals) && decimals >= -1 ? { mint: mint as Key, decimals } : null
}

/** The value as the type has it, undefined when it is not of that type. */
function checked(type: Type, value: unknown): unknown {
  switch (type) {
    case 'key':
      return bytesOf(value, 32) as Key | undefined
    case 'key?':
      return value === null ? null : bytesOf(value, 32)
    case 'sig':
      return (bytesOf(value, 64) ?? bytesOf(value, 0)) as Sig | undefined
    case 'int':
      return isInt(value) ? value : undefined
    case 'quote':
      return isInt(value) && value >= 0 && value <= QUOTE_MAX ? value : undefined
    case 'number':
      return isNumber(value) ? value : undefined
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'text?':
      return value === null || typeof value === 'string' ? value : undefined
  }
}

const bytesOf = (value: unknown, size: number): string | undefined =>
  Buffer.isBuffer(value) && value.length === size ? value.toString('latin1') : undefined
