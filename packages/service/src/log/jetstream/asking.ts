import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { OperatorError } from '../../base/errors.ts'
import type { JetStreamBounds } from './connect.ts'

/**
 * Requests to JetStream servers that may be unreachable or without a leader.
 * To a client, a server that is cut off from its cluster looks healthy, but its JetStream never replies. If this
 * persists, the client reconnects, to the next server in turn.
 */
export function createAsking(
  connection: Pick<NatsConnection, 'isClosed' | 'reconnect'>,
  bounds: Pick<JetStreamBounds, 'reconnectMs' | 'silentMs'>,
) {
  let unansweredSince: number | null = null
  let isAway = false

  function answered(): void {
    unansweredSince = null
    isAway = false
  }

  async function unanswered(): Promise<void> {
    const now = performance.now()
    unansweredSince ??= now
    if (now - unansweredSince < bounds.silentMs || connection.isClosed()) return
    isAway = true
    unansweredSince = now
    await connection.reconnect()
  }

  async function once<T>(question: () => Promise<T>): Promise<T> {
    try {
      const answer = await question()
      answered()
      return answer
    } catch (error) {
      if (isAnswer(error)) answered()
      else await unanswered()
      throw error
    }
  }

  return {
    /** Sends one request; rejects on any error. */
    once,
    /** Retries until it succeeds, `signal` aborts, the connection is closed, or an OperatorError is thrown. */
    async retry<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> {
      for (;;) {
        try {
          return await once(question)
        } catch (error) {
          if (error instanceof OperatorError || connection.isClosed() || signal.aborted) throw error
        }
        await sleep(bounds.reconnectMs)
      }
    },
    /** True once requests have gone unanswered for `silentMs`. */
    isAway: (): boolean => isAway,
  }
}

/** True for a rejection by a working JetStream. Without a leader or storage it returns 5xx. */
const isAnswer = (error: unknown): boolean =>
  error instanceof OperatorError || (error instanceof JetStreamApiError && error.status < 500)
