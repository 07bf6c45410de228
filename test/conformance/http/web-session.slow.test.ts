import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppSession } from '@ti/core/contract/app.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { RATE_FREE_ADDRESS, RATE_PAGE_FREE } from '@ti/service/access/free-tier.ts'
import { PAGE_SESSION_MS, RATE_PAGE, RATE_PAGE_ADDRESS } from '@ti/service/access/page-access.ts'
import { PAGE_ACCOUNT_MS, PAGE_ACCOUNT_STALE_MS, RATE_PAGE_LOOKUPS } from '@ti/service/access/page-accounts.ts'
import { createOwnOrigin } from '@ti/service/access/page-origin.ts'
import { createPageTokens } from '@ti/service/access/page-token.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import type { Cashier } from '@ti/service/access/x402/types.ts'
import { KEYS } from '../../support/fake-service.ts'
import { fakeSessions, LOCAL, nextAddress, OWN, openPage, REMOTE, type Scene } from './web-scene.ts'

const PRICED = '/v1/tokens/new'
/** the same for the page */
const NEW = `/app${PRICED}`
const HOUR_MS = 3_600_000
const PRO = { authorization: `Bearer ${KEYS.pro}` }

/** Refuses to be asked for anything but a price. */
function untouched() {
  const state = { quotes: 0, payments: 0 }
  const cashier: Cashier = {
    quote() {
      state.quotes++
      return { accepts: [], header: 'offer' } as unknown as ReturnType<Cashier['quote']>
    },
    async pay() {
      state.payments++
      throw new Error('somebody was charged')
    },
    status: () => ({ mode: 'sandbox', ready: true, reason: null, open: 0 }),
  } as unknown as Cashier
  return { state, cashier }
}

const statusOf = async (scene: Scene, headers: Record<string, string>, path = NEW, from?: string): Promise<number> =>
  (await scene.ask(path, headers, from === undefined ? {} : { from })).status

test('a visitor gets a cookie and reads with it, for nothing', async (t) => {
  const { cashier, state } = untouched()
  const scene = await openPage(t, { cashier })
  const first = await scene.ask('/app/session', OWN)
  const session = AppSession.parse(first.json().data)
  assert.deepEqual(session, {
    access: 'open',
    may_read: true,
    signed_in: false,
    wallet: null,
    plan: null,
    sandbox: true,
    network: null,
    public_url: LOCAL,
    limit: { limit: 120, remaining: 120, reset_s: 60 },
    trial: null,
  })
  const [cookie, ...attributes] = first.headers.get('set-cookie')!.split('; ')
  assert.match(cookie!, /^page=[\w-]{44}$/)
  assert.deepEqual(attributes, ['Max-Age=43200', 'HttpOnly', 'SameSite=Strict', 'Path=/'])
  assert.equal(first.headers.get('cache-control'), 'no-store')

  const answer = await scene.ask(NEW, { ...OWN, cookie: cookie! })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json().data, EXAMPLES.new.data)
  assert.equal(answer.json().meta.request_id, answer.headers.get('x-request-id'))
  const caching = answer.headers.get('cache-control')
  assert.equal(caching, 'private, no-cache', 'a shared cache would give it to those who pay')
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => answer.headers.get(`x-ratelimit-${name}`)),
    ['120', '119', '60'],
  )
  assert.equal(answer.headers.get('payment-required'), undefined)
  assert.deepEqual(state, { quotes: 0, payments: 0 })
  // errors are those of everybody
  assert.equal(await statusOf(scene, { ...OWN, cookie: cookie! }, '/app/v1/tokens/bad'), 400)
  assert.equal(await statusOf(scene, { ...OWN, cookie: cookie! }, `/app/v1/tokens/${EXAMPLE_ADDRESSES.trader}`), 404)
  const limit = (await scene.ask('/app/session', { ...OWN, cookie: cookie! })).json().data.limit
  assert.deepEqual(limit, { limit: 120, remaining: 117, reset_s: 60 }, 'asking for a session counts nothing of it')
})

