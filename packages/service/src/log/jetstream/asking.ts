import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { OperatorError } from '../../base/errors.ts'

/** Those of LIMITS with the same names. */
export type AskingBounds = Readonly<Record<'logReconnectMs' | 'logSilentMs', number>>

/** Questions to the JetStream of servers that may have no leader just now, or may be away. */
interface Asking {
  /** asks once; rejects with what went wrong */
  once<T>(question: () => Promise<T>): Promise<T>
  /** asks until there is an answer; rejects when `signal` has aborted or the connection was closed, with an OperatorError at once */
  retry<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/**
 * To a client a server that is cut off from the others looks well, but its JetStream answers nothing: where that goes on, the
 * connection is made anew, in the client's own turn with the next server.
 */
export function createAsking(connection: Pick<NatsConnection, 'isClosed' | 'reconnect'>, bounds: AskingBounds): Asking {
  let unansweredSince: number | null = null

  async function unanswered(): Promise<void> {
    const now = performance.now()
    unansweredSince ??= now
    if (now - unansweredSince < bounds.logSilentMs || connection.isClosed()) return
    unansweredSince = now
    await connection.reconnect()
  }

  async function once<T>(question: () => Promise<T>): Promise<T> {
    try {
      const answer = await question()
      unansweredSince = null
      return answer
    } catch (error) {
      if (isAnswer(error)) unansweredSince = null
      else await unanswered()
      throw error
    }
  }

  return {
    once,
    async retry(question, signal) {
      for (;;) {
        try {
          return await once(question)
        } catch (error) {
          if (error instanceof OperatorError || connection.isClosed() || signal.aborted) throw error
        }
        await sleep(bounds.logReconnectMs)
      }
    },
  }
}

/** A refusal by a JetStream that works; without a leader, or without room, it says 5xx. */
const isAnswer = (error: unknown): boolean =>
  error instanceof OperatorError || (error instanceof JetStreamApiError && error.status < 500)
