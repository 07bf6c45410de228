import type { IncomingMessage } from 'node:http'
import type { WebAccess } from '../config/options.ts'
import { takeFreePage } from './free-tier.ts'
import type { FollowedKey, KeyCheck, Plan } from './keys.ts'
import { createPageAccounts, PAGE_ACCOUNT_MS, sessionCookie } from './page-accounts.ts'
import { createOwnOrigin, type OwnOrigin } from './page-origin.ts'
import { createPageTokens, type PageToken } from './page-token.ts'
import type { ClientAddress } from './rate-limits/client-address.ts'
import type { Window, Windows } from './rate-limits/windows.ts'
import type { Taker } from './shared/shared.ts'
import type { AccountRow } from './sql/schema.ts'

/** milliseconds a visitor's cookie lasts; it is renewed when half of that is over */
export const PAGE_SESSION_MS = 12 * 3_600_000
/** cookies of its name whose signature is looked at: browsers keep some fifty a host, of all names */
const PAGE_COOKIES_TRIED = 50
/** reads a minute of one session or account (decisions.md) */
export const RATE_PAGE = 120
/** reads a minute of all sessions and free accounts of one address: a household with three boards open. Below what a key
 * gives, so that making sessions is no way around one */
export const RATE_PAGE_ADDRESS = 360
/** questions for a session a minute and address: each may make one */
const RATE_PAGE_SESSIONS = 60

/**
 * Reads through the page, without a key or payment.
 *
 * A read counts in its session's window (`ratePage` a minute): for a signed-in user the account, across browsers; for visitors
 * the signed name in the cookie, which survives renewals. If that window allows it, the read also counts for the address
 * (`ratePageAddress`), for visitors and free accounts alike, because both are free: a thousand cookies or wallets on one
 * address read no more than three. Pro accounts, which pay, do not count by address. A session over its own limit takes nothing
 * from its neighbours. Creating sessions and looking up unknown ones have windows of their own by address. An address therefore
 * gets less from the page than from one key.
 *
 * Where reading requires a sign-in, a free account gets no more from the page than from a free key: its reads count in the free
 * windows of address and /48.
 *
 * The cookie is accepted only below `/app` and for streams, only if a browser sent it for a page of this origin under the
 * service's own name, and never where there is a price.
 */
export interface PageAccess {
  readonly mode: WebAccess
  readonly own: OwnOrigin
  /** cheap check before `read`; false for requests of other origins */
  mayRead(request: IncomingMessage): boolean
  /** counts a read; null: the cookie does not allow reading */
  read(request: IncomingMessage): Promise<PageRead | null>
  /** the present session, with a cookie for a new visitor */
  session(request: IncomingMessage): Promise<PageSession>
  /** the session that opens a socket; null: not allowed */
  follow(request: IncomingMessage): Promise<FollowedVisitor | null>
}

/** The window in which a read was counted, and whom it counts for. */
export interface PageRead {
  readonly window: Window
  readonly taker: Taker
}

export interface PageSession {
  /** window of session requests; unless `allowed`, the other fields are empty */
  readonly asked: Window
  readonly account: AccountRow | null
  readonly plan: Plan | null
  /** reads left, without counting; null: may not read */
  readonly window: Window | null
  readonly trial: Trial | null
  /** value of a Set-Cookie header */
  readonly setCookie: string | null
}

export interface Trial {
  readonly leftMs: number
  readonly untilMs: number
}

/** A followed key; its id groups its sockets. */
interface FollowedVisitor extends FollowedKey {
  /** a visitor, or a free account on an open page; counted by address and in total */
  readonly isStranger: boolean
}

interface PageAccessOptions {
  readonly mode: WebAccess
  readonly publicUrl: string
  /** signs visitors' cookies */
  readonly secret: Uint8Array
  readonly signIn: Parameters<typeof createPageAccounts>[0]['signIn']
  readonly planOf: (account: AccountRow) => Plan
  /** rest of the trial on the free plan; null: unknown */
  readonly trialOf: (account: string) => Promise<Trial | null>
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  /** milliseconds */
  readonly now: () => number
}

type Visitor =
  | { readonly kind: 'account'; readonly account: AccountRow; readonly plan: Plan }
  | { readonly kind: 'stranger'; readonly token: PageToken }

const VISITOR = { plan: 'free', id: '' } as const
const GONE: KeyCheck = { ok: false, reason: 'expired' }

