import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { base58Decode, base58Encode, keyFromBase58 } from '@ti/core/base/base58.ts'
import { type SignInFields, signInText } from './sign-in-message.ts'

/** milliseconds a sign-in message may wait for its signature; none is kept before it is used */
export const CHALLENGE_MS = 300_000

/**
 * Stateless sign-in challenges: the nonce contains the wallet and its time of issue, and is signed. Issuing one writes nothing,
 * and no number of challenges can evict another one.
 */
export type Challenges = ReturnType<typeof createChallenges>

export interface Challenge {
  readonly nonce: string
  /** the text to sign, for wallets that sign any message */
  readonly message: string
  /** the same as fields, for wallets that compose the message themselves */
  readonly fields: SignInFields
}

interface Read extends Challenge {
  readonly wallet: string
  readonly expiresMs: number
}

interface ChallengeOptions {
  readonly secret: Uint8Array
  /** absolute, without a trailing slash; wallets show its host */
  readonly publicUrl: string
  /** milliseconds */
  readonly now: () => number
}

const STATEMENT = 'Sign in to manage your API keys and subscription. This costs nothing and sends no transaction.'

/** wallet, Unix milliseconds, random bytes, and a MAC over these; 16 bytes cannot be guessed */
const SIZES = { wallet: 32, time: 6, random: 8, mac: 16 } as const
const SIGNED = SIZES.wallet + SIZES.time + SIZES.random
const BYTES = SIGNED + SIZES.mac

/** most characters of a nonce; letters and digits, as Sign In With Solana requires */
const NONCE_LENGTH = 90

export function createChallenges(options: ChallengeOptions) {
  const { secret, publicUrl, now } = options
  const { host: domain } = new URL(publicUrl)

  const macOf = (signed: Buffer): Buffer => createHmac('sha256', secret).update(signed).digest().subarray(0, SIZES.mac)

  function challengeOf(nonce: string, wallet: string, issuedMs: number): Read {
    const expiresMs = issuedMs + CHALLENGE_MS
    const fields: SignInFields = {
      domain,
      address: wallet,
      statement: STATEMENT,
      uri: `${publicUrl}/account`,
      version: '1',
      chainId: 'mainnet',
      nonce,
      issuedAt: new Date(issuedMs).toISOString(),
      expirationTime: new Date(expiresMs).toISOString(),
    }
    return { nonce, message: signInText(fields), fields, wallet, expiresMs }
  }

  return {
    /** null if `wallet` is not an address (base58 of 32 bytes) */
    make(wallet: string): Challenge | null {
      const key = keyFromBase58(wallet)
      if (key === null) return null
      const issuedMs = Math.floor(now())
      const time = Buffer.alloc(SIZES.time)
      time.writeUIntBE(issuedMs, 0, SIZES.time)
      const signed = Buffer.concat([Buffer.from(key, 'latin1'), time, randomBytes(SIZES.random)])
      const nonce = base58Encode(Buffer.concat([signed, macOf(signed)]).toString('latin1'))
      return challengeOf(nonce, wallet, issuedMs)
    },
    /** the challenge of one of our nonces, expired or not; null for any other nonce */
    read(nonce: string): Read | null {
      const text = nonce.length > NONCE_LENGTH ? null : base58Decode(nonce, BYTES)
      if (text === null) return null
      const bytes = Buffer.from(text, 'latin1')
      const signed = bytes.subarray(0, SIGNED)
      if (!timingSafeEqual(macOf(signed), bytes.subarray(SIGNED))) return null
      const wallet = base58Encode(signed.toString('latin1', 0, SIZES.wallet))
      return challengeOf(nonce, wallet, signed.readUIntBE(SIZES.wallet, SIZES.time))
    },
  }
}
