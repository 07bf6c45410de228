import { once } from 'node:events'
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'
import type { FakeNode, Subscription } from './yellowstone-node.ts'
import { geyser } from './yellowstone-wire.ts'

/** A Yellowstone server on loopback in front of a node. */
export interface FakeServer {
  /** http://127.0.0.1:port */
  readonly url: string
  /** x-token of each subscription; undefined where it had none */
  readonly tokens: (string | undefined)[]
  /** subscriptions whose reader is being waited for */
  readonly waiting: number
  close(): Promise<void>
}

interface Request {
  readonly blocks?: Readonly<Record<string, { readonly accountInclude?: readonly string[] }>>
  readonly fromSlot?: string | null
  readonly ping?: unknown
}

type Call = ServerDuplexStream<Request, Buffer>

const CODES = { OutOfRange: status.OUT_OF_RANGE, InvalidArgument: status.INVALID_ARGUMENT }

const bytesAsTheyAre = (bytes: Buffer): Buffer => bytes

export async function startFakeServer(node: FakeNode): Promise<FakeServer> {
  const server = new Server({ 'grpc.max_send_message_length': -1 })
  const tokens: (string | undefined)[] = []
  const waiting = new Set<Call>()
  // only what it has: everything else is unimplemented
  const { Subscribe, SubscribeReplayInfo, GetVersion } = geyser
  const service = {
    Subscribe: { ...Subscribe!, responseSerialize: bytesAsTheyAre },
    ...(node.faults.claims === 'nothing' ? {} : { SubscribeReplayInfo: SubscribeReplayInfo! }),
    GetVersion: GetVersion!,
  } as unknown as ServiceDefinition
  server.addService(service, {
    GetVersion: (_: unknown, answer: (error: null, value: object) => void) => answer(null, { version: '{}' }),
    SubscribeReplayInfo: (_: unknown, answer: (error: Error | null, value?: object) => void) => {
      try {
        answer(null, { firstAvailable: String(node.firstAvailable()) })
      } catch (error) {
        answer(error as Error)
      }
    },
    Subscribe(call: Call) {
      tokens.push(call.metadata.get('x-token')[0]?.toString())
      // clients wait for them
      call.sendMetadata(new Metadata())
      const stop = new AbortController()
      for (const event of ['cancelled', 'close', 'error'] as const) call.on(event, () => stop.abort())
      let subscription: Subscription | null = null
      call.on('data', (request: Request) => {
        if (request.ping !== undefined && request.ping !== null) node.sent.pongs++
        const filters = Object.values(request.blocks ?? {})
        // clients may begin with an empty request
        if (filters.length === 0) return
        const accounts = filters.flatMap(({ accountInclude = [] }) => accountInclude)
        if (subscription !== null) {
          subscription.accounts = accounts
          return
        }
        const from = request.fromSlot === undefined || request.fromSlot === null ? null : Number(request.fromSlot)
        subscription = { accounts, from: from === 0 ? null : from }
        void send(call, subscription, stop.signal)
      })
    },
  })

  async function send(call: Call, subscription: Subscription, signal: AbortSignal) {
    try {
      for await (const update of node.updates(subscription, signal)) {
        if (signal.aborted) return
        if (call.write(update)) continue
        waiting.add(call)
        // an aborted wait rejects, and the next look at the signal ends the sending
        await once(call, 'drain', { signal }).catch(() => {})
        waiting.delete(call)
      }
      call.end()
    } catch (error) {
      const { message } = error as Error
      const code = Object.entries(CODES).find(([name]) => message.startsWith(name))?.[1] ?? status.UNAVAILABLE
      call.emit('error', Object.assign(new Error(message), { code, details: message }))
    }
  }

  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return {
    url: `http://127.0.0.1:${port}`,
    tokens,
    get waiting() {
      return waiting.size
    },
    async close() {
      server.forceShutdown()
    },
  }
}

export interface Proxy {
  readonly url: string
  readonly cuts: number
  close(): Promise<void>
}

/** Stands before a server and breaks connections off after so many bytes, wherever in a message that is. */
export async function startProxy(url: string, bytesUntilCut: () => number): Promise<Proxy> {
  const target = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  let cuts = 0
  const server: NetServer = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let left = bytesUntilCut()
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, Math.max(0, left))
      left -= bytes.length
      if (left >= 0) {
        if (!client.write(part)) upstream.pause()
        return
      }
      cuts++
      client.end(part)
    })
    client.on('drain', () => upstream.resume())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    get cuts() {
      return cuts
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
