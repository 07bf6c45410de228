import type { Clock } from './clock.ts'

/** A number at once, then one per interval. */
interface BucketRate {
  readonly burst: number
  readonly msEach: number
}

/** A token bucket: what asks others has a budget, and stops for a while when they say they had enough. */
export interface Bucket {
  /** takes one if there is one */
  take(): boolean
  /** milliseconds until there is one, 0 now */
  waitMs(): number
  /** none for so long: the other side said it had enough */
  pause(ms: number): void
}

/** The burst of a budget a minute; the rest of it is the rate, so that both together stay within. */
const BURST_SHARE = 0.1

/** Never more than `requests` within any minute, spread evenly after a short burst. */
export function perMinute(requests: number): BucketRate {
  const burst = Math.max(1, Math.floor(requests * BURST_SHARE))
  return { burst, msEach: 60_000 / Math.max(1, requests - burst) }
}

/** A second's worth at once. */
export const perSecond = (requests: number): BucketRate => ({ burst: Math.max(1, requests), msEach: 1_000 / requests })

/** `now`: milliseconds that only grow. */
export function createBucket({ burst, msEach }: BucketRate, now: () => number): Bucket {
  let held = burst
  let at = now()
  let pausedUntil = -Infinity

  function refill(): void {
    const nowMs = now()
    held = Math.min(burst, held + (nowMs - at) / msEach)
    at = nowMs
  }
  function waitMs(): number {
    refill()
    const paused = pausedUntil - now()
    // a rounding error must not cause a wake-up for a fraction
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
      pausedUntil = Math.max(pausedUntil, now() + ms)
      held = 0
    },
  }
}

/** Takes from a bucket for callers that wait in turn; false when the signal aborted first. */
export function inTurn(bucket: Bucket, clock: Clock): (signal: AbortSignal) => Promise<boolean> {
  let turn: Promise<unknown> = Promise.resolve()

  async function wait(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (bucket.take()) return true
      await clock.sleep(Math.max(1, bucket.waitMs()), signal)
    }
    return false
  }
  return (signal) => {
    const mine = turn.then(() => wait(signal))
    turn = mine
    return mine
  }
}
