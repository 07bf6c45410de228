import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeKeys } from '../test/simulation/keys.ts'
import { median, spawnNode, ticks } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * Answers of the running service, against a bare node:http server that writes the same bytes.
 */
const BAR = { processor: 1.5, p99: 3, mcp: 2 }
const CONNECTIONS = [1, 64, 512]
/** at least 20 for each connection, so that the first answers are few; fewer by one connection, which waits for each */
const REQUESTS = 6_000
const ROUNDS = 4
/** a market that has ended: nothing is folded while answers are measured */
const SOURCE = 'simulator:seed=5&tps=60&speed=0&trades=20000'
/** calls of a key in its window, below the limit of 600 */
const CALLS = 595
const KEYS = 1_000

const head = (line: string, key: string | null, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${key === null ? '' : `Authorization: Bearer ${key}\r\n`}${more}\r\n`

/** The text of a request with a key, or without one. */
type Request = (key: string | null) => string

const get =
  (path: string): Request =>
  (key) =>
    head(`GET ${path}`, key)

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A call of a tool in the protocol's revision of 2025 or that of 2026. */
function call(name: string, given: object, isModern: boolean): Request {
  const params = { name, arguments: given, ...(isModern && { _meta: META }) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const version = isModern
    ? `Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\n`
    : 'Mcp-Protocol-Version: 2025-06-18\r\n'
  const more = `${version}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return (key) => head('POST /mcp', key, more) + body
}

/** Hands out keys for so many calls that no key exceeds its window. */
function keyRing(keys: readonly string[]) {
  const windows = keys.map((key) => ({ key, sinceMs: -Infinity, left: 0 }))
  let at = 0
  return async (calls: number): Promise<string> => {
    for (let looked = 0; ; looked++) {
      const window = windows[at]!
      if (performance.now() - window.sinceMs > 61_000)
        Object.assign(window, { sinceMs: performance.now(), left: CALLS })
      window.left -= calls
      if (window.left >= 0) return window.key
      at = (at + 1) % windows.length
      if (looked > 0 && looked % windows.length === 0) await pause(1_000)
    }
  }
}

interface Server {
  readonly port: number
  readonly pid: number
}

interface Load {
  /** processor of the server, microseconds a request */
  readonly us: number
  /** milliseconds */
  readonly p99: number
}

/** Sends requests, as many on each connection, one at a time; each of its requests is sent CALLS times before the next. */
async function drive({ port, pid }: Server, requests: readonly (readonly Buffer[])[], total: number): Promise<Load> {
  const waits: number[] = []
  const share = Math.ceil(total / requests.length)
  const before = ticks(pid)
  const drivers = requests.map(async (own) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    let sent = 0
    let askedMs = 0
    let missing = 0
    const ask = (): void => {
      if (sent === share) return void socket.end()
      askedMs = performance.now()
      missing = -1
      socket.write(own[Math.floor(sent++ / CALLS) % own.length]!)
    }
    socket.on('connect', ask)
    socket.on('data', (chunk) => {
      missing = (missing < 0 ? answerLength(chunk) : missing) - chunk.length
      if (missing > 0) return
      waits.push(performance.now() - askedMs)
      ask()
    })
    await once(socket, 'close')
  })
  await Promise.all(drivers)
  const us = ((ticks(pid) - before) * 10_000) / waits.length
  waits.sort((a, b) => a - b)
  return { us, p99: waits[Math.floor(waits.length * 0.99)]! }
}

function answerLength(first: Buffer): number {
  const text = first.toString('latin1', 0, 1_000)
  const length = /^HTTP\/1\.1 200 .*?content-length: (\d+)/is.exec(text)
  if (length === null) throw new Error(`unexpected answer: ${text}`)
  return text.indexOf('\r\n\r\n') + 4 + Number(length[1])
}

/** The child process: a bare server for the bodies that its parent sends. */
function serveBare(): void {
  process.once('message', (bodies: Readonly<Record<string, string>>) => {
    const answers = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]))
    const server = createServer((request, response) => {
      const body = answers.get(request.url!)!
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
      response.end(body)
    })
    server.listen(0, '127.0.0.1', 511, () => process.send!((server.address() as { port: number }).port))
  })
  process.on('disconnect', () => process.exit(0))
}

async function startBare(bodies: Readonly<Record<string, string>>): Promise<Server & { readonly child: ChildProcess }> {
  const execArgv = ['--import', import.meta.resolve('tsx')]
  const child = fork(fileURLToPath(import.meta.url), ['bare'], { execArgv })
  child.send(bodies)
  const [port] = await once(child, 'message')
  return { port: Number(port), pid: child.pid!, child }
}

interface Case {
  readonly name: string
  readonly request: Request
  readonly keyed: boolean
}

