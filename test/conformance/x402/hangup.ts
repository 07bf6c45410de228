import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { until } from '../../support/payment-world.ts'

/** A client that can leave in the middle. */
export interface Client {
  /** another request on the same connection */
  write(bytes: string): void
  /** closes the connection; resolves once the service has noticed */
  hangUp(): Promise<void>
  /** the connection is gone at once, as the service sees it */
  breakOff(): void
  /** bytes that have come back */
  readonly received: string
}

/** Sends bytes on a connection of its own and does not wait for an answer; a deaf client never reads one. */
export async function send(baseUrl: string, bytes: string, { deaf = false } = {}): Promise<Client> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  const listen = (chunk: Buffer): void => {
    received += chunk.toString('latin1')
  }
  if (!deaf) socket.on('data', listen)
  socket.on('error', () => {})
  await new Promise((done) => socket.once('connect', done))
  const own = socket.localPort
  let there: Socket | undefined
  // the other end of the same connection: it lives in this process too
  const look = (message: unknown): void => {
    const { socket: found } = (message as { request: IncomingMessage }).request
    if (found.remotePort === own) there = found
  }
  subscribe('http.server.request.start', look)
  try {
    socket.write(bytes, 'latin1')
    await until(() => there !== undefined)
  } finally {
    unsubscribe('http.server.request.start', look)
  }
  return {
    write: (more) => void socket.write(more, 'latin1'),
    breakOff: () => void there!.destroy(),
    async hangUp() {
      socket.destroy()
      await until(() => there!.destroyed)
    },
    get received() {
      return received
    },
  }
}
