import type { Clock } from '../../base/clock.ts'

/** The result of work that did not end in time. */
export const LATE = Symbol('late')

/** The reason for cancelling a timer: without one, each abort would create an unused error with its stack. */
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
export type Notifier = ReturnType<typeof createNotifier>

export function createNotifier() {
  let wake = (): void => {}
  const next = (): Promise<void> =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  let notified = next()
  return {
    notify(): void {
      wake()
      notified = next()
    },
    /** resolves at the next ring */
    get notified(): Promise<void> {
      return notified
    },
  }
}
