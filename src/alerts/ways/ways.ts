import { randomBytes } from 'node:crypto'
import type { Database } from '../../access/sql/database.ts'
import { closeAll } from '../../base/close-all.ts'
import { every } from '../../base/every.ts'
import type { Metrics } from '../../base/metrics.ts'
import { processTroubles } from '../../base/troubles.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Outbound, Poster } from '../../observe/outbound/outbound.ts'
import type { AlertReader } from '../alert.ts'
import { createDestinationBook, type DestinationBook } from './book.ts'
import { createDeliveryLog, type DeliveryLog } from './deliveries.ts'
import { createLease } from './lease.ts'
import { createDeliveryQueue } from './queue.ts'
import { createWebhookSender } from './webhook.ts'
import { createDeliveryWorker, type DeliveryWorker } from './worker.ts'

/** Where alerts go, and what takes them there. */
export interface Ways {
  readonly book: DestinationBook
  readonly log: DeliveryLog
  readonly botName: () => string | null
  /** something is due */
  readonly wake: () => void
  /** ends what is on its way */
  close(): Promise<void>
}

interface WaysOptions {
  readonly database: Database
  readonly reader: AlertReader
  /** the way out, filtered; closed with the rest */
  readonly outbound: Outbound & Poster
  readonly metrics: Metrics
}

/** Starts deliveries: by whichever node holds the lease. */
export function startWays({ database, reader, outbound, metrics }: WaysOptions): Ways {
  const now = Date.now
  const book = createDestinationBook(database, { now, outbound, reader, telegram: false })
  let closed = false
  let soon: NodeJS.Timeout | undefined
  const worker = createDeliveryWorker({
    ...{ queue: createDeliveryQueue(database, { now, random: Math.random }), reader },
    lease: createLease(database, {
      name: 'ways',
      owner: randomBytes(9).toString('base64url'),
      ms: LIMITS.ways.leaseMs,
    }),
    senders: { webhook: createWebhookSender({ outbound, now }) },
    now: () => performance.now(),
    onFree: () => wake(),
  })
  async function look(): Promise<void> {
    await worker.run()
    const nextMs = worker.nextMs()
    clearTimeout(soon)
    if (!closed && nextMs < LIMITS.ways.lookMs) soon = setTimeout(wake, nextMs)
  }
  function wake(): void {
    if (!closed) look().catch((error: unknown) => processTroubles.note('deliveries', error))
  }
  const stops = [every({ what: 'deliveries', ms: LIMITS.ways.lookMs, run: wake }), reader.listen(wake)]
  addMetrics(metrics, worker)
  return {
    ...{ book, log: createDeliveryLog(database, { now }), botName: () => null, wake },
    close() {
      closed = true
      clearTimeout(soon)
      return closeAll([...stops, outbound.close, worker.close])
    },
  }
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
  metrics.gauge('ti_deliveries_lease', '1 where this node delivers', [], () => [
    { labels: {}, value: worker.holds ? 1 : 0 },
  ])
}
