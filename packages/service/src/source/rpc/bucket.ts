import { createBucket, perSecond } from '../../base/bucket.ts'
import type { Clock } from '../clock.ts'

/** A number of requests a second, a second's worth at once; waiting ones are served in turn. */
interface TokenBucket {
  /** false when `signal` aborted first */
  take(signal: AbortSignal): Promise<boolean>
  /** nothing is granted for this many milliseconds */
  pause(milliseconds: number): void
}

export function createTokenBucket(requestsPerSecond: number, clock: Clock): TokenBucket {
  const bucket = createBucket(perSecond(requestsPerSecond), () => clock.now())
  let turn: Promise<unknown> = Promise.resolve()

  async function wait(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (bucket.take()) return true
      await clock.sleep(Math.max(1, bucket.waitMs()), signal)
    }
    return false
  }

  return {
    take(signal) {
      const mine = turn.then(() => wait(signal))
      turn = mine
      return mine
    },
    pause: bucket.pause,
  }
}
