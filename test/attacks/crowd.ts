import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'

/** What each connection of a crowd does once it is open: nothing; half a head; a head and one byte of its body a second. */
export type Manner = 'idle' | 'half-open' | 'slow-body'

export interface CrowdOptions {
  readonly port: number
  readonly manner: Manner
  readonly count: number
  /** loopback addresses it comes from, in turns */
  readonly from: readonly string[]
  /** opens another for each that is closed; otherwise each comes once */
  readonly again: boolean
}

export interface CrowdState {
  /** connections that are open, that were ever open, and that ended, by either side */
  readonly open: number
  readonly opened: number
  readonly ended: number
}

const HEADS: Readonly<Record<Manner, string>> = {
  idle: '',
  'half-open': 'GET /v1/tokens/new HTTP/1.1\r\nHost: localhost\r\nX-Half: ',
  'slow-body':
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{',
}

/** connections tried in one step, and milliseconds between two steps */
const STEP = 100
const STEP_MS = 20
const DRIP_MS = 1_000

/** Opens connections in this process; the answer ends them. */
export function startCrowd({ port, manner, count, from, again }: CrowdOptions) {
  const sockets = new Set<Socket>()
  let open = 0
  let opened = 0
  let ended = 0
  let tried = 0

  function one(): void {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from[tried++ % from.length]! })
    sockets.add(socket)
    let wasOpen = false
    socket.on('connect', () => {
      wasOpen = true
      open++
      opened++
      if (HEADS[manner] !== '') socket.write(HEADS[manner])
    })
    socket.on('error', () => {})
    socket.resume()
    socket.on('close', () => {
      sockets.delete(socket)
      ended++
      if (wasOpen) open--
    })
  }

  let isHeld = false
  const opening = setInterval(() => {
    for (let i = 0; i < STEP && !isHeld && sockets.size < count && (again || tried < count); i++) one()
  }, STEP_MS)
  const dripping =
    manner === 'slow-body'
      ? setInterval(() => {
          for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write(' ')
        }, DRIP_MS)
      : undefined

  const leave = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    state: (): CrowdState => ({ open, opened, ended }),
    /** all leave, and nobody comes until it is let go */
    hold(held: boolean) {
      isHeld = held
      if (held) leave()
    },
    stop() {
      clearInterval(opening)
      clearInterval(dripping)
      leave()
    },
  }
}

/** A crowd in a process of its own, because its connections take as many descriptors there as they do in the service. */
export interface CrowdProcess {
  state(): Promise<CrowdState>
  /** all leave, and nobody comes until it is let go; how it stands then */
  hold(held: boolean): Promise<CrowdState>
  stop(): Promise<void>
}

type Order = 'state' | 'hold' | 'let go'

export function forkCrowd(options: CrowdOptions): CrowdProcess {
  const child: ChildProcess = fork(import.meta.filename, [JSON.stringify(options)])
  const gone = new Promise<void>((done) => void child.once('close', () => done()))
  const ask = (order: Order): Promise<CrowdState> =>
    new Promise((done) => {
      child.once('message', (state) => done(state as CrowdState))
      child.send(order)
    })
  return {
    state: () => ask('state'),
    hold: (held) => ask(held ? 'hold' : 'let go'),
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const crowd = startCrowd(JSON.parse(process.argv[2]!))
  process.on('message', (order: Order) => {
    if (order !== 'state') crowd.hold(order === 'hold')
    process.send!(crowd.state())
  })
  process.on('disconnect', () => process.exit(0))
}
