import '@ti/lab/register.ts'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createStreams } from '@ti/core/query/streams.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { median } from './service.ts'
import type { Arrival, Latencies, ReaderOrders, ToReader } from './streams-reader.ts'
import type { Burst, Kind, ToServer } from './streams-server.ts'
import type { BenchRow } from './types.ts'

/** delivered messages per second relative to one `ws.send(string)` per client and message */
const BAR = 4
const SUBSCRIBERS = 1_000
/** trades per slot at mainnet's mean of 120 a second */
const BLOCK = 48
const ROUNDS = 3
const MESSAGES: Record<'hub' | 'send' | 'stringify', number> = { hub: 4_800, send: 960, stringify: 960 }

/** trades per slot at 1,000 a second */
const BUSY_BLOCK = 400
const BUSY_BLOCKS = 25

interface Pair {
  readonly server: ChildProcess
  readonly reader: ChildProcess
  stop(): void
}

const execArgv = ['--import', import.meta.resolve('tsx')]
const start = (file: string, ...args: string[]): ChildProcess =>
  fork(resolve(import.meta.dirname, file), args, { execArgv })

/** Waits for the next message of a kind. */
async function hear<T>(child: ChildProcess, kind: string): Promise<T> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ kind: string }]
    if (message.kind === kind) return message as T
  }
}

async function pair(
  kind: Kind,
  file: string,
  dir: string,
  remembered: number,
  subscribers = SUBSCRIBERS,
): Promise<Pair> {
  const server = start('streams-server.ts', kind, file, dir)
  const { port } = await hear<{ port: number }>(server, 'port')
  const reader = start('streams-reader.ts')
  const orders: ReaderOrders = { port, subscribers, remembered }
  reader.send({ kind: 'join', orders } satisfies ToReader)
  await hear(reader, 'joined')
  return {
    server,
    reader,
    stop() {
      reader.kill('SIGKILL')
      server.kill('SIGKILL')
    },
  }
}

interface Throughput {
  readonly perSecond: number
  readonly cpuUs: number
}

async function burstOnce({ server, reader }: Pair, messages: number): Promise<Throughput> {
  const order: ToServer = { kind: 'burst', messages, block: BLOCK }
  server.send(order)
  const { startMs, bytes, cpuMs } = await hear<Burst>(server, 'burst')
  const counted = hear<{ ms: number }>(reader, 'counted')
  reader.send({ kind: 'count', bytes: bytes * SUBSCRIBERS } satisfies ToReader)
  const { ms } = await counted
  const delivered = messages * SUBSCRIBERS
  return { perSecond: (delivered / (ms - startMs)) * 1_000, cpuUs: (cpuMs * 1_000) / delivered }
}

/** Alternating rounds, so that other load affects all of them. */
async function throughput(file: string): Promise<Record<keyof typeof MESSAGES, Throughput>> {
  const kinds = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[]
  const results = Object.fromEntries(kinds.map((kind) => [kind, [] as Throughput[]])) as Record<
    keyof typeof MESSAGES,
    Throughput[]
  >
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of kinds) {
      const both = await pair(kind, file, '-', 0)
      await burstOnce(both, BLOCK * 4)
      results[kind].push(await burstOnce(both, MESSAGES[kind]))
      both.stop()
      console.error(`  ${kind}: ${Math.round(results[kind].at(-1)!.perSecond / 1_000)} k messages/s`)
    }
  }
  const middle = (of: Throughput[]): Throughput => ({
    perSecond: median(of.map(({ perSecond }) => perSecond)),
    cpuUs: median(of.map(({ cpuUs }) => cpuUs)),
  })
  return Object.fromEntries(kinds.map((kind) => [kind, middle(results[kind])])) as Record<
    keyof typeof MESSAGES,
    Throughput
  >
}

async function latency(kind: 'node' | 'echo', file: string, dir: string, subscribers: number): Promise<Latencies> {
  const both = await pair(kind, file, dir, BUSY_BLOCK * BUSY_BLOCKS * 2, subscribers)
  const { server, reader } = both
  if (kind === 'echo') server.send({ kind: 'pace', blocks: BUSY_BLOCKS, block: BUSY_BLOCK } satisfies ToServer)
  else {
    await setTimeout(BUSY_BLOCKS * 400)
    server.send({ kind: 'arrivals' } satisfies ToServer)
  }
  console.error(`  ${kind}: ${subscribers} subscribers followed`)
  const { arrivals } = await hear<{ arrivals: Arrival[] }>(server, 'arrivals')
  await setTimeout(2_000)
  // earlier blocks were sent while subscribers joined
  const last = arrivals.slice(-BUSY_BLOCKS)
  reader.send({ kind: 'latencies', arrivals: last } satisfies ToReader)
  const found = await hear<Latencies>(reader, 'latencies')
  both.stop()
  return found
}

/** Frames of a simulated market as served. */
async function material(dir: string): Promise<string[]> {
  const node = await openNode(join(dir, 'material'))
  const source = await openSource('simulator:seed=5&tps=120&speed=0&trades=12000')
  await node
    .feed(createEntryStream(source, 1 << 20), { commit: { events: 5_000, delayMs: 1_000 } })
    .run(new AbortController().signal)
  const streams = createStreams({ ...node, bounds: { resumeMessages: 1e9 } })
  const messages = streams['frames:live'].read(0, 10_000)
  await node.close()
  return messages.map(({ payload }) => payload)
}

const words = ({ p50, p99, samples, lost }: Latencies): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${samples} receipts, ${lost} sent away)`

export async function benchStreams(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-streams-'))
  try {
    const payloads = await material(dir)
    const file = join(dir, 'payloads.json')
    writeFileSync(file, JSON.stringify(payloads))
    const mean = payloads.reduce((sum, { length }) => sum + length, 0) / payloads.length
    const { hub, send, stringify } = await throughput(file)
    const rate = ({ perSecond, cpuUs }: Throughput): string =>
      `${Math.round(perSecond / 1_000)} k/s, ${cpuUs.toFixed(2)} µs of CPU each`
    const rows: BenchRow[] = [
      {
        name: `messages delivered to ${SUBSCRIBERS} subscribers against ws.send(string) for each`,
        ratio: hub.perSecond / send.perSecond,
        bar: BAR,
        pass: hub.perSecond / send.perSecond >= BAR,
        detail: `${rate(hub)} : ${rate(send)}; JSON.stringify for each ${rate(stringify)}; ${Math.round(mean)} bytes, blocks of ${BLOCK}`,
      },
    ]
    for (const subscribers of [SUBSCRIBERS, 100]) {
      const busy = 'simulator:seed=5&tps=1000&warmup=50'
      const ours = await latency('node', busy, join(dir, `node-${subscribers}`), subscribers)
      const bare = await latency('echo', file, '-', subscribers)
      for (const share of ['p50', 'p99'] as const) {
        rows.push({
          name: `${share} from block to receipt at 1,000 trades/s, ${subscribers} subscribers, against the same bytes written bare (no bar)`,
          ratio: ours[share] / bare[share],
          bar: Number.POSITIVE_INFINITY,
          pass: true,
          detail: `folded, committed, read and written: ${words(ours)}; bare: ${words(bare)}`,
        })
      }
    }
    return rows
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
