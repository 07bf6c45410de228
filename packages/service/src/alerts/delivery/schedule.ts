import { LIMITS } from '../../config/limits.ts'
import type { Outcome } from './outcome.ts'

/** What becomes of a delivery after an attempt. */
type Next =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly due_at: Date /** of an attempt that did not count */; readonly attempts?: number }

interface Attempted {
  /** those before this one */
  readonly attempts: number
  /** when the last attempt is made */
  readonly giveUpMs: number
}

type Bounds = Pick<typeof LIMITS.delivery, 'retryMs' | 'jitter'>

/**
 * A failure is tried again after the pause of its place in the list, or later where the receiver asks for that. The last attempt is
 * made when the delivery is given up, not before.
 */
export function nextAttempt(
  { attempts, giveUpMs }: Attempted,
  outcome: Outcome,
  nowMs: number,
  random: () => number,
  { retryMs, jitter }: Bounds = LIMITS.delivery,
): Next {
  if (outcome.kind === 'delivered') return { state: 'delivered' }
  if (outcome.kind === 'refused' || outcome.kind === 'gone' || nowMs >= giveUpMs) return { state: 'failed' }
  const dueIn = (ms: number): Date => new Date(Math.min(giveUpMs, nowMs + ms))
  if (outcome.kind === 'moved') return { due_at: dueIn(0), attempts }
  if (outcome.kind === 'later') return { due_at: dueIn(outcome.afterMs), attempts }
  const pause = retryMs[Math.min(attempts, retryMs.length - 1)]! * (1 - jitter * random())
  return { due_at: dueIn(Math.max(outcome.afterMs ?? 0, pause)) }
}

/** How long a destination rests after its `failures`-th failure in a row. */
export const restMs = (
  failures: number,
  { restMs: first, restMsMax }: typeof LIMITS.delivery = LIMITS.delivery,
): number => Math.min(restMsMax, first * 2 ** Math.min(failures - 1, 16))
