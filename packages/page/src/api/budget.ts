/**
 * What is left of the session's calls in this minute, as the last answer said. Polls yield to what the reader asks for:
 * below the reserve, which is never more than half of the window, they wait until it ends.
 */
const RESERVE = 25

let left = Number.POSITIVE_INFINITY
let reserve = RESERVE
let endsAt = 0

export function noteBudget(headers: Headers, now = Date.now()): void {
  const remaining = headers.get('x-ratelimit-remaining')
  const reset = headers.get('x-ratelimit-reset')
  if (remaining === null || reset === null) return
  left = Number(remaining)
  const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN)
  reserve = limit > 0 ? Math.min(RESERVE, Math.floor(limit / 2)) : RESERVE
  endsAt = now + Number(reset) * 1000
}

/** Milliseconds until a poll may ask again; 0: at once. */
export const pollWaitMs = (now = Date.now()): number => (left > reserve || now >= endsAt ? 0 : endsAt - now)
