import type { Answer } from './client.ts'

/** milliseconds of the first wait after a failure, which doubles with each further one, and of the longest */
const FIRST_MS = 2_000
const LONGEST_MS = 60_000

/**
 * Milliseconds until the next request; null: none. Temporary refusals (429, 503) and lost connections are always retried, other
 * refusals only in a poll.
 */
export function waitMs(answer: Answer<unknown>, failures: number, everyMs: number | null): number | null {
  if (answer.ok) return everyMs
  const passing = answer.status === 429 || answer.status === 503 || answer.status === 0
  if (!passing && everyMs === null) return null
  const retryAfterMs = (answer.error.retry_after ?? 0) * 1000
  const growing = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10))
  return Math.min(LONGEST_MS, Math.max(retryAfterMs, growing, passing ? 0 : (everyMs ?? 0)))
}
