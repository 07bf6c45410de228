/** An event of a connection to one topic. The first one is `joined`. */
export type Arrival =
  | {
      readonly kind: 'joined'
      /** The newest message, or null if the service does not number them. */
      readonly seq: number | null
      readonly oldestSeq: number | null
      /** True if every message after `after` follows. */
      readonly resumed: boolean
    }
  | { readonly kind: 'message'; readonly payload: unknown }

export interface Opening {
  readonly topic: string
  readonly event: string
  /** The last message received. Null means live messages only. */
  readonly after: number | null
  /** Only messages that match. Null means all of them. */
  readonly filter: string | null
  readonly signal: AbortSignal
}

/**
 * One connection, from its opening to its end. Ending the iteration closes it. An end is no error, because clients reconnect
 * after any. A refused connection throws an ApiError.
 */
export type Transport = (opening: Opening) => AsyncGenerator<Arrival, void, void>

/** A connection without any message for this many milliseconds counts as lost. The service sends one every 15 to 30 s. */
export const SILENT_MS = 60_000
