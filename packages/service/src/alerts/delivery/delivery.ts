import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Shared } from '../../access/shared/shared.ts'
import type { Database } from '../../access/sql/database.ts'
import { createLease } from '../../access/sql/lease.ts'
import type { Metrics } from '../../base/metrics.ts'
import { closeAll } from '../../base/parts.ts'
import { createPoller } from '../../base/poller.ts'
import { processTroubles } from '../../base/troubles.ts'
import type { Poster } from '../../observe/outbound/outbound.ts'
import type { AlertReader } from '../alert.ts'
import { createBot } from './bot.ts'
import type { AskWho, WatchBook } from './bot-answers.ts'
import { type ChatBook, createChatBook } from './chats.ts'
import { createDeliveryLog } from './deliveries.ts'
import { createDestinationBook } from './destinations.ts'
import { KINDS } from './kinds.ts'
import { startPolling } from './polling.ts'
import { createDeliveryQueue } from './queue.ts'
import { createTelegramApi, createTelegramPace } from './telegram.ts'
import { createDeliveryWorker, DELIVERY_WORK, type DeliveryWorker } from './worker.ts'

/** Destinations of alerts and the worker that delivers to them. */
export type Delivery = ReturnType<typeof startDelivery>

interface DeliveryOptions {
  readonly database: Database
  readonly reader: AlertReader
  /** A client that only reaches the public internet. It is closed with the delivery. */
  readonly outbound: Poster
  readonly metrics: Metrics
  readonly shared: Shared
  /** Null if there is no bot. */
  readonly telegram: TelegramDelivery | null
}

interface TelegramDelivery {
  /** The address of the Bot API. */
  readonly url: string
  readonly token: string
  readonly watches: WatchBook
  readonly who: AskWho
  /** A client without the filter, because the operator may run the API anywhere. */
  readonly outbound: Poster
}

/** Starts the delivery worker. The node that holds the lease delivers. */
export function startDelivery({ database, reader, outbound, metrics, shared, telegram }: DeliveryOptions) {
  const now = Date.now
  const steady = () => performance.now()
  const book = createDestinationBook(database, { now, outbound, reader, telegram: telegram !== null, shared })
  const bot = telegram && createTelegram(telegram, createChatBook(database, { now, reader }), steady)
  const worker = createDeliveryWorker({
    queue: createDeliveryQueue(database, { now, random: Math.random }),
    reader,
    lease: createLease(database, {
      name: 'deliveries',
      owner: randomBytes(9).toString('base64url'),
      ms: DELIVERY_WORK.leaseMs,
    }),
    shared,
    senders: Object.fromEntries(
      Object.entries(KINDS).map(([kind, { sender }]) => [kind, sender({ outbound, now, steady, bot })]),
    ),
    always: bot !== null,
    now: steady,
    onFree: () => poller.wake(),
  })
  const poller = createPoller({ what: 'deliveries', everyMs: worker.nextMs, run: worker.run })
  const polling = bot && startPolling(bot.bot, () => worker.holds)
  const stopListening = reader.listen(poller.wake)
  addMetrics(metrics, worker)
  return {
    book,
    log: createDeliveryLog(database, { now }),
    /** Tells the worker that a delivery is due. */
    wake: poller.wake,
    botName: (): string | null => polling?.botName() ?? null,
    /** Ends the deliveries in flight. */
    close(): Promise<void> {
      return closeAll([
        stopListening,
        poller.stop,
        () => polling?.close(),
        outbound.close,
        () => telegram?.outbound.close(),
        worker.close,
      ])
    },
  }
}

function createTelegram({ url, token, watches, who, outbound }: TelegramDelivery, chats: ChatBook, now: () => number) {
  const api = createTelegramApi({ outbound, url, token })
  const pace = createTelegramPace(now)
  const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal })
  const bot = createBot({ api, pace, chats, watches, who, pause, troubles: processTroubles })
  return { bot, api, pace }
}

function addMetrics(metrics: Metrics, worker: DeliveryWorker): void {
  metrics.counter('ti_deliveries_total', 'attempts to deliver alerts', ['kind', 'outcome'], function* () {
    for (const [name, value] of worker.counts) {
      const [kind = '', outcome = ''] = name.split(':')
      yield { labels: { kind, outcome }, value }
    }
  })
  metrics.gauge('ti_deliveries_waiting', 'alerts that wait for a delivery', ['kind'], () =>
    worker.waiting.map(({ kind, count }) => ({ labels: { kind }, value: count })),
  )
  metrics.gauge('ti_deliveries_oldest_seconds', 'since when the oldest of them waits', ['kind'], () =>
    worker.waiting.map(({ kind, oldestMs }) => ({ labels: { kind }, value: (Date.now() - oldestMs) / 1_000 })),
  )
  metrics.gauge('ti_deliveries_lease', '1 where this node delivers', [], () => (worker.holds ? 1 : 0))
}
