import { LIMITS } from '../config/limits.ts'
import type { KeyCheck } from './keys.ts'
import type { Window, Windows } from './rate-limits/windows.ts'

/** Why a call is not answered with data: the same words and waits in every face. */

/** For which a call is answered with an offer. */
type KeyRefusal = Exclude<Exclude<KeyCheck, { ok: true }>['reason'], 'unreadable'>

/** Where that is not known: 503, and no payment is taken for what a key may open. */
export const ACCOUNTS_UNREADABLE =
  'Accounts cannot be read right now, so this key cannot be checked. Try again in a few seconds.'

/** The same where no key is in question. */
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

/** Where the machine lacks something. */
export const SHORT = 'the service is out of a resource: try again in a few seconds'

/** Where calls are not paid for one by one. */
export const ONLY_KEYS =
  'Send an API key as `Authorization: Bearer <key>`; this service does not take payments per call.'

export const rateLimitMessage = ({ limit, resetS }: Window): string =>
  `more than ${limit} requests a minute; the window resets in ${resetS} s`

/** As a flat list: name, value, name, value. */
export const rateHeaders = ({ limit, remaining, resetS }: Window): readonly string[] => [
  'x-ratelimit-limit',
  `${limit}`,
  'x-ratelimit-remaining',
  `${remaining}`,
  'x-ratelimit-reset',
  `${resetS}`,
]

/** The same as lines of a head. */
export const rateLines = ({ limit, remaining, resetS }: Window): string =>
  `x-ratelimit-limit: ${limit}\r\nx-ratelimit-remaining: ${remaining}\r\nx-ratelimit-reset: ${resetS}\r\n`

/** A payment that failed counts as a call without one; the window of those. */
export async function countRefusedPayment(windows: Windows, address: string): Promise<Window> {
  await windows.take(`failed:${address}`, LIMITS.rateUnpaid)
  return windows.take(`unpaid:${address}`, LIMITS.rateUnpaid)
}

/** A payment was taken: the call before it, by which its client asked for the offer, was not one without payment. */
export async function countTakenPayment(windows: Windows, address: string): Promise<void> {
  await windows.take(`unpaid:${address}`, LIMITS.rateUnpaid, -1)
}

/** The window that an address's failed payments have used up; null while it may send more. */
export async function tooManyRefused(windows: Windows, address: string): Promise<Window | null> {
  const failed = await windows.take(`failed:${address}`, LIMITS.rateUnpaid, 0)
  return failed.remaining === 0 ? failed : null
}

/** Why a stream is not opened; a new one needs its words in `faces/http/stream-route.ts`. */
export type StreamRefusal =
  | 'key'
  | 'accounts'
  | 'key sockets'
  | 'sockets'
  | 'trial'
  | 'stopping'
  | 'account'
  | 'filters'

/** What of the service's status a call depends on. */
export interface Readiness {
  readonly ready: boolean
  readonly starting: boolean
  /** why it is not ready, in words a client may see */
  readonly reason: string | null
}

/** seconds a client is asked to wait when the service is not ready */
export const NOT_READY_RETRY_S = 5

export const notReadyMessage = ({ reason, starting }: Readiness): string =>
  reason ?? (starting ? 'the service is starting' : 'the service has lost its source')
