import { hash, randomBytes } from 'node:crypto'
import { base58Decode, keyFromBase58 } from '@ti/core/base/base58.ts'
import { isSignatureOf } from '../../base/ed25519.ts'
import type { Database } from '../sql/database.ts'
import type { AccountRow } from '../sql/schema.ts'
import { sharedSecret } from '../sql/shared-secret.ts'
import type { Accounts } from './accounts.ts'
import { type Challenge, type Challenges, createChallenges } from './challenge.ts'
import { isSmallOrder } from './small-order.ts'
import { forgetNonces, useNonce } from './used-nonces.ts'

export const SIGN_IN = {
  /** milliseconds a session lasts, and sessions of one account; the oldest make room */
  sessionMs: 7 * 86_400_000,
  sessionsPerAccount: 10,
}

/** Sessions of users who have proved that they own a wallet. */
export type SignIn = ReturnType<typeof createSignIn>

export type SignedIn =
  | { readonly ok: true; readonly account: AccountRow; readonly setCookie: string }
  | { readonly ok: false; readonly reason: 'unknown' | 'expired' | 'signature' }

interface SignInOptions {
  readonly accounts: Pick<Accounts, 'ofWallet'>
  /** absolute, without a trailing slash; wallets show its host, and https makes the cookie Secure */
  readonly publicUrl: string
  /** milliseconds */
  readonly now: () => number
  readonly bounds?: Readonly<typeof SIGN_IN>
}

/** 256 random bits in base64url */
const COOKIE = /^[A-Za-z0-9_-]{43}$/

const digestOf = (cookie: string): Buffer => hash('sha256', cookie, 'buffer')

export function createSignIn({ sql: db }: Pick<Database, 'sql'>, options: SignInOptions) {
  const { accounts, publicUrl, now, bounds = SIGN_IN } = options
  const secure = new URL(publicUrl).protocol === 'https:'
  // browsers accept a cookie with this prefix from this host only, and only over TLS
  const cookieName = secure ? '__Host-session' : 'session'
  const attributes = `HttpOnly; SameSite=Strict; Path=/${secure ? '; Secure' : ''}`

  let made: Promise<Challenges> | null = null
  /** Reads the secret on first use, and again after a failure. */
  function challenges(): Promise<Challenges> {
    made ??= sharedSecret({ sql: db }, 'sign-in').then((secret) => createChallenges({ secret, publicUrl, now }))
    made.catch(() => {
      made = null
    })
    return made
  }

  async function openSession(account: AccountRow): Promise<string> {
    const cookie = randomBytes(32).toString('base64url')
    const at = now()
    const expires_at = new Date(at + bounds.sessionMs)
    const session = { digest: digestOf(cookie), account_id: account.id, created_at: new Date(at), expires_at }
    await db.insertInto('sessions').values(session).execute()
    const newest = db.selectFrom('sessions').select('digest').where('account_id', '=', account.id)
    const surplus = newest.orderBy('created_at', 'desc').orderBy('digest').offset(bounds.sessionsPerAccount)
    await db
      .deleteFrom('sessions')
      .where((where) => where.or([where('expires_at', '<=', new Date(at)), where('digest', 'in', surplus)]))
      .execute()
    return `${cookieName}=${cookie}; Max-Age=${Math.floor(bounds.sessionMs / 1000)}; ${attributes}`
  }

  /** Checks the form too: a cookie belongs to all ports of a host, so another program may use the name. */
  function cookieIn(header: string | undefined): string | null {
    for (const pair of (header ?? '').split(';')) {
      const equals = pair.indexOf('=')
      if (equals < 0 || pair.slice(0, equals).trim() !== cookieName) continue
      const value = pair.slice(equals + 1).trim()
      if (COOKIE.test(value)) return value
    }
    return null
  }

  return {
    /** a message for the wallet to sign; null if `wallet` is not an address (base58 of 32 bytes) */
    challenge: async (wallet: string): Promise<Challenge | null> => (await challenges()).make(wallet),

    /** accepts a challenge once. `signature`: ed25519 over the message's bytes, in base58 or base64 */
    async signIn(nonce: string, signature: string): Promise<SignedIn> {
      const challenge = (await challenges()).read(nonce)
      if (challenge === null) return { ok: false, reason: 'unknown' }
      if (challenge.expiresMs <= now()) return { ok: false, reason: 'expired' }
      if (!isSigned(challenge, signature)) return { ok: false, reason: 'signature' }
      if (!(await useNonce(db, challenge))) return { ok: false, reason: 'unknown' }
      await forgetNonces(db, now())
      const account = await accounts.ofWallet(challenge.wallet)
      return { ok: true, account, setCookie: await openSession(account) }
    },

    /** account of the session in a Cookie header */
    async session(cookies: string | undefined): Promise<AccountRow | null> {
      const cookie = cookieIn(cookies)
      if (cookie === null) return null
      const found = await db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('accounts')
        .where('sessions.digest', '=', digestOf(cookie))
        .where('sessions.expires_at', '>', new Date(now()))
        .executeTakeFirst()
      return found ?? null
    },

    /** ends the session; returns the Set-Cookie header that removes the cookie */
    async signOut(cookies: string | undefined): Promise<string> {
      const cookie = cookieIn(cookies)
      if (cookie !== null) await db.deleteFrom('sessions').where('digest', '=', digestOf(cookie)).execute()
      return `${cookieName}=; Max-Age=0; ${attributes}`
    },
  }
}

function isSigned({ wallet, message }: { wallet: string; message: string }, text: string): boolean {
  const signature = signatureBytes(text)
  const publicKey = keyFromBase58(wallet)
  if (signature === null || publicKey === null) return false
  const key = Buffer.from(publicKey, 'latin1')
  return !isSmallOrder(key) && isSignatureOf(key, Buffer.from(message), signature)
}

/** 64 bytes in base58, or in base64 with its padding, which base58 does not have. */
function signatureBytes(text: string): Buffer | null {
  if (text.length > 88) return null
  const base58 = base58Decode(text, 64)
  if (base58 !== null) return Buffer.from(base58, 'latin1')
  return /^[A-Za-z0-9+/]{86}==$/.test(text) ? Buffer.from(text, 'base64') : null
}