export function createPageAccess(options: PageAccessOptions): PageAccess {
  const { mode, publicUrl, planOf, windows, clientAddress, now } = options
  const own = createOwnOrigin(publicUrl)
  const tokens = createPageTokens(options.secret, now)
  const accounts = createPageAccounts(options)
  const secure = publicUrl.startsWith('https:')
  const cookieName = secure ? '__Host-page' : 'page'
  const ofPage = new RegExp(`(?:^|;)\\s*${cookieName}=([A-Za-z0-9_-]{44})\\s*(?=;|$)`, 'g')

  /** Returns the first token that this service signed; another port or path of the host may use the same cookie name. */
  function tokenIn({ headers }: IncomingMessage): PageToken | null {
    if (mode !== 'open' || headers.cookie === undefined) return null
    let tries = 0
    for (const [, value] of headers.cookie.matchAll(ofPage)) {
      const token = tokens.read(value!)
      if (token !== null || ++tries >= PAGE_COOKIES_TRIED) return token
    }
    return null
  }

  function who(account: AccountRow | null, token: PageToken | null): Visitor | null {
    if (account !== null) return { kind: 'account', account, plan: planOf(account) }
    return token === null ? null : { kind: 'stranger', token }
  }

  const accountOf = (request: IncomingMessage): Promise<AccountRow | null> =>
    accounts.of(request.headers.cookie, clientAddress(request))

  async function visitorOf(request: IncomingMessage): Promise<Visitor | null> {
    return who(await accountOf(request), tokenIn(request))
  }

  const subjectOf = (visitor: Visitor): string =>
    visitor.kind === 'account' ? `page-account:${visitor.account.id}` : `page:${visitor.token.id}`

  /** Returns the window with the fewest calls left, or the one that refuses. `calls` 0 counts nothing. */
  async function count(visitor: Visitor, address: string, calls: number): Promise<Window> {
    if (mode === 'signed-in' && visitor.kind === 'account' && visitor.plan === 'free') {
      return takeFreePage(windows, visitor.account.id, address, calls)
    }
    const session = await windows.take(subjectOf(visitor), RATE_PAGE, calls)
    if (!session.allowed || (visitor.kind === 'account' && visitor.plan === 'pro')) return session
    const all = await windows.take(`page-address:${address}`, RATE_PAGE_ADDRESS, calls)
    return !all.allowed || all.remaining < session.remaining ? all : session
  }

  function cookieOf(value: string): string {
    const life = Math.floor(PAGE_SESSION_MS / 1000)
    return `${cookieName}=${value}; Max-Age=${life}; HttpOnly; SameSite=Strict; Path=/${secure ? '; Secure' : ''}`
  }

  /** Returns the present token, a renewed one of the same name, or a new visitor's. */
  function freshToken(request: IncomingMessage): { token: PageToken; setCookie: string | null } {
    const known = tokenIn(request)
    if (known !== null && known.untilMs - now() > PAGE_SESSION_MS / 2) return { token: known, setCookie: null }
    const made = tokens.make(now() + PAGE_SESSION_MS, known?.id)
    return { token: tokens.read(made)!, setCookie: cookieOf(made) }
  }

  /** With `guest`, the account reads and counts as that visitor, but keeps its own alerts. */
  function followAccount(account: AccountRow, cookie: string, guest: FollowedVisitor | null): FollowedVisitor {
    function judged(row: AccountRow): KeyCheck {
      if (guest === null) return { ok: true, id: `account:${row.id}`, account: row.id, plan: planOf(row) }
      const found = guest.again()
      return found.ok ? { ...found, account: row.id } : found
    }
    let newest: AccountRow | null = account
    let askedMs = now()
    let asking = false
    async function ask(): Promise<void> {
      asking = true
      newest = await accounts.again(cookie)
      askedMs = now()
      asking = false
    }
    return {
      found: judged(account),
      again() {
        if (newest !== null && !asking && now() - askedMs >= PAGE_ACCOUNT_MS) void ask()
        return newest === null ? GONE : judged(newest)
      },
      isStranger: guest !== null,
    }
  }

  function followStranger({ untilMs }: PageToken, address: string): FollowedVisitor {
    // streams are open to every visitor here, so no trial time is used
    const found: KeyCheck = { ok: true, id: `page-address:${address}`, account: '', plan: 'pro' }
    return { found, again: () => (now() < untilMs ? found : GONE), isStranger: true }
  }

  return {
    mode,
    own,
    mayRead: ({ method, headers }) =>
      headers.cookie !== undefined && mode !== 'off' && method === 'GET' && own.sent(headers),

    async read(request) {
      const visitor = await visitorOf(request)
      if (visitor === null) return null
      const address = clientAddress(request)
      const of = visitor.kind === 'account' ? { plan: visitor.plan, id: visitor.account.id } : VISITOR
      return { window: await count(visitor, address, 1), taker: { ...of, address } }
    },

    async session(request) {
      const address = clientAddress(request)
      const asked = await windows.take(`page-session:${address}`, RATE_PAGE_SESSIONS)
      const account = asked.allowed ? await accountOf(request) : null
      const plan = account === null ? null : planOf(account)
      const fresh = asked.allowed && mode === 'open' ? freshToken(request) : null
      const visitor = mode === 'off' ? null : who(account, fresh?.token ?? null)
      return {
        asked,
        account,
        plan,
        window: visitor === null ? null : await count(visitor, address, 0),
        trial: mode === 'signed-in' && plan === 'free' ? await options.trialOf(account!.id) : null,
        setCookie: fresh?.setCookie ?? null,
      }
    },

    async follow(request) {
      const { headers } = request
      if (mode === 'off' || headers.cookie === undefined || !own.isHost(headers.host)) return null
      // browsers send the origin with every WebSocket, but never with a GET of the same origin
      if (!own.has(headers.origin) && !own.sent(headers)) return null
      const visitor = await visitorOf(request)
      if (visitor === null) return null
      const address = clientAddress(request)
      if (visitor.kind === 'stranger') return followStranger(visitor.token, address)
      // on an open page, a free account must not be worse off than a visitor
      const token = visitor.plan === 'free' ? tokenIn(request) : null
      const guest = token === null ? null : followStranger(token, address)
      return followAccount(visitor.account, sessionCookie(headers.cookie)!, guest)
    },
  }
}
