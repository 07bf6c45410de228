import type { PaymentsStatus } from '../../access/x402/types.ts'

/** What the composition root says about the service at this moment; asked on every data request, so it must be cheap. */
export interface ServiceStatus {
  /** false while starting and when the source is lost for longer than its limit: data answers are then 503 */
  readonly ready: boolean
  readonly starting: boolean
  /** why it is not ready, in words a client may see */
  readonly reason: string | null
  /** slots between the source's newest block and the newest one served, null when unknown */
  readonly lagSlots: number | null
  /** newest log entry and chain slot served, -1 before the first */
  readonly seq: number
  readonly slot: number
}

/** seconds a client is asked to wait when the service is not ready */
export const RETRY_AFTER_S = 5

export const notReadyMessage = (status: ServiceStatus): string =>
  status.reason ?? (status.starting ? 'the service is starting' : 'the service has lost its source')

export const readiness = (status: ServiceStatus, payments: PaymentsStatus): object => ({
  ready: status.ready,
  starting: status.starting,
  reason: status.reason,
  lag_slots: status.lagSlots,
  seq: status.seq,
  slot: status.slot,
  payments,
})
