import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFolder, type Folder } from '../../../../test/properties/prefix.ts'
import { seed } from '../../../../test/support/chance.ts'
import { emptyDatabase } from '../../../../test/support/database.ts'
import { seededRandom } from '../../../../test/support/random.ts'
import {
  alertsOf,
  conditionIds,
  createArrivals,
  expectedIds,
  type Failure,
  failingDatabase,
  failingLedger,
  isAsOfNewest,
  makeAccounts,
  makeWatches,
  marketEntries,
  readMarket,
  watchNow,
} from '../../../../test/support/watchers.ts'
import type { Database } from '../access/sql/database.ts'
import { CONDITION_WORK } from './conditions.ts'
import { createAlertSource } from './source.ts'
import { createWatchBook } from './watches.ts'
import { createAlertWorker } from './worker.ts'
import { ALERT_WORK, createWorkerStore } from './worker-store.ts'

const SEED = seed()
const KILLS = 20
const WATCHES = 1_000
const ACCOUNTS = 10
const TRADES = 2_500
/** entries of a commit */
const GROUP = 1

interface Story {
  readonly database: Database
  readonly folder: Folder
  readonly entries: readonly Buffer[]
  readonly random: () => number
  /** after so many commits */
  readonly onCommit: (n: number) => Promise<void>
}

interface Told {
  kills: number
  takeovers: number
  restarts: number
}

/** Folds the market in commits, with workers that are killed in between, two nodes that take turns, and a database that fails. */
async function play({ database, folder, entries, random, onCommit }: Story): Promise<Told> {
  const told = { kills: 0, takeovers: 0, restarts: 0 }
  let armed = 0
  let owner = 0
  const fails = (): Failure | null => {
    if (armed === 0 || --armed > 0) return null
    return random() < 0.5 ? 'before' : 'after'
  }
  let ms = 0
  const clock = (): number => (ms += 100)
  const start = () => {
    // half of the kills hit a call, half a statement within a transaction
    const inside = random() < 0.5
    const ledger = createWorkerStore(inside ? failingDatabase(database, fails) : database, `owner ${owner++}`)
    return createAlertWorker({
      ledger: inside ? ledger : failingLedger(ledger, fails),
      source: createAlertSource(folder.engine, folder.store),
      ...{ places: { page: 'https://page.example', explorer: null }, now: clock, onAlerts: () => {} },
      // by this clock a turn is enough for three tokens, so that many wait
      bounds: { ...ALERT_WORK, ...CONDITION_WORK, perMinute: 1e9, rows: 40, msPerSlot: 300, msKept: 300 },
    })
  }
  const free = () =>
    database.sql
      .updateTable('leases')
      .set({ lease_until: new Date(0) })
      .execute()
  let worker = start()
  let paused = worker
  for (let at = 0, n = 1; at < entries.length; at += GROUP, n++) {
    await onCommit(n)
    folder.fold(entries.slice(at, at + GROUP), GROUP)
    // Sometimes the worker does not look for a while.
    if (random() < 0.1) continue
    if (armed === 0) armed = 1 + Math.floor(random() * 12)
    try {
      await worker.run()
    } catch (error) {
      assert.match(String(error), /killed/)
      armed = 0
      told.kills++
      if (random() < 0.3) {
        told.restarts++
        await folder.restart()
        paused = worker = start()
      } else worker = start()
      await free()
    }
    if (n % 10 === 0) {
      // the lease runs out while its holder sleeps; it wakes up when another has gone on
      await free()
      ;[worker, paused] = [paused === worker ? start() : paused, worker]
      told.takeovers++
    }
  }
  armed = 0
  for (let n = 0; n < 300; n++) {
    await free()
    await worker.run()
  }
  return told
}

