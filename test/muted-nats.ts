import { connect, createServer, type Socket } from 'node:net'

/** A way to a NATS server on which what a stream delivers can be lost, while all else goes through. */
export interface MutedNats {
  readonly url: string
  /** deliveries lost so far */
  readonly lost: number
  /** the answer ends it */
  mute(): () => void
}

export async function openMutedNats(t: { after(end: () => unknown): void }, url: string): Promise<MutedNats> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let muted = false
  let lost = 0
  const passes = (head: string): boolean => {
    const isLost = muted && head.includes(' $JS.ACK.')
    if (isLost) lost++
    return !isLost
  }
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    near.pipe(far)
    const split = createSplitter((head, whole) => {
      if (passes(head)) near.write(whole)
    })
    far.on('data', split)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  return {
    url: `nats://127.0.0.1:${(server.address() as { port: number }).port}`,
    get lost() {
      return lost
    },
    mute() {
      muted = true
      return () => {
        muted = false
      }
    },
  }
}

/** What a server sends, by what it says at a time: a line, and with a message its bytes, which end like a line. */
function createSplitter(take: (head: string, whole: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const head = rest.toString('latin1', 0, end)
      const payload = /^H?MSG .* (\d+)$/.exec(head)?.[1]
      const length = end + 2 + (payload === undefined ? 0 : Number(payload) + 2)
      if (rest.length < length) return
      take(head, rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
