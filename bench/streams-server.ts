import { readFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, createServer as createNet, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createStreams, type StreamMessage, type Streams } from '@ti/core/query/streams.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { routeUpgrades } from '@ti/service/faces/http/upgrades.ts'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { createLiveFace, SOCKET_PATH } from '@ti/service/faces/live/face.ts'
import { frameTexts } from '@ti/service/faces/live/wire.ts'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { COMMIT_SERVING } from '@ti/service/service/folding.ts'
import { openNode } from '@ti/service/service/node.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Arrival, nowMs } from './streams-reader.ts'

/**
 * The compared servers, each in a process of its own, started with fork(). All send the same messages to every
 * subscriber. `hub` is ours over topics in memory, `send` and `stringify` are simple uses of `ws`, `echo` writes the
 * same bytes without any protocol, and `node` is the whole service: source, fold, commit, hub.
 */
export type Kind = 'hub' | 'send' | 'stringify' | 'echo' | 'node'

export type ToServer =
  /** Sends this many messages in blocks, each as soon as the last has left. */
  | { readonly kind: 'burst'; readonly messages: number; readonly block: number }
  /** Sends one block every 400 ms. */
  | { readonly kind: 'pace'; readonly blocks: number; readonly block: number }
  | { readonly kind: 'arrivals' }

/** The start time, and bytes per subscriber and CPU milliseconds until the last block had left. */
export interface Burst {
  readonly startMs: number
  readonly bytes: number
  readonly cpuMs: number
}

interface Broadcaster {
  readonly port: number
  /** Sends messages (after, after + count] as they would arrive; returns the bytes per subscriber. */
  tell(after: number, count: number): number
  /** Unsent bytes. */
  waiting(): number
}

const BLOCK_MS = 400
const [, , kind, file, dataDir] = process.argv as [string, string, Kind, string, string]
const payloads: string[] = kind === 'node' ? [] : JSON.parse(readFileSync(file, 'utf8'))

const textOf = (payload: string): string => `[null,null,"frames:live","frame",${payload}]`
const headerBytes = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)
const frameBytes = (text: string): number => Buffer.byteLength(text) + headerBytes(Buffer.byteLength(text))
const sizes = payloads.map((payload) => frameBytes(textOf(payload)))
const bytesOf = (after: number, count: number): number =>
  Array.from({ length: count }, (_, i) => sizes[(after + i) % sizes.length]!).reduce((a, b) => a + b, 0)

async function listen(server: Server | ReturnType<typeof createNet>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', 2_000, done))
  return (server.address() as AddressInfo).port
}

const fakeKeys = {
  follow: () => {
    const found = { ok: true, id: 'key', account: 'account', plan: 'pro' } as const
    return { found, again: () => found }
  },
}

/** The live face as served. */
async function hubOver(streams: Streams) {
  const sockets = new Set<Socket>()
  const live = createLiveFace({
    streams,
    keys: fakeKeys,
    trials: { open: () => Promise.reject(new Error('not here')) },
    clientAddress: () => '127.0.0.1',
    logger: createLogger('error'),
    metrics: createMetrics(),
    bounds: { ...LIVE, socketsPerKey: 1e9 },
  })
  const server = createHttp((request, response) => live.route.handle(request, response, [], ''))
  routeUpgrades(server, (path) => (path === SOCKET_PATH ? live.route.upgrade : undefined))
  server.on('connection', (socket) => sockets.add(socket))
  return { live, port: await listen(server), waiting: () => sumOf(sockets, (socket) => socket.writableLength) }
}

const sumOf = <T>(items: Iterable<T>, value: (item: T) => number): number => {
  let sum = 0
  for (const item of items) sum += value(item)
  return sum
}

async function hub(): Promise<Broadcaster> {
  let newest = 0
  const message = (seq: number): StreamMessage => ({ seq, payload: payloads[(seq - 1) % payloads.length]!, time: 0 })
  const none = { newest: () => 0, oldest: () => 1, read: () => [] }
  const frames = {
    newest: () => newest,
    oldest: () => 1,
    read: (after: number, limit: number) =>
      Array.from({ length: Math.min(limit, newest - after) }, (_, i) => message(after + i + 1)),
  }
  const { live, port, waiting } = await hubOver({ 'frames:live': frames, 'tokens:live': none })
  return {
    port,
    waiting: () => (told < newest ? 1 : waiting()),
    tell(after, count) {
      newest = after + count
      live.wake()
      told = newest
      return bytesOf(after, count)
    },
  }
}
let told = 0

