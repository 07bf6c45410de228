import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { REFUSALS } from '@ti/core/contract/refusals.ts'
import { KEY_WORK } from '@ti/service/access/accounts/key-work.ts'
import { offerTo } from '@ti/service/access/accounts/subscription.ts'
import { ACCOUNT_BODY_BYTES } from '@ti/service/faces/http/account-request.ts'
import { RATE_ACCOUNT } from '@ti/service/faces/http/account-table.ts'
import { ORIGIN, PAY_TO, startAccountFace } from '../../support/account-face.ts'
import { exportsOf } from '../../support/guides.ts'
import { EASY_WORK, solve } from '../../support/key-work.ts'
import { proxyAs } from '../../support/proxy-as.ts'
import { wallet } from '../../support/wallet.ts'

/** On one service, each with wallets of its own. */
const cases: Record<string, (scene: Awaited<ReturnType<typeof startAccountFace>>, t: TestContext) => Promise<void>> = {}

cases['sign in, make a key, use it, name it, revoke it, sign out'] = async ({
  baseUrl,
  call,
  enter,
  makeKey,
  database,
  logged,
}) => {
  const holder = wallet()
  assert.deepEqual((await call('GET', '/account/session')).json.data, { signed_in: false })
  assert.equal((await call('GET', '/account')).json.data.routes['POST /account/challenge'].length > 0, true)

  const me = await enter(holder)
  const overview = async () => (await call('GET', '/account/session', undefined, me)).json.data
  const mine = database.sql.selectFrom('accounts').select('reference').where('wallet', '=', holder.address)
  const { reference } = await mine.executeTakeFirstOrThrow()
  assert.deepEqual(await overview(), {
    signed_in: true,
    wallet: holder.address,
    plan: 'free',
    paid_until: null,
    balance_lamports: 0,
    keys: [],
    limits: { requests_per_minute: 5, live_keys: 5 },
    subscribe: { ...offerTo({ reference }, PAY_TO), pay_to: PAY_TO, lamports: 1e9, days: 30, reference },
  })

  const made = await makeKey({ name: 'bot', expires_in_days: 30 }, me)
  assert.equal(made.status, 200)
  const { key, ...info } = made.json.data
  assert.match(key, /^sk_live_[\w-]{43}$/)
  assert.deepEqual(info, {
    id: info.id,
    name: 'bot',
    state: 'live',
    created_at: '2026-01-01T00:00:00.000000Z',
    expires_at: '2026-01-31T00:00:00.000000Z',
    revoked_at: null,
    calls: 0,
    last_used_at: null,
  })
  const data = () => fetch(`${baseUrl}/v1/tokens/new`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal((await data()).status, 200)

  const named = await call('PATCH', `/account/keys/${info.id}`, { name: 'bot 2' }, me)
  assert.deepEqual(named.json.data, { ...info, name: 'bot 2' })
  assert.deepEqual((await call('GET', '/account/keys', undefined, me)).json.data, [{ ...info, name: 'bot 2' }])

  const revoked = await call('DELETE', `/account/keys/${info.id}`, undefined, me)
  assert.equal(revoked.json.data.state, 'revoked')
  const refused = await data()
  assert.equal(refused.status, 402)
  assert.match(((await refused.json()) as { error: { message: string } }).error.message, /revoked/)

  const out = await call('DELETE', '/account/session', undefined, me)
  assert.match(
    out.headers.get('set-cookie') ?? '',
    /^__Host-session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
  )
  assert.deepEqual(await overview(), { signed_in: false })
  for (const secret of [key, me.cookie.split('=')[1]]) assert.ok(!logged.join('').includes(secret))
}

cases['a subscription shows in the overview'] = async ({ call, enter, database }) => {
  const holder = wallet()
  const me = await enter(holder)
  const paid = { paid_until: new Date(Date.UTC(2026, 0, 31)), balance_lamports: 5, changed_at: new Date() }
  await database.sql.updateTable('accounts').set(paid).where('wallet', '=', holder.address).execute()
  const { plan, paid_until, balance_lamports, limits } = (await call('GET', '/account/session', undefined, me)).json
    .data
  assert.deepEqual(
    { plan, paid_until, balance_lamports, limits },
    {
      plan: 'pro',
      paid_until: '2026-01-31T00:00:00.000000Z',
      balance_lamports: 5,
      limits: { requests_per_minute: 600, live_keys: 5 },
    },
  )
}

cases['play money is paid for whoever is signed in, as much as a period costs'] = async ({ call, enter, played }) => {
  assert.equal((await call('POST', '/account/play', {})).status, 404)
  const me = await enter(wallet())
  const { reference } = (await call('GET', '/account/session', undefined, me)).json.data.subscribe
  const { json } = await call('POST', '/account/play', {}, me)
  assert.deepEqual(json.data, { lamports: 1e9, signature: 'signature' })
  assert.deepEqual(played, [[reference, 1_000_000_000n]])
}

cases['two sign-ins with one nonce at once: one session'] = async ({ call, challenge, database }) => {
  const sessions = async () => (await database.sql.selectFrom('sessions').selectAll().execute()).length
  const before = await sessions()
  const body = await challenge(wallet())
  const answers = await Promise.all(Array.from({ length: 4 }, () => call('POST', '/account/session', body)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  assert.equal(await sessions(), before + 1)
}

cases['a nonce of another wallet, and a session of another account, open nothing'] = async ({
  call,
  challenge,
  enter,
  makeKey,
}) => {
  const [victim, thief] = [wallet(), wallet()]
  const [theirs, mine] = [await challenge(victim), await challenge(thief)]
  const stolen = await call('POST', '/account/session', { nonce: theirs.nonce, signature: mine.signature })
  assert.equal(stolen.status, 400)
  assert.match(stolen.json.error.message, /signature/)
  assert.equal(stolen.json.error.reason, 'wrong_signature')

  const [me, other] = [await enter(victim), await enter(thief)]
  const { id } = (await makeKey({ name: 'mine' }, me)).json.data
  for (const [method, body] of [
    ['PATCH', { name: 'taken' }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await call(method, `/account/keys/${id}`, body, other)).status, 404)
  }
  assert.deepEqual((await call('GET', '/account/keys', undefined, other)).json.data, [])
  const [key] = (await call('GET', '/account/keys', undefined, me)).json.data
  assert.equal(key.name, 'mine')
  assert.equal(key.state, 'live')

  const nobody = [{}, { cookie: '__Host-session=' }, { cookie: `__Host-session=${'A'.repeat(43)}` }]
  for (const headers of [...nobody, { cookie: `session=${me.cookie.split('=')[1]}` }]) {
    assert.equal((await call('GET', '/account/keys', undefined, headers)).status, 404)
    assert.equal((await call('POST', '/account/keys', { name: 'a' }, headers)).status, 404)
    assert.equal((await call('DELETE', `/account/keys/${id}`, undefined, headers)).status, 404)
  }
}

cases['of many keys asked for at once an account gets five'] = async ({ enter, makeKey }) => {
  const me = await enter(wallet())
  const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => makeKey({ name: `${i}` }, me)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 400, 400, 400, 400])
  assert.match(answers.find(({ status }) => status === 400)!.json.error.message, /5 live keys/)
}

cases['a key of a wallet that has paid nothing costs work, once each; of one that has, nothing'] = async ({
  call,
  enter,
  makeKey,
  database,
  pass,
}) => {
  const holder = wallet()
  const me = await enter(holder)
  const ask = async () => (await call('POST', '/account/work', {}, me)).json.data
  const refusal = async (work?: object): Promise<string> => {
    const { status, json } = await call('POST', '/account/keys', { name: 'bot', work }, me)
    assert.equal(status, 400)
    return json.error.message
  }
  assert.match(await refusal(), /needs proof of work for a key: get a task from POST \/account\/work\b/)
  const task = await ask()
  assert.deepEqual(
    { ...task, nonce: task.nonce.length, rule: task.rule.length > 100 },
    { required: true, nonce: 84, parts: 16, bits: EASY_WORK.bits, expires_at: task.expires_at, rule: true },
  )
  const { nonce, counters } = solve(task)
  assert.match(await refusal({ nonce, counters: counters.slice(1) }), /not every part is solved: see `rule`/)
  assert.match(await refusal({ nonce, counters: [...counters, 1] }), /^work.counters: /)
  assert.match(await refusal({ nonce, counters: counters.map(String) }), /^work.counters.0: /)
  assert.match(await refusal({ nonce: nonce.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), counters }), /not a task/)
  const other = await call('POST', '/account/keys', { name: 'bot', work: { nonce, counters } }, await enter(wallet()))
  assert.deepEqual([other.status, /not a task of this account/.test(other.json.error.message)], [400, true])
  pass(KEY_WORK.ms)
  assert.match(await refusal({ nonce, counters }), /has expired: ask for another/)

  const work = solve(await ask())
  assert.equal((await call('POST', '/account/keys', { name: 'bot', work }, me)).status, 200)
  assert.match(await refusal(work), /already used for a key/)

  const paid = { balance_lamports: KEY_WORK.depositLamports, changed_at: new Date() }
  await database.sql.updateTable('accounts').set(paid).where('wallet', '=', holder.address).execute()
  assert.deepEqual(await ask(), { required: false })
  assert.equal((await call('POST', '/account/keys', { name: 'bot' }, me)).status, 200)
  assert.equal((await makeKey({ name: 'bot' }, me)).status, 200)
  assert.equal((await call('POST', '/account/work', {})).status, 404, 'nobody is signed in')
}

