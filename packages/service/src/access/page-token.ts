import { randomBytes } from 'node:crypto'
import { createSignedTokens } from './signed-token.ts'

/** A visitor's token: a random name and an expiry, signed. */
export interface PageToken {
  /** subject of its rate limit; survives renewals */
  readonly id: string
  readonly untilMs: number
}

/** bytes of a name: enough that nobody has another's */
const ID_BYTES = 9

/** `secret`: at least 32 secret bytes; replacing them makes every visitor unknown. */
export function createPageTokens(secret: Uint8Array, now: () => number) {
  const tokens = createSignedTokens({ secret, purpose: 'page', nameBytes: ID_BYTES, now })
  return {
    /** makes a new visitor's token, or renews one */
    make: (untilMs: number, id?: string): string =>
      tokens.make(id === undefined ? randomBytes(ID_BYTES) : Buffer.from(id, 'base64url'), untilMs),
    /** null if it was not signed here or has expired */
    read(token: string): PageToken | null {
      const found = tokens.read(token)
      return found && { id: found.name.toString('base64url'), untilMs: found.untilMs }
    },
  }
}
