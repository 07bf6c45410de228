import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { createOperations } from '@ti/core/query/operations.ts'
import type { Query } from '@ti/core/query/query.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { openKeys } from '@ti/service/access/keys.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows, type Windows } from '@ti/service/access/rate-limits/windows.ts'
import { openDatabase } from '@ti/service/access/sql/database.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { makeKeys } from '../test/simulation/keys.ts'
import type { BenchRow } from './types.ts'

/** server CPU of a snapshot answer relative to a bare node:http server with the same body */
const BAR = 1.35
const SOCKETS = 16
const WARMUP = 20_000
const REQUESTS = 20_000
const ROUNDS = 7

type Kind = 'bare' | 'face'

/** About 4 kB, like a token with many holders. */
function snapshotBytes(): Buffer {
  const { data } = EXAMPLES.snapshot
  const list = Array.from({ length: 13 }, () => data.kols.list[0])
  return Buffer.from(JSON.stringify({ ...data, kols: { count: list.length, list } }))
}

async function serveBare(): Promise<number> {
  const meta = `,"meta":{"cached_at":"2026-10-01T01:25:24.000000Z","request_id":"req_4Z2r8o0yTq1mXa3B"}}`
  const body = Buffer.concat([Buffer.from('{"data":'), snapshotBytes(), Buffer.from(meta)])
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
  const server = createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function serveFace(dataDir: string): Promise<number> {
  const rendered = { bytes: snapshotBytes(), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  const snapshots = new Map([[EXAMPLE_ADDRESSES.mint as string, rendered]])
  const query: Query = {
    snapshot: (mint) => snapshots.get(mint) ?? null,
    trades: () => null,
    list: () => rendered,
    trader: () => null,
    accuracy: () => rendered,
    deployer: () => null,
    who: () => null,
    check: () => null,
    verdict: () => null,
    explain: () => null,
    actor: () => null,
    named: () => null,
    positions: () => null,
    history: () => null,
    traderWindows: () => null,
    deployerWindows: () => null,
    tracked: () => 0,
    batch: () => null,
    newest: () => ({ seq: 1, slot: 1 }),
    settled: (work) => work(),
  }
  const logger = createLogger('info')
  const status = { ready: true, starting: false, reason: null, lagSlots: 0, seq: 1, slot: 1 }
  const face = createHttpFace({
    operations: createOperations(readsOf(query)),
    keys: await openKeys(await openDatabase({ dataDir, url: null }), { now: Date.now, logger }),
    windows: manyCalls(),
    clientAddress: createClientAddress([]),
    cashier: null,
    status: () => status,
    logger,
    metrics: createMetrics({ process: true }),
    publicUrl: 'http://127.0.0.1',
    openApi: '{}',
  })
  return (await face.listen('127.0.0.1', 0)).port
}

/** The real rate limiter with a limit that no benchmark reaches. */
function manyCalls(): Windows {
  const windows = createMemoryWindows(() => performance.now())
  return { take: (subject) => windows.take(subject, 1e9) }
}

/** The child process: serves, and answers every message with its CPU time in microseconds. */
async function child(kind: Kind, dataDir: string): Promise<void> {
  const port = kind === 'bare' ? await serveBare() : await serveFace(dataDir)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(port)
}

async function ask(server: ChildProcess): Promise<number> {
  server.send('cpu')
  return Number((await once(server, 'message'))[0])
}

/** Sends `total` requests, one at a time on each keep-alive connection. All answers must have the same length. */
async function drive(port: number, request: string, total: number): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      let length = 0
      let received = 0
      const ask = () => {
        received = 0
        if (sent++ < total) socket.write(request)
        else socket.end()
      }
      socket.on('connect', ask)
      socket.on('data', (chunk) => {
        received += chunk.length
        if (length === 0) length = answerLength(chunk)
        if (received >= length) ask()
      })
      await once(socket, 'close')
    }),
  )
}

function answerLength(first: Buffer): number {
  const head = first.toString('latin1')
  const length = /^HTTP\/1\.1 200 .*?content-length: (\d+)/is.exec(head)
  if (length === null) throw new Error(`unexpected answer: ${head.slice(0, 300)}`)
  return head.indexOf('\r\n\r\n') + 4 + Number(length[1])
}

interface Measured {
  readonly server: ChildProcess
  readonly port: number
  readonly cpuUs: number[]
  readonly perSecond: number[]
}

async function start(kind: Kind, dataDir: string): Promise<Measured> {
  const execArgv = ['--import', import.meta.resolve('tsx')]
  const server = fork(fileURLToPath(import.meta.url), [kind, dataDir], { execArgv })
  const [port] = await once(server, 'message')
  return { server, port: Number(port), cpuUs: [], perSecond: [] }
}

async function round(one: Measured, request: string): Promise<void> {
  const cpu = await ask(one.server)
  const begin = performance.now()
  await drive(one.port, request, REQUESTS)
  const seconds = (performance.now() - begin) / 1000
  one.cpuUs.push(((await ask(one.server)) - cpu) / REQUESTS)
  one.perSecond.push(REQUESTS / seconds)
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** Server CPU per snapshot request with a valid key, interleaved with the bare server. */
export async function benchHttp(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-http-'))
  const [key] = await makeKeys(dataDir, 1)
  const request = `GET /v1/tokens/${EXAMPLE_ADDRESSES.mint} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n\r\n`
  const [bare, face] = await Promise.all([start('bare', dataDir), start('face', dataDir)])
  try {
    for (const one of [bare, face]) await drive(one.port, request, WARMUP)
    for (let i = 0; i < ROUNDS; i++) for (const one of [bare, face]) await round(one, request)
  } finally {
    for (const one of [bare, face]) one.server.disconnect()
    rmSync(dataDir, { recursive: true })
  }
  const ratio = median(face.cpuUs.map((us, i) => us / bare.cpuUs[i]!))
  const show = ({ cpuUs, perSecond }: Measured) =>
    `${median(cpuUs).toFixed(1)} µs CPU, ${Math.round(median(perSecond))} requests/s`
  const detail = `face ${show(face)}; bare ${show(bare)}; ${snapshotBytes().length} bytes of data, ${ROUNDS} rounds of ${REQUESTS} requests, medians`
  return [{ name: 'http: snapshot answer against bare node:http', ratio, bar: BAR, pass: ratio <= BAR, detail }]
}

const [kind, dataDir] = process.argv.slice(2)
const isChild = process.send !== undefined && (kind === 'bare' || kind === 'face')
if (isChild && dataDir !== undefined) await child(kind, dataDir)
