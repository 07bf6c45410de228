import { createHmac, timingSafeEqual } from 'node:crypto'

/** A token that names something until a time, signed. Nothing is stored about it. */
interface SignedToken {
  readonly name: Buffer
  readonly untilMs: number
}

export type SignedTokens = ReturnType<typeof createSignedTokens>

interface SignedTokensOptions {
  /** at least 32 secret bytes; replacing them ends every token */
  readonly secret: Uint8Array
  readonly purpose: string
  readonly nameBytes: number
  /** milliseconds */
  readonly now: () => number
}

/** bytes of the expiry in seconds, and of HMAC-SHA-256 */
const TIME_BYTES = 6
const MAC_BYTES = 18

export function createSignedTokens({ secret, purpose, nameBytes, now }: SignedTokensOptions) {
  const signedBytes = nameBytes + TIME_BYTES
  const form = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil(((signedBytes + MAC_BYTES) * 4) / 3)}}$`)
  const macOf = (signed: Uint8Array): Buffer =>
    createHmac('sha256', secret).update(purpose).update(signed).digest().subarray(0, MAC_BYTES)

  return {
    make(name: Uint8Array, untilMs: number): string {
      const signed = Buffer.alloc(signedBytes)
      signed.set(name)
      signed.writeUIntBE(Math.floor(untilMs / 1000), nameBytes, TIME_BYTES)
      return Buffer.concat([signed, macOf(signed)]).toString('base64url')
    },
    /** null if it was not signed here for this purpose, or has expired */
    read(token: string): SignedToken | null {
      if (!form.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      const signed = bytes.subarray(0, signedBytes)
      if (!timingSafeEqual(macOf(signed), bytes.subarray(signedBytes))) return null
      const untilMs = signed.readUIntBE(nameBytes, TIME_BYTES) * 1000
      return now() < untilMs ? { name: signed.subarray(0, nameBytes), untilMs } : null
    },
  }
}
