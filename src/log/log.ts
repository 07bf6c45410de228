import type { Database } from 'lmdb'
import type { LogEntry } from '../decode/events.ts'
import { decodeEntry } from './codec.ts'

export interface NumberedEntry {
  readonly seq: number
  readonly entry: LogEntry
}

/** The ordered log: seq → entry, without gaps, only ever appended to. */
export interface EventLog {
  /** an encoded entry, within the caller's transaction; `seq` must be the one after the newest, 0 in an empty log */
  append(seq: number, bytes: Buffer): void
  /** -1 when empty */
  newest(): number
  /** -1 when empty */
  oldest(): number
  /** entries from `fromSeq` on, at most `limit`; throws BadLogEntry at one that cannot be read */
  read(fromSeq: number, limit?: number): Iterable<NumberedEntry>
  /** the same entries as they are kept, at most `limit` */
  bytes(fromSeq: number, limit: number): Buffer[]
}

/** `db`: binary values under uint32 keys (2.5 entries a second fill them in 54 years). */
export function createLog(db: Database<Buffer, number>): EventLog {
  const edge = (reverse: boolean): number => {
    // a reversed range leaves out its end, which is key 0 unless told otherwise
    const range = reverse ? { limit: 1, reverse, end: 0, inclusiveEnd: true } : { limit: 1, start: 0 }
    for (const key of db.getKeys(range)) return key
    return -1
  }
  // always asked of the database: a remembered number would be wrong after an aborted transaction
  const newest = (): number => edge(true)

  return {
    append(seq, bytes) {
      const last = newest()
      if (seq !== last + 1) throw new Error(`the log ends at ${last}: ${seq} cannot be next`)
      db.putSync(seq, bytes, { append: true })
    },
    newest,
    oldest: () => edge(false),
    bytes: (fromSeq, limit) => Array.from(db.getRange({ start: fromSeq, limit }), ({ value }) => value),
    *read(fromSeq, limit) {
      const range = limit === undefined ? { start: fromSeq } : { start: fromSeq, limit }
      for (const { key, value } of db.getRange(range)) yield { seq: key, entry: decodeEntry(key, value) }
    },
  }
}
