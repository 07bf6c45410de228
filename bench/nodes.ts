import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { createSharedEntryStream, positionOf } from '@ti/service/ingest/shared.ts'
import { openNatsStream } from '@ti/service/log/jetstream/nats.ts'
import type { LogStream } from '@ti/service/log/jetstream/stream.ts'
import { COMMIT_SERVING } from '@ti/service/service/folding.ts'
import { openNode } from '@ti/service/service/node.ts'
import type { Source } from '@ti/service/source/source.ts'
import { WebSocket } from 'ws'
import { startNats } from '../test/nats.ts'
import { makeKeys } from '../test/simulation/keys.ts'
import { median, type SpawnedNode, spawnNode } from './service.ts'
import type { BenchRow } from './types.ts'

/** One ingesting node at mainnet's mean rate and two serving processes, over a stream with three replicas. */
const BLOCKS = 150
const TPS = 120
const SOCKETS = 16
const READS = 20_000
const ROUNDS = 5
/** keys per round, by the rate limit of a key */
const KEYS_A_ROUND = Math.ceil(READS / RATES.pro)
/**
 * latency of a frame relative to a bare message of the same size through the same servers, median; reads per second of
 * two nodes relative to one
 */
const BARS = { frame: 2, reads: 1 }

export async function benchNodes(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-nodes-'))
  const ends: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })]
  try {
    const nats = await startNats({ after: (end) => void ends.unshift(end) }, 3)
    const keys = await makeKeys(join(dir, '0'), KEYS_A_ROUND * 2 * (ROUNDS + 1) + 1)
    cpSync(join(dir, '0', 'accounts'), join(dir, '1', 'accounts'), { recursive: true })
    const stream = await openLog(nats.url)
    ends.unshift(() => stream.close())
    const market = await startMarket(join(dir, 'in'), stream)
    ends.unshift(market.stop)
    const serving = ['0', '1'].map((name) => {
      const env = { DATA_DIR: join(dir, name), LOG_URL: nats.url, PAYMENTS: 'off' }
      return spawnNode(env, ['--role', 'serve'], 'simulator:')
    })
    for (const node of serving) ends.unshift(node.stop)
    const urls = await Promise.all(serving.map(({ url }) => url))
    const bare = await bareWay(await openLog((await startNats({ after: (end) => void ends.unshift(end) }, 3)).url))
    const frames = await framesOf(urls[0]!, keys[0]!, market.arrived)
    await market.stop()
    return [frameRow(frames, bare), await readsRow(serving, urls, keys.slice(1))]
  } finally {
    for (const end of ends) await end()
  }
}

const openLog = (url: string): Promise<LogStream> =>
  openNatsStream({ servers: url.split(','), keep: null, signal: new AbortController().signal })

/** An ingest node in this process, which records when each block arrived. */
async function startMarket(dataDir: string, stream: LogStream) {
  const arrived = new Map<number, number>()
  const simulator = createSimulator({ seed: 4, tps: TPS, warmup: 200, speed: 1 })
  const source: Source = {
    ...simulator,
    async *items(cursor, signal) {
      for await (const item of simulator.items(cursor, signal)) {
        if (item.kind === 'raw') arrived.set(item.block.slot, performance.now())
        yield item
      }
    },
  }
  const node = await openNode(dataDir)
  const entries = createSharedEntryStream({
    stream,
    position: () => positionOf(node.engine),
    source: createEntryStream(source),
  })
  const stop = new AbortController()
  const run = node.feed(entries, { commit: COMMIT_SERVING }).run(stop.signal)
  let stopped: Promise<void> | null = null
  return {
    arrived,
    stop: () =>
      (stopped ??= (async () => {
        stop.abort()
        await run
        await node.close()
      })()),
  }
}

/** Milliseconds from a write of a block's size until a reader of the stream has it. */
async function bareWay(stream: LogStream): Promise<number[]> {
  const bytes = Buffer.alloc(12_000, 7)
  const stop = new AbortController()
  const took: number[] = []
  let sent = 0
  const read = (async () => {
    for await (const messages of stream.messages(0, stop.signal)) {
      for (const _ of messages) took.push(performance.now() - sent)
      if (took.length === BLOCKS) stop.abort()
    }
  })()
  for (let i = 0; i < BLOCKS; i++) {
    sent = performance.now()
    await stream.write({ id: `${i}`, seq: i, part: 0, parts: 1, bytes }, { sequence: i, messageId: null })
    while (took.length <= i) await sleep(1)
    await sleep(20)
  }
  await read
  await stream.close()
  return took
}

