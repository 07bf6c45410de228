import type { IncomingMessage, ServerResponse } from 'node:http'
import { isoMicros } from '@ti/core/base/time.ts'
import type { RefusalReason } from '@ti/core/contract/refusals.ts'
import { z } from 'zod'
import type { Accounts, MadeKey } from '../../access/accounts/accounts.ts'
import { NONCE_LENGTH } from '../../access/accounts/challenge.ts'
import { isKeyName, KEY_DAYS, KEY_NAME_RULE } from '../../access/accounts/key-info.ts'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import {
  type Accepted,
  COUNTER_MAX,
  KEY_WORK,
  type KeyWork,
  WORK_NONCE_LENGTH,
} from '../../access/accounts/key-work.ts'
import type { SignedIn, SignIn } from '../../access/accounts/sign-in.ts'
import type { Subscriptions } from '../../access/accounts/subscriptions.ts'
import type { Keys } from '../../access/keys.ts'
import { createOwnOrigin } from '../../access/page-origin.ts'
import type { Windows } from '../../access/rate-limits/windows.ts'
import { rateHeaders } from '../../access/refusals.ts'
import type { AccountRow } from '../../access/sql/schema.ts'
import type { Member, WatchServices } from '../../alerts/watch-json.ts'
import type { Logger } from '../../base/log.ts'
import { isShortage } from '../../base/shortage.ts'
import { processTroubles } from '../../base/troubles.ts'
import { JSON_TYPE, sendError, write } from '../answer.ts'
import { createAnswering, type Serve } from '../answering.ts'
import { errorBody } from '../error-body.ts'
import type { Route } from '../router.ts'
import { accountJson, keyJson, WHAT_IS_HERE, workJson } from './account-json.ts'
import {
  type AccountRequest,
  type AddPath,
  checkOrigin,
  idOf,
  keyRefusal,
  Refusal,
  read,
  readJson,
  refusalOf,
} from './account-request.ts'
import { addDestinationRoutes, type DestinationServices } from './destinations.ts'
import type { Traffic } from './metrics.ts'
import { addWatchRoutes } from './watches.ts'

/** requests a minute to the account's own interface from one address */
export const RATE_ACCOUNT = 60

export interface AccountOptions {
  readonly accounts: Accounts
  readonly signIn: SignIn
  readonly work: KeyWork
  /** null if subscriptions are not for sale */
  readonly subscriptions: Pick<Subscriptions, 'offerTo'> | null
  /** pays for an account with play money and returns the transaction's signature; null or left out: not a sandbox */
  readonly play?: ((reference: string, lamports: bigint) => string) | null
  /** left out: there are no watches */
  readonly watches?: WatchServices
  /** left out: there are no destinations for alerts */
  readonly destinations?: DestinationServices
  /** refreshed after every change, so that the change takes effect at once */
  readonly keys: Pick<Keys, 'refresh' | 'check'>
  /** counts the use of keys; left out: use is not counted */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  readonly windows: Windows
  readonly clientAddress: (request: IncomingMessage) => string
  readonly traffic: Traffic
  readonly logger: Logger
  readonly newRequestId: () => string
  readonly publicUrl: string
  /** milliseconds */
  readonly now: () => number
}

const ChallengeBody = z.strictObject({ wallet: z.string().max(44) })
const SessionBody = z.strictObject({ nonce: z.string().max(NONCE_LENGTH), signature: z.string().max(88) })
const KeyName = z.string().refine(isKeyName, KEY_NAME_RULE)
const WorkBody = z.strictObject({
  nonce: z.string().max(WORK_NONCE_LENGTH),
  counters: z.array(z.int().min(0).max(COUNTER_MAX)).max(KEY_WORK.parts),
})
const KeyBody = z.strictObject({
  name: KeyName,
  expires_in_days: z.int().min(1).max(KEY_DAYS).optional(),
  work: WorkBody.optional(),
})
const RenameBody = z.strictObject({ name: KeyName })

