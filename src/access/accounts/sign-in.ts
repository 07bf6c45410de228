import { createPublicKey, hash, randomBytes, verify } from 'node:crypto'
import { base58Decode, keyFromBase58 } from '../../base/base58.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Database } from '../sql/database.ts'
import type { AccountRow } from '../sql/schema.ts'
import type { Accounts } from './accounts.ts'
import { type SignInFields, signInText } from './sign-in-message.ts'

/** Sessions of people who proved that they hold a wallet. */
export interface SignIn {
  /** a message for the wallet to sign; null where `wallet` is no address (base58 of 32 bytes) */
  challenge(wallet: string): Promise<Challenge | null>
  /** uses the challenge up, whatever comes of it. `signature`: ed25519 over the message's bytes, in base58 or base64 */
  signIn(nonce: string, signature: string): Promise<SignedIn>
  /** whose session the value of a Cookie header is */
  session(cookies: string | undefined): Promise<AccountRow | null>
  /** ends the session and answers the Set-Cookie header that makes the browser forget it */
  signOut(cookies: string | undefined): Promise<string>
}

export interface Challenge {
  readonly nonce: string
  /** what to sign, for wallets that sign any message */
  readonly message: string
  /** the same in parts, for wallets that make the message themselves */
  readonly fields: SignInFields
}

export type SignedIn =
  | { readonly ok: true; readonly account: AccountRow; readonly setCookie: string }
  | { readonly ok: false; readonly reason: 'unknown' | 'expired' | 'signature' }

export interface SignInOptions {
  readonly accounts: Pick<Accounts, 'ofWallet'>
  /** absolute, without a trailing slash: its host is what wallets show, and https makes the cookie Secure */
  readonly publicUrl: string
  /** milliseconds */
  readonly now: () => number
  readonly bounds?: Readonly<
    Record<'challengeMs' | 'challengesPerWallet' | 'challenges' | 'sessionMs' | 'sessionsPerAccount', number>
  >
}

const STATEMENT = 'Sign in to manage your API keys and subscription. This costs nothing and sends no transaction.'
/** 256 random bits in base64url */
const COOKIE = /^[A-Za-z0-9_-]{43}$/
const NONCE = /^[0-9a-f]{32}$/
/** what stands before the 32 bytes of an ed25519 public key in DER */
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

const digestOf = (cookie: string): Buffer => hash('sha256', cookie, 'buffer')

export function createSignIn({ sql: db }: Pick<Database, 'sql'>, options: SignInOptions): SignIn {
  const { accounts, publicUrl, now, bounds = LIMITS } = options
  const { host: domain, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:'
  // with this prefix browsers take the cookie from this host alone, and only over TLS
  const cookieName = secure ? '__Host-session' : 'session'
  const attributes = `HttpOnly; SameSite=Strict; Path=/${secure ? '; Secure' : ''}`

  async function dropOldChallenges(wallet: string): Promise<void> {
    const newest = db.selectFrom('challenges').select('nonce').orderBy('expires_at', 'desc').orderBy('nonce')
    const surplus = newest.where('wallet', '=', wallet).offset(bounds.challengesPerWallet)
    await db
      .deleteFrom('challenges')
      .where((where) =>
        where.or([
          where('expires_at', '<=', new Date(now())),
          where('nonce', 'in', surplus),
          where('nonce', 'in', newest.offset(bounds.challenges)),
        ]),
      )
      .execute()
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

  /** A browser sends one cookie of a name and path; of several, whoever wrote them, the first counts. */
  function cookieIn(header: string | undefined): string | null {
    for (const pair of (header ?? '').split(';')) {
      const equals = pair.indexOf('=')
      if (equals < 0 || pair.slice(0, equals).trim() !== cookieName) continue
      const value = pair.slice(equals + 1).trim()
      return COOKIE.test(value) ? value : null
    }
    return null
  }

  return {
    async challenge(wallet) {
      if (keyFromBase58(wallet) === null) return null
      const issuedMs = now()
      const nonce = randomBytes(16).toString('hex')
      const expires = new Date(issuedMs + bounds.challengeMs)
      const fields: SignInFields = {
        domain,
        address: wallet,
        statement: STATEMENT,
        uri: `${publicUrl}/account`,
        version: '1',
        chainId: 'mainnet',
        nonce,
        issuedAt: new Date(issuedMs).toISOString(),
        expirationTime: expires.toISOString(),
      }
      const message = signInText(fields)
      await db.insertInto('challenges').values({ nonce, wallet, message, expires_at: expires }).execute()
      await dropOldChallenges(wallet)
      return { nonce, message, fields }
    },

    async signIn(nonce, signature) {
      if (!NONCE.test(nonce)) return { ok: false, reason: 'unknown' }
      // read and deleted by one statement: of two that come with the same nonce, one finds it
      const used = db.deleteFrom('challenges').where('nonce', '=', nonce).returning(['wallet', 'message', 'expires_at'])
      const challenge = await used.executeTakeFirst()
      if (challenge === undefined) return { ok: false, reason: 'unknown' }
      if (challenge.expires_at.getTime() <= now()) return { ok: false, reason: 'expired' }
      if (!isSigned(challenge, signature)) return { ok: false, reason: 'signature' }
      const account = await accounts.ofWallet(challenge.wallet)
      return { ok: true, account, setCookie: await openSession(account) }
    },

    async session(cookies) {
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

    async signOut(cookies) {
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
  const der = Buffer.concat([SPKI_ED25519, Buffer.from(publicKey, 'latin1')])
  try {
    return verify(null, Buffer.from(message), createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
  } catch {
    // the wallet's 32 bytes are no point of the curve: nobody can sign for it
    return false
  }
}

/** 64 bytes in base58, or in base64 with its padding, which base58 does not have. */
function signatureBytes(text: string): Buffer | null {
  if (text.length > 88) return null
  const base58 = base58Decode(text, 64)
  if (base58 !== null) return Buffer.from(base58, 'latin1')
  return /^[A-Za-z0-9+/]{86}==$/.test(text) ? Buffer.from(text, 'base64') : null
}
