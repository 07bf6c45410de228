import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Takes over the connection of a request that asks for a WebSocket. */
export type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void

/** Connections of plainly answered upgrades, which the server does not know any more. */
export interface Upgrades {
  /** cuts those that are still open */
  cut(): void
}

/**
 * Requests that ask for another protocol. A server may ignore that (RFC 9110, 7.8), and clients ask for HTTP/2 on any
 * path, so whatever is not a WebSocket on a path of `upgrades` is answered as an ordinary request, once.
 */
export function routeUpgrades(
  server: Server,
  upgrades: Readonly<Record<string, Upgrade>>,
  listener: RequestListener,
): Upgrades {
  const byPath = new Map(Object.entries(upgrades))
  const plain = new Set<Socket>()
  server.on('upgrade', (request: IncomingMessage, socket: Answering, head: Buffer) => {
    if (isAnswering(socket)) return void socket.destroy()
    const upgrade = byPath.get((request.url ?? '').split('?', 1)[0]!)
    if (upgrade !== undefined && request.headers.upgrade?.toLowerCase() === 'websocket') {
      return upgrade(request, socket as Socket, head)
    }
    plain.add(socket as Socket)
    socket.on('close', () => plain.delete(socket as Socket))
    answerPlainly(request, socket as Socket, listener)
  })
  return {
    cut() {
      for (const socket of plain) socket.destroy()
    },
  }
}

type Answering = Duplex & { readonly _httpMessage?: object | null }

/**
 * Whether an earlier request of the connection still has its answer to come. Node hands an upgrade over all the same: two
 * answers at once would corrupt each other, and the second would throw. Nobody who waits for the first does this.
 */
const isAnswering = ({ _httpMessage: answer = null }: Answering): boolean => answer !== null

/** Node has let go of the connection, and of its idle timeout: it ends with the answer; a body is not read. */
function answerPlainly(request: IncomingMessage, socket: Socket, listener: RequestListener): void {
  socket.on('error', () => socket.destroy())
  socket.on('timeout', () => socket.destroy())
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    return socket.destroySoon()
  }
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  listener(request, response)
}