test('over TLS the cookie is of this host alone', async (t) => {
  const { ask } = await openPage(t, { publicUrl: REMOTE })
  const [cookie, ...attributes] = (await ask('/app/session', OWN)).headers.get('set-cookie')!.split('; ')
  assert.match(cookie!, /^__Host-page=/)
  assert.deepEqual(attributes, ['Max-Age=43200', 'HttpOnly', 'SameSite=Strict', 'Path=/', 'Secure'])
  assert.equal((await ask(NEW, { ...OWN, cookie: cookie! })).status, 200)
  assert.equal((await ask(NEW, { ...OWN, cookie: cookie!.replace('__Host-', '') })).status, 402)
})

test('a request that no page of this origin sent is handled as if it had no cookie', async (t) => {
  const { cashier, state } = untouched()
  const scene = await openPage(t, { cashier })
  const visitor = await scene.visit()
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: LOCAL },
    { 'sec-fetch-site': 'cross-site', 'x-page': '1' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:4001' },
    { 'x-page': '1', host: 'rebound.example:4000' },
  ]
  for (const headers of foreign) {
    assert.equal(await statusOf(scene, { ...visitor, ...headers }), 402, JSON.stringify(headers))
    const answer = await scene.ask(PRICED, { ...visitor, ...headers })
    assert.equal(answer.status, 402, JSON.stringify(headers))
    assert.equal(answer.headers.get('x-ratelimit-limit'), '60', 'counted as a call without anything')
    assert.equal(answer.headers.get('payment-required'), 'offer')
    assert.equal(await statusOf(scene, { ...visitor, ...headers }, '/app/status'), 402)
    const session = await scene.ask('/app/session', { ...visitor, ...headers })
    assert.deepEqual([session.status, session.headers.get('set-cookie')], [400, undefined])
  }
  assert.equal(state.quotes, foreign.length)
  for (const headers of [{ origin: LOCAL }, { origin: 'http://localhost:4000' }, { 'x-page': '1' }, OWN]) {
    assert.equal(await statusOf(scene, { ...visitor, ...headers }), 200, JSON.stringify(headers))
  }
})

test('whose origin it is', () => {
  const local = createOwnOrigin('http://localhost:4000')
  const remote = createOwnOrigin('https://api.example.com/base')
  assert.ok(['http://127.0.0.1:4000', 'http://[::1]:4000'].every(local.has), 'loopback has several names')
  assert.ok(
    !['https://localhost:4000', 'http://localhost', 'http://127.0.0.2:4000', undefined, ''].some(local.has),
    'no',
  )
  assert.ok(remote.has('https://api.example.com'), 'its own')
  assert.ok(!['http://api.example.com', 'https://api.example.com.evil.example'].some(remote.has), 'others')
  assert.equal(remote.sent({ 'x-page': '1', host: 'api.example.com' }), true)
  assert.equal(remote.sent({ host: 'api.example.com' }), false)
})

test('a cookie that was not signed here, or was changed by one character, is worth nothing', async (t) => {
  const scene = await openPage(t)
  const { cookie } = await scene.visit()
  const stranger = createPageTokens(Buffer.alloc(32, 8), scene.now).make(scene.now() + HOUR_MS)
  const token = cookie.slice('page='.length)
  const forged = [stranger, token.slice(1), `${token}A`, '', 'x'.repeat(44), token.toLowerCase(), `"${token}"`]
  for (const one of forged) assert.equal(await statusOf(scene, { ...OWN, cookie: `page=${one}` }), 402, one)

  const tokens = createPageTokens(Buffer.alloc(32, 7), scene.now)
  assert.ok(tokens.read(token) !== null, 'the scene signs with this secret')
  for (let i = 0; i < token.length; i++) {
    for (const other of 'AQz-') {
      if (other === token[i]) continue
      assert.equal(tokens.read(token.slice(0, i) + other + token.slice(i + 1)), null, `character ${i}`)
    }
  }
  // beside other cookies it is found, under another name it is not
  assert.equal(await statusOf(scene, { ...OWN, cookie: `a=b; ${cookie};c=d` }), 200)
  for (const other of [`x${cookie}`, `page2=${token}`, `a=${cookie}`]) {
    assert.equal(await statusOf(scene, { ...OWN, cookie: other }), 402, other)
  }
})

