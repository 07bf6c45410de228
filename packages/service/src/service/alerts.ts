import { randomBytes } from 'node:crypto'
import type { ActorProfile } from '@ti/core/contract/actors.ts'
import type { Query } from '@ti/core/query/query.ts'
import type { Database } from '../access/sql/database.ts'
import { createAlertSource } from '../alerts/source.ts'
import { createAlertStore, createWatchBook } from '../alerts/watches.ts'
import { createAlertWorker } from '../alerts/worker.ts'
import { ALERT_WORK, createWorkerStore } from '../alerts/worker-store.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'
import type { Options } from '../config/options.ts'
import { isLiveSource } from '../config/options.ts'
import type { Folding } from './folding.ts'

interface AlertsParts {
  readonly database: Database
  readonly folding: Pick<Folding, 'node' | 'isWhole'>
  readonly query: ActorQuery
  readonly options: Options
  readonly metrics: Metrics
}

/** Watches, their alerts, and the worker that makes the alerts while this node holds the lease. */
export function openAlerts({ database, folding: { node, isWhole }, query, options, metrics }: AlertsParts) {
  const book = createWatchBook(database, { now: Date.now, actorNo: (id) => actorNo(query, id) })
  const alertStore = createAlertStore(database)
  const worker = createAlertWorker({
    ledger: createWorkerStore(database, randomBytes(9).toString('base64url')),
    source: createAlertSource(node.engine, node.store),
    places: {
      page: options.publicUrl,
      explorer: isLiveSource(options.source) ? 'https://solscan.io/tx/' : null,
    },
    now: () => performance.now(),
    onAlerts: alertStore.notify,
  })
  metrics.gauge('ti_alerts_lease', '1 where this node makes the alerts', [], () => (worker.holds ? 1 : 0))
  const poller = createPoller({
    what: 'alerts',
    everyMs: ALERT_WORK.lookMs,
    run: () => (isWhole() && worker.due() ? worker.run() : null),
  })
  return {
    book,
    alertStore,
    /** something was committed */
    wake: poller.wake,
    async close(): Promise<void> {
      worker.stop()
      await poller.stop()
      await worker.close()
    },
  }
}

type ActorQuery = Pick<Query, 'named' | 'actor' | 'settled'>

/** Returns the number of the actor that this id belongs to today. */
async function actorNo(query: ActorQuery, id: string): Promise<number | null> {
  await query.named(id)
  const found = await query.settled(() => query.actor(id))
  return found === null ? null : (JSON.parse(found.bytes.toString()) as Pick<ActorProfile, 'no'>).no
}