/** Milliseconds from a block's arrival at the ingesting node to each of its frames at another node's client. */
async function framesOf(url: string, key: string, arrived: ReadonlyMap<number, number>): Promise<number[]> {
  const took: number[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0&api_key=${key}`)
  const slots = new Set<number>()
  await new Promise<void>((done, fail) => {
    socket.on('error', fail)
    socket.on('close', () => done())
    socket.on('open', () => socket.send(JSON.stringify(['1', '1', 'frames:live', 'phx_join', {}])))
    socket.on('message', (data) => {
      const now = performance.now()
      const [, , , event, payload] = JSON.parse(data.toString())
      if (event === 'phx_reply') return
      const at = arrived.get(payload.data.slot)
      if (at === undefined) return
      took.push(now - at)
      slots.add(payload.data.slot)
      if (slots.size === BLOCKS) socket.close()
    })
  })
  return took
}

function frameRow(frames: readonly number[], bare: readonly number[]): BenchRow {
  const at = (values: readonly number[], share: number): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!
  const words = (values: readonly number[]): string =>
    `p50 ${at(values, 0.5).toFixed(1)}, p99 ${at(values, 0.99).toFixed(1)} ms`
  const ratio = at(frames, 0.5) / at(bare, 0.5)
  return {
    name: 'block at an ingest node to frame at a client of another node, against the bare way through the stream (at most)',
    ratio,
    bar: BARS.frame,
    pass: ratio <= BARS.frame,
    detail: `${frames.length} frames of ${BLOCKS} blocks at ${TPS} trades/s: ${words(frames)}; 12 kB through three copies: ${words(bare)}`,
  }
}

async function readsRow(
  serving: readonly SpawnedNode[],
  urls: readonly string[],
  keys: readonly string[],
): Promise<BenchRow> {
  for (const node of serving) while ((await node.ready()) === null) await sleep(100)
  const rates: Record<'one' | 'two', number[]> = { one: [], two: [] }
  const cpu: Record<'one' | 'two', number[]> = { one: [], two: [] }
  let next = 0
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, targets] of [
      ['one', urls.slice(0, 1)],
      ['two', urls],
    ] as const) {
      const before = await cpuSeconds(targets)
      const start = performance.now()
      const batch = keys.slice(next, next + KEYS_A_ROUND)
      next += batch.length
      await drive(targets, batch)
      if (round === 0) continue
      rates[name].push(READS / ((performance.now() - start) / 1000))
      cpu[name].push((((await cpuSeconds(targets)) - before) / READS) * 1e6)
    }
  }
  const [one, two] = [median(rates.one), median(rates.two)]
  const each = median(cpu.two)
  return {
    name: 'reads/s of two serving nodes against one, on as many cores as this machine has (at least)',
    ratio: two / one,
    bar: BARS.reads,
    pass: two / one >= BARS.reads,
    detail: `${Math.round(one)} and ${Math.round(two)} reads/s, the caller on the same cores; a read costs a node ${median(cpu.one).toFixed(0)} and ${each.toFixed(0)} µs, so ten nodes of a core each: ${Math.round(1e7 / each)} reads/s on paper`,
  }
}

async function cpuSeconds(urls: readonly string[]): Promise<number> {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
  return texts.reduce((sum, text) => sum + Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]), 0)
}

/** READS reads of a list over keep-alive connections, distributed evenly over the nodes. */
async function drive(urls: readonly string[], keys: readonly string[]): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: SOCKETS }, async (_, i) => {
      const { hostname, port } = new URL(urls[i % urls.length]!)
      const socket = connect(Number(port), hostname).setNoDelay(true)
      let [length, received] = [0, 0]
      const ask = (): void => {
        ;[length, received] = [0, 0]
        if (sent >= READS) return void socket.end()
        const key = keys[Math.floor(sent++ / RATES.pro)]!
        socket.write(`GET /v1/tokens/new HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
      }
      await new Promise<void>((done, fail) => {
        socket.on('connect', ask)
        socket.on('error', fail)
        socket.on('close', () => done())
        socket.on('data', (chunk) => {
          received += chunk.length
          if (length === 0) {
            const head = chunk.toString('latin1')
            const found = /^HTTP\/1\.1 200 .*?content-length: (\d+)/is.exec(head)
            if (found === null) return fail(new Error(`unexpected answer: ${head.slice(0, 200)}`))
            length = head.indexOf('\r\n\r\n') + 4 + Number(found[1])
          }
          if (received >= length) ask()
        })
      })
    }),
  )
}
