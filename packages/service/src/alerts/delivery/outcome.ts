import type { Refusal } from '../../observe/outbound/reasons.ts'

/** The result of one attempt. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** Another attempt follows after the usual pause, or after `afterMs` if the receiver asks for a longer one. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly error: string; readonly afterMs?: number }
  /** The attempt does not count against the destination: there was no free slot, or a rate limit was reached. */
  | { readonly kind: 'later'; readonly status: number | null; readonly error: string; readonly afterMs: number }
  /** The receiver will never accept this message. */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** The receiver has moved to another address for good. */
  | { readonly kind: 'moved'; readonly status: number; readonly error: string; readonly address: string }
  /** The receiver wants no more messages, so the destination is disabled. */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string }

/** Tells the destination's owner why a request got no answer. */
const WORDS: Record<Refusal, string> = {
  url: 'not an http or https address, or too long, or with a user name in it',
  port: 'only the ports 443 and 80 are connected to',
  address: 'the address is not on the public internet: private, local and reserved addresses are not connected to',
  dns: 'the host name has no address',
  connect: 'no connection could be made',
  tls: 'no secure connection: the certificate is not valid for this name',
  timeout: 'no answer in time',
  redirects: 'the answer was a redirect; redirects are not followed',
  redirect: 'the answer was a redirect; redirects are not followed',
  missing: 'the answer was 404 or 410',
  rate: 'the answer was 429: too many requests',
  server: 'the answer was an error of the server',
  status: 'the answer was not 2xx',
  headers: 'the headers of the answer are too large',
  content_type: 'the answer is of an unexpected type',
  encoding: 'the answer is in an unknown encoding',
  too_large: 'the answer is too large',
  broken: 'the connection ended before the answer',
  busy: 'too many requests are on their way to this host',
  closed: 'the service is stopping',
}

export const refusalWords = (reason: Refusal): string => WORDS[reason]

/** Maps a request without an answer to an outcome. `busyMs` is the pause if no slot was free to send it. */
export function outcomeOfRefusal(reason: Refusal, busyMs: number): Outcome {
  if (reason === 'busy' || reason === 'closed') {
    return { kind: 'later', status: null, error: refusalWords(reason), afterMs: busyMs }
  }
  return { kind: 'failed', status: null, error: refusalWords(reason) }
}

/**
 * Parses a `Retry-After` in seconds or as a date, into at most `mostMs` milliseconds. Null if the header is missing or invalid.
 */
export function retryAfterMs(text: string | undefined, nowMs: number, mostMs: number): number | null {
  if (text === undefined) return null
  const isDate = /^[A-Z][a-z]{2}/.test(text)
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : isDate ? Date.parse(text) - nowMs : Number.NaN
  return Number.isFinite(ms) ? Math.min(mostMs, Math.max(0, Math.ceil(ms))) : null
}