/** One `ws.send` per message and client, of a text encoded once or each time. */
async function perClient(encode: (payload: string) => () => string): Promise<Broadcaster> {
  const server = createHttp()
  const sockets = new WebSocketServer({ server, path: '/socket/websocket' })
  const clients = new Set<WebSocket>()
  sockets.on('connection', (client: WebSocket, _request: IncomingMessage) => {
    client.once('message', () => {
      client.send('["1","1","frames:live","phx_reply",{"status":"ok","response":{"seq":0}}]')
      clients.add(client)
    })
  })
  const texts = payloads.map(encode)
  return {
    port: await listen(server),
    waiting: () => sumOf(clients, (client) => client.bufferedAmount),
    tell(after, count) {
      for (let i = 0; i < count; i++) {
        const text = texts[(after + i) % texts.length]!
        for (const client of clients) client.send(text())
      }
      return bytesOf(after, count)
    },
  }
}

/** The same prepared bytes to every socket. */
async function echo(): Promise<Broadcaster> {
  const sockets = new Set<Socket>()
  const server = createNet((socket) => {
    socket.setNoDelay(true)
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
      socket.write(frameTexts(['["1","1","frames:live","phx_reply",{"status":"ok","response":{"seq":0}}]']))
      sockets.add(socket)
    })
    socket.on('error', () => {})
  })
  return {
    port: await listen(server),
    waiting: () => sumOf(sockets, (socket) => socket.writableLength),
    tell(after, count) {
      const bytes = frameTexts(
        Array.from({ length: count }, (_, i) => textOf(payloads[(after + i) % payloads.length]!)),
      )
      for (const socket of sockets) socket.write(bytes)
      return bytes.length
    },
  }
}

/** The whole path of a block: from the decoding thread through fold, commit and read-back to the socket. */
async function node(arrivals: Arrival[]): Promise<{ readonly port: number }> {
  const opened = await openNode(dataDir)
  const { live, port } = await hubOver(createStreams({ ...opened }))
  const source = createThreadedEntryStream(file, dataDir)
  let arrived = 0
  const entries: typeof source = {
    counts: source.counts,
    async *batches(cursor, signal) {
      for await (const batch of source.batches(cursor, signal)) {
        arrived = nowMs()
        yield batch
      }
    },
  }
  const onCommit = (): void => {
    arrivals.push({ newest: opened.engine.globals.frames, ms: arrived })
    live.wake()
  }
  void opened.feed(entries, { commit: COMMIT_SERVING, onCommit }).run(new AbortController().signal)
  return { port }
}

async function leave(server: Broadcaster): Promise<void> {
  while (server.waiting() > 0) await setImmediate()
}

async function burst(server: Broadcaster, from: number, { messages, block }: { messages: number; block: number }) {
  const startMs = nowMs()
  const cpu = process.cpuUsage()
  let bytes = 0
  for (let after = from; after < from + messages; after += block) {
    bytes += server.tell(after, Math.min(block, from + messages - after))
    await leave(server)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { startMs, bytes, cpuMs: (user + system) / 1000 } satisfies Burst
}

async function pace(server: Broadcaster, from: number, { blocks, block }: { blocks: number; block: number }) {
  const arrivals: Arrival[] = [{ newest: from, ms: nowMs() }]
  for (let i = 0; i < blocks; i++) {
    const began = nowMs()
    arrivals.push({ newest: from + (i + 1) * block, ms: began })
    server.tell(from + i * block, block)
    await setTimeout(Math.max(0, BLOCK_MS - (nowMs() - began)))
  }
  return arrivals
}

async function main(): Promise<void> {
  const arrivals: Arrival[] = []
  if (kind === 'node') {
    const { port } = await node(arrivals)
    process.on('message', () => process.send?.({ kind: 'arrivals', arrivals }))
    return void process.send?.({ kind: 'port', port })
  }
  const server = await {
    hub,
    echo,
    send: () => perClient((payload) => () => textOf(payload)),
    stringify: () => {
      const parse = (payload: string) => {
        const value: unknown = JSON.parse(payload)
        return () => JSON.stringify([null, null, 'frames:live', 'frame', value])
      }
      return perClient(parse)
    },
  }[kind]()
  let at = 0
  process.on('message', async (message: ToServer) => {
    if (message.kind === 'burst') {
      const result = await burst(server, at, message)
      at += message.messages
      process.send?.({ kind: 'burst', ...result })
    } else if (message.kind === 'pace') {
      const paced = await pace(server, at, message)
      at += message.blocks * message.block
      process.send?.({ kind: 'arrivals', arrivals: paced })
    }
  })
  process.send?.({ kind: 'port', port: server.port })
}

process.on('disconnect', () => process.exit(0))
await main()
