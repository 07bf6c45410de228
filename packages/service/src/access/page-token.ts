import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A visitor's token: a random name and an expiry, signed. Nothing is stored about it. */
export interface PageToken {
  /** subject of its rate limit; survives renewals */
  readonly id: string
  readonly untilMs: number
}

interface PageTokens {
  /** makes a new visitor's token, or renews one */
  make(untilMs: number, id?: string): string
  /** null if it was not signed here or has expired */
  read(token: string): PageToken | null
}

/** 9 random bytes, 6 bytes of expiry in seconds, 18 bytes of HMAC-SHA-256; 33 bytes have one form in base64url */
const ID_BYTES = 9
const SIGNED_BYTES = ID_BYTES + 6
const TOKEN = /^[A-Za-z0-9_-]{44}$/

/** `secret`: at least 32 secret bytes; replacing them makes every visitor unknown. */
export function createPageTokens(secret: Uint8Array, now: () => number): PageTokens {
  const macOf = (signed: Uint8Array): Buffer =>
    createHmac('sha256', secret).update('page').update(signed).digest().subarray(0, 18)

  return {
    make(untilMs, id) {
      const signed = Buffer.alloc(SIGNED_BYTES)
      const name = id === undefined ? randomBytes(ID_BYTES) : Buffer.from(id, 'base64url')
      name.copy(signed)
      signed.writeUIntBE(Math.floor(untilMs / 1000), ID_BYTES, 6)
      return Buffer.concat([signed, macOf(signed)]).toString('base64url')
    },
    read(token) {
      if (!TOKEN.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      const signed = bytes.subarray(0, SIGNED_BYTES)
      if (!timingSafeEqual(macOf(signed), bytes.subarray(SIGNED_BYTES))) return null
      const untilMs = signed.readUIntBE(ID_BYTES, 6) * 1000
      return now() < untilMs ? { id: signed.toString('base64url', 0, ID_BYTES), untilMs } : null
    },
  }
}