cases['a program makes a free key as the guide shows'] = async ({ baseUrl }, t) => {
  type FreeKey = (service: string, wallet: string, secret: KeyObject) => Promise<string>
  const { freeKey } = await exportsOf<{ freeKey: FreeKey }>('docs/agents.md', 'function freeKey')
  const holder = wallet()
  const url = await proxyAs(t, new URL(ORIGIN).host, baseUrl)
  const keys = [await freeKey(url, holder.address, holder.key), await freeKey(url, holder.address, holder.key)]
  for (const key of keys) {
    const answer = await fetch(`${baseUrl}/v1/tokens/new`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(answer.status, 200)
  }
  const { address } = wallet()
  await assert.rejects(freeKey(url, address, holder.key), /signature is not the wallet’s/)
}

cases['accounts answer under the service’s own name only'] = async ({ baseUrl, call }) => {
  for (const path of ['/account', '/account/session', '/account/keys']) {
    const answer = await fetch(baseUrl + path)
    assert.equal(answer.status, 400, path)
    const { error } = (await answer.json()) as { error: { reason: string; origin: string; message: string } }
    assert.deepEqual([error.reason, error.origin], ['foreign_origin', ORIGIN], path)
    assert.match(error.message, /accounts are at https:\/\/api\.example\.com only/)
  }
  assert.equal((await call('GET', '/account')).status, 200)
  assert.equal((await call('GET', '/account', undefined, { host: 'rebound.example' })).status, 400)
}

cases['what is no request of ours is refused and changes nothing'] = async ({ call, enter, database }) => {
  const holder = wallet()
  const me = await enter(holder)
  // whose keys take no work, so that what is refused is refused for what it is
  const paid = { paid_until: new Date(0), changed_at: new Date() }
  await database.sql.updateTable('accounts').set(paid).where('wallet', '=', holder.address).execute()
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    call('POST', '/account/keys', body, { ...me, ...headers })
  const bodies: unknown[] = [
    undefined,
    '',
    '{',
    'null',
    '[]',
    '"name"',
    '{"name":"a","name2":"b"}',
    '{"__proto__":{"name":"a"}}',
    {},
    { name: 7 },
    { name: '' },
    { name: 'x'.repeat(101) },
    { name: 'a\r\nset-cookie: x=y' },
    { name: 'a\0' },
    { name: 'a', expires_in_days: 0 },
    { name: 'a', expires_in_days: 1.5 },
    { name: 'a', expires_in_days: 1e9 },
    { name: 'a', expires_in_days: null },
    { name: 'a', account_id: 'operator' },
  ]
  for (const body of bodies) assert.equal((await post(body)).status, 400, JSON.stringify(body))
  assert.equal((await post(`{"name":"${'x'.repeat(ACCOUNT_BODY_BYTES)}"}`)).status, 413)

  const ok = JSON.stringify({ name: 'a' })
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', '']
  for (const type of types) {
    const { status, json } = await post(ok, { 'content-type': type })
    assert.equal(status, 400, type)
    assert.match(json.error.message, /content-type/)
  }
  for (const origin of [
    'https://evil.example',
    'http://api.example.com',
    'https://api.example.com.evil.example',
    'null',
  ]) {
    const { status, json } = await post(ok, { origin })
    assert.equal(status, 400, origin)
    assert.match(json.error.message, /only pages of https:\/\/api\.example\.com/)
    assert.deepEqual([json.error.reason, json.error.origin], ['foreign_origin', ORIGIN])
  }
  for (const id of ["'%20or%201=1", 'key_AAAAAAAAAAAA', '%2e%2e', '%00', 'x'.repeat(90)]) {
    assert.equal((await call('DELETE', `/account/keys/${id}`, undefined, me)).status, 404, id)
  }
  for (const wallet of ['', 'abc', '0'.repeat(44), `${PAY_TO}x`]) {
    assert.equal((await call('POST', '/account/challenge', { wallet })).status, 400)
  }
  for (const body of [{ nonce: '', signature: '' }, { nonce: 'x', signature: 'y'.repeat(88) }, { nonce: {} }]) {
    assert.equal((await call('POST', '/account/session', body)).status, 400)
  }
  assert.deepEqual((await call('GET', '/account/keys', undefined, me)).json.data, [])

  assert.equal((await post(ok, { origin: ORIGIN })).status, 200)
  assert.equal((await post(ok, { 'content-type': 'Application/JSON; charset=utf-8' })).status, 200)
  const odd = `'); drop table accounts; -- "\\ 🔑 <b>`
  assert.equal((await post({ name: odd })).json.data.name, odd)
}

cases['other methods are 405 with Allow; no preflight lets another origin in'] = async ({ call }) => {
  const allow: Record<string, string> = {
    '/account': 'GET, HEAD, OPTIONS',
    '/account/challenge': 'POST, OPTIONS',
    '/account/session': 'GET, POST, DELETE, HEAD, OPTIONS',
    '/account/keys': 'GET, POST, HEAD, OPTIONS',
    '/account/keys/key_AAAAAAAAAAAA': 'PATCH, DELETE, OPTIONS',
  }
  for (const [path, methods] of Object.entries(allow)) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await call(method, path, method === 'GET' || method === 'HEAD' ? undefined : '{}')
      if (methods.split(', ').includes(method)) assert.notEqual(status, 405, `${method} ${path}`)
      else {
        assert.equal(status, 405, `${method} ${path}`)
        assert.equal(headers.get('allow'), methods)
      }
    }
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const preflight = await call('OPTIONS', path, undefined, asked)
    assert.equal(preflight.status, 204)
    for (const name of preflight.headers.keys()) assert.doesNotMatch(name, /^access-control/)
  }
  for (const path of ['/account/', '/account/other', '/account/keys/a/b', '/account//keys']) {
    for (const method of ['GET', 'DELETE', 'POST', 'OPTIONS']) {
      assert.equal((await call(method, path)).status, 404, `${method} ${path}`)
    }
  }
}

