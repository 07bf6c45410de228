import type { Outcome } from './outcome.ts'

/** milliseconds between two attempts, of which the last repeats: ten attempts in the first day, so that an outage of an hour
 * costs minutes and one of a day some hours */
export const RETRY_MS = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000,
] as const
/** share of a pause by which chance shortens it: what failed together is not tried together again */
export const JITTER = 0.1
/** milliseconds that a destination rests after its first failure in a row and at most, the pause doubling: a receiver that
 * hangs with a hundred deliveries holds a place for a fifth of the time */
const REST_MS = 5_000
export const REST_MS_MAX = 60_000

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

/**
 * A failed attempt is retried after the pause at its place in the list, or later if the receiver asks for that. The last
 * attempt is made exactly when the delivery expires.
 */
export function nextAttempt(
  { attempts, giveUpMs }: Attempted,
  outcome: Outcome,
  nowMs: number,
  random: () => number,
): Next {
  if (outcome.kind === 'delivered') return { state: 'delivered' }
  if (outcome.kind === 'refused' || outcome.kind === 'gone' || nowMs >= giveUpMs) return { state: 'failed' }
  const dueIn = (ms: number): Date => new Date(Math.min(giveUpMs, nowMs + ms))
  if (outcome.kind === 'moved') return { due_at: dueIn(0), attempts }
  if (outcome.kind === 'later') return { due_at: dueIn(outcome.afterMs), attempts }
  const pause = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)]! * (1 - JITTER * random())
  return { due_at: dueIn(Math.max(outcome.afterMs ?? 0, pause)) }
}

/** The pause of a destination after its `failures`-th failure in a row. */
export const restMs = (failures: number): number => Math.min(REST_MS_MAX, REST_MS * 2 ** Math.min(failures - 1, 16))