type Refused = readonly [reason: RefusalReason, message: string]
const SIGN_IN_REFUSALS: Record<Exclude<SignedIn, { ok: true }>['reason'], Refused> = {
  unknown: ['challenge_unknown', 'the nonce is unknown or was used: ask for a new challenge'],
  expired: ['challenge_expired', 'the challenge has expired: ask for a new one'],
  signature: [
    'wrong_signature',
    'the signature is not the wallet’s over the challenge’s message: ask for a new challenge',
  ],
}
const WORK_REFUSALS: Record<Exclude<Accepted, { ok: true }>['reason'], Refused> = {
  missing: [
    'work_missing',
    'an account that has not paid needs proof of work for a key: get a task from POST /account/work and send its solution as `work`',
  ],
  unknown: ['work_unknown', 'work: not a task of this account: ask for another with POST /account/work'],
  expired: ['work_expired', 'work: the task has expired: ask for another with POST /account/work'],
  little: [
    'work_too_little',
    'work: this address has taken many keys meanwhile, so the next costs more: ask again with POST /account/work',
  ],
  wrong: ['work_wrong', 'work: not every part is solved: see `rule` in the answer of POST /account/work'],
}
const NO_KEY = 'this account has no such key'
const NO_PLAY = 'only a service with a sandbox takes play money'
const DAY_MS = 86_400_000

/** The account API: wallet sign-in, keys, subscription. It speaks JSON and identifies the caller by a session cookie. */
export function createAccountRoutes(options: AccountOptions): readonly Route[] {
  const { path, table } = createTable(options)
  addHandlers(path, options)
  return table
}

function addHandlers(path: AddPath, routes: AccountOptions): void {
  const { accounts, signIn, subscriptions, keys, clientAddress, now } = routes

  async function holder(asked: AccountRequest): Promise<AccountRow> {
    const account = await signIn.session(asked.request.headers.cookie)
    if (account === null) throw new Refusal('not_signed_in', 'not signed in: start with POST /account/challenge')
    return account
  }

  /** If a key is sent, it identifies the caller, even when a session cookie is present. */
  async function member(asked: AccountRequest): Promise<Member> {
    const { authorization } = asked.request.headers
    if (authorization === undefined) {
      const account = await holder(asked)
      return { id: account.id, plan: accounts.planOf(account) }
    }
    const found = keys.check(authorization, asked.request.socket)
    if (!found.ok) throw keyRefusal(found.reason, `${routes.publicUrl}/account`)
    routes.keyUse?.count(found.id)
    return { id: found.account, plan: found.plan }
  }

  async function overview(account: AccountRow): Promise<object> {
    const plan = accounts.planOf(account)
    return accountJson(account, plan, await accounts.keysOf(account.id), subscriptions?.offerTo(account) ?? null)
  }

  path('/account', { GET: () => WHAT_IS_HERE })

  const { watches, destinations } = routes
  if (watches !== undefined) addWatchRoutes(path, { services: watches, member })
  if (destinations !== undefined) {
    addDestinationRoutes(path, { services: destinations, holder, planOf: accounts.planOf })
  }

  path('/account/challenge', {
    async POST(asked) {
      const challenge = await signIn.challenge(read(ChallengeBody, asked).wallet)
      if (challenge === null) throw new Refusal('not_a_wallet', 'wallet: not a wallet address (base58 of 32 bytes)')
      const { nonce, message, fields } = challenge
      return { nonce, message, fields, expires_at: fields.expirationTime }
    },
  })

  path('/account/session', {
    async GET(asked) {
      const account = await signIn.session(asked.request.headers.cookie)
      return account === null ? { signed_in: false } : overview(account)
    },
    async POST(asked) {
      const { nonce, signature } = read(SessionBody, asked)
      const signedIn = await signIn.signIn(nonce, signature)
      if (!signedIn.ok) throw new Refusal(...SIGN_IN_REFUSALS[signedIn.reason])
      asked.headers.push('set-cookie', signedIn.setCookie)
      return overview(signedIn.account)
    },
    async DELETE(asked) {
      asked.headers.push('set-cookie', await signIn.signOut(asked.request.headers.cookie))
      return { signed_in: false }
    },
  })

  path('/account/keys', {
    async GET(asked) {
      const { id } = await holder(asked)
      return (await accounts.keysOf(id)).map(keyJson)
    },
    async POST(asked) {
      const account = await holder(asked)
      const { name, expires_in_days: days, work } = read(KeyBody, asked)
      const expiresAt = days === undefined ? null : new Date(now() + days * DAY_MS)
      const address = clientAddress(asked.request)
      const accepted = await routes.work.accept(account, address, work)
      if (!accepted.ok) throw new Refusal(...WORK_REFUSALS[accepted.reason])
      const { used } = accepted
      let made: MadeKey | null = null
      try {
        made = await accounts.createKey(account.id, { name, expiresAt, used })
      } finally {
        if (used !== null && made?.ok !== true) routes.work.giveBack(address)
      }
      if (!made.ok) throw new Refusal(made.reason ?? 'invalid_request', made.message)
      await keys.refresh()
      return { key: made.key, ...keyJson(made.info) }
    },
  })

  path('/account/work', {
    async POST(asked) {
      const account = await holder(asked)
      return workJson(await routes.work.task(account, clientAddress(asked.request)))
    },
  })

  path('/account/play', {
    async POST(asked) {
      const account = await holder(asked)
      const offer = subscriptions?.offerTo(account) ?? null
      if (routes.play == null || offer === null) throw new Refusal('not_found', NO_PLAY)
      return { lamports: offer.lamports, signature: routes.play(offer.reference, BigInt(offer.lamports)) }
    },
  })

  path('/account/keys/{id}', {
    async PATCH(asked) {
      const { id } = await holder(asked)
      const named = await accounts.nameKey(id, idOf(asked), read(RenameBody, asked).name)
      if (named === null) throw new Refusal('not_found', NO_KEY)
      return keyJson(named)
    },
    async DELETE(asked) {
      const { id } = await holder(asked)
      const revoked = await accounts.revokeKey(id, idOf(asked))
      if (revoked === null) throw new Refusal('not_found', NO_KEY)
      await keys.refresh()
      return keyJson(revoked)
    },
  })
}

