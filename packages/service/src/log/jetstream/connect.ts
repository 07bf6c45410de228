import { connect, type NatsConnection } from '@nats-io/transport-node'
import { OperatorError } from '../../base/errors.ts'

/** Those of LIMITS with the same names. */
export type ConnectBounds = Readonly<Record<'logReconnectMs' | 'logPullMs', number>>

/**
 * Comes back by itself for as long as it is open; OperatorError where no server answers at first. A user and password, or a
 * token alone, are taken out of the addresses: the client does not look for them there.
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

/** As many as there are servers, three at most: with three one may be lost. */
export const copiesOn = (servers: readonly string[]): number => Math.min(3, servers.length)
