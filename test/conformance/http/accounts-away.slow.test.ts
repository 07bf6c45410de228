import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { ErrorEnvelope } from '@ti/core/contract/resources.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { KEY_READING } from '@ti/service/access/accounts/key-reader.ts'
import { createKeyWork } from '@ti/service/access/accounts/key-work.ts'
import { createSignIn } from '@ti/service/access/accounts/sign-in.ts'
import { openKeys } from '@ti/service/access/keys.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows } from '@ti/service/access/rate-limits/windows.ts'
import { createPool } from '@ti/service/access/sql/pool.ts'
import type { Schema } from '@ti/service/access/sql/schema.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { createAdmission } from '@ti/service/faces/live/admission.ts'
import { createMcpFace } from '@ti/service/faces/mcp/face.ts'
import { Kysely, PostgresDialect } from 'kysely'
import { emptyDatabase } from '../../support/database.ts'
import { fakeOperations, READY } from '../../support/fake-service.ts'
import { sharedWith } from '../../support/shared.ts'
import { startSilentPostgres } from '../../support/silent-postgres.ts'
import { createFakeCashier } from '../mcp/service.ts'

/** Every face over keys that a database held which does not answer any more. */
async function setUp(t: TestContext) {
  const database = await emptyDatabase(t)
  const clock = { ms: Date.UTC(2026, 0, 1) }
  const now = () => clock.ms
  const logger = createLogger('silent')
  const accounts = createAccounts(database, { now })
  const made = await accounts.createKey((await accounts.ofOperator()).id, { name: 'one', expiresAt: null })
  assert.ok(made.ok)
  const keys = await openKeys(database, { now, logger })
  t.after(() => keys.close())
  await database.sql.schema.alterTable('api_keys').renameTo('elsewhere').execute()
  await keys.refresh()

  const { url } = await startSilentPostgres(t)
  const pool = createPool({ url, connections: 2, timeoutMs: 50, statementMs: 50 })
  const silent = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  t.after(() => silent.destroy())
  const away = createAccounts({ ...database, sql: silent }, { now })
  const publicUrl = 'http://127.0.0.1'
  const signIn = createSignIn({ sql: silent }, { accounts: away, publicUrl, now })
  const cashier = createFakeCashier()
  const windows = createMemoryWindows(() => 0)
  const shared = { keys, windows, cashier, status: () => READY, logger, metrics: createMetrics(), publicUrl }
  const operations = fakeOperations()
  const mcp = createMcpFace({
    ...shared,
    shared: sharedWith({}),
    clientAddress: () => 'somewhere',
    operations,
    newRequestId: () => 'req_x',
  })
  const face = createHttpFace({
    ...shared,
    operations,
    clientAddress: createClientAddress([]),
    account: { accounts: away, signIn, work: createKeyWork({ sql: silent }, { now }), subscriptions: null, now },
    routes: [mcp.route],
    openApi: '{}',
  })
  t.after(async () => {
    await face.close()
    await mcp.close()
  })
  const { port } = await face.listen('127.0.0.1', 0)
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  const authorization = { authorization: `Bearer ${made.key}` }
  const pass = (ms: number): void => {
    clock.ms += ms
  }
  const comeBack = async (): Promise<void> => {
    await database.sql.schema.alterTable('elsewhere').renameTo('api_keys').execute()
    await keys.refresh()
  }
  return { ask, authorization, keys, cashier, pass, comeBack }
}

/** The error of a 503 that says when to come again. */
async function unavailable(answer: Response): Promise<string> {
  assert.equal(answer.status, 503)
  assert.ok(Number(answer.headers.get('retry-after')) >= 1, 'no Retry-After')
  const { error } = ErrorEnvelope.parse(await answer.json())
  assert.equal(error.code, 'internal_error')
  return error.message
}

test('a key that cannot be read any more is 503 over REST, whatever is paid beside it, and 200 again later', async (t) => {
  const { ask, authorization, cashier, keys, pass, comeBack } = await setUp(t)
  const path = '/v1/tokens/new'
  assert.equal((await ask(path, { headers: authorization })).status, 200)
  const stranger = { authorization: `Bearer sk_live_${'A'.repeat(43)}` }
  assert.match(await unavailable(await ask(path, { headers: stranger })), /Accounts cannot be read/)

  pass(KEY_READING.staleMs)
  for (const beside of [{}, { 'payment-signature': 'x' }, { 'x-payment': 'x' }]) {
    assert.match(await unavailable(await ask(path, { headers: { ...authorization, ...beside } })), /cannot be read/)
  }
  assert.equal((await ask(path)).status, 402, 'whoever shows nothing gets the offer as ever')
  assert.equal(cashier.seen.length, 0)

  assert.equal((await ask('/readyz')).status, 200)
  assert.equal(keys.state().answering, false)
  await comeBack()
  assert.equal((await ask(path, { headers: authorization })).status, 200)
  assert.equal((await ask(path, { headers: stranger })).status, 402)
})

test('over MCP it is an error that names its wait, and no offer', async (t) => {
  const { ask, authorization, cashier, pass } = await setUp(t)
  pass(KEY_READING.staleMs)
  const params = { name: 'list_new_tokens', arguments: { x_payment: 'x' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { 'content-type': 'application/json', ...authorization }
  const answer = await ask('/mcp', { method: 'POST', headers, body })
  const { result } = (await answer.json()) as { result: { isError: boolean; structuredContent: object } }
  assert.equal(result.isError, true)
  const { error } = ErrorEnvelope.parse(result.structuredContent)
  assert.deepEqual([error.code, error.retry_after], ['internal_error', 5])
  assert.match(error.message, /Accounts cannot be read/)
  assert.equal(cashier.seen.length, 0)
})

test('a stream is not opened but 503; one that is open goes on', async (t) => {
  const { authorization, keys, pass } = await setUp(t)
  const trials = { open: () => Promise.reject(new Error('not on Pro')) }
  const shared = sharedWith({})
  const admission = createAdmission({ keys, trials, clientAddress: () => '192.0.2.1', shared })
  const request = { url: '/socket/websocket', headers: authorization } as IncomingMessage
  const first = await admission.admit(request)
  assert.ok(first.ok, 'a key in memory is admitted')
  pass(KEY_READING.staleMs)
  const { ticket } = first
  assert.deepEqual(await admission.admit(request), { ok: false, status: 503, reason: 'accounts', retryAfterS: 5 })
  assert.equal(ticket.holds(), true)
  ticket.release()
  assert.equal(shared.usage().sockets.used.pro, 0)
})

test('what is asked of the account itself is 503 while its database is silent', async (t) => {
  const { ask } = await setUp(t)
  const cookie = `session=${'A'.repeat(43)}`
  for (const path of ['/account/session', '/account/keys']) {
    assert.match(await unavailable(await ask(path, { headers: { cookie } })), /cannot be read/)
  }
})
