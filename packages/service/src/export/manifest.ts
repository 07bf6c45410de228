import { z } from 'zod'
import { type Cursor, TABLE_NAMES, type TableName } from './table.ts'

/** Must be raised with every change to tables, columns or the layout of the directory. */
export const EXPORT_FORMAT = 5

/** a table's file: numbers of its first and last row in 12 digits; tables that change are in a folder per log entry */
export const FOLDER = /^(trades|state-\d{12})$/
export const PART = /^\d{12}-\d{12}\.parquet$/
const STATE_TABLES = TABLE_NAMES.filter((name) => name !== 'trades').join('|')
const FILE = new RegExp(`^(trades|state-\\d{12}/(${STATE_TABLES}))/\\d{12}-\\d{12}\\.parquet$`)

const digits = (value: number): string => String(value).padStart(12, '0')
export const stateFolder = (seq: number): string => `state-${digits(seq)}`
export const partName = (first: number, rows: number): string => `${digits(first)}-${digits(first + rows - 1)}.parquet`
/** The folder of a table in an export as of the log entry `seq`. */
export const folderOf = (table: TableName, seq: number): string =>
  table === 'trades' ? 'trades' : `${stateFolder(seq)}/${table}`

export const forEachTable = <T>(make: (name: TableName) => T): Record<TableName, T> =>
  Object.fromEntries(TABLE_NAMES.map((name) => [name, make(name)])) as Record<TableName, T>

const whole = z.int().nonnegative()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Parts = z.object({
  rows: whole,
  bytes: whole,
  /** In order of their rows. */
  parts: z.array(z.object({ file: z.string().regex(FILE), rows: z.int().positive(), bytes: whole, sha256 })),
})
export type Parts = z.infer<typeof Parts>

const forTables = <S extends z.ZodType>(schema: S) => z.object(forEachTable(() => schema))

/** The contents of an export, all as of one log entry. */
const Manifest = z.object({
  format: z.literal(EXPORT_FORMAT),
  formulas: z.string(),
  /** Fingerprint of the fold that computed the rows. */
  fingerprint: z.string(),
  /** Newest log entry and chain slot, -1 if none. */
  seq: z.int().min(-1),
  slot: z.int().min(-1),
  /** Time of the newest block, RFC 3339. */
  time: z.string().nullable(),
  /** Log entry of the previous export, whose files are still present; null if none. */
  previous: z.int().min(-1).nullable(),
  /** SHA-256 over the newest trade; a store that continues this export has the same. */
  last_trade: sha256.nullable(),
  tables: forTables(Parts),
})
export type Manifest = z.infer<typeof Manifest>

/** An unfinished manifest, stored beside the copy: the tables so far, and where each continues. */
const Draft = z.object({ manifest: Manifest, next: forTables(z.tuple([whole, whole])) })
export interface Draft {
  readonly manifest: Manifest
  readonly next: Record<TableName, Cursor>
}

const parsed = <T>(schema: z.ZodType<T>, text: string): T | null => {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Null if the text is not one of this format. */
export const parseManifest = (text: string): Manifest | null => parsed(Manifest, text)
export const parseDraft = (text: string): Draft | null => parsed(Draft, text)

export const emptyParts = (): Parts => ({ rows: 0, bytes: 0, parts: [] })
