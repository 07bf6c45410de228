import type { IncomingMessage } from 'node:http'
import { isoMicros } from '@ti/core/base/time.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Accounts, MadeKey } from '../../access/accounts/accounts.ts'
import { NONCE_LENGTH } from '../../access/accounts/challenge.ts'
import { isKeyName, KEY_NAME_RULE } from '../../access/accounts/key-info.ts'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import { type Accepted, COUNTER_MAX, type KeyWork, WORK_NONCE_LENGTH } from '../../access/accounts/key-work.ts'
import type { SignedIn, SignIn } from '../../access/accounts/sign-in.ts'
import type { Subscriptions } from '../../access/accounts/subscriptions.ts'
import type { Keys } from '../../access/keys.ts'
import type { Windows } from '../../access/rate-limits/windows.ts'
import type { AccountRow } from '../../access/sql/schema.ts'
import type { Member, WatchServices } from '../../alerts/watch-json.ts'
import type { Logger } from '../../base/log.ts'
import { isShortage } from '../../base/shortage.ts'
import { processTroubles } from '../../base/troubles.ts'
import { LIMITS } from '../../config/limits.ts'
import { errorBody } from '../error-body.ts'
import { accountGuards, keyRefusal, Refusal, refusalOf } from './account-guards.ts'
import { accountJson, keyJson, WHAT_IS_HERE, workJson } from './account-json.ts'
import { addDestinationRoutes, type DestinationServices } from './destinations.ts'
import type { Traffic } from './metrics.ts'
import { addWatchRoutes } from './watches.ts'

export interface AccountRoutes {
  readonly accounts: Accounts
  readonly signIn: SignIn
  readonly work: KeyWork
  /** null where nobody can pay */
  readonly subscriptions: Pick<Subscriptions, 'offerTo'> | null
  /** pays for an account with play money: the transaction's signature. Null or left out: not a sandbox */
  readonly play?: ((reference: string, lamports: bigint) => string) | null
  /** left out: nobody watches anything here */
  readonly watches?: WatchServices
  /** left out: alerts go nowhere else */
  readonly destinations?: DestinationServices
  /** refreshed after every change, so that it counts at once */
  readonly keys: Pick<Keys, 'refresh' | 'check'>
  /** how much they are used; left out: nobody counts */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  readonly windows: Windows
  readonly clientAddress: (request: IncomingMessage) => string
  readonly traffic: Traffic
  readonly logger: Logger
  readonly publicUrl: string
  /** milliseconds */
  readonly now: () => number
}

/** Paths that are answered here, whatever the method. */
export const isAccountPath = (path: string): boolean => path === '/account' || path.startsWith('/account/')

type Handler = (request: FastifyRequest, reply: FastifyReply) => object | Promise<object>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** every other path below: no preflight is answered for other origins there either */
const ELSEWHERE = '/account/*'

const ChallengeBody = z.strictObject({ wallet: z.string().max(44) })
const SessionBody = z.strictObject({ nonce: z.string().max(NONCE_LENGTH), signature: z.string().max(88) })
const KeyName = z.string().refine(isKeyName, KEY_NAME_RULE)
const WorkBody = z.strictObject({
  nonce: z.string().max(WORK_NONCE_LENGTH),
  counters: z.array(z.int().min(0).max(COUNTER_MAX)).max(LIMITS.keyWorkParts),
})
const KeyBody = z.strictObject({
  name: KeyName,
  expires_in_days: z.int().min(1).max(LIMITS.keyDays).optional(),
  work: WorkBody.optional(),
})
const RenameBody = z.strictObject({ name: KeyName })

const SIGN_IN_REFUSALS: Record<Exclude<SignedIn, { ok: true }>['reason'], string> = {
  unknown: 'the nonce is unknown or was used: ask for a new challenge',
  expired: 'the challenge has expired: ask for a new one',
  signature: 'the signature is not the wallet’s over the challenge’s message: ask for a new challenge',
}
const WORK_REFUSALS: Record<Exclude<Accepted, { ok: true }>['reason'], string> = {
  missing:
    'an account that has not paid needs proof of work for a key: get a task from POST /account/work and send its solution as `work`',
  unknown: 'work: not a task of this account: ask for another with POST /account/work',
  expired: 'work: the task has expired: ask for another with POST /account/work',
  little: 'work: this address has taken many keys meanwhile, so the next costs more: ask again with POST /account/work',
  wrong: 'work: not every part is solved: see `rule` in the answer of POST /account/work',
}
const NO_KEY = 'this account has no such key'
const NO_PLAY = 'only a service with a sandbox takes play money'
const DAY_MS = 86_400_000

