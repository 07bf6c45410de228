import type { Alert } from '../alert.ts'
import type { Outcome } from './outcome.ts'
import type { OpenDestination } from './queue.ts'

/** One kind of destinations. */
export interface Sender {
  /** milliseconds until something may be sent there; 0: now */
  waitMs(to: OpenDestination): number
  /** One attempt. Never throws for what the other side does. */
  send(to: OpenDestination, alert: Alert): Promise<Outcome>
}
