import type { LogEntry } from '@ti/core/model/entries.ts'

export interface NumberedEntry {
  readonly seq: number
  readonly entry: LogEntry
}

/** The ordered log: seq → entry, without gaps, append-only. */
export interface EventLog {
  /** -1 if empty. */
  newest(): number
  /** -1 if empty. */
  oldest(): number
  /** At most `limit` entries from `fromSeq` on; throws BadLogEntry at one that cannot be read. */
  read(fromSeq: number, limit?: number): Iterable<NumberedEntry>
  /** The same entries as stored bytes. */
  bytes(fromSeq: number, limit: number): Buffer[]
}
