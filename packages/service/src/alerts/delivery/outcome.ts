import type { Refusal } from '../../observe/outbound/reasons.ts'

/** How one attempt ended. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** another attempt follows after the usual pause, or after `afterMs` where the receiver asked for a longer one */
  | { readonly kind: 'failed'; readonly status: number | null; readonly error: string; readonly afterMs?: number }
  /** nothing is held against the destination: no place, or a rate that was spent */
  | { readonly kind: 'later'; readonly status: number | null; readonly error: string; readonly afterMs: number }
  /** this message will never be taken */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** the receiver is known by another address from now on */
  | { readonly kind: 'moved'; readonly status: number; readonly error: string; readonly address: string }
  /** the receiver wants no more: the destination is disabled */
  | { readonly kind: 'gone'; readonly status: number; readonly error: string }

/** Why a request brought no answer, for the owner of the destination. */
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

/** What an attempt without an answer means; `busyMs`: the pause where nothing was sent for want of a place. */
export function outcomeOfRefusal(reason: Refusal, busyMs: number): Outcome {
  if (reason === 'busy' || reason === 'closed') {
    return { kind: 'later', status: null, error: refusalWords(reason), afterMs: busyMs }
  }
  return { kind: 'failed', status: null, error: refusalWords(reason) }
}

/** Milliseconds of a `Retry-After` in seconds or as a date, at most `mostMs`; null where there is none that can be read. */
export function retryAfterMs(text: string | undefined, nowMs: number, mostMs: number): number | null {
  if (text === undefined) return null
  const isDate = /^[A-Z][a-z]{2}/.test(text)
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : isDate ? Date.parse(text) - nowMs : Number.NaN
  return Number.isFinite(ms) ? Math.min(mostMs, Math.max(0, Math.ceil(ms))) : null
}
