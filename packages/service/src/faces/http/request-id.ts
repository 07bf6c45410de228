import { randomBytes } from 'node:crypto'

/** Ids of `req_`, a random part of the process and a counter: unique, cheap, and not guessable from outside. */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(9).toString('base64url')}`
  let next = 0
  return () => `${prefix}${(next++).toString(36).padStart(4, '0')}`
}