const ANY = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** Creates the table of routes: each row rate-limits by address, checks the origin, reads the body and writes the answer. */
function createTable(options: AccountOptions) {
  const { windows, clientAddress, traffic, logger, newRequestId, now } = options
  const own = createOwnOrigin(options.publicUrl)
  const record = traffic.operation('account')
  const answering = createAnswering({ newRequestId, logger, record, sendError })
  const table: Route[] = []

  async function count({ request, headers }: AccountRequest): Promise<void> {
    // a window of its own, so that calls to the data API cannot keep an owner from signing out or revoking a key
    const window = await windows.take(`account:${clientAddress(request)}`, RATE_ACCOUNT)
    headers.push(...rateHeaders(window))
    if (window.allowed) return
    headers.push('retry-after', `${window.resetS}`)
    throw new Refusal('rate_limited', 'too many requests from this address', { retry_after: window.resetS })
  }

  function sendRefusal(asked: AccountRequest, response: ServerResponse, error: unknown): number {
    const { headers, requestId } = asked
    const refusal = refusalOf(error)
    if (isShortage(error)) processTroubles.note('accounts', error)
    else if (refusal === null) logger.error({ err: error, request_id: requestId }, 'account request failed')
    const { status, message, details } = refusal ?? new Refusal('internal_error', 'internal error')
    if (status === 503) headers.push('retry-after', `${details.retry_after}`)
    return writeJson(response, status, headers, errorBody(status, message, requestId, details))
  }

  /** `run` returns the answer's data; null: the answer has no body. */
  function row(method: Route['method'], path: string, run: (asked: AccountRequest) => Promise<object | null>): void {
    const serve: Serve = async (request, response, requestId, args, search) => {
      const headers = ['x-request-id', requestId, 'cache-control', 'no-store']
      const asked: AccountRequest = { request, requestId, args, search, headers, body: undefined }
      try {
        await count(asked)
        const data = await run(asked)
        const meta = { cached_at: isoMicros(now() / 1000), request_id: requestId }
        return data === null ? write(response, 204, headers) : writeJson(response, 200, headers, { data, meta })
      } catch (error) {
        return sendRefusal(asked, response, error)
      }
    }
    table.push({ method, path, readsBody: true, handle: answering(serve) })
  }

  const path: AddPath = (path, handlers) => {
    const served = ANY.filter((method) => handlers[method] !== undefined)
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    for (const method of served) {
      row(method, path, async (asked) => {
        checkOrigin(asked, own)
        await readJson(asked)
        return handlers[method]!(asked)
      })
    }
    row('*', path, async (asked) => {
      const { method } = asked.request
      // other origins are not allowed, so a preflight gets an answer without CORS headers
      if (method === 'OPTIONS') await readJson(asked)
      asked.headers.push('allow', allow)
      if (method !== 'OPTIONS') throw new Refusal('method_not_allowed', `${method} is not supported here: use ${allow}`)
      return null
    })
  }
  // preflights of other origins fail on all other paths below /account as well
  row('*', '/account/*', async () => {
    throw new Refusal('not_found', 'no such path')
  })
  return { path, table }
}

const writeJson = (response: ServerResponse, status: number, headers: string[], value: object): number => {
  const text = JSON.stringify(value)
  headers.push('content-type', JSON_TYPE, 'content-length', `${Buffer.byteLength(text)}`)
  return write(response, status, headers, text)
}