test('the routes of the account', async (t) => {
  const scene = await startAccountFace(t)
  for (const [name, run] of Object.entries(cases)) await t.test(name, (inner) => run(scene, inner))
})

test('an address has sixty calls a minute here', async (t) => {
  const { call, pass } = await startAccountFace(t, { unlimited: false })
  for (let left = RATE_ACCOUNT - 1; left >= 0; left--) {
    const { status, headers } = await call('GET', '/account/session')
    assert.equal(status, 200)
    assert.equal(headers.get('x-ratelimit-remaining'), `${left}`)
  }
  const { status, headers, json } = await call('POST', '/account/challenge', { wallet: PAY_TO })
  assert.equal(status, 429)
  assert.deepEqual([json.error.code, json.error.reason], ['rate_limited', 'rate_limited'])
  assert.equal(json.error.retry_after, 60)
  assert.equal(headers.get('retry-after'), '60')
  pass(60_000)
  assert.equal((await call('POST', '/account/challenge', { wallet: PAY_TO })).status, 200)
})

test('a database that does not answer is our fault, and says nothing of itself', async (t) => {
  const { call, database, logged } = await startAccountFace(t)
  await database.sql.schema.dropTable('secrets').execute()
  const { status, json } = await call('POST', '/account/challenge', { wallet: PAY_TO })
  assert.equal(status, 500)
  assert.deepEqual([json.error.message, json.error.reason], ['internal error', 'internal_error'])
  assert.ok(logged.some((line) => line.includes('account request failed')))
})

