import { connect, type NatsConnection } from '@nats-io/transport-node'
import { OperatorError } from '../../base/errors.ts'

/** milliseconds of one pull of messages */
export const PULL_MS = 5_000

export const JETSTREAM = {
  /** milliseconds that a writer who lost waits at most, so that two of them do not meet again and again */
  retryMs: 50,
  /** milliseconds between two tries to connect */
  reconnectMs: 250,
  /** milliseconds an answer of the servers may take: a stream whose leader was killed has another one by then */
  answerMs: 5_000,
  /** milliseconds between two looks whether a reader that waits misses something: a pull and its heartbeats are over by then;
   * and those after which a server whose JetStream answers nothing is left: elections are over by then */
  silentMs: 7_000,
  /** milliseconds that servers which have only just met, or come back, may take to agree on a leader and to count up */
  startMs: 30_000,
  /** milliseconds after a loss of the log in which nodes give back what they have of it, before anything new is written */
  settleMs: 5_000,
}

export type JetStreamBounds = Readonly<typeof JETSTREAM>

/**
 * Reconnects automatically while open. Throws an OperatorError if no server answers at first. User and password, or a
 * token, are extracted from the addresses, because the client ignores them there.
 */
export function connectTo(servers: readonly string[]): Promise<NatsConnection> {
  const urls = servers.map((server) => new URL(server))
  const { username = '', password = '' } = urls.find((url) => url.username !== '') ?? {}
  const [user, pass] = [username, password].map(decodeURIComponent) as [string, string]
  return connect({
    servers: urls.map(({ host }) => host),
    ...(pass !== '' ? { user, pass } : user !== '' && { token: user }),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    name: 'token-intelligence',
    maxReconnectAttempts: -1,
    reconnectTimeWait: JETSTREAM.reconnectMs,
    pingInterval: PULL_MS,
    maxPingOut: 2,
  }).catch((error: Error) => {
    throw new OperatorError(`LOG_URL: none of its servers answers: ${error.message}`, { cause: error })
  })
}

/** One replica per server, at most three: with three, one server may fail. */
export const copiesOn = (servers: readonly string[]): number => Math.min(3, servers.length)
