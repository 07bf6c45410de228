import type { ErrorStatus } from './envelope.ts'

/**
 * Why requests below /account, and the page's request for a session, are refused: `error.reason`, which stays where
 * `error.message` may change. Errors of /v1 have no such field, because the specification lists theirs.
 */
export const REFUSALS = {
  invalid_request: { status: 400, means: 'the request, its body or a field, which the message names' },
  foreign_origin: { status: 400, means: 'sent by a page of another origin than `error.origin`, or to another host' },
  not_a_wallet: { status: 400, means: 'the wallet is no address' },
  challenge_unknown: { status: 400, means: 'the nonce is unknown or was used: ask for a new challenge' },
  challenge_expired: { status: 400, means: 'the challenge has expired: ask for a new one' },
  wrong_signature: { status: 400, means: 'the signature is not that of the wallet over the message' },
  work_missing: { status: 400, means: 'a key of this account needs proof of work' },
  work_unknown: { status: 400, means: 'the task is not one of this account: ask for another' },
  work_expired: { status: 400, means: 'the task has expired: ask for another' },
  work_too_little: { status: 400, means: 'the next key costs more by now: ask for another task' },
  work_wrong: { status: 400, means: 'a part of the task is not solved' },
  work_used: { status: 400, means: 'the work was already used for a key' },
  key_refused: { status: 402, means: 'the API key is not valid' },
  not_signed_in: { status: 404, means: 'there is no session: sign in' },
  not_found: { status: 404, means: 'no such path, or nothing of this account by this id' },
  method_not_allowed: { status: 405, means: 'use a method that `Allow` names' },
  too_large: { status: 413, means: 'the body is too large' },
  rate_limited: { status: 429, means: 'wait `error.retry_after` seconds' },
  internal_error: { status: 500, means: 'a fault of the service' },
  unavailable: { status: 503, means: 'accounts cannot be read: wait `error.retry_after` seconds' },
} as const satisfies Readonly<Record<string, { readonly status: ErrorStatus; readonly means: string }>>

export type RefusalReason = keyof typeof REFUSALS
