import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { createKeyWork, type Task } from '@ti/service/access/accounts/key-work.ts'
import { createSignIn } from '@ti/service/access/accounts/sign-in.ts'
import { openKeys } from '@ti/service/access/keys.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows } from '@ti/service/access/rate-limits/windows.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { emptyDatabase } from '../support/database.ts'
import { fakeOperations, READY } from '../support/fake-service.ts'
import { fetchAs } from '../support/fetch-as.ts'
import { EASY_WORK, solve } from '../support/key-work.ts'
import { type Wallet, wallet } from '../support/wallet.ts'

const ORIGIN = 'https://api.example.com'
const fetchOwn = fetchAs(new URL(ORIGIN).host)

/** The account's interface over a database; the clock of the windows stands. */
async function start(t: TestContext) {
  const database = await emptyDatabase(t)
  const now = () => Date.UTC(2026, 0, 1)
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line: string) => void logged.push(line) })
  const keys = await openKeys(database, { now: Date.now, logger })
  const accounts = createAccounts(database, { now })
  const face = createHttpFace({
    operations: fakeOperations(),
    keys,
    windows: createMemoryWindows(() => 0),
    clientAddress: createClientAddress([]),
    cashier: null,
    account: {
      accounts,
      signIn: createSignIn(database, { accounts, publicUrl: ORIGIN, now }),
      work: createKeyWork(database, { now, bounds: EASY_WORK }),
      subscriptions: null,
      now,
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
  const base = `http://127.0.0.1:${port}`
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetchOwn(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  async function challenge(address: string): Promise<{ nonce: string; message: string }> {
    const answer = await post('/account/challenge', { wallet: address })
    assert.equal(answer.status, 200)
    return ((await answer.json()) as { data: { nonce: string; message: string } }).data
  }
  async function enter(holder: Wallet): Promise<{ cookie: string }> {
    const { nonce, message } = await challenge(holder.address)
    const signature = sign(null, Buffer.from(message), holder.key).toString('base64')
    const answer = await post('/account/session', { nonce, signature })
    assert.equal(answer.status, 200)
    return { cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! }
  }
  /** A key's answer, after the work that it costs. */
  async function makeKey(name: string, owner: { cookie: string }): Promise<Response> {
    const { data } = (await (await post('/account/work', {}, owner)).json()) as { data: Task }
    return post('/account/keys', { name, work: solve(data) }, owner)
  }
  return { base, post, challenge, enter, makeKey, logged, database }
}

/** Before: 60 calls without a key closed `/account` for the address, so a leaked key could not be revoked (429). */
test('the owner of a leaked key revokes it after 1,000 unpaid calls from the same address, and signs out', async (t) => {
  const { base, enter, makeKey } = await start(t)
  const owner = await enter(wallet())
  const made = await makeKey('leaked', owner)
  const { data } = (await made.json()) as { data: { id: string; key: string } }
  const authorization = { authorization: `Bearer ${data.key}` }
  assert.equal((await fetchOwn(`${base}/v1/tokens/new`, { headers: authorization })).status, 200)
  const statuses = new Map<number, number>()
  for (let call = 0; call < 1_000; call++) {
    const { status } = await fetchOwn(`${base}/v1/tokens/new`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual(Object.fromEntries(statuses), { 402: 60, 429: 940 })
  // as a person does it by hand: nothing to send, so no type of it
  const remove = (path: string) => fetchOwn(base + path, { method: 'DELETE', headers: owner })
  assert.equal((await remove(`/account/keys/${data.id}`)).status, 200)
  const refused = await fetchOwn(`${base}/v1/tokens/new`, { headers: authorization })
  assert.notEqual(refused.status, 200)
  assert.equal((await remove('/account/session')).status, 200)
  assert.equal((await fetchOwn(`${base}/account/keys`, { headers: owner })).status, 404, 'signed out')
})

test('a DELETE with a body of another type, or of another origin, is refused as before', async (t) => {
  const { base, enter } = await start(t)
  const owner = await enter(wallet())
  const remove = (init: { headers: Record<string, string>; body?: string }) =>
    fetchOwn(`${base}/account/session`, { method: 'DELETE', ...init })
  assert.equal((await remove({ headers: { ...owner, 'content-type': 'text/plain' }, body: '{}' })).status, 400)
  assert.equal((await remove({ headers: { ...owner, origin: 'https://evil.example' } })).status, 400)
  assert.equal((await fetchOwn(`${base}/account/keys`, { headers: owner })).status, 200, 'still signed in')
})

/**
 * R neutral, S zero: valid for one message in four under the key of 32 zero bytes, one in two under order 2, all under the
 * neutral one. Before: anybody signed in as them within a few challenges.
 */
test('nobody signs in with a key under which signatures can be made up', async (t) => {
  const { post, challenge } = await start(t)
  const neutral = Buffer.alloc(32)
  neutral[0] = 1
  const forged = Buffer.concat([neutral, Buffer.alloc(32)]).toString('base64')
  let entered = 0
  for (const key of [Buffer.alloc(32), neutral]) {
    for (let tries = 0; tries < 12; tries++) {
      const { nonce } = await challenge(base58Encode(key.toString('latin1')))
      const answer = await post('/account/session', { nonce, signature: forged })
      if (answer.status === 200) entered++
      else assert.equal(answer.status, 400)
    }
  }
  assert.equal(entered, 0)
})

/** Before: the statement and all its parameters stood in the log, of a failed `insert` the digest of a key among them. */
test('of a statement that fails neither its text nor its parameters are logged', async (t) => {
  const { enter, makeKey, logged, database } = await start(t)
  const owner = await enter(wallet())
  await database.sql.schema.alterTable('api_keys').renameTo('elsewhere').execute()
  const answer = await makeKey('a very telling name', owner)
  assert.equal(answer.status, 500)
  const lines = logged.filter((line) => line.includes('account request failed'))
  assert.equal(lines.length, 1)
  const { err } = JSON.parse(lines[0]!) as { err: Record<string, unknown> }
  // SQLite has a number beside its code
  delete err.errcode
  assert.deepEqual(Object.keys(err).sort(), ['code', 'message', 'stack', 'type'])
  assert.match(String(err.message), /api_keys/)
  assert.doesNotMatch(logged.join(''), /a very telling name|insert into|update "|select .* from/)
})
