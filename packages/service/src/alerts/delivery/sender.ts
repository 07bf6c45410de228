import type { Alert } from '../alert.ts'
import type { Outcome } from './outcome.ts'
import type { OpenDestination } from './queue.ts'

/** One kind of destinations. */
export interface Sender {
  /** Takes a turn within the rates of the kind: 0, or milliseconds until there may be one. */
  turnMs(to: OpenDestination): number
  /** One attempt, after a turn was taken. Never throws for what the other side does. */
  send(to: OpenDestination, alert: Alert): Promise<Outcome>
}