export async function benchHttp(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-http-'))
  const keys = keyRing(await makeKeys(dataDir, KEYS))
  const node = spawnNode({ DATA_DIR: dataDir }, [], SOURCE)
  try {
    const url = await node.url
    while ((await node.ready()) === null) await pause(100)
    await pause(2_000)
    const authorization = `Bearer ${await keys(2)}`
    const read = async (path: string) => (await fetch(url + path, { headers: { authorization } })).text()
    const list = await read('/v1/tokens/new')
    const { mint } = JSON.parse(list).data[0] as { mint: string }
    const snapshot = `/v1/tokens/${mint}`
    const bare = await startBare({
      [snapshot]: await read(snapshot),
      '/v1/tokens/new': list,
      '/healthz': await read('/healthz'),
    })
    const service = { port: Number(new URL(url).port), pid: node.pid }
    const requestsOf = async ({ request, keyed }: Case, connections: number, total: number) => {
      const share = Math.ceil(total / connections)
      const made: Buffer[][] = []
      while (made.length < connections) {
        const own: Buffer[] = []
        for (let left = share; left > 0; left -= CALLS) {
          own.push(Buffer.from(request(keyed ? await keys(Math.min(CALLS, share)) : null)))
        }
        made.push(own)
      }
      return made
    }
    const cases: readonly Case[] = [
      { name: 'keyed snapshot', request: get(snapshot), keyed: true },
      { name: 'keyed list', request: get('/v1/tokens/new'), keyed: true },
      { name: '/healthz', request: get('/healthz'), keyed: false },
    ]
    try {
      return [
        ...(await againstBare(cases, requestsOf, service, bare)),
        ...(await againstRest(cases, requestsOf, service, mint)),
      ]
    } finally {
      bare.child.disconnect()
    }
  } finally {
    await node.stop()
    rmSync(dataDir, { recursive: true })
  }
}

type RequestsOf = (one: Case, connections: number, total: number) => Promise<Buffer[][]>

/** Pairs of loads in one run, so that other work of the machine affects both alike; the first round warms up. */
async function rounds<T>(load: () => Promise<T>): Promise<T[]> {
  await load()
  const found: T[] = []
  while (found.length < ROUNDS) found.push(await load())
  return found
}

async function againstBare(cases: readonly Case[], requestsOf: RequestsOf, service: Server, bare: Server) {
  const rows: BenchRow[] = []
  for (const one of cases) {
    for (const connections of CONNECTIONS) {
      const total = connections === 1 ? CALLS * 4 : Math.max(REQUESTS, connections * 20)
      const pairs = await rounds(async () => {
        const requests = await requestsOf(one, connections, total)
        return { ours: await drive(service, requests, total), bare: await drive(bare, requests, total) }
      })
      const name = `http: ${one.name}, ${connections} connections, against bare node:http`
      rows.push(rowOf(`${name}: processor`, pairs, ({ us }) => us, 'µs', BAR.processor))
      if (connections === CONNECTIONS.at(-1)) rows.push(rowOf(`${name}: p99`, pairs, ({ p99 }) => p99, 'ms', BAR.p99))
    }
  }
  return rows
}

/** A call of a tool against the same operation by REST. */
async function againstRest(cases: readonly Case[], requestsOf: RequestsOf, service: Server, mint: string) {
  const tools = [call('scan_token', { mint }, false), call('scan_token', { mint }, true)]
  const rows: BenchRow[] = []
  for (const [n, request] of tools.entries()) {
    const pairs = await rounds(async () => {
      const [ours, rest] = [{ name: '', request, keyed: true }, cases[0]!]
      return {
        ours: await drive(service, await requestsOf(ours, 16, REQUESTS), REQUESTS),
        bare: await drive(service, await requestsOf(rest, 16, REQUESTS), REQUESTS),
      }
    })
    const name = `mcp: a call in the revision of ${[2025, 2026][n]} against the same by REST: processor`
    rows.push(rowOf(name, pairs, ({ us }) => us, 'µs', BAR.mcp))
  }
  return rows
}

interface Pair {
  readonly ours: Load
  readonly bare: Load
}

function rowOf(
  name: string,
  pairs: readonly Pair[],
  read: (load: Load) => number,
  unit: string,
  bar: number,
): BenchRow {
  const ratio = median(pairs.map(({ ours, bare }) => read(ours) / read(bare)))
  const shown = (key: keyof Pair): string => `${median(pairs.map((pair) => read(pair[key]))).toFixed(1)} ${unit}`
  return { name, ratio, bar, pass: ratio <= bar, detail: `${shown('ours')}, baseline ${shown('bare')}` }
}

if (process.argv[2] === 'bare') serveBare()