test('the account lists every reason of a refusal, with its status', async (t) => {
  const { call } = await startAccountFace(t)
  const { reasons } = (await call('GET', '/account')).json.data
  assert.deepEqual(Object.keys(reasons), Object.keys(REFUSALS))
  const { status, json } = await call('GET', '/account/keys')
  assert.equal(reasons[json.error.reason].split(':')[0], String(status))
})

test('a program reads its account with a key, and gets a token for streams; it can neither make nor read keys', async (t) => {
  const { call, enter, makeKey, keys, pass } = await startAccountFace(t)
  const holder = wallet()
  const me = await enter(holder)
  const made = await makeKey({ name: 'bot' }, me)
  const bot = { authorization: `Bearer ${made.json.data.key}` }
  const { data } = (await call('GET', '/account/overview', undefined, bot)).json
  assert.deepEqual([data.wallet, data.plan, data.keys.length], [holder.address, 'free', 1])
  for (const method of ['GET', 'POST'] as const) {
    const { json } = await call(method, '/account/keys', method === 'GET' ? undefined : { name: 'two' }, bot)
    assert.equal(json.error.reason, 'not_signed_in')
  }

  assert.equal((await call('POST', '/account/stream-token', {}, me)).json.error.reason, 'key_refused')
  const given = (await call('POST', '/account/stream-token', undefined, bot)).json.data
  assert.equal(given.expires_at, '2026-01-01T00:01:00.000000Z')
  assert.match(given.token, /^st_[\w-]{75}$/)
  const opened = keys.follow(`Bearer ${given.token}`)
  assert.deepEqual(opened.found, keys.check(bot.authorization), 'it opens streams as the key does')
  assert.equal(keys.check(`Bearer ${given.token}`).ok, false, 'and nothing else')
  const forged = `${given.token.slice(0, 20)}${given.token[20] === 'A' ? 'B' : 'A'}${given.token.slice(21)}`
  for (const token of [forged, 'st_', `${given.token}x`]) assert.equal(keys.follow(`Bearer ${token}`).found.ok, false)
  pass(60_000)
  assert.equal(keys.follow(`Bearer ${given.token}`).found.ok, false, 'a minute later it opens nothing')
  assert.ok(opened.again().ok, 'what is open goes on')
  await call('DELETE', `/account/keys/${made.json.data.id}`, undefined, me)
  assert.equal(opened.again().ok, false, 'until the key is revoked')
})
