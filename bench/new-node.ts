import '@ti/lab/register.ts'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createEntryStream, type EntryStream } from '@ti/service/ingest/entries.ts'
import { createSharedEntryStream, positionOf } from '@ti/service/ingest/shared.ts'
import { openNatsStream } from '@ti/service/log/jetstream/nats.ts'
import { readLater } from '@ti/service/log/segments/missing-segments.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { logDir, stateFile } from '@ti/service/store/open.ts'
import { startNats } from '../test/nats.ts'
import { cli, spawnNode } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * The time from a new node's start with an empty directory until it answers: it fetches a checkpoint from a directory,
 * verifies and opens it, and folds the newer entries; older segments arrive in the background. Measured with the same
 * tail after a short and a long history. BENCH_HISTORY sets their trades; with BENCH_KEEP=DIR they are created there
 * and reused.
 */
const HISTORY = (process.env.BENCH_HISTORY ?? '100000,1000000').split(',').map(Number)
const TAIL_TRADES = 20_000
/** ratio of the time after the download, and of the whole time (4.18 when the whole history came first) */
const BAR = { after: 1.3, all: 4.18 }

export async function benchNewNode(): Promise<BenchRow[]> {
  const kept = process.env.BENCH_KEEP
  const dir = kept ?? mkdtempSync(join(tmpdir(), 'bench-new-node-'))
  const took: Took[] = []
  try {
    for (const trades of HISTORY) took.push(await measure(dir, trades))
  } finally {
    if (kept === undefined) rmSync(dir, { recursive: true, force: true })
  }
  const [first, last] = [took[0]!, took.at(-1)!]
  const row = (name: string, bar: number, of: (one: Took) => number): BenchRow => {
    const ratio = of(last) / of(first)
    const detail = took.map((one) => `${one.trades} trades: ${describe(one)}`).join('\n       ')
    return { name, ratio, bar, pass: ratio <= bar, detail }
  }
  return [
    row(
      'a new node after its download, long history against short (at most)',
      BAR.after,
      (one) => one.readyMs - one.fetchMs,
    ),
    row('a new node from its start on, long history against short (at most)', BAR.all, (one) => one.readyMs),
  ]
}

interface Took {
  readonly trades: number
  readonly bytes: string
  readonly makeMs: number
  /** From the start of the process until the state is in place, the newest slot is answered, the log is complete. */
  readonly fetchMs: number
  readonly readyMs: number
  readonly wholeMs: number
}

const describe = ({ bytes, makeMs, fetchMs, readyMs, wholeMs }: Took): string =>
  `made in ${seconds(makeMs)} (${bytes}); ready ${seconds(readyMs)} after the start, ${seconds(fetchMs)} of it to fetch and verify, ${seconds(readyMs - fetchMs)} to open and to fold the tail; the log whole after ${seconds(wholeMs)}`

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

async function measure(dir: string, trades: number): Promise<Took> {
  const store = join(dir, `${trades}`)
  const [checkpointStore, young] = [`${store}-checkpoints`, `${store}-young`]
  if (!existsSync(store)) await fold(store, () => simulated(trades))
  for (const made of [checkpointStore, young]) rmSync(made, { recursive: true, force: true })
  mkdirSync(checkpointStore)
  const ends: (() => unknown)[] = []
  try {
    const began = performance.now()
    const said = await cli({ DATA_DIR: store, CHECKPOINTS: checkpointStore }, 'checkpoint', 'keep')
    const makeMs = performance.now() - began
    const nats = await startNats({ after: (end) => void ends.unshift(end) }, 3)
    const last = await addTail(store, nats.url)
    const env = { DATA_DIR: young, CHECKPOINTS: checkpointStore, LOG_URL: nats.url, PAYMENTS: 'off', OBSERVE: 'off' }
    // both use the same accounts, because several nodes share PostgreSQL
    const node = spawnNode(env, ['--role', 'ingest'], 'simulator:speed=0&slots=1')
    ends.unshift(node.stop)
    let fetchMs = 0
    // entries in flight when the old node was stopped may be in the log after it
    while (((await node.ready()) ?? -1) < last) {
      if (fetchMs === 0 && existsSync(stateFile(young))) fetchMs = node.sinceMs()
      await new Promise((next) => setTimeout(next, 10))
    }
    const readyMs = node.sinceMs()
    while (readLater(logDir(young)) !== null) await new Promise((next) => setTimeout(next, 10))
    return { trades, bytes: /\d+ MB/.exec(said)![0], makeMs, fetchMs, readyMs, wholeMs: node.sinceMs() }
  } finally {
    for (const end of ends) await end()
    for (const made of [checkpointStore, young]) rmSync(made, { recursive: true, force: true })
  }
}

type Open = (node: Node) => EntryStream | Promise<EntryStream>

const simulated = async (trades: number): Promise<EntryStream> =>
  createEntryStream(await openSource(`simulator:speed=0&trades=${trades}`))

/** Appends the tail to an empty log and returns its newest slot. */
async function addTail(store: string, url: string): Promise<number> {
  const signal = new AbortController().signal
  const stream = await openNatsStream({ servers: url.split(','), keep: null, signal })
  try {
    return await fold(store, ({ engine, store: { log: own } }) => {
      const [startSlot, startTime] = [engine.globals.slot + 1, engine.globals.time + 1]
      const tail = createSimulator({ seed: 99, startSlot, startTime, speed: 0, trades: TAIL_TRADES })
      const source = createEntryStream(tail)
      return createSharedEntryStream({ stream, position: () => positionOf(engine), own, source })
    })
  } finally {
    await stream.close()
  }
}

/** Folds until nothing has arrived for a while, or the source ends. */
async function fold(dir: string, open: Open): Promise<number> {
  const node = await openNode(dir)
  const stop = new AbortController()
  let last = performance.now()
  const idle = setInterval(() => {
    if (performance.now() - last > 5_000) stop.abort()
  }, 200)
  try {
    const onCommit = (): void => {
      last = performance.now()
    }
    await node.feed(await open(node), { commit: COMMIT_REPLAY, onCommit }).run(stop.signal)
    return node.engine.globals.slot
  } finally {
    clearInterval(idle)
    await node.close()
  }
}
