/**
 * What is left of the session's calls in this minute, as the last answer said. Polls yield to what the reader asks for:
 * below the reserve they wait until the window ends.
 */
const RESERVE = 25

let left = Number.POSITIVE_INFINITY
let endsAt = 0

export function noteBudget(headers: Headers, now = Date.now()): void {
  const remaining = headers.get('x-ratelimit-remaining')
  const reset = headers.get('x-ratelimit-reset')
  if (remaining === null || reset === null) return
  left = Number(remaining)
  endsAt = now + Number(reset) * 1000
}

/** Milliseconds until a poll may ask again; 0: at once. */
export const pollWaitMs = (now = Date.now()): number => (left > RESERVE || now >= endsAt ? 0 : endsAt - now)
