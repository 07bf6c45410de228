import type { LogEntry } from '@ti/core/model/entries.ts'

export interface NumberedEntry {
  readonly seq: number
  readonly entry: LogEntry
}

/** The ordered log: seq → entry, without gaps, only ever appended to. */
export interface EventLog {
  /** -1 when empty */
  newest(): number
  /** -1 when empty */
  oldest(): number
  /** entries from `fromSeq` on, at most `limit`; throws BadLogEntry at one that cannot be read */
  read(fromSeq: number, limit?: number): Iterable<NumberedEntry>
  /** the same entries as they are kept, at most `limit` */
  bytes(fromSeq: number, limit: number): Buffer[]
}
