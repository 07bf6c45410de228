import type { Clock } from './clock.ts'

/**
 * A budget of requests a minute: never more than `perMinute` within any minute, spread evenly after a short burst.
 */
export interface Bucket {
  /** takes one if there is one */
  take(): boolean
  /** milliseconds until there is one, 0 now */
  waitMs(): number
  /** none for so long: the other side said it had enough */
  pause(ms: number): void
}

/** The burst of a budget; the rest of it is the rate, so that both together stay within. */
const BURST_SHARE = 0.1

export function createBucket(perMinute: number, clock: Clock): Bucket {
  const burst = Math.max(1, Math.floor(perMinute * BURST_SHARE))
  const msEach = 60_000 / Math.max(1, perMinute - burst)
  let held = burst
  let at = clock.ms()
  let pausedUntil = -Infinity

  function refill(): void {
    const now = clock.ms()
    held = Math.min(burst, held + (now - at) / msEach)
    at = now
  }
  function waitMs(): number {
    refill()
    const paused = pausedUntil - clock.ms()
    // a rounding error is no reason to come back for a fraction
    const short = held >= 1 - 1e-9 ? 0 : (1 - held) * msEach
    return Math.max(0, paused, short)
  }
  return {
    waitMs,
    take() {
      if (waitMs() > 0) return false
      held -= 1
      return true
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.ms() + ms)
      held = 0
    },
  }
}
