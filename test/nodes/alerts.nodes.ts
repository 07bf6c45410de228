import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseAway } from '@ti/service/access/sql/away.ts'
import type { Alert } from '@ti/service/alerts/alert.ts'
import { openSource } from '@ti/service/source/open.ts'
import { sql } from 'kysely'
import { startNats, withNats } from '../nats.ts'
import { type Postgres, startPostgres } from '../postgres.mjs'
import { createFolder } from '../properties/prefix.ts'
import { command } from '../simulation/service.ts'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { eventually } from '../support/wait.ts'
import { conditionIds, createArrivals, entriesOf, makeAccounts, makeWatches, readMarket } from '../support/watchers.ts'
import { checkAsOfNewest, compare, expectationOf } from './alerts-compared.ts'
import { checkChat, checkHooks, type InDoubt, linkChat, makeHooks } from './alerts-receivers.ts'
import {
  type AlertsWorld,
  endClaims,
  endLeases,
  heldBy,
  isDelivered,
  metricOf,
  openAlertsWorld,
  openLeases,
} from './alerts-world.ts'
import { assertAlike, type RunningNode, untilAllAt } from './running.ts'

/**
 * Two nodes over one PostgreSQL make alerts and deliver them to webhooks and a Telegram chat while nodes and database are killed: the
 * alerts are those that a slow second implementation finds in the log, and all of them arrive.
 */
const SEED = seed()
const KILLS = runs(21)
const TRADES = 4_000
const ACCOUNTS = 8
const [EARLY, WATCHES] = [150, 200]
/** of the market while something is killed: slow enough that it lasts */
const SPEED = 0.2
const SLOW = { deadlineMs: 180_000 }

const dir = mkdtempSync(join(tmpdir(), 'alerts-market-'))
const capture = join(dir, 'market.capture')
const postgres: Postgres | { readonly missing: string } = await startPostgres()
const withServers = { skip: withNats.skip || ('missing' in postgres && postgres.missing), timeout: 900_000 }
const server = (): Postgres => postgres as Postgres
if (!('missing' in postgres)) process.on('exit', postgres.stop)

const [whole, replayed] = [createFolder(), createFolder()]
let world: AlertsWorld
const closing: (() => unknown)[] = []
let entries: Buffer[] = []
before(async () => {
  if (withServers.skip) return
  await command('capture', 'simulate', capture, '--trades', String(TRADES), '--seed', String(SEED))
  entries = await entriesOf(await openSource(`capture:${capture}?speed=0`))
  whole.fold(entries, 50)
  const nats = await startNats({ after: (end) => void closing.push(end) }, 1)
  world = await openAlertsWorld({
    ...{ dir, postgres: server(), nats, capture, speed: SPEED, random: seededRandom(SEED + 1) },
  })
  closing.push(world.close)
})
after(async () => {
  for (const end of closing.reverse()) await end()
  await Promise.all([whole.remove(), replayed.remove()])
  if (!('missing' in postgres)) postgres.stop()
  rmSync(dir, { recursive: true, force: true })
})

type Kind = 'holder' | 'other' | 'postmaster' | 'backend'
/** as often as they stand here */
const KINDS: readonly Kind[] = [
  ...(['holder', 'holder', 'other'] as const),
  ...(['postmaster', 'postmaster', 'backend', 'backend', 'backend', 'backend'] as const),
]

/** The kinds again and again, each round in an order of chance. */
function* kinds(random: () => number): Generator<Kind> {
  for (;;) for (const left = [...KINDS]; left.length > 0; ) yield left.splice(Math.floor(random() * left.length), 1)[0]!
}

/** The node that makes alerts, and the other one. */
async function byLease({ nodes: [one, two] }: AlertsWorld): Promise<readonly [RunningNode, RunningNode]> {
  let found: readonly [RunningNode, RunningNode] | null = null
  await eventually('a node holds the lease of alerts', async () => {
    const [first, second] = await Promise.all([one, two].map((node) => metricOf(node, 'ti_alerts_lease')))
    if (first !== second) found = first === 1 ? [one, two] : [two, one]
    return first === 1 || second === 1
  })
  return found ?? [one, two]
}

/** What the database says, which may be coming back from an earlier kill; any other error is one. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  let said: { readonly it: T } | null = null
  await eventually('the database answers', async () => {
    try {
      said = { it: await ask() }
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
    }
    return said !== null
  })
  return said!.it
}

const KILL: Readonly<Record<Kind, (random: () => number) => Promise<void>>> = {
  holder: async (random) => restart((await byLease(world))[0], random),
  other: async (random) => restart((await byLease(world))[1], random),
  async postmaster(random) {
    await server().kill()
    await pause(random() * 1_500)
    await server().start()
  },
  async backend() {
    const one = sql<{ pid: number }>`select pid from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid limit 1`
    // none is there while the nodes have lost theirs to an earlier kill and not asked since
    await eventually('a connection of a node can be killed', async () => {
      const { rows } = await answered(() => one.execute(world.database.sql))
      return rows.some(({ pid }) => isKilled(pid))
    })
  },
}

/** Or false, if the process has ended before. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Where another node need not wait for the end of what it held, time seems to have passed. */
async function restart(node: RunningNode, random: () => number): Promise<void> {
  const held = await heldBy(node)
  await node.kill()
  if (random() < 0.7) await answered(() => endLeases(world.database, held))
  await pause(random() * 500)
  await node.start()
}

