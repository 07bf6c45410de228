import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { DestinationKind } from '@ti/core/contract/account.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { createShared } from '@ti/service/access/shared/shared.ts'
import { createLease } from '@ti/service/access/sql/lease.ts'
import type { Alert } from '@ti/service/alerts/alert.ts'
import { createDeliveryLog } from '@ti/service/alerts/delivery/deliveries.ts'
import { createDestinationBook, type NewDestination } from '@ti/service/alerts/delivery/destinations.ts'
import { createDeliveryQueue, type DeliveryQueue } from '@ti/service/alerts/delivery/queue.ts'
import type { Sender } from '@ti/service/alerts/delivery/sender.ts'
import { createWebhookSender } from '@ti/service/alerts/delivery/webhook.ts'
import { createDeliveryWorker, DELIVERY_WORK } from '@ti/service/alerts/delivery/worker.ts'
import { createAlertStore } from '@ti/service/alerts/watches.ts'
import { createOutboundOn } from '@ti/service/observe/outbound/outbound.ts'
import { emptyDatabase } from './database.ts'
import { createInternet, until } from './observe-internet.ts'
import { wallet } from './wallet.ts'

export const DELIVERY_BEGIN = Date.UTC(2026, 0, 1)
/** deliveries that may wait for a destination */
export const WAITING = 20
/** milliseconds of an attempt at /hangs while nobody answers there */
const HANG_MS = 150

export const anAlert = (account: string, seq: number, more: Partial<Alert> = {}): Alert => ({
  ...{
    account,
    seq,
    place: seq,
    id: `alert_${account}_${seq}`,
    watch: { id: 'watch_a', name: 'mine' },
    event: 'bought',
  },
  ...{ title: `alert ${seq}`, text: 'slot 5, sol_amount 1.5', why: { sol_amount: 1.5 }, mint: null, wallet: null },
  ...{ slot: 5, at: DELIVERY_BEGIN, links: [{ label: 'token', url: 'https://ti.example/token/abc' }] },
  ...more,
})

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a webhook once its body is there. */
export type Receiver = (request: IncomingMessage, response: ServerResponse, got: Received) => unknown

/** Destinations over real tables, a clock that stands until it is moved, and receivers at https://secure.example/NAME. */
export async function deliveryScene(t: TestContext, extra: Readonly<Partial<Record<DestinationKind, Sender>>> = {}) {
  const database = await emptyDatabase(t)
  const net = await createInternet()
  t.after(() => net.close())
  let ms = DELIVERY_BEGIN
  const now = () => ms
  const outbound = createOutboundOn(net.network, { inAll: 100, perHost: 100 })
  const accounts = createAccounts(database, { now })
  const alertStore = createAlertStore(database)
  const book = createDestinationBook(database, { now, outbound, reader: alertStore, telegram: true })
  const received: Received[] = []
  const receivers = new Map<string, Receiver>()
  net.site('secure.example', (request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const got = { path: request.url!, headers: request.headers as Record<string, string>, body }
      received.push(got)
      const serve = receivers.get(got.path.slice(1))
      if (serve === undefined) response.writeHead(204).end()
      else serve(request, response, got)
    })
  })

  const post: typeof outbound.post = (asked) =>
    outbound.post(asked.url.endsWith('/hangs') && receivers.has('hangs') ? { ...asked, timeoutMs: HANG_MS } : asked)
  const senders = { webhook: createWebhookSender({ outbound: { post }, now, steady: now }), ...extra }

  /** One node's worker; `over` stands between it and the tables. */
  function node(owner: string, over: (queue: DeliveryQueue) => DeliveryQueue = (queue) => queue, own = senders) {
    const queue = over(createDeliveryQueue(database, { now, random: () => 0.5, room: WAITING }))
    let [begun, ended] = [0, 0]
    let free = () => {}
    const troubles: unknown[] = []
    const counted: DeliveryQueue = {
      ...queue,
      claim: (...claim) => {
        begun++
        return queue.claim(...claim)
      },
    }
    const worker = createDeliveryWorker({
      ...{ queue: counted, reader: alertStore, senders: own, now },
      lease: createLease(database, { name: 'deliveries', owner, ms: DELIVERY_WORK.leaseMs }),
      shared: createShared(),
      onFree: () => {
        ended++
        free()
      },
      troubles: { note: (_, error) => void troubles.push(error) },
    })
    /** Works until nothing is due any more at this moment. */
    async function drain(): Promise<void> {
      for (let seen = -1; seen !== begun; ) {
        seen = begun
        await worker.run()
        while (begun > ended) await new Promise<void>((done) => (free = done))
      }
    }
    return { worker, drain, troubles, queue }
  }

  const main = node('main')
  return {
    ...{ until, database, net, outbound, accounts, alertStore, book, received, receivers, senders, now, node },
    ...main,
    log: createDeliveryLog(database, { now }),
    pass(by: number) {
      ms += by
    },
    account: async () => (await accounts.ofWallet(wallet().address)).id,
    /** A destination that must be accepted; its receiver has answered the challenge, unless it is `unverified`. */
    async add(
      account: string,
      { unverified = false, ...asked }: Partial<NewDestination> & { unverified?: boolean } = {},
    ) {
      const kind = asked.kind ?? 'webhook'
      const url = kind === 'webhook' ? { url: `https://secure.example/${asked.name ?? 'hook'}` } : {}
      const made = await book.add(account, 'pro', { kind, name: 'hook', ...url, ...asked })
      if (!made.ok) throw new Error(made.message)
      if (kind === 'webhook' && !unverified) {
        const { id } = made.destination
        await database.sql.deleteFrom('deliveries').where('destination_id', '=', id).execute()
        const answered = { delivered_at: new Date(ms - 1), next_number: 1 }
        await database.sql.updateTable('destinations').set(answered).where('id', '=', id).execute()
      }
      return made
    },
    /** Commits alerts of an account, as the worker that makes them does. */
    async emit(account: string, count = 1, more: Partial<Alert> = {}) {
      const from = ((await alertStore.heads([account])).get(account) ?? 0) + 1
      const made = Array.from({ length: count }, (_, i) => anAlert(account, from + i, more))
      const rows = made.map((alert) => ({
        ...{ account_id: account, seq: alert.seq, number: alert.seq, id: alert.id, body: JSON.stringify(alert) },
      }))
      await database.sql.insertInto('alerts').values(rows).execute()
      await database.sql
        .insertInto('alert_counters')
        .values({ account_id: account, seq: from + count - 1, number: from + count - 1 })
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet({ seq: from + count - 1, number: from + count - 1 }),
        )
        .execute()
      return made
    },
    /** Moves the clock to the next moment at which a delivery is due; false: none waits. */
    async toNextDue(): Promise<boolean> {
      const waiting = await database.sql
        .selectFrom('deliveries')
        .innerJoin('destinations', 'destinations.id', 'destination_id')
        .select(['due_at', 'rest_until'])
        .where('state', '=', 'waiting')
        .execute()
      if (waiting.length === 0) return false
      const due = waiting.map(({ due_at, rest_until }) => Math.max(due_at.getTime(), rest_until?.getTime() ?? 0))
      ms = Math.max(ms, Math.min(...due))
      return true
    },
    deliveries: (destination: string) =>
      database.sql
        .selectFrom('deliveries')
        .selectAll()
        .where('destination_id', '=', destination)
        .orderBy('number')
        .execute(),
    row: (id: string) =>
      database.sql.selectFrom('destinations').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  }
}

export type DeliveryScene = Awaited<ReturnType<typeof deliveryScene>>
