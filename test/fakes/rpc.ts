import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { keyFromBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { blockJson, signatureJson, transactionJson } from './rpc-json.ts'

/** What an HTTP answer does instead of answering. */
export type HttpFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  | { readonly kind: 'error'; readonly code: number }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'silent' | 'endless' | 'reset' | 'cut' | 'bomb' }

/** Orders given to a fake node; all of them may change while it runs. */
export interface Knobs {
  /** asked before each HTTP answer; undefined: the true answer */
  http: (method: string, params: readonly unknown[], request: number) => HttpFault | undefined
  /** subscriptions that are offered */
  offers: Set<'blockSubscribe' | 'logsSubscribe'>
  /** slots whose block the node has lost, by the error code it answers */
  lost: Map<number, number>
  /** slots that getBlocks leaves out */
  unlisted: Set<number>
  /** signatures that getTransaction does not find */
  withheld: Set<string>
  /** asked before each notification: how often it is sent */
  times: (slot: number) => number
  /** the newest transaction version that it knows, and whether it refuses to be asked for newer ones (-32602) */
  newest: 0 | 1
  strict: boolean
  firstAvailable: number
  /** the most signatures of one answer */
  page: number
}

export interface FakeNode {
  readonly url: URL
  readonly wsUrl: URL
  readonly knobs: Knobs
  /** requests by method, in order */
  readonly asked: string[]
  /** the chain has come to this slot; streams are told of blocks up to it, in the order given */
  advance(slot: number, order?: (blocks: RawBlock[]) => RawBlock[]): void
  /** ends every stream at once */
  hangUp(): void
  /** whether it leaves the request with this number of JSON-RPC without an answer */
  isSilent(id: number): boolean
  /** what went over a WebSocket connection, as its own side of it sees it; by the query of the address that was dialled */
  line(query: string): Line | undefined
  readonly streams: number
  close(): Promise<void>
}

export interface Line {
  readonly sent: number
  readonly received: number
  readonly closed: boolean
}

interface Stream {
  readonly socket: WebSocket
  readonly send: (message: object) => void
  readonly method: string
  readonly id: number
  readonly mentions: string | null
  readonly config: unknown
  /** the block whose version it could not give: it never goes on */
  stuckAt: RawBlock | null
}

