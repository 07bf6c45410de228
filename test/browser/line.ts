import { connect, createServer, type Socket } from 'node:net'

export interface Line {
  /** where it is reached, http://127.0.0.1:… */
  readonly url: string
  /** leads to this port from now on */
  to(port: number): void
  /** breaks every connection, and takes no new one until it is mended */
  cut(): void
  mend(): void
}

/** A line between browser and service that can break while both of them stay. */
export async function openLine(t: { after(end: () => void): void }): Promise<Line> {
  const open = new Set<Socket>()
  let target = 0
  let broken = false
  const server = createServer((socket) => {
    if (broken) return void socket.resetAndDestroy()
    const onward = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const breakAll = (): void => {
    for (const socket of open) socket.resetAndDestroy()
  }
  t.after(() => {
    breakAll()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    to(port) {
      target = port
    },
    cut() {
      broken = true
      breakAll()
    },
    mend() {
      broken = false
    },
  }
}
