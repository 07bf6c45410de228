import type { Readiness } from '../../access/refusals.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'

/** What the composition root says about the service at this moment; asked on every data request, so it must be cheap. */
export interface ServiceStatus extends Readiness {
  /** slots between the source's newest block and the newest one served, null when unknown */
  readonly lagSlots: number | null
  /** newest log entry and chain slot served, -1 before the first */
  readonly seq: number
  readonly slot: number
}

export const readiness = (status: ServiceStatus, payments: PaymentsStatus): object => ({
  ready: status.ready,
  starting: status.starting,
  reason: status.reason,
  lag_slots: status.lagSlots,
  seq: status.seq,
  slot: status.slot,
  payments,
})
