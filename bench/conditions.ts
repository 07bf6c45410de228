import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { createAlertSource } from '@ti/service/alerts/source.ts'
import { createAlertWorker } from '@ti/service/alerts/worker.ts'
import { createWorkerStore } from '@ti/service/alerts/worker-store.ts'
import { makeEverythingYoung } from '@ti/service/base/garbage.ts'
import { createFolder } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import { entriesOf, makeAccounts, watchNow } from '../test/support/watchers.ts'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

/** The processor time of blocks with many conditions, relative to the same blocks without any. */
const SEED = 7
/** Some 4 and 20 launches a second: ten times those of the main network, and fifty. */
const MARKETS = [
  { tps: 40, trades: 3_000 },
  { tps: 200, trades: 8_000 },
]
/** Those of 100 free accounts, and as many as all accounts may have. */
const CONDITIONS = [1_000, 100_000]
const ACCOUNTS = 100
const PAIRS = 3
const BAR = 1.05

/** Conditions as people write them, each met by few tokens, and each with thresholds of its own. */
function conditionOf(n: number, random: () => number): string {
  const between = (low: number, high: number): string => (low + (high - low) * random()).toFixed(3)
  switch (n % 6) {
    case 0:
      return `mcap > ${between(60_000, 900_000)} and bundled_pct <= ${between(0, 20)}`
    case 1:
      return `score >= ${between(8, 10)} and holders > ${between(50, 500)} and not (drained or rugged)`
    case 2:
      return `launchpad == "pumpfun" and kols >= ${between(3, 9)} and age_slots < ${between(100, 9_000)}`
    case 3:
      return `symbol == "${Math.floor(random() * 1e9).toString(36)}" or name == "${Math.floor(random() * 1e9).toString(36)}"`
    case 4:
      return `trades > ${between(400, 4_000)} and dirty_pct < ${between(0, 30)} and dumpers_pct < ${between(0, 30)}`
    default:
      return `mcap > ${between(4_000, 9_000)} and mcap < ${between(9_000, 60_000)} and alpha_hands_pct > ${between(95, 100)} and conviction > ${between(95, 100)}`
  }
}

async function makeConditions(database: Database, accounts: readonly string[], count: number): Promise<void> {
  const random = seededRandom(SEED)
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{
      id: `watch_c${n}`,
      account_id: accounts[n % accounts.length]!,
      name: `condition ${n}`,
      kind: 'condition' as const,
    },
    ...{ target: conditionOf(n, random), min_lamports: 0, paused: false, created_at: new Date(watchNow()) },
    ...{ from_trade: null, from_event: null, from_slot: null, changed: 1 },
  }))
  for (let at = 0; at < rows.length; at += 500)
    await database.sql
      .insertInto('watches')
      .values(rows.slice(at, at + 500))
      .execute()
  await database.sql
    .insertInto('alert_worker')
    .values({ name: 'alerts', trade_no: -1, event_seq: -1, slot: -1, condition_no: -1, version: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ version: 2 }))
    .execute()
}

interface Cost {
  /** CPU milliseconds a block. */
  readonly ms: number
  /** Tokens that waited after a block, at most, and blocks that they waited for, by the end. */
  readonly waited: number
}

async function cost(database: Database, entries: readonly Buffer[]): Promise<Cost> {
  // each run begins with the market
  await database.sql.deleteFrom('alerts').execute()
  await database.sql.updateTable('alert_worker').set({ trade_no: -1, event_seq: -1, slot: -1 }).execute()
  await database.sql.updateTable('watches').set({ from_trade: null, from_event: null, from_slot: null }).execute()
  const folder = createFolder()
  globalThis.gc?.()
  const worker = createAlertWorker({
    ledger: createWorkerStore(database, 'bench'),
    source: createAlertSource(folder.engine, folder.store),
    places: { page: 'https://page.example', explorer: null },
    now: () => performance.now(),
    onAlerts: () => {},
  })
  try {
    await worker.run()
    const before = process.cpuUsage()
    let waited = 0
    for (const entry of entries) {
      folder.fold([entry], 1)
      if (worker.due()) await worker.run()
      waited = Math.max(waited, worker.waiting)
    }
    const { user, system } = process.cpuUsage(before)
    await worker.close()
    return { ms: (user + system) / 1_000 / entries.length, waited }
  } finally {
    await folder.remove()
  }
}

async function openWith(conditions: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-conditions-'))
  const database = await openDatabase({ dataDir, url: null })
  if (conditions > 0) await makeConditions(database, await makeAccounts(database, ACCOUNTS), conditions)
  return {
    ...{ database, conditions },
    async close() {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Open = Awaited<ReturnType<typeof openWith>>

/** Adjacent pairs in alternating order, so that other load affects both alike. */
async function against(entries: readonly Buffer[], tps: number, none: Open, some: Open): Promise<BenchRow> {
  const pairs: { readonly with: Cost; readonly without: Cost }[] = []
  for (let pair = -1; pair < PAIRS; pair++) {
    const isFirst = pair % 2 === 0
    const first = await cost((isFirst ? none : some).database, entries)
    const second = await cost((isFirst ? some : none).database, entries)
    // the first pair warms up
    if (pair >= 0) pairs.push(isFirst ? { without: first, with: second } : { without: second, with: first })
  }
  const ratio = median(pairs.map((pair) => pair.with.ms / pair.without.ms))
  const ms = (of: 'with' | 'without'): string => median(pairs.map((pair) => pair[of].ms)).toFixed(1)
  const waited = Math.max(...pairs.map((pair) => pair.with.waited))
  const conditions = some.conditions.toLocaleString('en')
  return {
    name: `conditions: a block of ${tps} trades/s with ${conditions} conditions, against one with none`,
    ...{ ratio, bar: BAR, pass: ratio <= BAR },
    detail: `${ms('with')} ms of the processor, ${ms('without')} ms without; median of ${PAIRS} pairs of ${entries.length} blocks; at most ${waited} tokens wait`,
  }
}

export async function benchConditions(): Promise<BenchRow[]> {
  makeEverythingYoung()
  const [none, ...some] = await Promise.all([0, ...CONDITIONS].map(openWith))
  const rows: BenchRow[] = []
  try {
    for (const { tps, trades } of MARKETS) {
      const entries = await entriesOf(createSimulator({ seed: SEED, speed: 0, trades, tps }))
      for (const one of some) rows.push(await against(entries, tps, none!, one))
    }
    return rows
  } finally {
    await Promise.all([none!, ...some].map((one) => one.close()))
  }
}
