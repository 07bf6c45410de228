import { hash } from 'node:crypto'
import type { SignIn } from './accounts/sign-in.ts'
import { ALONE_MS } from './rate-limits/shared-windows.ts'
import type { Windows } from './rate-limits/windows.ts'
import type { AccountRow } from './sql/schema.ts'

/** milliseconds for which an account's session is cached, and sessions cached: with the sweep of sockets (2 s) a sign-out
 * takes effect within 7 s */
export const PAGE_ACCOUNT_MS = 5_000
const PAGE_ACCOUNTS = 10_000

/** cookies of accounts not known yet that are looked up a minute and address: invented ones cost a question each */
export const RATE_PAGE_LOOKUPS = 60
/** milliseconds a cached account is trusted while the database fails */
export const PAGE_ACCOUNT_STALE_MS = 300_000

interface Known {
  readonly account: AccountRow
  readonly askedMs: number
}

/** over TLS it is prefixed with `__Host-` */
const SESSION_COOKIE = /(?:^|;)\s*((?:__Host-)?session=[A-Za-z0-9_-]{43})\s*(?=;|$)/

/** Returns the session cookie of a Cookie header; null if there is none. */
export const sessionCookie = (cookies: string | undefined): string | null =>
  cookies === undefined ? null : (SESSION_COOKIE.exec(cookies)?.[1] ?? null)

interface PageAccountsOptions {
  readonly signIn: Pick<SignIn, 'session'>
  readonly windows: Windows
  readonly now: () => number
}

/** Caches the accounts behind the cookies of signed-in users, so that a read through the page needs no database. */
export function createPageAccounts({ signIn, windows, now }: PageAccountsOptions) {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<AccountRow | null>>()
  let askAgainMs = 0

  function learn(digest: string, account: AccountRow | null): void {
    known.delete(digest)
    if (account === null) return
    const oldest = known.keys().next()
    if (known.size >= PAGE_ACCOUNTS && !oldest.done) known.delete(oldest.value)
    known.set(digest, { account, askedMs: now() })
  }

  /** Returns a recently known account. */
  function remembered(digest: string): AccountRow | null {
    const before = known.get(digest)
    return before !== undefined && now() - before.askedMs < PAGE_ACCOUNT_STALE_MS ? before.account : null
  }

  /** While the database fails, known accounts stay valid without waiting for a timeout. */
  async function lookUp(digest: string, cookie: string): Promise<AccountRow | null> {
    const before = now() < askAgainMs ? remembered(digest) : null
    if (before !== null) return before
    try {
      const account = await signIn.session(cookie)
      learn(digest, account)
      return account
    } catch {
      askAgainMs = now() + ALONE_MS
      return remembered(digest)
    }
  }

  async function find(cookie: string, address: string | null): Promise<AccountRow | null> {
    const digest = hash('sha256', cookie, 'base64url')
    const before = known.get(digest)
    if (before !== undefined && now() - before.askedMs < PAGE_ACCOUNT_MS) return before.account
    if (before === undefined && address !== null) {
      // made-up cookies must not cost other users database time
      const window = await windows.take(`page-lookup:${address}`, RATE_PAGE_LOOKUPS)
      if (!window.allowed) return null
    }
    const running = asking.get(digest)
    if (running !== undefined) return running
    const asked = lookUp(digest, cookie).finally(() => asking.delete(digest))
    asking.set(digest, asked)
    return asked
  }

  return {
    /** the account, from a cache of PAGE_ACCOUNT_MS. Never rejects */
    async of(cookies: string | undefined, address: string): Promise<AccountRow | null> {
      const cookie = sessionCookie(cookies)
      return cookie === null ? null : find(cookie, address)
    },
    /** the same for a known session, whose lookups are not counted */
    again: (cookie: string): Promise<AccountRow | null> => find(cookie, null),
  }
}
