import type { Connection } from './connection.ts'

/** A stored row with one or two keys; its checksum is not verified yet. */
export interface StoredRow {
  readonly first: number
  /** 0 if there is only one key. */
  readonly second: number
  readonly v: Buffer
  readonly sum: number
}

/** Finds rows by the query's parameters. */
type Gather = (...values: (number | string)[]) => StoredRow[]

/**
 * Fetches the rows of `from` (a query with one or two key columns, v and sum) as two values: the concatenated records,
 * and a list of keys, lengths and checksums. Passing rows to JavaScript one by one takes four times as long as finding
 * them, mostly for a buffer per record. Rows without a record are omitted; the caller knows the expected number.
 */
export function prepareGather(connection: Connection, keys: readonly string[], from: string): Gather {
  const head = [keys[0], keys[1] ?? '0', 'octet_length(v)', 'sum'].join(` || ',' || `)
  const statement = connection.prepare(
    `select cast(group_concat(v, '') as blob) as v, group_concat(${head}) as heads from (${from})`,
  )
  return (...values) => {
    const { v, heads } = connection.guarded(() => statement.get(...values)) as unknown as Found
    const rows = split(numbersOf(heads), v === null ? NOTHING : asBuffer(v))
    if (rows === null) throw connection.damage('rows have something else where numbers were written')
    return rows
  }
}

interface Found {
  readonly v: Uint8Array | null
  readonly heads: string | null
}

const NOTHING = Buffer.alloc(0)

/** Parses the list. A damaged page may contain any text. */
function numbersOf(heads: string | null): unknown[] {
  try {
    return JSON.parse(`[${heads ?? ''}]`)
  } catch {
    return [null]
  }
}

/** Null if the list does not match the bytes. */
function split(heads: readonly unknown[], v: Buffer): StoredRow[] | null {
  const rows: StoredRow[] = []
  let at = 0
  for (let i = 0; i < heads.length; i += 4) {
    const [first, second, bytes, sum] = [heads[i], heads[i + 1], heads[i + 2], heads[i + 3]]
    if (!isCount(first) || !isCount(second) || !isCount(bytes) || typeof sum !== 'number') return null
    rows.push({ first, second, v: v.subarray(at, at + bytes), sum })
    at += bytes
  }
  return at === v.length ? rows : null
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
