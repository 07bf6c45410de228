import { randomBytes } from 'node:crypto'
import type { ActorProfile } from '@ti/core/contract/actors.ts'
import { noArguments } from '@ti/core/query/operations.ts'
import type { Reads } from '@ti/core/query/reads.ts'
import type { Shared } from '../access/shared/shared.ts'
import type { Database } from '../access/sql/database.ts'
import { createAlertSource } from '../alerts/source.ts'
import { createAlertStore, createWatchBook } from '../alerts/watches.ts'
import { createAlertWorker } from '../alerts/worker.ts'
import { ALERT_WORK, createWorkerStore, type WorkerStore } from '../alerts/worker-store.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'
import type { Options } from '../config/options.ts'
import { isLiveSource } from '../config/options.ts'
import type { Folding } from './folding.ts'

/** Watches and their alerts in the database, and the rows with which the worker makes them. */
export const openAlerts = (database: Database, { reads, shared }: { reads: Pick<Reads, 'find'>; shared: Shared }) => ({
  book: createWatchBook(database, { now: Date.now, actorNo: (id) => actorNo(reads, id), shared }),
  alertStore: createAlertStore(database),
  rows: createWorkerStore(database, randomBytes(9).toString('base64url')),
})

interface AlertWork {
  readonly folding: Pick<Folding, 'node' | 'isWhole' | 'isAgreed'>
  readonly rows: WorkerStore
  readonly onAlerts: (accounts: ReadonlySet<string>) => void
  readonly options: Pick<Options, 'publicUrl' | 'source'>
  readonly metrics: Metrics
}

/** Makes the alerts while this node holds the lease. */
export function startAlertWorker({ folding, rows, onAlerts, options, metrics }: AlertWork) {
  const { node } = folding
  const worker = createAlertWorker({
    ledger: rows,
    source: createAlertSource(node.engine, node.store),
    places: {
      page: options.publicUrl,
      explorer: isLiveSource(options.source) ? 'https://solscan.io/tx/' : null,
    },
    now: () => performance.now(),
    onAlerts,
  })
  metrics.gauge('ti_alerts_lease', '1 where this node makes the alerts', [], () => (worker.holds ? 1 : 0))
  metrics.gauge('ti_alerts_waiting', 'tokens that traded and whose conditions are not evaluated yet', [], () => worker.waiting)
  // the alerts of all nodes are those of the fold that they serve
  const isWhole = (): boolean => folding.isWhole() && folding.isAgreed()
  const poller = createPoller({
    what: 'alerts',
    everyMs: ALERT_WORK.lookMs,
    run: () => (isWhole() && worker.due() ? worker.run() : null),
  })
  return {
    /** something was committed */
    wake: poller.wake,
    async close(): Promise<void> {
      worker.stop()
      await poller.stop()
      await worker.close()
    },
  }
}

/** Returns the number of the actor that this id belongs to today. */
async function actorNo({ find }: Pick<Reads, 'find'>, id: string): Promise<number | null> {
  const found = await find('actor', { ...noArguments(), id })
  return found === null ? null : (JSON.parse(found.data.bytes.toString()) as Pick<ActorProfile, 'no'>).no
}
