import { createServer, type Socket } from 'node:net'

/** Something that listens like PostgreSQL and lets everybody in, and then says nothing any more: a network that swallows. */
export interface SilentPostgres {
  readonly url: string
  /** connections so far, and statements that came over them */
  readonly seen: { connections: number; statements: number }
  /** open connections */
  readonly open: number
}

const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
/** what a connection is told whose server is ended under it: FATAL, admin_shutdown */
const SHUT_DOWN = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' })
/** first bytes of a statement: as a text, or to be parsed before it is bound */
const STATEMENT = [0x51, 0x50]

/**
 * `greets`: also the greeting is left out when it is false. `leaves`: it says that it is shut down in the same breath as
 * its greeting, as one that is killed just then.
 */
export async function startSilentPostgres(
  t: { after(end: () => unknown): void },
  { greets = true, leaves = false } = {},
): Promise<SilentPostgres> {
  const seen = { connections: 0, statements: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    seen.connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => {
      if (greets) socket.write(Buffer.concat([AUTHENTICATION_OK, READY, ...(leaves ? [SHUT_DOWN] : [])]))
      if (leaves) socket.end()
      socket.on('data', (bytes: Buffer) => {
        if (STATEMENT.includes(bytes[0]!)) seen.statements++
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as { port: number }
  return {
    url: `postgres://somebody:word@127.0.0.1:${port}/accounts`,
    seen,
    get open() {
      return sockets.size
    },
  }
}

/** Fields by their letter, as the server writes an error. */
function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(fields).map(([letter, value]) => `${letter}${value}\0`)
  const body = Buffer.from(`${text.join('')}\0`)
  const head = Buffer.from([0x45, 0, 0, 0, 0])
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