/** A Solana node on loopback that knows `blocks` and nothing else. */
export async function startFakeNode(blocks: readonly RawBlock[]): Promise<FakeNode> {
  const bySlot = new Map(blocks.map((block) => [block.slot, block]))
  const bySignature = new Map(
    blocks.flatMap((block) => block.transactions.map((tx) => [sigToBase58(tx.signature), { block, tx }] as const)),
  )
  const knobs: Knobs = {
    http: () => undefined,
    offers: new Set(['blockSubscribe', 'logsSubscribe']),
    lost: new Map(),
    unlisted: new Set(),
    withheld: new Set(),
    times: () => 1,
    newest: 1,
    strict: false,
    firstAvailable: blocks[0]?.slot ?? 0,
    page: 1_000,
  }
  const asked: string[] = []
  const streams = new Set<Stream>()
  const sockets = new Set<WebSocket>()
  const silent = new Set<number>()
  const lines = new Map<string, { -readonly [field in keyof Line]: Line[field] }>()
  let tip = -1
  let nextId = 100

  function answer(method: string, params: readonly unknown[]): { result: unknown } | { code: number } {
    const [first, second] = params
    switch (method) {
      case 'getSlot':
        return { result: tip }
      case 'getFirstAvailableBlock':
        return { result: knobs.firstAvailable }
      case 'getBlocks':
        return {
          result: blocks
            .map(({ slot }) => slot)
            .filter((slot) => slot >= Number(first) && slot <= Math.min(tip, Number(second)))
            .filter((slot) => !knobs.unlisted.has(slot)),
        }
      case 'getBlock':
        return refusal(second) ?? blockAnswer(Number(first), second)
      case 'getTransaction': {
        const found = knobs.withheld.has(String(first)) ? undefined : bySignature.get(String(first))
        const refused = refusal(second)
        if (refused !== null) return refused
        if (found === undefined || found.block.slot > tip) return { result: null }
        if (!gives([found.tx], second)) return { code: -32015 }
        const { slot, time } = found.block
        const place = found.tx.index < 0 ? {} : { transactionIndex: found.tx.index }
        return { result: { slot, blockTime: time, ...place, ...transactionJson(found.tx) } }
      }
      case 'getSignaturesForAddress':
        return { result: signatures(String(first), (second ?? {}) as { before?: string; limit?: number }) }
      default:
        return { code: -32601 }
    }
  }

  /** A version is a JSON integer of one byte; nodes that are strict take those that they know. */
  function refusal(config: unknown): { code: number } | null {
    const most = mostOf(config)
    if (most === undefined) return null
    const isByte = typeof most === 'number' && Number.isInteger(most) && most >= 0 && most < 256
    return !isByte || (knobs.strict && most > knobs.newest) ? { code: -32602 } : null
  }

  /** Whether the caller and the node take the versions of all of them: one that they do not costs the whole answer. */
  function gives(transactions: readonly RawTransaction[], config: unknown): boolean {
    const most = mostOf(config)
    return transactions.every(
      ({ version }) =>
        version === 'legacy' || version === null || version <= Math.min(knobs.newest, Number(most ?? -1)),
    )
  }

  function blockAnswer(slot: number, config: unknown): { result: unknown } | { code: number } {
    if (slot > tip) return { code: -32004 }
    if (slot < knobs.firstAvailable) return { code: -32001 }
    const lost = knobs.lost.get(slot)
    if (lost !== undefined) return { code: lost }
    const block = bySlot.get(slot)
    if (block === undefined) return { code: -32007 }
    return gives(block.transactions, config) ? { result: blockJson(block) } : { code: -32015 }
  }

  function signatures(address: string, { before, limit = 1_000 }: { before?: string; limit?: number }) {
    const key = keyFromBase58(address)!
    const all = blocks
      .filter(({ slot }) => slot <= tip)
      .flatMap(({ slot, time, transactions }) =>
        transactions.filter((tx) => tx.keys.includes(key)).map((tx) => signatureJson(tx, slot, time)),
      )
      .reverse()
    const from = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1
    return all.slice(from, from + Math.min(limit, knobs.page))
  }

  const server = createServer((request, response) => {
    void serve(request, response)
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    asked.push(method)
    const fault = knobs.http(method, params, asked.length)
    if (fault !== undefined && misbehave(fault, id, response)) return
    const answered =
      fault?.kind === 'error' ? { code: fault.code } : fault?.kind === 'result' ? fault : answer(method, params)
    const body =
      'code' in answered
        ? { jsonrpc: '2.0', error: { code: answered.code, message: 'no' }, id }
        : { jsonrpc: '2.0', result: answered.result, id }
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(JSON.stringify(body), { level: 1 }))
  }

  function misbehave(fault: HttpFault, id: number, response: ServerResponse): boolean {
    switch (fault.kind) {
      case 'status':
        response.writeHead(fault.status, fault.headers).end(fault.body ?? '')
        return true
      case 'silent':
        silent.add(id)
        response.on('close', () => silent.delete(id))
        return true
      case 'reset':
        response.destroy()
        return true
      case 'cut':
        response.writeHead(200, { 'content-length': '1000' }).write('{"jsonrpc":"2.0","id":')
        response.destroy()
        return true
      case 'endless': {
        response.write(`{"jsonrpc":"2.0","id":${id},"result":"`)
        const timer = setInterval(() => response.write('x'.repeat(100)), 5)
        response.on('close', () => clearInterval(timer))
        return true
      }
      case 'bomb':
        response.setHeader('content-encoding', 'gzip')
        response.end(gzipSync(Buffer.alloc(70 << 20, 'x')))
        return true
      default:
        return false
    }
  }

  const wss = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) =>
    wss.handleUpgrade(request, socket, head, (ws) => listen(ws, new URL(request.url!, 'ws://node').search)),
  )

  function listen(socket: WebSocket, query: string): void {
    const line = { sent: 0, received: 0, closed: false }
    lines.set(query, line)
    const send = (message: object): void => {
      line.sent++
      socket.send(JSON.stringify(message))
    }
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      line.closed = true
      sockets.delete(socket)
      for (const stream of streams) if (stream.socket === socket) streams.delete(stream)
    })
    socket.on('message', (data: Buffer) => {
      line.received++
      const { id, method, params } = JSON.parse(data.toString())
      if (!knobs.offers.has(method)) {
        send({ jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id })
        return
      }
      const refused = refusal(params[1])
      if (refused !== null) {
        send({ jsonrpc: '2.0', error: { ...refused, message: 'Invalid params' }, id })
        return
      }
      const stream = {
        ...{ socket, send, method, id: nextId++, mentions: params[0].mentions?.[0] ?? null },
        ...{ config: params[1], stuckAt: null },
      }
      send({ jsonrpc: '2.0', result: stream.id, id })
      streams.add(stream)
    })
  }

  function tell(stream: Stream, next: RawBlock): void {
    const { send, id, method, mentions } = stream
    if (method === 'blockSubscribe' && !gives(next.transactions, stream.config)) stream.stuckAt ??= next
    const block = stream.stuckAt ?? next
    const notify = (kind: string, result: unknown): void =>
      send({ jsonrpc: '2.0', method: kind, params: { result, subscription: id } })
    const context = { slot: block.slot }
    if (method === 'blockSubscribe') {
      const lost = knobs.lost.has(block.slot)
      const err = stream.stuckAt !== null ? { UnsupportedTransactionVersion: 1 } : lost ? 'BlockStoreError' : null
      const value = { slot: block.slot, err, block: err === null ? blockJson(block) : null }
      return notify('blockNotification', { context, value })
    }
    for (const tx of block.transactions) {
      if (!mentioned(tx, mentions!)) continue
      const { signature, err } = signatureJson(tx, block.slot, block.time)
      notify('logsNotification', { context, value: { signature, err, logs: tx.logs } })
    }
  }

  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/?api-key=hidden`),
    wsUrl: new URL(`ws://127.0.0.1:${port}/`),
    knobs,
    asked,
    advance(slot, order = (list) => list) {
      const fresh = order(blocks.filter((block) => block.slot > tip && block.slot <= slot))
      tip = Math.max(tip, slot)
      for (const block of fresh) {
        for (let n = knobs.times(block.slot); n > 0; n--) for (const stream of [...streams]) tell(stream, block)
      }
    },
    isSilent: (id) => silent.has(id),
    line: (query) => lines.get(query),
    hangUp() {
      for (const socket of sockets) socket.terminate()
    },
    get streams() {
      return streams.size
    },
    async close() {
      for (const socket of sockets) socket.terminate()
      wss.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const mostOf = (config: unknown): unknown =>
  (config as { maxSupportedTransactionVersion?: unknown } | null | undefined)?.maxSupportedTransactionVersion

const mentioned = (tx: RawTransaction, program: string): boolean => tx.keys.includes(keyFromBase58(program)!)
