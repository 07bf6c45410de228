import type { IncomingMessage, ServerResponse } from 'node:http'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { isoMicros } from '@ti/core/base/time.ts'
import { APP_ENDPOINTS, type AppOperation, type AppSession, type AppStatus } from '@ti/core/contract/app.ts'
import { type AppQuery, BUSY } from '@ti/core/query/app.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import type { PageAccess, PageSession } from '../../access/page-access.ts'
import type { Window } from '../../access/rate-limits/windows.ts'
import {
  NOT_READY_RETRY_S,
  notReadyMessage,
  type Readiness,
  rateHeaders,
  rateLimitMessage,
} from '../../access/refusals.ts'
import type { Shared } from '../../access/shared/shared.ts'
import { isShortage } from '../../base/shortage.ts'
import type { Serve } from '../answering.ts'
import { DATA_HEADERS, sendError, sendJson, sendText } from './answer.ts'

/** The dependencies of the page's own reads below /app. */
interface AppRoutes {
  readonly access: PageAccess
  readonly shared: Shared
  readonly query: AppQuery
  readonly readiness: () => Readiness
  readonly status: () => AppStatus
  readonly sandbox: boolean
  readonly network: AppSession['network']
  readonly publicUrl: string
  /** validates every answer against its schema before sending; for development */
  readonly validateResponses: boolean
}

interface AppRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

/** JSON text of an answer's `data`; null: not found; BUSY: try again in a moment. */
type Data = string | null | typeof BUSY
type Read = (argument: string, search: URLSearchParams) => Data | Promise<Data>

interface AppRead {
  readonly id: AppOperation
  readonly read: Read
  /** the message of a 404, if it is not about a mint */
  readonly missing?: string
  /** answers even while the service is not ready */
  readonly always?: boolean
}

const CANNOT_READ = {
  open: 'this path is for the service’s own page: GET /app/session gives it a cookie',
  'signed-in': 'sign in with a wallet to read through the page',
  off: 'reading through the page is turned off',
} as const

