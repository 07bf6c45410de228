import { randomBytes } from 'node:crypto'

/** Ids like `req_` + a random part of this process + a counter: unique, cheap, not to be guessed from outside. */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(9).toString('base64url')}`
  let next = 0
  return () => `${prefix}${(next++).toString(36).padStart(4, '0')}`
}
