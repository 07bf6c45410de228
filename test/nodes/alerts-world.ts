import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { sql } from 'kysely'
import { createFakeTelegram, type FakeTelegram } from '../fakes/telegram.ts'
import type { NatsCluster } from '../nats.ts'
import type { Postgres } from '../postgres.mjs'
import { operatorOf } from '../simulation/service.ts'
import type { Received } from '../support/delivery-scene.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/observe-certificate.ts'
import { SOMEWHERE } from '../support/observe-internet.ts'
import { createNode, type RunningNode } from './running.ts'

/** Two nodes over one PostgreSQL, a receiver of webhooks at https://secure.example/NAME, and the servers of Telegram. */
export interface AlertsWorld {
  readonly nodes: readonly [RunningNode, RunningNode]
  /** brings the rest of the market at once */
  readonly finisher: RunningNode
  readonly database: Database
  readonly received: readonly Received[]
  readonly telegram: FakeTelegram
  /** most calls of getUpdates that were open at once */
  readonly polls: { readonly most: number }
  close(): Promise<void>
}

const SITE = 'secure.example'
const TOKEN = '123456:a-token-of-a-test-that-nobody-else-has'
/** milliseconds for which getUpdates is held where there is nothing */
const POLL_MS = 500

interface AlertsChoice {
  /** empty */
  readonly dir: string
  readonly postgres: Postgres
  readonly nats: NatsCluster
  readonly capture: string
  /** of the market, until it is finished */
  readonly speed: number
  readonly random: () => number
}

export async function openAlertsWorld(choice: AlertsChoice): Promise<AlertsWorld> {
  const { dir, postgres, nats, capture, speed, random } = choice
  const closing: (() => unknown)[] = []
  const received: Received[] = []
  const hooks = await listen(receiver(received, random), closing)
  const telegram = createFakeTelegram(TOKEN, Date.now)
  const polls = { now: 0, most: 0 }
  const api = await listen(telegramServer(telegram, polls), closing)
  const [ca, token] = [join(dir, 'ca.pem'), join(dir, 'token')]
  writeFileSync(ca, CERTIFICATE)
  writeFileSync(token, `${TOKEN}\n`, { mode: 0o600 })
  const database = await openDatabase({ dataDir: '/nowhere', url: postgres.url })
  closing.push(database.close)
  const env = {
    ...{ DATABASE_URL: postgres.url, OBSERVE: 'off', LOG_LEVEL: 'warn' },
    ...{ TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL: `http://127.0.0.1:${api}`, NODE_EXTRA_CA_CERTS: ca },
    ...{ TEST_SITE: SITE, TEST_SITE_ADDRESS: SOMEWHERE, TEST_SITE_PORT: String(hooks) },
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'webhook-way.mjs'))}`,
  }
  const node = (name: string, role: 'all' | 'ingest', speedOf: number) =>
    createNode({ ...{ dir, name, role, nats, env }, source: `capture:${capture}?speed=${speedOf}` })
  const [one, two, finisher] = [node('one', 'all', speed), node('two', 'all', speed), node('finisher', 'ingest', 0)]
  closing.push(() => Promise.all([one, two, finisher].map((running) => running.kill())))
  return {
    ...{ nodes: [one, two], finisher, database, received, telegram, polls },
    async close() {
      for (const end of closing.splice(0).reverse()) await end()
    },
  }
}

async function listen(server: Server & { closeAllConnections(): void }, closing: (() => unknown)[]): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  return (server.address() as AddressInfo).port
}

/** Answers after a while, so that a kill finds messages that have arrived and not been noted. */
const receiver = (received: Received[], random: () => number) =>
  createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const { type, data } = JSON.parse(body)
      if (type === 'alert.challenge') return void response.end(data.challenge)
      received.push({ path: request.url!, headers: request.headers as Record<string, string>, body })
      setTimeout(() => response.writeHead(204).end(), random() < 0.1 ? 400 : 60 * random())
    })
  })

const telegramServer = ({ serve }: FakeTelegram, polls: { now: number; most: number }) =>
  createHttpServer((request, response) => {
    if (!request.url!.endsWith('/getUpdates')) return void serve(request, response)
    polls.now++
    polls.most = Math.max(polls.most, polls.now)
    response.on('close', () => polls.now--)
    setTimeout(() => serve(request, response), POLL_MS)
  })

/** The value of a metric without labels; null while the node does not answer. */
export async function metricOf(node: RunningNode, name: string): Promise<number | null> {
  const url = node.url()
  const answer = url === null ? null : await fetch(`${operatorOf(url)}/metrics`).catch(() => null)
  const [, value] = new RegExp(`^${name} (\\d+)$`, 'm').exec((await answer?.text()) ?? '') ?? []
  return value === undefined ? null : Number(value)
}

/** Leases that a node holds, as it says itself. */
interface Held {
  readonly alerts: boolean
  readonly deliveries: boolean
}

export async function heldBy(node: RunningNode): Promise<Held> {
  const [alerts, deliveries] = await Promise.all([
    metricOf(node, 'ti_alerts_lease'),
    metricOf(node, 'ti_deliveries_lease'),
  ])
  return { alerts: alerts === 1, deliveries: deliveries === 1 }
}

/** As if whoever held them had been silent for as long as they last. */
export async function endLeases({ sql: db }: Database, { alerts, deliveries }: Held): Promise<void> {
  const over = { lease_until: new Date(0) }
  const names = [...(alerts ? ['alerts'] : []), ...(deliveries ? ['deliveries'] : [])]
  if (names.length > 0) await db.updateTable('leases').set(over).where('name', 'in', names).execute()
}

export async function openLeases({ sql: db }: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from leases
    where lease_until > clock_timestamp()`.execute(db)
  return rows[0]!.n
}

/** As if a claim were over: the attempts of nodes that were killed are made again. */
export async function endClaims({ sql: db }: Database): Promise<void> {
  await sql`update deliveries set due_at = now() where state = 'waiting' and attempts > 0`.execute(db)
}

/** Whether every destination was handed all alerts of its account, and nothing waits. */
export async function isDelivered({ sql: db }: Database): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select
    (select count(*) from deliveries where state = 'waiting')::int
    + (select count(*) from destinations join alert_counters using (account_id) where seq > alert_seq)::int as n`.execute(
    db,
  )
  return rows[0]!.n === 0
}
