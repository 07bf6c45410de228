import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { COLOURS } from '@ti/core/base/verdict-codes.ts'
import { createFolder } from '../../../../test/properties/prefix.ts'
import { emptyDatabase } from '../../../../test/support/database.ts'
import { seededRandom } from '../../../../test/support/random.ts'
import {
  alertsOf,
  CONDITIONS,
  createArrivals,
  expectedIds,
  isAsOfNewest,
  makeAccounts,
  makeWatches,
  marketEntries,
  readMarket,
  watchNow,
} from '../../../../test/support/watchers.ts'
import { CONDITION_WORK } from './conditions.ts'
import { alertId } from './events.ts'
import { createAlertSource } from './source.ts'
import { createWatchBook } from './watches.ts'
import { createAlertWorker } from './worker.ts'
import { ALERT_WORK, createWorkerStore } from './worker-store.ts'

const SEED = 7
const PLACES = { page: 'https://page.example', explorer: null }

async function open(t: TestContext, trades = 300, tps = 60) {
  const entries = await marketEntries(SEED, trades, tps)
  const database = await emptyDatabase(t)
  const [whole, folder] = [createFolder(), createFolder()]
  t.after(() => Promise.all([whole.remove(), folder.remove()]))
  whole.fold(entries, 50)
  let ms = 0
  let reads = 0
  function start(owner: string, perMinute = 1e9) {
    const source = createAlertSource(folder.engine, folder.store)
    const trades = (from: number) => {
      reads++
      return source.trades(from)
    }
    return createAlertWorker({
      ...{ ledger: createWorkerStore(database, owner), source: { ...source, trades }, places: PLACES, now: () => ms },
      onAlerts: (accounts) => void heard.push(...accounts),
      bounds: { ...ALERT_WORK, ...CONDITION_WORK, perMinute },
    })
  }
  const heard: string[] = []
  return {
    entries,
    database,
    whole,
    folder,
    start,
    heard,
    pass(more: number): void {
      ms += more
    },
    reads: () => reads,
  }
}

test('without a watch no row is read and nothing is written', async (t) => {
  const { entries, database, folder, start, pass, reads } = await open(t)
  const worker = start('one')
  for (const entry of entries) {
    folder.fold([entry], 1)
    pass(1_000)
    await worker.run()
    assert.equal(worker.due(), false)
  }
  assert.equal(reads(), 0)
  assert.deepEqual(await database.sql.selectFrom('alert_worker').selectAll().execute(), [])
})

test('a condition is met by exactly those tokens of which it held when they traded', async (t) => {
  const { entries, database, folder, start, pass, whole, heard } = await open(t)
  const [account] = await makeAccounts(database, 1)
  const book = createWatchBook(database, { now: watchNow })
  for (const { text } of CONDITIONS)
    await book.add(account!, 'free', { kind: 'condition', target: text, name: text, minLamports: 0 })
  const worker = start('one')
  const expected = new Map<string, Set<number>>(CONDITIONS.map(({ text }) => [text, new Set()]))
  await worker.run()
  for (const entry of entries) {
    const from = folder.engine.globals.nextTrade
    folder.fold([entry], 1)
    for (const { token: id } of folder.store.trades(from)) {
      const token = folder.engine.tokens.peekId(id)?.token ?? folder.store.token(id)!
      for (const { text, holds } of CONDITIONS) if (token.createdKnown && holds(token)) expected.get(text)!.add(id)
    }
    pass(400)
    await worker.run()
  }
  const alerts = await alertsOf(database, account!)
  assert.ok(alerts.length > 20)
  assert.deepEqual(new Set(heard), new Set([account]))
  for (const watch of await book.list(account!)) {
    const own = alerts.filter((alert) => alert.watch.id === watch.id)
    const ids = [...expected.get(watch.target)!].map((id) => alertId(watch.id, 'condition_met', `token ${id}`))
    assert.deepEqual(own.map(({ id }) => id).sort(), ids.sort(), watch.target)
    for (const { why } of own)
      assert.ok(Object.keys(why).length > 0 && Object.keys(why).every((name) => watch.target.includes(name)))
  }
  assert.equal(whole.engine.globals.nextTrade, folder.engine.globals.nextTrade)
})

