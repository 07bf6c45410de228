import type { Readiness } from '../../access/refusals.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'

/** What the composition root says about the service at this moment; asked on every data request, so it must be cheap. */
export interface ServiceStatus extends Readiness {
  /** slots between the source's newest block and the newest one served, null when unknown */
  readonly lagSlots: number | null
  /** newest log entry and chain slot served, -1 before the first */
  readonly seq: number
  readonly slot: number
  /** of a live source, null before it has said anything */
  readonly source?: LiveSource | null
  /** messages of a log that several nodes share which this one has not read; null: it has read none yet */
  readonly logPending?: number | null
  /** subjects that observers could look at now, by observer; null: nothing is asked of the outside */
  readonly waitingOutside?: Readonly<Record<string, number>> | null
}

/** Whether the database of accounts and payments answers; while it does not, keys are judged by what is in memory. */
export interface AccountsStatus {
  readonly answering: boolean
  /** RFC 3339, when it answered last; null while it does */
  readonly since: string | null
}

export interface LiveSource {
  readonly endpoints: number
  readonly connected: number
  /** -1 none */
  readonly newestSlot: number
  /** slots being fetched one by one, and slots given up */
  readonly filling: number
  readonly missing: number
  readonly heldBytes: number
  readonly counts: ReadonlyMap<string, number>
}

const sourceReadiness = (source: LiveSource) => ({
  endpoints: source.endpoints,
  connected: source.connected,
  newest_slot: source.newestSlot,
  filling: source.filling,
  missing: source.missing,
  held_bytes: source.heldBytes,
})

/** `accounts` and `payments`: null on a node that has none */
export const readiness = (
  status: ServiceStatus,
  accounts: AccountsStatus | null,
  payments: PaymentsStatus | null,
): object => ({
  ready: status.ready,
  starting: status.starting,
  reason: status.reason,
  lag_slots: status.lagSlots,
  seq: status.seq,
  slot: status.slot,
  ...(status.logPending === undefined ? {} : { log_pending: status.logPending }),
  ...(status.source ? { source: sourceReadiness(status.source) } : {}),
  ...(status.waitingOutside ? { waiting_outside: status.waitingOutside } : {}),
  ...(accounts === null ? {} : { accounts }),
  ...(payments === null ? {} : { payments }),
})