test(`every alert that a slow second implementation makes, each once, through ${KILLS} kills`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const entries = await marketEntries(SEED, TRADES)
  const database = await emptyDatabase(t)
  const [whole, folder, replayed] = [createFolder(), createFolder(), createFolder()]
  t.after(() => Promise.all([whole, folder, replayed].map((one) => one.remove())))
  whole.fold(entries, 50)
  const accounts = await makeAccounts(database, ACCOUNTS)
  const commits = Math.ceil(entries.length / GROUP)
  t.diagnostic(`${entries.length} entries`)
  let lateFrom = 0
  await makeWatches(database, accounts, whole, random, [0, (WATCHES * 3) / 4])
  const told = await play({
    ...{ database, folder, entries, random },
    async onCommit(n) {
      if (n !== Math.floor(commits / 3)) return
      // a worker that takes over goes on from what is stored
      const stored = await database.sql.selectFrom('alert_worker').select('trade_no').executeTakeFirstOrThrow()
      lateFrom = stored.trade_no
      await makeWatches(database, accounts, whole, random, [(WATCHES * 3) / 4, WATCHES])
    },
  })
  assert.ok(told.kills >= KILLS, `${told.kills} kills`)
  assert.ok(told.restarts > 0 && told.takeovers >= 10)
  const market = readMarket(folder)
  const arrivals = createArrivals()
  const conditions = conditionIds(whole, entries, replayed, GROUP, (trade, event) =>
    arrivals.committed(replayed, trade, event),
  )
  const book = createWatchBook(database, { now: watchNow })
  const events = new Map<string, number>()
  let compared = 0
  for (const account of accounts) {
    const alerts = await alertsOf(database, account)
    assert.deepEqual(
      alerts.map(({ place }) => place),
      alerts.map((_, i) => i + 1),
      'none left out',
    )
    assert.ok(
      alerts.every(({ seq }, i) => i === 0 || seq > alerts[i - 1]!.seq),
      'numbers grow',
    )
    assert.equal(new Set(alerts.map(({ id }) => id)).size, alerts.length, 'each once')
    compared += alerts.length
    for (const { event } of alerts) events.set(event, (events.get(event) ?? 0) + 1)
    const watches = await book.list(account)
    const known = new Set(watches.map(({ id }) => id))
    assert.ok(alerts.every(({ watch }) => known.has(watch.id)))
    for (const watch of watches) {
      const all = alerts.filter((alert) => alert.watch.id === watch.id)
      arrivals.check(folder, watch, all)
      const ids = all.flatMap((alert) => (isAsOfNewest(alert, market) ? [] : [alert.id]))
      const isLate = Number(watch.name.slice('watch '.length)) >= (WATCHES * 3) / 4
      assert.ok(isLate ? watch.from_trade! >= lateFrom : watch.from_trade! < lateFrom, watch.name)
      if (watch.kind === 'condition') {
        const got = new Set(ids)
        for (const id of conditions.must(watch.target, watch)) assert.ok(got.has(id), `${watch.target} is missing`)
        const allowed = conditions.allowed(watch.target, watch)
        for (const id of ids) assert.ok(allowed.has(id), `${watch.target} never held`)
      } else assert.deepEqual(ids.sort(), expectedIds(market, watch).sort(), `${watch.kind} ${watch.target}`)
      if (watch.kind !== 'wallet') continue
      const slots = alerts.filter((alert) => alert.watch.id === watch.id).map(({ slot }) => slot)
      assert.deepEqual(
        slots,
        slots.toSorted((a, b) => a - b),
        'in order',
      )
    }
  }
  const seen = [...events].map(([event, count]) => `${count} ${event}`).join(', ')
  t.diagnostic(
    `${compared} alerts (${seen}); ${told.kills} kills, ${told.restarts} restarts, ${told.takeovers} takeovers`,
  )
  assert.ok(compared > 1_000, `${compared} alerts`)
  // the others are rare in a market of this size: events.test.ts
  for (const event of ['bought', 'sold', 'launched', 'actor_arrived', 'condition_met'])
    assert.ok(events.has(event), event)
})
