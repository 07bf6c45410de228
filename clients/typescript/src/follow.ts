import { ApiError, type StreamGap, StreamGapError } from './errors.ts'
import { backoffMs, pause } from './pause.ts'
import type { Transport } from './transport.ts'

/** Options of a stream. */
export interface FollowOptions {
  /** The last message you have processed. Everything after it comes first. If it is left out, only live messages come. */
  readonly afterSeq?: number
  /** Only messages that match, as `colour == "green"`. The language is that of watches. */
  readonly filter?: string
  readonly signal?: AbortSignal
  /** Called when messages were lost, and the stream continues after them. Without it a loss is an error. */
  readonly onGap?: (gap: StreamGap) => void
  /** Called for every connection that delivers: the newest message then, and the last one received before, null at first. */
  readonly onConnect?: (seq: number, after: number | null) => void
  /** Called for every connection that failed or ended, with the reason if there is one. */
  readonly onReconnect?: (reason: unknown) => void
}

interface Following extends FollowOptions {
  readonly transport: Transport
  readonly topic: string
  readonly event: string
}

const MOST_MS = 5_000
/** Connections that failed in a row, about 10 s: what a restart of the service takes passes without a word. */
const WARN_AFTER = 6

/**
 * Yields every message once and in order, across lost connections and restarts of the service, until the iteration ends or the
 * signal aborts. Fails with an ApiError if the key is refused, and with a StreamGapError.
 */
export async function* follow<T>(following: Following): AsyncGenerator<T, void, void> {
  const { transport, topic, event, signal, filter = null, onReconnect = () => {} } = following
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal?.addEventListener('abort', leave)
  if (signal?.aborted) leave()
  let last = following.afterSeq ?? null
  let failures = 0
  try {
    while (!left.signal.aborted) {
      let waitMs: number | null = null
      let reason: unknown = null
      try {
        for await (const arrival of transport({ topic, event, after: last, filter, signal: left.signal })) {
          if (left.signal.aborted) return
          if (arrival.kind === 'joined') {
            const before = last
            last = startingAt(last, arrival, following)
            if (arrival.resumed || before === null) following.onConnect?.(arrival.seq ?? 0, before)
            continue
          }
          const seq = seqOf(arrival.payload)
          if (seq !== null && last !== null && seq <= last) continue
          yield arrival.payload as T
          // A consumer that ends the iteration at a message has not processed it.
          last = seq
          failures = 0
        }
      } catch (error) {
        waitMs = waitAfter(error)
        reason = error
      }
      if (left.signal.aborted) return
      onReconnect(reason)
      if (++failures === WARN_AFTER)
        console.warn(`${topic} cannot be followed at the moment, retrying: ${reason ?? 'closed'}`)
      await pause(waitMs ?? backoffMs(failures - 1, MOST_MS), left.signal)
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

interface Joined {
  readonly seq: number | null
  readonly oldestSeq: number | null
  readonly resumed: boolean
}

/** The cursor of a stream that has just been joined. */
function startingAt(last: number | null, { seq, oldestSeq, resumed }: Joined, { onGap }: FollowOptions): number | null {
  if (seq === null || last === null || resumed) return last ?? seq
  const gap = { after: last, seq, oldestSeq: oldestSeq ?? seq }
  if (onGap === undefined) throw new StreamGapError(gap)
  onGap(gap)
  return seq
}

function seqOf(payload: unknown): number | null {
  const seq = (payload as { data?: { seq?: unknown } } | null)?.data?.seq
  return typeof seq === 'number' ? seq : null
}

/**
 * Returns the milliseconds that the service asks for, or null if it names none. It throws errors that a retry would not change.
 */
function waitAfter(error: unknown): number | null {
  if (error instanceof StreamGapError) throw error
  if (!(error instanceof ApiError)) return null
  if (error.status < 500 && error.status !== 429) throw error
  return error.retryAfter === null ? null : error.retryAfter * 1000
}
