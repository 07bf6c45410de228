import type { AnswerError } from './ask.ts'

export type Refusal = { readonly status: number; readonly error: AnswerError }

/** What the service refused, in words that a person can act on. */
export function refusalInWords({ status, error }: Refusal): string {
  const { code, message, retry_after: seconds } = error
  if (status === 429) {
    const when = seconds === undefined ? 'in a minute' : `in ${seconds} second${seconds === 1 ? '' : 's'}`
    return `Too many requests from your address. Try again ${when}.`
  }
  if (status === 0) return `${message} Check your connection and try again.`
  if (status === 503) return 'The service cannot do this right now. Try again in a minute.'
  if (status >= 500)
    return 'Something went wrong in the service. Try again; if it keeps happening, tell the operator when it happened.'
  if (/nobody is signed in/.test(message)) return 'Your session has ended. Sign in again.'
  if (/nonce is unknown|challenge has expired/.test(message)) {
    return 'The request to sign was too old. Sign in again, and answer your wallet within five minutes.'
  }
  if (/signature is not the wallet/.test(message)) {
    return 'The signature does not match this wallet. Select the account that you connected, and sign in again.'
  }
  if (/^work: |needs proof of work/.test(message))
    return 'The proof of work for this key has expired. Make the key again.'
  if (/not a wallet address/.test(message))
    return 'The wallet did not share a Solana address. Select a Solana account in it.'
  const text = message.replace(/`/g, '')
  return code === 'bad_request' && text !== '' ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : text
}
