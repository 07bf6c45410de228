import type { RefusalReason } from '@ti/core/contract/refusals.ts'
import type { AnswerError } from './ask.ts'

export type Refusal = { readonly status: number; readonly error: AnswerError }

const SIGN_AGAIN = 'The request to sign was too old. Sign in again, and answer your wallet within five minutes.'
const WORK_AGAIN = 'The proof of work for this key has expired. Make the key again.'

/** Advice for the user; null: the service's own message says it. */
const WORDS: Readonly<Record<RefusalReason, string | null>> = {
  invalid_request: null,
  foreign_origin: null,
  not_a_wallet: 'The wallet did not share a Solana address. Select a Solana account in it.',
  challenge_unknown: SIGN_AGAIN,
  challenge_expired: SIGN_AGAIN,
  wrong_signature:
    'The signature does not match this wallet. Select the account that you connected, and sign in again.',
  work_missing: WORK_AGAIN,
  work_unknown: WORK_AGAIN,
  work_expired: WORK_AGAIN,
  work_too_little: WORK_AGAIN,
  work_wrong: WORK_AGAIN,
  work_used: null,
  key_refused: null,
  not_signed_in: 'Your session has ended. Sign in again.',
  not_found: null,
  method_not_allowed: null,
  too_large: null,
  rate_limited: null,
  internal_error: null,
  unavailable: null,
}

/** Tells the user what the service refused and what to do about it. */
export function refusalInWords({ status, error }: Refusal): string {
  const { code, message, reason, retry_after: seconds } = error
  if (status === 429) {
    const when = seconds === undefined ? 'in a minute' : `in ${seconds} second${seconds === 1 ? '' : 's'}`
    return `Too many requests from your address. Try again ${when}.`
  }
  if (status === 0) return `${message} Check your connection and try again.`
  if (status === 503) return 'The service cannot do this right now. Try again in a minute.'
  if (status >= 500)
    return 'Something went wrong in the service. Try again; if it keeps happening, tell the operator when it happened.'
  // a newer service may have reasons that this page does not know
  const words = reason === undefined ? null : (WORDS[reason] ?? null)
  if (words !== null) return words
  const text = message.replace(/`/g, '')
  return code === 'bad_request' && text !== '' ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : text
}
