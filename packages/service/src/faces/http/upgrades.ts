import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { answerOn } from '../../base/node-fields.ts'
import type { Upgrade } from '../router.ts'

/** headers of a request that offers another protocol: far more than clients send, and far fewer than the parser keeps, which
 * leaves out what is beyond, be it the length of the body */
const OFFER_HEADERS = 100

/**
 * Routes requests for another protocol. A server may ignore the Upgrade header (RFC 9110, 7.8), and clients offer HTTP/2
 * on any path and method, so every request other than a WebSocket on a path with an upgrade is served as plain HTTP.
 */
export function routeUpgrades(server: Server, upgradeOf: (path: string, socket: Duplex) => Upgrade | undefined): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // an earlier request still waits for its answer: two at once would corrupt each other, and the second would throw.
    // No client that waits for the first answer sends this
    if (answerOn(socket) !== null) return void socket.destroy()
    // a request with two Host headers is refused like any other of its kind
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && !namesTwoHosts(request)
    const upgrade = isWebSocket ? upgradeOf((request.url ?? '').split('?', 1)[0]!, socket) : undefined
    if (upgrade !== undefined) return upgrade(request, socket as Socket, head)
    if (request.rawHeaders.length > 2 * OFFER_HEADERS) return void socket.destroy()
    // Node has released the connection and left the body unread: both are returned, without the Upgrade header
    socket.unshift(Buffer.concat([withoutWish(request), head]))
    server.emit('connection', socket)
  })
}

/** Rebuilds the request's head without its `Upgrade` headers; all other bytes stay the same. */
function withoutWish({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Two `Host` headers: a proxy may trust one and we the other (RFC 9112, 3.2). Node's `headers` show only the first. */
export function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host' && ++hosts > 1) return true
  }
  return false
}