test('a session ends; asked for in time it is renewed under its name, so that its window goes on', async (t) => {
  const scene = await openPage(t)
  const visitor = await scene.visit()
  assert.equal((await scene.ask('/app/session', { ...OWN, ...visitor })).headers.get('set-cookie'), undefined)
  scene.pass(PAGE_SESSION_MS / 2)
  for (let i = 0; i < 5; i++) await scene.ask(NEW, { ...OWN, ...visitor })
  const renewed = await scene.ask('/app/session', { ...OWN, ...visitor })
  const next = { cookie: renewed.headers.get('set-cookie')!.split(';', 1)[0]! }
  assert.notEqual(next.cookie, visitor.cookie)
  assert.equal(renewed.json().data.limit.remaining, 115)
  scene.pass(PAGE_SESSION_MS / 2)
  assert.equal(await statusOf(scene, { ...OWN, ...visitor }), 402, 'the old one has ended')
  assert.equal(await statusOf(scene, { ...OWN, ...next }), 200)
  scene.pass(PAGE_SESSION_MS / 2)
  assert.equal(await statusOf(scene, { ...OWN, ...next }), 402)
})

test('120 reads a minute, of both kinds together, then 429 until the window starts anew', async (t) => {
  const scene = await openPage(t)
  const visitor = { ...OWN, ...(await scene.visit()) }
  for (let left = 119; left >= 0; left--) {
    const answer = await scene.ask(left % 2 === 0 ? NEW : '/app/status', visitor)
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-remaining')], [200, `${left}`])
  }
  scene.pass(20_000)
  for (const path of [NEW, '/app/status', '/app/search?q=a']) {
    const over = await scene.ask(path, visitor)
    assert.equal(over.status, 429)
    assert.deepEqual([over.headers.get('retry-after'), over.json().error.retry_after], ['40', 40])
    assert.equal(over.json().error.code, 'rate_limited')
  }
  assert.equal(await statusOf(scene, {}), 402, 'the window of calls without anything is another')
  scene.pass(40_000)
  assert.equal(await statusOf(scene, visitor), 200)
})

