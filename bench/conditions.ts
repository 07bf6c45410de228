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
/** Launches a second are more than ten times those of the main network. */
const TPS = 200
const TRADES = 8_000
const CONDITIONS = Number(process.env.CONDITIONS ?? 100_000)
const PAIRS = Number(process.env.PAIRS ?? 3)

/** Conditions as people write them, each met by few tokens, and each with thresholds of its own. */
export function conditionOf(n: number, random: () => number): string {
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

export async function makeConditions(database: Database, accounts: readonly string[], count: number): Promise<void> {
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

/** CPU milliseconds a block. */
async function cost(database: Database, entries: readonly Buffer[]): Promise<number> {
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
    for (const entry of entries) {
      folder.fold([entry], 1)
      if (worker.due()) await worker.run()
    }
    const { user, system } = process.cpuUsage(before)
    console.error('waiting', worker.waiting)
    await worker.close()
    return (user + system) / 1_000 / entries.length
  } finally {
    await folder.remove()
  }
}

export async function benchConditions(): Promise<BenchRow[]> {
  makeEverythingYoung()
  const entries = await entriesOf(createSimulator({ seed: SEED, speed: 0, trades: TRADES, tps: TPS }))
  const open = async (conditions: number) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'bench-conditions-'))
    const database = await openDatabase({ dataDir, url: null })
    if (conditions > 0) await makeConditions(database, await makeAccounts(database, 100), conditions)
    return {
      database,
      async close() {
        await database.close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }
  const [without, many] = [await open(0), await open(CONDITIONS)]
  try {
    const pairs: { readonly none: number; readonly all: number }[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      const none = await cost(without.database, entries)
      pairs.push({ none, all: await cost(many.database, entries) })
    }
    const ratio = median(pairs.map(({ none, all }) => all / none))
    const [none, all] = [median(pairs.map((one) => one.none)), median(pairs.map((one) => one.all))]
    const { n } = await many.database.sql
      .selectFrom('alerts')
      .select((query) => query.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return [
      {
        name: `conditions: blocks with ${CONDITIONS} conditions, against the same blocks with none`,
        ...{ ratio, bar: 1.05, pass: ratio <= 1.05 },
        detail: `${all.toFixed(1)} ms of the processor a block, ${none.toFixed(1)} ms without; ${entries.length} blocks of ${TPS} trades/s, ${n} alerts`,
      },
    ]
  } finally {
    await Promise.all([without.close(), many.close()])
  }
}
