/** What a connection to one topic brings, first of all where the topic is. */
export type Arrival =
  | {
      readonly kind: 'joined'
      /** newest message; null where the service does not number them */
      readonly seq: number | null
      readonly oldestSeq: number | null
      /** everything after the asked seq follows */
      readonly resumed: boolean
    }
  | { readonly kind: 'message'; readonly payload: unknown }

export interface Opening {
  readonly topic: string
  readonly event: string
  /** seq of the last message received; null: live messages only */
  readonly after: number | null
  readonly signal: AbortSignal
}

/**
 * One connection, from its opening to its end; whoever ends the iteration closes it. The end is no error, because clients
 * come back after any. `Refused` where the service did not let it in.
 */
export type Transport = (opening: Opening) => AsyncGenerator<Arrival, void, void>

/** milliseconds of silence after which a connection counts as lost; the service says something every 15 to 30 s */
export const SILENT_MS = 60_000
