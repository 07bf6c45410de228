import { connect, type NatsConnection } from '@nats-io/transport-node'
import { OperatorError } from '../../base/errors.ts'

/** The limits of the same names in LIMITS. */
export type ConnectBounds = Readonly<Record<'logReconnectMs' | 'logPullMs', number>>

/**
 * Reconnects automatically while open. Throws an OperatorError if no server answers at first. User and password, or a
 * token, are extracted from the addresses, because the client ignores them there.
 */
export function connectTo(servers: readonly string[], bounds: ConnectBounds): Promise<NatsConnection> {
  const urls = servers.map((server) => new URL(server))
  const { username = '', password = '' } = urls.find((url) => url.username !== '') ?? {}
  const [user, pass] = [username, password].map(decodeURIComponent) as [string, string]
  return connect({
    servers: urls.map(({ host }) => host),
    ...(pass !== '' ? { user, pass } : user !== '' && { token: user }),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    name: 'token-intelligence',
    maxReconnectAttempts: -1,
    reconnectTimeWait: bounds.logReconnectMs,
    pingInterval: bounds.logPullMs,
    maxPingOut: 2,
  }).catch((error: Error) => {
    throw new OperatorError(`LOG_URL: none of its servers answers: ${error.message}`, { cause: error })
  })
}

/** One replica per server, at most three: with three, one server may fail. */
export const copiesOn = (servers: readonly string[]): number => Math.min(3, servers.length)
