import type { Clock } from '../../base/clock.ts'

/** What did not come in time. */
export const LATE = Symbol('late')

/** Why a timer ends that is not needed any more: without a reason each would make an error, stack and all, for nobody. */
const DONE = Symbol('done')

/**
 * `work`, or LATE after `ms`; rejects when `signal` aborts. Rejections after the deadline are swallowed.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T | typeof LATE> {
  work.catch(() => {})
  const timer = new AbortController()
  const aborted = (): void => timer.abort(DONE)
  if (signal.aborted) aborted()
  else signal.addEventListener('abort', aborted, { once: true })
  try {
    const result = await Promise.race([work, clock.sleep(ms, timer.signal).then(() => LATE)])
    signal.throwIfAborted()
    return result as T | typeof LATE
  } finally {
    signal.removeEventListener('abort', aborted)
    timer.abort(DONE)
  }
}

/** Wakes everyone who waits. */
export interface Notifier {
  notify(): void
  /** resolves at the next ring */
  readonly notified: Promise<void>
}

export function createNotifier(): Notifier {
  let wake = (): void => {}
  const next = (): Promise<void> =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  let notified = next()
  return {
    notify() {
      wake()
      notified = next()
    },
    get notified() {
      return notified
    },
  }
}
