import type { IncomingMessage } from 'node:http'
import type { FreeTrials } from '../../access/free-tier.ts'
import type { FollowedKey, Keys } from '../../access/keys.ts'
import type { PageAccess } from '../../access/page-access.ts'
import type { ClientAddress } from '../../access/rate-limits/client-address.ts'
import { ACCOUNTS_RETRY_S, NOT_READY_RETRY_S, type StreamRefusal } from '../../access/refusals.ts'
import { type Shared, type Taker, takerOfKey, visitorAt } from '../../access/shared/shared.ts'
import type { TrialDecision, TrialSeat } from '../../access/trials.ts'
import type { Version } from './codec.ts'

/** The rights of an open socket. */
export interface Ticket {
  readonly plan: 'pro' | 'free'
  /** whom the socket, its joins and its filters count for */
  readonly taker: Taker
  /** the account whose own topic it may follow; null: none */
  readonly account: string | null
  /** checked every few seconds: false once the key is revoked or expired, or the trial is over */
  holds(): boolean
  /** the socket has closed */
  release(): void
}

export interface Refusal<Reason = StreamRefusal> {
  readonly ok: false
  readonly status: 403 | 429 | 503
  readonly reason: Reason
  /** seconds */
  readonly retryAfterS?: number
}
export type SocketRefusal = Refusal<StreamRefusal | 'version'>

type Entered = { readonly ok: true; readonly ticket: Ticket } | Refusal
export type Admitted = { readonly ok: true; readonly version: Version; readonly ticket: Ticket } | SocketRefusal

export interface AdmissionOptions {
  readonly keys: Pick<Keys, 'follow'>
  readonly trials: FreeTrials
  readonly clientAddress: ClientAddress
  /** sockets of the service's own page, which send no key; null: the page is off */
  readonly page?: Pick<PageAccess, 'follow'> | null
  /** false while other nodes serve these streams: admission stops and open sockets are sent there; left out: always true */
  readonly isServing?: () => boolean
  readonly shared: Shared
}

/** Decides on a socket before its upgrade: protocol version, key, limits, and the trial of the free plan. */
export function createAdmission(options: AdmissionOptions) {
  const { keys, trials, clientAddress, page = null, isServing = () => true, shared } = options

  async function enter(request: IncomingMessage, query: URLSearchParams): Promise<Entered> {
    if (!isServing()) return { ok: false, status: 503, reason: 'stopping', retryAfterS: NOT_READY_RETRY_S }
    const authorization = authorizationOf(request, query)
    const visitor = authorization === undefined && page !== null ? await page.follow(request) : null
    const followed = visitor ?? keys.follow(authorization)
    const { found } = followed
    if (!found.ok && found.reason === 'unreadable') {
      return { ok: false, status: 503, reason: 'accounts', retryAfterS: ACCOUNTS_RETRY_S }
    }
    if (!found.ok) return { ok: false, status: 403, reason: 'key' }
    const address = clientAddress(request)
    // a visitor counts by address alone, also with the cookie of a free account
    const taker = visitor?.isStranger ? visitorAt(address) : takerOfKey(found, address)
    const place = shared.take('sockets', taker)
    if (!place.ok) {
      const { full, retryAfterS } = place
      if (full === 'pool') return { ok: false, status: 503, reason: 'sockets', retryAfterS }
      return { ok: false, status: 429, reason: 'key sockets', retryAfterS }
    }
    const trial = found.plan === 'free' ? await trials.open(found.account, address) : null
    if (trial?.ok === false) {
      place.release()
      return { ok: false, status: 429, reason: 'trial', retryAfterS: trial.retryAfterS }
    }
    const openTrial = (account: string) => trials.open(account, address)
    const ticket = createTicket(followed, trial?.seat ?? null, openTrial, place.release)
    return { ok: true, ticket: { ...ticket, taker, holds: () => isServing() && ticket.holds() } }
  }

  return {
    async admit(request: IncomingMessage): Promise<Admitted> {
      const query = queryOf(request)
      const version = versionOf(query.getAll('vsn').at(-1))
      if (version === null) return { ok: false, status: 403, reason: 'version' }
      const entered = await enter(request, query)
      return entered.ok ? { ...entered, version } : entered
    },
    /** the same for a streamed response, which has no protocol version and counts as a socket */
    enter: (request: IncomingMessage): Promise<Entered> => enter(request, queryOf(request)),
  }
}

/** A key that falls back to the free plan continues its trial; a key upgraded to Pro stops using it up. */
function createTicket(
  followed: FollowedKey,
  first: TrialSeat | null,
  openTrial: (account: string) => Promise<TrialDecision>,
  onRelease: () => void,
): Omit<Ticket, 'taker'> {
  let seat = first
  let asking = false
  let over = false
  let released = false

  async function askForSeat(account: string): Promise<void> {
    asking = true
    const trial = await openTrial(account)
    asking = false
    if (!trial.ok) over = true
    else if (released) trial.seat.release()
    else seat = trial.seat
  }

  return {
    plan: first === null ? 'pro' : 'free',
    account: followed.found.ok && followed.found.account !== '' ? followed.found.account : null,
    holds() {
      const found = followed.again()
      if (!found.ok || over) return false
      if (found.plan === 'pro') {
        seat?.release()
        seat = null
        return true
      }
      if (seat !== null) return seat.hasTime()
      if (!asking) void askForSeat(found.account)
      return true
    },
    release() {
      if (released) return
      released = true
      seat?.release()
      onRelease()
    },
  }
}

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

/** A client without `vsn` speaks version 1; otherwise the versions of `~> 2.0.0` and `~> 1.0.0` are known. */
function versionOf(vsn: string | undefined): Version | null {
  if (vsn === undefined) return 1
  const known = /^([12])\.0\.(?:0|[1-9]\d{0,8})$/.exec(vsn)
  return known === null ? null : (Number(known[1]) as Version)
}

/** The key from the URL (specification), the header, or the subprotocols, which keep it out of proxy logs. */
function authorizationOf({ headers }: IncomingMessage, query: URLSearchParams): string | undefined {
  const key = query.get('api_key')
  if (key !== null) return `Bearer ${key}`
  if (headers.authorization !== undefined) return headers.authorization
  const token = offeredProtocols(headers['sec-websocket-protocol']).find((one) => one.startsWith(TOKEN_PROTOCOL))
  return token && `Bearer ${Buffer.from(token.slice(TOKEN_PROTOCOL.length), 'base64url').toString('latin1')}`
}

/** the official client's prefix for its `authToken` */
const TOKEN_PROTOCOL = 'base64url.bearer.phx.'

const offeredProtocols = (header: string | undefined): string[] => header?.split(',').map((one) => one.trim()) ?? []
