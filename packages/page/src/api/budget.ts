/**
 * Rate limit of the session, from the last answer. Polls leave a reserve for requests of the user: below it, they wait for the
 * window to end. The reserve is at most half of the window.
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

/** Milliseconds until a poll may make a request; 0: now. */
export const pollWaitMs = (now = Date.now()): number => (left > reserve || now >= endsAt ? 0 : endsAt - now)