/** The account's own interface: sign in with a wallet, keys, how to subscribe. JSON; a session cookie says who asks. */
export function addAccountRoutes(app: FastifyInstance, routes: AccountRoutes): void {
  app.register(async (scope) => {
    addPlumbing(scope, routes)
    addHandlers(router(scope, routes), routes)
  })
}

function addHandlers(path: (url: string, handlers: Partial<Record<Method, Handler>>) => void, routes: AccountRoutes) {
  const { accounts, signIn, subscriptions, keys, clientAddress, now } = routes

  async function holder(request: FastifyRequest): Promise<AccountRow> {
    const account = await signIn.session(request.headers.cookie)
    if (account === null) throw new Refusal(404, 'nobody is signed in: start with POST /account/challenge')
    return account
  }

  /** A key that is sent decides, whoever is signed in. */
  async function member(request: FastifyRequest): Promise<Member> {
    const { authorization } = request.headers
    if (authorization === undefined) {
      const account = await holder(request)
      return { id: account.id, plan: accounts.planOf(account) }
    }
    const found = keys.check(authorization, request.raw.socket)
    if (!found.ok) throw keyRefusal(found.reason, `${routes.publicUrl}/account`)
    routes.keyUse?.count(found.id)
    return { id: found.account, plan: found.plan }
  }

  async function overview(account: AccountRow): Promise<object> {
    const plan = accounts.planOf(account)
    return accountJson(account, plan, await accounts.keysOf(account.id), subscriptions?.offerTo(account) ?? null)
  }

  const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id

  path('/account', { GET: () => WHAT_IS_HERE })

  const { watches, destinations } = routes
  if (watches !== undefined) addWatchRoutes(path, { services: watches, member, read })
  const shared = { holder, planOf: accounts.planOf, read }
  if (destinations !== undefined) addDestinationRoutes(path, { services: destinations, ...shared })

  path('/account/challenge', {
    async POST(request) {
      const challenge = await signIn.challenge(read(ChallengeBody, request).wallet)
      if (challenge === null) throw new Refusal(400, 'wallet: not a wallet address (base58 of 32 bytes)')
      const { nonce, message, fields } = challenge
      return { nonce, message, fields, expires_at: fields.expirationTime }
    },
  })

  path('/account/session', {
    async GET(request) {
      const account = await signIn.session(request.headers.cookie)
      return account === null ? { signed_in: false } : overview(account)
    },
    async POST(request, reply) {
      const { nonce, signature } = read(SessionBody, request)
      const signedIn = await signIn.signIn(nonce, signature)
      if (!signedIn.ok) throw new Refusal(400, SIGN_IN_REFUSALS[signedIn.reason])
      reply.header('set-cookie', signedIn.setCookie)
      return overview(signedIn.account)
    },
    async DELETE(request, reply) {
      reply.header('set-cookie', await signIn.signOut(request.headers.cookie))
      return { signed_in: false }
    },
  })

  path('/account/keys', {
    async GET(request) {
      const { id } = await holder(request)
      return (await accounts.keysOf(id)).map(keyJson)
    },
    async POST(request) {
      const account = await holder(request)
      const { name, expires_in_days: days, work } = read(KeyBody, request)
      const expiresAt = days === undefined ? null : new Date(now() + days * DAY_MS)
      const address = clientAddress(request.raw)
      const accepted = await routes.work.accept(account, address, work)
      if (!accepted.ok) throw new Refusal(400, WORK_REFUSALS[accepted.reason])
      const { used } = accepted
      let made: MadeKey | null = null
      try {
        made = await accounts.createKey(account.id, { name, expiresAt, used })
      } finally {
        if (used !== null && made?.ok !== true) routes.work.giveBack(address)
      }
      if (!made.ok) throw new Refusal(400, made.message)
      await keys.refresh()
      return { key: made.key, ...keyJson(made.info) }
    },
  })

  path('/account/work', {
    async POST(request) {
      const account = await holder(request)
      return workJson(await routes.work.task(account, clientAddress(request.raw)))
    },
  })

  path('/account/play', {
    async POST(request) {
      const account = await holder(request)
      const offer = subscriptions?.offerTo(account) ?? null
      if (routes.play == null || offer === null) throw new Refusal(404, NO_PLAY)
      return { lamports: offer.lamports, signature: routes.play(offer.reference, BigInt(offer.lamports)) }
    },
  })

  path('/account/keys/:id', {
    async PATCH(request) {
      const { id } = await holder(request)
      const named = await accounts.nameKey(id, idOf(request), read(RenameBody, request).name)
      if (named === null) throw new Refusal(404, NO_KEY)
      return keyJson(named)
    },
    async DELETE(request) {
      const { id } = await holder(request)
      const revoked = await accounts.revokeKey(id, idOf(request))
      if (revoked === null) throw new Refusal(404, NO_KEY)
      await keys.refresh()
      return keyJson(revoked)
    },
  })
}

