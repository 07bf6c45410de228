import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import type { Alert } from '@ti/service/alerts/alert.ts'
import { createAlertSource } from '@ti/service/alerts/source.ts'
import { createAlertStore } from '@ti/service/alerts/watches.ts'
import { createAlertWorker } from '@ti/service/alerts/worker.ts'
import { createWorkerStore } from '@ti/service/alerts/worker-store.ts'
import { makeEverythingYoung } from '@ti/service/base/garbage.ts'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { createOwnTopic } from '@ti/service/faces/live/own-topic.ts'
import { createFolder, type Folder } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import { makeAccounts, makeWatches, marketEntries } from '../test/support/watchers.ts'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

/** Measures an alert's time from the commit of its block to the socket, and the cost of blocks without watches. */
const SEED = 7
const TPS = 200
const WATCHES = 10_000
const ACCOUNTS = 10
const TRADES = 6_000
const SLOT_MS = 400
const PAIRS = 7
/** milliseconds from commit to delivery, and of the processor a block; CPU time of the fold with an idle worker relative to without */
const BAR = { p99: 500, block: 40, idle: 1.05 }

export async function benchAlerts(): Promise<BenchRow[]> {
  makeEverythingYoung()
  const entries = await marketEntries(SEED, TRADES, TPS)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-alerts-'))
  const database = await openDatabase({ dataDir, url: process.env.TEST_DATABASE_URL ?? null })
  try {
    return [await benchIdle(database, entries), ...(await benchHandOver(database, entries))]
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function workerOf(database: Database, folder: Folder, onAlerts: (accounts: Iterable<string>) => void) {
  return createAlertWorker({
    ledger: createWorkerStore(database, 'bench'),
    source: createAlertSource(folder.engine, folder.store),
    places: { page: 'https://page.example', explorer: 'https://explorer.example/tx/' },
    now: () => performance.now(),
    onAlerts,
  })
}

/** CPU milliseconds; the event loop runs between blocks, as in a service. */
async function cost(database: Database | null, entries: readonly Buffer[]): Promise<number> {
  const folder = createFolder()
  globalThis.gc?.()
  const worker = database && workerOf(database, folder, () => {})
  try {
    const before = process.cpuUsage()
    for (const entry of entries) {
      folder.fold([entry], 1)
      if (worker?.due() === true) void worker.run()
      await new Promise(setImmediate)
    }
    await worker?.close()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  } finally {
    await folder.remove()
  }
}

/** Adjacent pairs in alternating order, so that other load affects both alike. */
async function benchIdle(database: Database, entries: readonly Buffer[]): Promise<BenchRow> {
  const pairs: { readonly idle: number; readonly without: number }[] = []
  await cost(null, entries)
  await cost(database, entries)
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = await cost(pair % 2 === 0 ? null : database, entries)
    const second = await cost(pair % 2 === 0 ? database : null, entries)
    pairs.push(pair % 2 === 0 ? { without: first, idle: second } : { idle: first, without: second })
  }
  const ratio = median(pairs.map(({ idle, without }) => idle / without))
  const each = (list: readonly number[]): string => ((median(list) * 1_000) / entries.length).toFixed(0)
  const [idle, without] = [each(pairs.map((one) => one.idle)), each(pairs.map((one) => one.without))]
  return {
    name: 'alerts: a block with no watch, against the same fold without a worker',
    ...{ ratio, bar: BAR.idle, pass: ratio <= BAR.idle },
    detail: `${idle} µs of the processor a commit with an idle worker, ${without} µs without; median of ${PAIRS} pairs of ${entries.length} commits`,
  }
}

async function benchHandOver(database: Database, entries: readonly Buffer[]): Promise<BenchRow[]> {
  const [whole, folder] = [createFolder(), createFolder()]
  try {
    whole.fold(entries, 50)
    const accounts = await makeAccounts(database, ACCOUNTS)
    await makeWatches(database, accounts, whole, seededRandom(SEED), [0, WATCHES])
    const alertStore = createAlertStore(database)
    const own = createOwnTopic({ alerts: alertStore, bounds: LIVE, onTrouble: (error) => console.error(error) })
    const committedMs = new Map<number, number>()
    const waits: number[] = []
    for (const account of accounts) own.add(account, readerOf(committedMs, waits), 0)
    const worker = workerOf(database, folder, alertStore.notify)
    await worker.run()
    const start = performance.now()
    let working = 0
    for (const [n, entry] of entries.entries()) {
      await pause(Math.max(0, start + n * SLOT_MS - performance.now()))
      folder.fold([entry], 1)
      const { slot } = folder.engine.globals
      if (!committedMs.has(slot)) committedMs.set(slot, performance.now())
      const before = process.cpuUsage()
      if (worker.due()) await worker.run()
      const { user, system } = process.cpuUsage(before)
      working += (user + system) / 1_000
    }
    await worker.close()
    await pause(LIVE.ownLookMs)
    own.close()
    waits.sort((a, b) => a - b)
    const p99 = waits[Math.floor(waits.length * 0.99)]!
    const seconds = (entries.length * SLOT_MS) / 1_000
    const block = working / entries.length
    return [
      {
        name: `alerts: p99 from commit to hand-over, ${WATCHES} watches, against half a second`,
        ...{ ratio: p99 / BAR.p99, bar: 1, pass: waits.length > WATCHES && p99 < BAR.p99 },
        detail: `${waits.length} alerts in ${seconds.toFixed(0)} s of ${TPS} trades/s: median ${median(waits).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${waits.at(-1)!.toFixed(1)} ms`,
      },
      {
        name: `alerts: processor a block, ${WATCHES} watches, against ${BAR.block} ms`,
        ...{ ratio: block / BAR.block, bar: 1, pass: block < BAR.block },
        detail: `${block.toFixed(1)} ms, with the database's thread`,
      },
    ]
  } finally {
    await Promise.all([whole.remove(), folder.remove()])
  }
}

/** A socket that accepts everything and records how long after its block's commit each alert arrived. */
function readerOf(committedMs: ReadonlyMap<number, number>, waits: number[]) {
  return {
    ...{ wire: 'events' as const, pushRef: 'null', unread: () => 0, tooSlow() {}, lost() {} },
    write(bytes: Buffer) {
      const at = performance.now()
      for (const line of bytes.toString('utf8').split('\n')) {
        if (!line.startsWith('data: ')) continue
        const { slot } = (JSON.parse(line.slice('data: '.length)) as { data: Alert }).data
        const committed = committedMs.get(slot)
        if (committed !== undefined) waits.push(at - committed)
      }
    },
  }
}
