import type { Clock } from '../clock.ts'

/** What did not come in time. */
export const LATE = Symbol('late')

/**
 * `work`, or LATE after `ms`; rejects when `signal` aborts. Work that is left alone may fail unheard.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T | typeof LATE> {
  work.catch(() => {})
  const timer = new AbortController()
  const aborted = (): void => timer.abort()
  if (signal.aborted) timer.abort()
  else signal.addEventListener('abort', aborted, { once: true })
  try {
    const result = await Promise.race([work, clock.sleep(ms, timer.signal).then(() => LATE)])
    signal.throwIfAborted()
    return result as T | typeof LATE
  } finally {
    signal.removeEventListener('abort', aborted)
    timer.abort()
  }
}

/** Wakes everyone who waits. */
export interface Bell {
  ring(): void
  /** resolves at the next ring */
  readonly rung: Promise<void>
}

export function createBell(): Bell {
  let wake = (): void => {}
  const next = (): Promise<void> =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  let rung = next()
  return {
    ring() {
      wake()
      rung = next()
    },
    get rung() {
      return rung
    },
  }
}
