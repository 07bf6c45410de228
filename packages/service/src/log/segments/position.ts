import type { EventLog } from '../log.ts'

/** A position of the log, which the state keeps as the one it was folded up to. */
export interface LogPosition {
  readonly id: string
  readonly seq: number
  /** running checksum behind entry `seq` */
  readonly chain: number
}

export type Mismatch = 'other log' | 'lost' | 'differs'

/** What readers of the log get, in its own process or another. Every read verifies checksums: `DamagedLog`. */
export interface SegmentReader extends EventLog {
  /** 16 bytes in hex, made with the log and the same in all its segments; empty while there is no log */
  readonly id: string
  /** Running checksum behind entry `seq`, or before the first entry (`seq` one less); undefined outside of the log. */
  chain(seq: number): number | undefined
  /** The newest entry; of an empty log the seq before its first. */
  position(): LogPosition
  /** Why the log does not hold `position`; undefined when it does. `lost` and `differs` are damage, not a torn tail. */
  mismatch(position: LogPosition): Mismatch | undefined
  holds(position: LogPosition): boolean
  /** its files in order, and how many bytes of each count (`upTo` an entry and what was synced with it): those never change */
  segments(upTo?: number): readonly { readonly name: string; readonly bytes: number }[]
  close(): void
}
