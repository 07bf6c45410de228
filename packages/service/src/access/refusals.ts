import type { KeyCheck } from './keys.ts'
import type { Window, Windows } from './rate-limits/windows.ts'
import { RATES } from './rate-limits/windows.ts'

/** Reasons and waits of refusals, equal in every face. */

/** Refusals that are answered with an offer. */
type KeyRefusal = Exclude<Exclude<KeyCheck, { ok: true }>['reason'], 'unreadable'>

/** Answer of 503 while the key cannot be checked; no payment is taken in its place. */
export const ACCOUNTS_UNREADABLE =
  'Accounts cannot be read right now, so this key cannot be checked. Try again in a few seconds.'

/** The same without a key. */
export const ACCOUNTS_AWAY = 'accounts cannot be read right now'

/** seconds a client is asked to wait while accounts cannot be read */
export const ACCOUNTS_RETRY_S = 5

export const KEY_REFUSALS: Record<KeyRefusal, string> = {
  absent: 'No API key and no payment was sent.',
  malformed: 'The Authorization header is not `Bearer` and an API key.',
  unknown: 'The API key is unknown.',
  revoked: 'The API key was revoked.',
  expired: 'The API key has expired.',
}

/** The machine is out of a resource. */
export const SHORT = 'the service is out of a resource: try again in a few seconds'

/** A client asked for a slot that was not read yet. */
export const behindMessage = (slot: number): string =>
  `the newest slot that can be read here is ${slot}, before min_slot: try again in a moment`
/** seconds after which it is read: a block takes less */
export const BEHIND_RETRY_S = 1

/** Payments per call are off. */
export const ONLY_KEYS =
  'Send an API key as `Authorization: Bearer <key>`; this service does not take payments per call.'

export function rateLimitMessage({ limit, remaining, resetS, asked }: Window): string {
  if (asked === undefined) return `more than ${limit} requests a minute; the window resets in ${resetS} s`
  const counts = `this batch counts as ${asked} calls, one for each token found`
  if (asked > limit) return `${counts}, and more than ${limit} a minute are not allowed here: ask for fewer tokens`
  return `${counts}, and ${remaining} of ${limit} a minute are left; the window resets in ${resetS} s`
}

/** A flat list: name, value, name, value. */
export const rateHeaders = ({ limit, remaining, resetS }: Window): readonly string[] => [
  'x-ratelimit-limit',
  `${limit}`,
  'x-ratelimit-remaining',
  `${remaining}`,
  'x-ratelimit-reset',
  `${resetS}`,
]

/** The same as header lines. */
export const rateLines = ({ limit, remaining, resetS }: Window): string =>
  `x-ratelimit-limit: ${limit}\r\nx-ratelimit-remaining: ${remaining}\r\nx-ratelimit-reset: ${resetS}\r\n`

/** Counts a failed payment as a call without one; returns that window. */
export async function countRefusedPayment(windows: Windows, address: string): Promise<Window> {
  await windows.take(`failed:${address}`, RATES.unpaid)
  return windows.take(`unpaid:${address}`, RATES.unpaid)
}

/** Uncounts the earlier request for the offer of a payment that was taken. */
export async function countTakenPayment(windows: Windows, address: string): Promise<void> {
  await windows.take(`unpaid:${address}`, RATES.unpaid, -1)
}

/** Returns the window that an address's failed payments have used up; null if more are allowed. */
export async function tooManyRefused(windows: Windows, address: string): Promise<Window | null> {
  const failed = await windows.take(`failed:${address}`, RATES.unpaid, 0)
  return failed.remaining === 0 ? failed : null
}

/** Reasons why a stream is not opened; `faces/http/stream-route.ts` has their messages. */
export type StreamRefusal =
  | 'key'
  | 'accounts'
  | 'key sockets'
  | 'sockets'
  | 'trial'
  | 'stopping'
  | 'account'
  | 'filters'
  | 'joins'

/** The part of the service's status that calls depend on. */
export interface Readiness {
  readonly ready: boolean
  readonly starting: boolean
  /** reason for clients while not ready */
  readonly reason: string | null
}

/** seconds a client is asked to wait when the service is not ready */
export const NOT_READY_RETRY_S = 5

export const notReadyMessage = ({ reason, starting }: Readiness): string =>
  reason ?? (starting ? 'the service is starting' : 'the service has lost its source')
