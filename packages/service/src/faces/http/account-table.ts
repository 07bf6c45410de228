import type { ServerResponse } from 'node:http'
import { isoMicros } from '@ti/core/base/time.ts'
import { ACCOUNT_ENDPOINTS, type AccountEndpoint } from '@ti/core/contract/account-endpoints.ts'
import { createOwnOrigin } from '../../access/page-origin.ts'
import { rateHeaders } from '../../access/refusals.ts'
import type { AccountRow } from '../../access/sql/schema.ts'
import type { Member } from '../../alerts/watch-json.ts'
import { isShortage } from '../../base/shortage.ts'
import { processTroubles } from '../../base/troubles.ts'
import { JSON_TYPE, sendError, write } from '../answer.ts'
import { createAnswering, type Serve } from '../answering.ts'
import { errorBody } from '../error-body.ts'
import type { Route } from '../router.ts'
import type { AccountOptions } from './account.ts'
import {
  type AccountRequest,
  type AddOperation,
  checkOrigin,
  keyRefusal,
  Refusal,
  read,
  readJson,
  refusalOf,
} from './account-request.ts'
import { queryOf } from './query.ts'

/** requests a minute to the account's own interface from one address */
export const RATE_ACCOUNT = 60

/** Knows the account behind a request, by session or key. */
function createCallers({ accounts, signIn, keys, keyUse, publicUrl }: AccountOptions) {
  async function holder({ request }: AccountRequest): Promise<AccountRow> {
    const account = await signIn.session(request.headers.cookie)
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
    if (!found.ok) throw keyRefusal(found.reason, `${publicUrl}/account`)
    keyUse?.count(found.id)
    return { id: found.account, plan: found.plan }
  }

  const callers = { anyone: async () => null, session: holder, key: member }
  return (access: AccountEndpoint['access'], asked: AccountRequest) => callers[access](asked)
}

/** Creates the table of routes: each row rate-limits by address, checks origin, caller, body and query, and writes the answer. */
export function createAccountTable(options: AccountOptions) {
  const { windows, clientAddress, traffic, logger, newRequestId, now } = options
  const own = createOwnOrigin(options.publicUrl)
  const callerOf = createCallers(options)
  const record = traffic.operation('account')
  const answering = createAnswering({ newRequestId, logger, record, sendError })
  const table: Route[] = []
  const methods = new Map<string, string[]>()

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
  function row(method: Route['method'], path: string, run: (asked: AccountRequest) => Promise<unknown>): void {
    const serve: Serve = async (request, response, requestId, args, search) => {
      const headers = ['x-request-id', requestId, 'cache-control', 'no-store']
      const asked: AccountRequest = { request, requestId, args, search, headers }
      try {
        await count(asked)
        const data = await run(asked)
        const meta = { cached_at: isoMicros(now() / 1000), request_id: requestId }
        return data === null ? write(response, 204, headers) : writeJson(response, 200, headers, { data, meta })
      } catch (error) {
        return sendRefusal(asked, response, error)
      }
    }
    // no id has an escape: a broken one is the id of nothing
    table.push({ method, path, readsBody: true, raw: true, handle: answering(serve) })
  }

  /** Answers methods without a row. Other origins are not allowed, so a preflight gets an answer without CORS headers. */
  function others(path: string, served: readonly string[]): void {
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    row('*', path, async (asked) => {
      const { method } = asked.request
      if (method === 'OPTIONS') await readJson(asked)
      asked.headers.push('allow', allow)
      if (method !== 'OPTIONS') throw new Refusal('method_not_allowed', `${method} is not supported here: use ${allow}`)
      return null
    })
  }

  const on: AddOperation = (id, handle) => {
    const { method, path, access, body, query }: AccountEndpoint = ACCOUNT_ENDPOINTS[id]
    methods.set(path, [...(methods.get(path) ?? []), method])
    row(method, path, async (asked) => {
      checkOrigin(asked, own)
      const sent = await readJson(asked)
      const caller = await callerOf(access, asked)
      const checked = { body: body && read(body, sent), query: query && read(query, queryOf(asked.search)) }
      // the row's own schemas have just made these types
      return handle({ ...asked, ...checked } as never, caller as never)
    })
  }

  return {
    on,
    table() {
      for (const [path, served] of methods) others(path, served)
      // preflights of other origins fail on all other paths below /account as well
      row('*', '/account/*', async () => {
        throw new Refusal('not_found', 'no such path')
      })
      return table
    },
  }
}

const writeJson = (response: ServerResponse, status: number, headers: string[], value: object): number => {
  const text = JSON.stringify(value)
  headers.push('content-type', JSON_TYPE, 'content-length', `${Buffer.byteLength(text)}`)
  return write(response, status, headers, text)
}