/** The request's body as a schema says; a Refusal that names the first thing that is wrong. */
function read<T>(schema: z.ZodType<T>, request: FastifyRequest): T {
  const parsed = schema.safeParse(request.body)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Refusal(400, path.length === 0 ? `the body: ${message}` : `${path.join('.')}: ${message}`)
}

/** Registers a path: its handlers, and 405 with Allow for every other method. */
function router(scope: FastifyInstance, routes: AccountRoutes) {
  const { rateLimit, sameOrigin } = accountGuards(routes)

  function path(url: string, handlers: Partial<Record<Method, Handler>>): void {
    const served = Object.keys(handlers)
    if (served.includes('GET')) served.push('HEAD')
    const allow = [...served, 'OPTIONS'].join(', ')
    for (const [method, handler] of Object.entries(handlers)) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url,
        onRequest: [rateLimit, sameOrigin],
        handler: async (request, reply) => {
          const data = await handler(request, reply)
          return { data, meta: { cached_at: isoMicros(routes.now() / 1000), request_id: request.id } }
        },
      })
    }
    const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      reply.header('allow', allow)
      throw new Refusal(405, `${request.method} is not supported here: use ${allow}`)
    }
    const others = METHODS.filter((method) => !served.includes(method))
    scope.route({ method: others, url, onRequest: [rateLimit, refuse], handler: refuse })
    // no other origin is let in, so a preflight is answered without a word about origins
    scope.route({
      method: 'OPTIONS',
      url,
      onRequest: rateLimit,
      handler: (_request, reply) => reply.header('allow', allow).code(204).send(),
    })
  }
  const notFound = async (): Promise<void> => {
    throw new Refusal(404, 'no such path')
  }
  scope.route({ method: [...METHODS, 'OPTIONS'], url: ELSEWHERE, onRequest: [rateLimit, notFound], handler: notFound })
  return path
}

/** Bodies, errors and headers of every answer here. */
function addPlumbing(scope: FastifyInstance, { logger, traffic }: AccountRoutes): void {
  const record = traffic.operation('account')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: LIMITS.accountBodyBytes },
    (_request, body, done) => {
      try {
        done(null, body === '' ? undefined : JSON.parse(String(body)))
      } catch {
        done(new Refusal(400, 'the body is not JSON'))
      }
    },
  )
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  })
  scope.addHook('onResponse', async (_request, reply) => record(reply.statusCode, reply.elapsedTime))
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error)
    if (isShortage(error)) processTroubles.note('accounts', error)
    else if (refusal === null) logger.error({ err: error, request_id: request.id }, 'account request failed')
    const { status, message, details } = refusal ?? { status: 500, message: 'internal error', details: {} }
    if (status === 503) reply.header('retry-after', `${details.retry_after}`)
    return reply.code(status).send(errorBody(status, message, request.id, details))
  })
}
