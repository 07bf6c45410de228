/** Waits. An abort of the signal ends the wait early, without an error. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

/**
 * Milliseconds before attempt `attempt` (0 is the first retry). They double each time, and are random so that clients do not
 * retry together.
 */
export const backoffMs = (attempt: number, mostMs: number): number =>
  Math.min(mostMs, 250 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)