/** Creates the handler of each path below /app. */
export function createApp(routes: AppRoutes): readonly (readonly [path: string, serve: Serve])[] {
  const { access, shared, query, publicUrl, validateResponses } = routes
  const table: readonly AppRead[] = [
    { id: 'explain', read: (mint) => query.explain(mint) },
    { id: 'line', read: (mint) => query.line(mint) },
    { id: 'past', read: (mint, search) => query.past(mint, Number(search.get('slot'))) },
    { id: 'board', read: (_, search) => query.board(search.get('view') ?? 'launches'), missing: 'no such view' },
    { id: 'hidden', read: (_, search) => query.hidden(search.get('list') ?? ''), missing: 'no such list' },
    { id: 'cards', read: (_, search) => query.cards(search.get('mints') ?? '') },
    { id: 'deployer', read: (wallet) => query.deployer(wallet), missing: 'no launch of this wallet is tracked' },
    { id: 'lives', read: (_, search) => query.lives(search.get('mints') ?? '') },
    { id: 'neighbours', read: (wallet) => query.neighbours(wallet), missing: 'no trade of this wallet has been seen' },
    { id: 'search', read: (_, search) => query.search(search.get('q') ?? '') },
    { id: 'status', read: () => JSON.stringify(routes.status()), always: true },
  ]

  function check(id: AppOperation, text: string): string {
    if (!validateResponses) return text
    const parsed = APP_ENDPOINTS[id].answer.safeParse(JSON.parse(text))
    if (!parsed.success) throw new Error(`answer of ${id} breaks its schema: ${parsed.error.message}`)
    return text
  }

  function tooMany({ response, requestId }: AppRequest, window: Window): number {
    const extra = [...rateHeaders(window), 'retry-after', `${window.resetS}`]
    return sendError(response, 429, rateLimitMessage(window), requestId, extra, { retry_after: window.resetS })
  }

  async function session(asked: AppRequest): Promise<number> {
    const { request, response, requestId } = asked
    if (!access.own.sent(request.headers)) {
      const { origin } = access.own
      const details = { reason: 'foreign_origin', origin } as const
      return sendError(response, 400, `only pages of ${origin} may ask for this`, requestId, [], details)
    }
    const found = await access.session(request)
    if (!found.asked.allowed) return tooMany(asked, found.asked)
    const cookie = found.setCookie === null ? [] : ['set-cookie', found.setCookie]
    const text = check('session', JSON.stringify(sessionJson(found, routes)))
    return sendJson(response, 200, requestId, `{"data":${text}}`, [...rateHeaders(found.asked), ...cookie])
  }

  async function read(
    asked: AppRequest,
    { id, read, missing = 'this mint is not tracked', always = false }: AppRead,
    argument: string,
    search: URLSearchParams,
  ): Promise<number> {
    const { request, response, requestId } = asked
    const counted = access.mayRead(request) ? await access.read(request) : null
    if (counted === null) {
      return sendError(response, 402, CANNOT_READ[access.mode], requestId, [], { upgrade_url: `${publicUrl}/account` })
    }
    const { window, taker } = counted
    if (!window.allowed) return tooMany(asked, window)
    const rate = rateHeaders(window)
    if (argument !== '' && keyFromBase58(argument) === null) {
      return sendError(response, 400, 'not an address (base58 of 32 bytes)', requestId, rate)
    }
    if (id === 'search' && (search.get('q') ?? '').length > QUERY_BOUNDS.searchLength) {
      return sendError(response, 400, `q: longer than ${QUERY_BOUNDS.searchLength} characters`, requestId, rate)
    }
    if (id === 'past' && !/^\d{1,15}$/.test(search.get('slot') ?? '')) {
      return sendError(response, 400, 'slot: the number of a slot, as ?slot=300000840', requestId, rate)
    }
    const ready = routes.readiness()
    if (!ready.ready && !always) {
      const extra = [...rate, 'retry-after', `${NOT_READY_RETRY_S}`]
      return sendError(response, 503, notReadyMessage(ready), requestId, extra)
    }
    const place = shared.take('readings', taker)
    const data = place.ok ? await Promise.resolve(read(argument, search)).catch(busyWhere).finally(place.release) : BUSY
    if (data === null) return sendError(response, 404, missing, requestId, rate)
    if (data === BUSY) {
      return sendError(response, 503, 'too many large tokens are being read: try again', requestId, [
        ...rate,
        'retry-after',
        '1',
      ])
    }
    return sendText(request, response, requestId, `{"data":${check(id, data)}}`, [...DATA_HEADERS, ...rate])
  }

  const nowhere: Serve = (_request, response, requestId) => sendError(response, 404, 'no such path', requestId)
  const readOf =
    (route: AppRead): Serve =>
    (request, response, requestId, args, search) => {
      const [argument] = args
      if (argument === '') return nowhere(request, response, requestId, args, search)
      return read({ request, response, requestId }, route, argument ?? '', new URLSearchParams(search))
    }
  return [
    [APP_ENDPOINTS.session.path, (request, response, requestId) => session({ request, response, requestId })],
    ...table.map((route) => [APP_ENDPOINTS[route.id].path, readOf(route)] as const),
    ['/app/*', nowhere],
  ]
}

/** A shortage is temporary, so it counts as busy rather than as a failure. */
function busyWhere(error: unknown): typeof BUSY {
  if (isShortage(error)) return BUSY
  throw error
}

const UNREADABLE = { limit: 0, remaining: 0, reset_s: 0 }

function sessionJson(found: PageSession, { access, sandbox, network, publicUrl }: AppRoutes): AppSession {
  const { account, plan, window, trial } = found
  return {
    access: access.mode,
    may_read: window !== null,
    signed_in: account !== null,
    wallet: account?.wallet ?? null,
    plan,
    sandbox,
    network,
    public_url: publicUrl,
    limit: window === null ? UNREADABLE : { limit: window.limit, remaining: window.remaining, reset_s: window.resetS },
    trial: trial === null ? null : { left_s: Math.floor(trial.leftMs / 1000), until: isoMicros(trial.untilMs / 1000) },
  }
}
