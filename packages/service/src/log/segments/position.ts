import type { EventLog } from '../log.ts'

/** A position of the log; the state stores the one it was folded up to. */
export interface LogPosition {
  readonly id: string
  readonly seq: number
  /** The running checksum after entry `seq`. */
  readonly chain: number
}

export type Mismatch = 'other log' | 'lost' | 'differs'

/** Reads the log, from its own process or another. Every read verifies checksums and throws `DamagedLog`. */
export interface SegmentReader extends EventLog {
  /** 16 bytes in hex, created with the log and the same in all its segments; empty while there is no log. */
  readonly id: string
  /** The running checksum after entry `seq`, or before the first one (`seq` one less); undefined outside the log. */
  chain(seq: number): number | undefined
  /** The newest entry; for an empty log the seq before its first. */
  position(): LogPosition
  /** Why the log does not contain `position`; undefined if it does. `lost` and `differs` mean damage. */
  mismatch(position: LogPosition): Mismatch | undefined
  holds(position: LogPosition): boolean
  /** The files in order with their valid bytes, up to the sync that included entry `upTo`: these never change. */
  segments(upTo?: number): readonly { readonly name: string; readonly bytes: number }[]
  close(): void
}