test('one worker at a time; the lease goes over when it ends, and at once when its holder closes', async (t) => {
  const { entries, database, folder, start, pass, whole } = await open(t)
  const accounts = await makeAccounts(database, 2)
  await makeWatches(database, accounts, whole, seededRandom(SEED), [0, 20])
  const [one, other] = [start('one'), start('other')]
  await one.run()
  const owner = async () => await database.sql.selectFrom('leases').select(['owner', 'term']).executeTakeFirstOrThrow()
  const arrivals = createArrivals()
  function fold(from: number, to: number): void {
    const { nextTrade, tokenEvents } = folder.engine.globals
    folder.fold(entries.slice(from, to), to - from)
    arrivals.committed(folder, nextTrade, tokenEvents + 1)
  }
  const third = Math.floor(entries.length / 3)
  fold(0, third)
  pass(ALERT_WORK.lookMs)
  await other.run()
  await one.run()
  assert.deepEqual(await owner(), { owner: 'one', term: 1 })
  await one.close()
  fold(third, 2 * third)
  pass(ALERT_WORK.lookMs)
  await other.run()
  assert.deepEqual(await owner(), { owner: 'other', term: 2 })
  // it sleeps until its lease is over; a third takes it, and what the sleeper then writes is refused
  await database.sql
    .updateTable('leases')
    .set({ lease_until: new Date(0) })
    .execute()
  const young = start('young')
  await young.run()
  fold(2 * third, entries.length)
  await other.run()
  await young.run()
  assert.deepEqual(await owner(), { owner: 'young', term: 3 })
  const market = readMarket(folder)
  const rows = await database.sql.selectFrom('watches').selectAll().execute()
  for (const account of accounts) {
    const alerts = await alertsOf(database, account)
    assert.deepEqual(
      alerts.map(({ place }) => place),
      alerts.map((_, i) => i + 1),
    )
    for (const watch of rows.filter(({ account_id, kind }) => account_id === account && kind !== 'condition')) {
      const own = alerts.filter((alert) => alert.watch.id === watch.id)
      arrivals.check(folder, watch, own)
      const ids = own.flatMap((alert) => (isAsOfNewest(alert, market) ? [] : [alert.id]))
      assert.deepEqual(ids.sort(), expectedIds(market, watch).sort(), watch.target)
    }
  }
})

test('a storm is folded: what is reported and what the summaries count are all there is', async (t) => {
  const { entries, database, folder, start, pass, whole } = await open(t)
  const counts = new Map<string, number>()
  for (const { trader } of readMarket(whole).trades) counts.set(trader, (counts.get(trader) ?? 0) + 1)
  const [target, all] = [...counts].sort((a, b) => b[1] - a[1])[0]!
  const [account] = await makeAccounts(database, 1)
  const book = createWatchBook(database, { now: watchNow })
  await book.add(account!, 'free', { kind: 'wallet', target, name: 'busy', minLamports: 0 })
  const worker = start('one', 2)
  await worker.run()
  for (const entry of entries) {
    folder.fold([entry], 1)
    pass(100)
    await worker.run()
  }
  const alerts = await alertsOf(database, account!)
  const summaries = alerts.filter(({ event }) => event === 'summary')
  const folded = summaries.reduce((sum, { why }) => sum + (why.more as number), 0)
  // the market may be over before the minute is
  const [watch] = await book.list(account!)
  assert.ok(folded + watch!.folded > 0)
  assert.equal(alerts.length - summaries.length + folded + watch!.folded, all)
  const minutes = new Map<number, number>()
  for (const { event, at } of alerts) {
    if (event === 'summary') continue
    const minute = Math.floor(at / 60_000)
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
  }
  for (const own of minutes.values()) assert.ok(own <= 2)
})

test('colours: the alerts are the history of the verdict, whichever worker makes them', async (t) => {
  const { entries, database, folder, start, pass, whole } = await open(t, 900, 6)
  const [account] = await makeAccounts(database, 1)
  const book = createWatchBook(database, { now: watchNow })
  const tokens = Array.from({ length: whole.engine.globals.nextToken }, (_, id) => whole.store.token(id)!)
  for (const { id, mint } of tokens)
    await book.add(account!, 'pro', { kind: 'token', target: keyToBase58(mint), name: `${id}`, minLamports: 0 })
  let worker = start('one')
  await worker.run()
  for (const [n, entry] of entries.entries()) {
    folder.fold([entry], 1)
    if (n % 100 === 99) {
      await worker.close()
      worker = start(`after ${n}`)
    }
    pass(400)
    await worker.run()
  }
  const expected = tokens.flatMap(({ id, verdict: { history } }) =>
    history.map(({ slot, colour }, i) => `${id} ${slot} ${COLOURS[history[i - 1]?.colour ?? 0]} ${COLOURS[colour]}`),
  )
  assert.ok(expected.length >= 5, `${expected.length} changes`)
  const alerts = (await alertsOf(database, account!)).filter(({ event }) => event === 'colour_changed')
  const got = alerts.map(({ watch, slot, why }) => `${watch.name} ${slot} ${why.before} ${why.after}`)
  assert.deepEqual(got.sort(), expected.sort())
  assert.ok(alerts.every(({ why }) => typeof why.score === 'number'))
})
