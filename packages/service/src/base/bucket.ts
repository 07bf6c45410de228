import type { Clock } from './clock.ts'

/** A number at once, then one per interval. */
interface BucketRate {
  readonly burst: number
  readonly msEach: number
}

/** A token bucket: it limits requests to another service, and pauses when that service reports a rate limit. */
export type Bucket = ReturnType<typeof createBucket>

/** The burst's share of a budget per minute; the rest is the rate, so that both together stay within the budget. */
const BURST_SHARE = 0.1

/** Never more than `requests` within any minute, spread evenly after a short burst. */
export function perMinute(requests: number): BucketRate {
  const burst = Math.max(1, Math.floor(requests * BURST_SHARE))
  return { burst, msEach: 60_000 / Math.max(1, requests - burst) }
}

/** The burst is a second's worth. */
export const perSecond = (requests: number): BucketRate => ({ burst: Math.max(1, requests), msEach: 1_000 / requests })

/** `now`: monotonic milliseconds. */
export function createBucket({ burst, msEach }: BucketRate, now: () => number) {
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
    /** milliseconds until the next token, 0 if there is one */
    waitMs,
    /** takes a token if there is one */
    take(): boolean {
      if (waitMs() > 0) return false
      held -= 1
      return true
    },
    /** gives out no token for this time: the other side reported a rate limit */
    pause(ms: number): void {
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