test('a thousand cookies on one address read as much as three, and other addresses are none the worse', async (t) => {
  const scene = await openPage(t)
  const from = nextAddress()
  const visitors: { cookie: string }[] = []
  for (let i = 0; i < 10; i++) visitors.push(await scene.visit(from))
  const counts = new Map<number, number>()
  for (let round = 0; round < 50; round++) {
    for (const visitor of visitors) {
      const status = await statusOf(scene, { ...OWN, ...visitor }, NEW, from)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  assert.deepEqual(Object.fromEntries(counts), { 200: RATE_PAGE_ADDRESS, 429: 500 - RATE_PAGE_ADDRESS })
  assert.equal(await statusOf(scene, { ...OWN, ...visitors[0]! }, NEW, nextAddress()), 200)
  const neighbour = await scene.visit(nextAddress())
  assert.equal(await statusOf(scene, { ...OWN, ...neighbour }, NEW, nextAddress()), 200)
})

test('a session that has used up its own window takes nothing from its neighbours', async (t) => {
  const scene = await openPage(t)
  const from = nextAddress()
  const greedy = await scene.visit(from)
  const modest = await scene.visit(from)
  for (let i = 0; i < 500; i++) await scene.ask(NEW, { ...OWN, ...greedy }, { from })
  const answer = await scene.ask(NEW, { ...OWN, ...modest }, { from })
  assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-remaining')], [200, '119'])
})

test('sessions are asked for sixty times a minute and address, and each may make one', async (t) => {
  const scene = await openPage(t)
  const from = nextAddress()
  const made = new Set<string>()
  for (let i = 0; i < 60; i++) made.add((await scene.visit(from)).cookie)
  assert.equal(made.size, 60)
  const over = await scene.ask('/app/session', OWN, { from })
  assert.deepEqual([over.status, over.headers.get('set-cookie')], [429, undefined])
  assert.equal((await scene.ask('/app/session', OWN, { from: nextAddress() })).status, 200)
})

test('a key or a payment beside the cookie is handled as it always was', async (t) => {
  const { cashier, state } = untouched()
  const sessions = fakeSessions()
  const scene = await openPage(t, { cashier, sessions })
  const visitor = { ...OWN, ...(await scene.visit()), ...sessions.enter('somebody', 'pro') }
  const limits: [Record<string, string>, number, string][] = [
    [PRO, 200, '600'],
    [{ authorization: `Bearer ${KEYS.free}` }, 200, '5'],
    [{ authorization: `Bearer ${KEYS.revoked}` }, 402, '60'],
    [{ authorization: 'nonsense' }, 402, '60'],
    [{ 'x-payment': 'nonsense' }, 402, '600'],
    [{ 'payment-signature': 'nonsense' }, 402, '600'],
  ]
  for (const [shown, status, limit] of limits) {
    const answer = await scene.ask(PRICED, { ...visitor, ...shown })
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-limit')], [status, limit], JSON.stringify(shown))
  }
  assert.equal(sessions.state.lookups, 0, 'nobody looked at the cookie')
  assert.equal(state.payments, 0)
  assert.equal((await scene.ask(PRICED, { ...visitor, ...PRO })).headers.get('cache-control'), undefined)
  assert.equal((await scene.ask(NEW, visitor, { method: 'HEAD' })).status, 402, 'only GET is the page’s')
})

test('who may read where: everybody, who has signed in, nobody', async (t) => {
  for (const [mode, stranger, signedIn] of [
    ['open', 200, 200],
    ['signed-in', 402, 200],
    ['off', 402, 402],
  ] as const) {
    const sessions = fakeSessions()
    const scene = await openPage(t, { mode, sessions })
    const answer = await scene.ask('/app/session', OWN)
    const setCookie = answer.headers.get('set-cookie')
    assert.equal(setCookie !== undefined, mode === 'open', mode)
    assert.deepEqual([answer.json().data.access, answer.json().data.may_read], [mode, stranger === 200])
    if (stranger !== 200) assert.deepEqual(answer.json().data.limit, { limit: 0, remaining: 0, reset_s: 0 })
    const token = createPageTokens(Buffer.alloc(32, 7), scene.now).make(scene.now() + HOUR_MS)
    assert.equal(await statusOf(scene, { ...OWN, cookie: `page=${token}` }), stranger, mode)
    const cookie = sessions.enter('somebody', 'free')
    for (const path of [NEW, '/app/search?q=a', '/app/status']) {
      assert.equal(await statusOf(scene, { ...OWN, ...cookie }, path), signedIn, `${mode} ${path}`)
    }
    const { data } = (await scene.ask('/app/session', { ...OWN, ...cookie })).json()
    assert.deepEqual([data.signed_in, data.plan, data.may_read], [true, 'free', signedIn === 200], mode)
    assert.equal(data.wallet, 'BXicUfprw9MMBubLHLWG9ayZc6gACBZoYdH5YVq5BTJy')
    const trial = mode === 'signed-in' ? { left_s: 600, until: '2026-10-01T00:00:01.000000Z' } : null
    assert.deepEqual(data.trial, trial, mode)
    const refused = await scene.ask('/app/status', OWN)
    assert.deepEqual([refused.status, refused.json().error.upgrade_url], [402, `${LOCAL}/account`])
  }
})

test('where everybody reads an account counts once, however many browsers; a free one with its address, one on Pro without', async (t) => {
  const sessions = fakeSessions()
  const scene = await openPage(t, { mode: 'open', sessions })
  const from = nextAddress()
  const ask = (cookie: { cookie: string }) => statusOf(scene, { ...OWN, ...cookie }, NEW, from)
  const free = Array.from({ length: 4 }, (_, i) => sessions.enter(`free-${i}`, 'free'))
  let served = 0
  for (const cookie of free) for (let i = 0; i < 120; i++) if ((await ask(cookie)) === 200) served++
  assert.equal(served, RATE_PAGE_ADDRESS, 'wallets cost nothing to make')
  const pro = sessions.enter('pro', 'pro')
  for (let i = 0; i < 120; i++) assert.equal(await ask(pro), 200)
  assert.equal(await ask(pro), 429)
  assert.equal(await statusOf(scene, { ...OWN, ...pro }, NEW, nextAddress()), 429, 'from wherever it asks')
})

test('where one has to sign in a free account reads what a free key of its address does, and one on Pro the page', async (t) => {
  const sessions = fakeSessions()
  const scene = await openPage(t, { mode: 'signed-in', sessions })
  const from = nextAddress()
  const ask = (headers: Record<string, string>, path = NEW) => statusOf(scene, { ...OWN, ...headers }, path, from)
  const free = sessions.enter('free', 'free')
  const freeKey = { authorization: `Bearer ${KEYS.free}` }
  for (let i = 0; i < RATES.free; i++) assert.equal(await ask(freeKey, PRICED), 200)
  const left = RATE_FREE_ADDRESS - RATES.free
  const { limit } = (await scene.ask('/app/session', { ...OWN, ...free }, { from })).json().data
  assert.deepEqual(limit, { limit: RATE_FREE_ADDRESS, remaining: left, reset_s: 60 }, 'both ways are one')
  for (let i = 0; i < left; i++) assert.equal(await ask(free, i % 2 === 0 ? NEW : '/app/status'), 200)
  assert.equal(await ask(free), 429)
  assert.equal(await ask(sessions.enter('another', 'free')), 429, 'another wallet helps nobody')
  const pro = sessions.enter('pro', 'pro')
  for (let i = 0; i < RATE_PAGE; i++) assert.equal(await ask(pro), 200)
  assert.equal(await ask(pro), 429)
  // elsewhere the account's own window goes on: what it has used here is used
  const away = nextAddress()
  let served = 0
  for (let i = 0; i < 20; i++) if ((await statusOf(scene, { ...OWN, ...free }, NEW, away)) === 200) served++
  assert.equal(served, RATE_PAGE_FREE - left - 1)
})

test('the database is asked about an account now and then, and nobody can make it be asked often', async (t) => {
  const sessions = fakeSessions()
  const scene = await openPage(t, { mode: 'signed-in', sessions })
  const from = nextAddress()
  const cookie = sessions.enter('somebody', 'pro')
  const ask = (headers: Record<string, string>) => statusOf(scene, { ...OWN, ...headers }, NEW, from)
  for (let i = 0; i < 20; i++) assert.equal(await ask(cookie), 200)
  assert.equal(sessions.state.lookups, 1)
  scene.pass(PAGE_ACCOUNT_MS)
  assert.equal(await ask(cookie), 200)
  assert.equal(sessions.state.lookups, 2)

  sessions.state.failing = true
  scene.pass(PAGE_ACCOUNT_MS)
  assert.equal(await ask(cookie), 200, 'what was known stays known for a while')
  scene.pass(PAGE_ACCOUNT_STALE_MS)
  assert.equal(await ask(cookie), 402, 'but not for ever')
  sessions.state.failing = false
  assert.equal(await ask(cookie), 200)

  sessions.leave('somebody')
  scene.pass(PAGE_ACCOUNT_MS)
  assert.equal(await ask(cookie), 402, 'signed out')

  scene.pass(60_000)
  const before = sessions.state.lookups
  for (let i = 0; i < 100; i++) await ask({ cookie: `session=${`${i}`.padEnd(43, 'x')}` })
  assert.equal(sessions.state.lookups - before, RATE_PAGE_LOOKUPS)
  assert.equal(await ask(sessions.enter('somebody else', 'free')), 402, 'who is not known yet waits with them')
})

test('no cookie is logged', async (t) => {
  const sessions = fakeSessions()
  const scene = await openPage(t, { sessions })
  const { cookie } = await scene.visit()
  await scene.ask(NEW, { ...OWN, cookie })
  await scene.ask(NEW, { ...OWN, ...sessions.enter('somebody', 'pro') })
  const logged = scene.logged.join('')
  assert.ok(logged.includes('"status":200'), 'requests are logged')
  assert.ok(!logged.includes(cookie.slice(5)) && !logged.includes('somebody---'), 'a cookie is in the log')
})
