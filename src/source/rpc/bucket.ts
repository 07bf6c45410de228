import type { Clock } from '../clock.ts'

/** So many a second, a second's worth at once; whoever waits is served in turn. */
export interface TokenBucket {
  /** false when `signal` aborted first */
  take(signal: AbortSignal): Promise<boolean>
  /** nobody is served for so many milliseconds */
  hold(milliseconds: number): void
}

export function createTokenBucket(perSecond: number, clock: Clock): TokenBucket {
  const most = Math.max(1, perSecond)
  let tokens = most
  let filledAt = clock.now()
  let heldUntil = filledAt
  let turn: Promise<unknown> = Promise.resolve()

  /** milliseconds until there is a token, 0 when it was taken */
  function tryTake(): number {
    const now = clock.now()
    if (now < heldUntil) return heldUntil - now
    tokens = Math.min(most, tokens + ((now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (tokens < 1) return ((1 - tokens) * 1000) / perSecond
    tokens--
    return 0
  }

  async function wait(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const left = tryTake()
      if (left === 0) return true
      await clock.sleep(Math.max(1, left), signal)
    }
    return false
  }

  return {
    take(signal) {
      const mine = turn.then(() => wait(signal))
      turn = mine
      return mine
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds)
    },
  }
}
