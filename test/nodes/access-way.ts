import { connect, createServer, type Socket } from 'node:net'

/** The network between the nodes and their database, as a proxy that can stop carrying anything without breaking. */
export interface Way {
  readonly port: number
  /** nothing arrives any more in either direction, and nobody is told */
  freeze(): void
  /** what was held back arrives, and all that follows */
  thaw(): void
  close(): Promise<void>
}

export async function openWay(to: number): Promise<Way> {
  const sockets = new Set<Socket>()
  let isFrozen = false

  function carry(from: Socket, other: Socket): void {
    sockets.add(from)
    if (isFrozen) from.pause()
    from.on('data', (bytes) => void other.write(bytes))
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      other.destroy()
    })
  }

  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1')
    carry(client, upstream)
    carry(upstream, client)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as { port: number }).port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