/** What was claimed and is not noted: sent, perhaps. */
async function addInDoubt(inDoubt: InDoubt): Promise<void> {
  const { sql: db } = world.database
  await eventually('the database answers', async () => {
    const open = db.selectFrom('deliveries').select(['destination_id', 'alert_id']).where('state', '=', 'waiting')
    const rows = await open
      .where('attempts', '>', 0)
      .execute()
      .catch(() => null)
    for (const { destination_id: to, alert_id: id } of rows ?? [])
      inDoubt.set(`${to} ${id}`, (inDoubt.get(`${to} ${id}`) ?? 0) + 1)
    return rows !== null
  })
}

/** Through the kills, and through the rest of the market at once. */
async function playAndKill(random: () => number, onHalf: () => Promise<void>) {
  const inDoubt: InDoubt = new Map()
  const counts = new Map<Kind, number>()
  const order = kinds(random)
  const last = whole.engine.globals.slot
  for (let n = 0; n < KILLS; n++) {
    const before = world.received.length
    // or the market has ended, on a machine that does other things as well
    const isOver = async () => (await Promise.all(world.nodes.map((node) => node.slot()))).includes(last)
    await eventually('something arrives', async () => world.received.length > before + 3 || (await isOver()), SLOW)
    await pause(random() * 1_000)
    if (n === KILLS >> 1) await onHalf()
    const kind = order.next().value as Kind
    await KILL[kind](random)
    await addInDoubt(inDoubt)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  await world.finisher.start()
  await untilAllAt([...world.nodes, world.finisher], last)
  await answered(() => endClaims(world.database))
  return { inDoubt, counts }
}

const NAME = `two nodes, ${KILLS} kills of nodes and of the database: every alert of the log, each once, and all of them delivered`
test(NAME, withServers, async (t) => {
  t.diagnostic(`seed ${SEED}, ${entries.length} entries`)
  const random = seededRandom(SEED)
  const { database, nodes, received, polls } = world
  const accounts = await makeAccounts(database, ACCOUNTS)
  await makeWatches(database, accounts, whole, random, [0, EARLY])
  const market = readMarket(whole)
  const hooks = await makeHooks(database, accounts)
  await Promise.all(nodes.map((node) => node.start()))
  const chat = await linkChat(world, market, accounts[0]!)
  const { inDoubt, counts } = await playAndKill(random, () =>
    makeWatches(database, accounts, whole, random, [EARLY, WATCHES]),
  )
  t.diagnostic([...counts].map(([kind, count]) => `${count} of ${kind}`).join(', '))

  const arrivals = createArrivals()
  const conditions = conditionIds(whole, entries, replayed, 1, (trade, event) =>
    arrivals.committed(replayed, trade, event),
  )
  const expected = expectationOf(market, conditions)
  const compared = () => Promise.all(accounts.map((account) => compare(database, account, expected)))
  let missing: string[] = []
  await eventually(
    'every alert is there',
    async () => {
      missing = (await compared()).flatMap((one) => one.missing)
      return missing.length === 0
    },
    { ...SLOW, seen: () => missing.join('; ') },
  )
  await eventually('nothing waits', () => isDelivered(database), SLOW)
  assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0], 'both end in order')

  const alerts: Alert[] = []
  for (const one of await compared()) {
    assert.deepEqual([one.missing, one.surplus], [[], []])
    assert.deepEqual(
      one.alerts.map(({ place }) => place),
      one.alerts.map((_, i) => i + 1),
      'none left out',
    )
    assert.ok(
      one.alerts.every(({ seq }, i) => i === 0 || seq > one.alerts[i - 1]!.seq),
      'numbers grow',
    )
    assert.equal(new Set(one.alerts.map(({ id }) => id)).size, one.alerts.length, 'each once')
    alerts.push(...one.alerts)
  }
  for (const account of accounts) await checkAsOfNewest(database, account, arrivals, whole)
  const repeated = checkHooks(hooks, received, alerts, inDoubt)
  t.diagnostic(`${alerts.length} alerts, ${received.length} messages, ${repeated} repeated, ${inDoubt.size} in doubt`)
  assert.ok(alerts.length > 200 && repeated <= KILLS * hooks.length)
  checkChat(world, chat, alerts, inDoubt)
  assert.equal(polls.most, 1, 'one node at a time asks Telegram')
  assert.equal(await openLeases(database), 0, 'leases were given back')
  await assertAlike(nodes, whole.store.stateHash())
})
