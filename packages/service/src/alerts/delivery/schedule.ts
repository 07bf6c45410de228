import { LIMITS } from '../../config/limits.ts'
import type { Outcome } from './outcome.ts'

/** The step that follows an attempt. */
type Next =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly due_at: Date /** of an attempt that did not count */; readonly attempts?: number }

interface Attempted {
  /** The number of attempts before this one. */
  readonly attempts: number
  /** The time of the last attempt. */
  readonly giveUpMs: number
}

type Bounds = Pick<typeof LIMITS.delivery, 'retryMs' | 'jitter'>

/**
 * A failed attempt is retried after the pause at its place in the list, or later if the receiver asks for that. The last
 * attempt is made exactly when the delivery expires.
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

/** The pause of a destination after its `failures`-th failure in a row. */
export const restMs = (
  failures: number,
  { restMs: first, restMsMax }: typeof LIMITS.delivery = LIMITS.delivery,
): number => Math.min(restMsMax, first * 2 ** Math.min(failures - 1, 16))
