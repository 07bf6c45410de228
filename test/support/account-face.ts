import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import type { TestContext } from 'node:test'
import { ACCOUNT_ROWS } from '@ti/core/contract/account-endpoints.ts'
import { AccountError } from '@ti/core/contract/openapi-account.ts'
import { Meta } from '@ti/core/contract/resources.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { createKeyWork } from '@ti/service/access/accounts/key-work.ts'
import { createSignIn } from '@ti/service/access/accounts/sign-in.ts'
import { offerTo } from '@ti/service/access/accounts/subscription.ts'
import { openKeys } from '@ti/service/access/keys.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows } from '@ti/service/access/rate-limits/windows.ts'
import { createSignedTokens } from '@ti/service/access/signed-token.ts'
import type { Database } from '@ti/service/access/sql/database.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { type AccountServices, createHttpFace } from '@ti/service/faces/http/face.ts'
import { z } from 'zod'
import { emptyDatabase } from './database.ts'
import { fakeOperations, READY } from './fake-service.ts'
import { fetchAs } from './fetch-as.ts'
import { EASY_WORK, solve } from './key-work.ts'
import type { Wallet } from './wallet.ts'

export const ORIGIN = 'https://api.example.com'
export const PAY_TO = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const JSON_TYPE = { 'content-type': 'application/json' }

interface AccountFaceOptions {
  readonly unlimited?: boolean
  /** what else accounts have here */
  readonly services?: (database: Database, now: () => number) => Pick<AccountServices, 'watches' | 'destinations'>
}

/** The real face over the real accounts; the clock stands unless it is moved, and so do the rate windows. */
export async function startAccountFace(
  t: TestContext,
  { unlimited = true, services = () => ({}) }: AccountFaceOptions = {},
) {
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1)
  const now = () => ms
  const logged: string[] = []
  const played: [string, bigint][] = []
  const logger = createLogger('debug', { write: (line: string) => void logged.push(line) })
  const streamTokens = createSignedTokens({ secret: Buffer.alloc(32, 7), purpose: 'stream', nameBytes: 32, now })
  const keys = await openKeys(database, { now, logger, streamTokens })
  const accounts = createAccounts(database, { now })
  const windows = createMemoryWindows(now)
  const face = createHttpFace({
    operations: fakeOperations(),
    keys,
    windows: unlimited ? { take: (subject) => windows.take(subject, 1e9) } : windows,
    clientAddress: createClientAddress([]),
    cashier: null,
    account: {
      accounts,
      signIn: createSignIn(database, { accounts, publicUrl: ORIGIN, now }),
      // everybody here asks from one address
      work: createKeyWork(database, { now, bounds: { ...EASY_WORK, keys: 1_000 } }),
      subscriptions: { offerTo: (account) => offerTo(account, PAY_TO) },
      play: (reference, lamports) => {
        played.push([reference, lamports])
        return 'signature'
      },
      now,
      ...services(database, now),
    },
    status: () => READY,
    logger,
    metrics: createMetrics(),
    publicUrl: ORIGIN,
    openApi: '{}',
  })
  const { port } = await face.listen('127.0.0.1', 0)
  t.after(async () => {
    keys.close()
    await face.close()
  })
  const baseUrl = `http://127.0.0.1:${port}`

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const type = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? {} : JSON_TYPE
    const response = await fetchAs(new URL(ORIGIN).host)(baseUrl + path, {
      method,
      headers: { ...type, ...headers },
      ...text,
    })
    const answer = await response.text()
    check(method, path, response, answer)
    return { status: response.status, headers: response.headers, json: answer === '' ? null : JSON.parse(answer) }
  }

  async function challenge(holder: Wallet) {
    const { json } = await call('POST', '/account/challenge', { wallet: holder.address })
    const { nonce, message } = json.data
    return { nonce, signature: sign(null, Buffer.from(message), holder.key).toString('base64') }
  }

  /** Headers of somebody who signed in. */
  async function enter(holder: Wallet) {
    const { status, headers } = await call('POST', '/account/session', await challenge(holder))
    assert.equal(status, 200)
    return { cookie: headers.get('set-cookie')!.split(';', 1)[0]! }
  }

  /** A key, and before it the work that it costs. */
  async function makeKey(body: object, me: Record<string, string>) {
    const task = (await call('POST', '/account/work', {}, me)).json.data
    return call('POST', '/account/keys', { ...body, ...(task.required && { work: solve(task) }) }, me)
  }

  const pass = (by: number) => {
    ms += by
  }
  return { baseUrl, call, challenge, enter, makeKey, keys, database, logged, played, pass }
}

/** What every answer of the account has in common. */
function check(method: string, path: string, response: Response, text: string): void {
  const id = response.headers.get('x-request-id')
  assert.match(id ?? '', /^req_/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('access-control-allow-origin'), null)
  assert.ok(response.headers.has('x-ratelimit-remaining'))
  if (text === '') return
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const json = JSON.parse(text)
  assert.deepEqual(schemaOf(method, path, response.status).parse(json), json, 'exactly what the contract says')
  assert.equal((response.status === 200 ? json.meta : json.error).request_id, id)
}

function schemaOf(method: string, path: string, status: number): z.ZodType {
  if (status !== 200) return AccountError
  const asked = path.replace(/\?.*/, '')
  const fits = (template: string): boolean => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked)
  const [, endpoint] = ACCOUNT_ROWS.find(([, row]) => row.method === method.replace('HEAD', 'GET') && fits(row.path))!
  return z.object({ data: endpoint.answer, meta: Meta })
}
