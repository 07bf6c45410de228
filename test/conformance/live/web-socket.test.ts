import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { FreeTrials } from '@ti/service/access/free-tier.ts'
import { PAGE_SESSION_MS } from '@ti/service/access/page-access.ts'
import { PAGE_ACCOUNT_MS } from '@ti/service/access/page-accounts.ts'
import { createPageTokens } from '@ti/service/access/page-token.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import type { Shared } from '@ti/service/access/shared/shared.ts'
import type { AlertReader } from '@ti/service/alerts/alert.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { LIVE, type LiveBounds } from '@ti/service/faces/live/bounds.ts'
import { createLiveFace } from '@ti/service/faces/live/face.ts'
import { fakeKeys, KEYS } from '../../support/fake-service.ts'
import { fakeStreams, until } from '../../support/live-service.ts'
import { memoryAlerts } from '../../support/memory-alerts.ts'
import { sharedWith } from '../../support/shared.ts'
import { fakeSessions, LOCAL, nextAddress, OWN, openPage, type PageChanges } from '../http/web-scene.ts'
import { openPeer, type Peer, refusal } from './peer.ts'

interface LiveChanges extends PageChanges {
  readonly bounds?: Partial<LiveBounds>
  readonly shared?: Shared
  readonly trials?: FreeTrials
  readonly alerts?: AlertReader
}

/** Page, interface and streams on one port; sockets are visited often. */
async function openLivePage(t: TestContext, change: LiveChanges = {}) {
  const topics = fakeStreams()
  let live: ReturnType<typeof createLiveFace> | undefined
  const opened: string[] = []
  const endless: FreeTrials = {
    async open(account) {
      opened.push(account)
      return { ok: true, seat: { hasTime: () => true, release() {} } }
    },
  }
  const scene = await openPage(t, {
    ...change,
    closing: async () => live?.close(),
    routes: (page) => {
      live = createLiveFace({
        streams: topics.streams,
        alerts: change.alerts ?? null,
        keys: fakeKeys(),
        trials: change.trials ?? endless,
        clientAddress: createClientAddress([]),
        page,
        logger: createLogger('error', { write() {} }),
        metrics: createMetrics(),
        ...(change.shared && { shared: change.shared }),
        bounds: { ...LIVE, visitMs: 40, shutdownMs: 200, ...change.bounds },
      })
      return [live.route]
    },
    follow: () => live!.follow,
  })
  const url = `ws://127.0.0.1:${scene.port}/socket/websocket?vsn=2.0.0`
  type From = { readonly from?: string; readonly origin?: string; readonly query?: string }
  const optionsOf = (headers: Record<string, string>, { from, origin = LOCAL }: From) => ({
    headers,
    ...(origin !== '' && { origin }),
    ...(from !== undefined && { localAddress: from }),
  })
  return {
    ...scene,
    live: live!,
    opened,
    open: (headers: Record<string, string>, how: From = {}): Promise<Peer> =>
      openPeer(t, url + (how.query ?? ''), optionsOf(headers, how)),
    async refused(headers: Record<string, string>, how: From = {}): Promise<[number, unknown]> {
      const answer = await refusal(url + (how.query ?? ''), optionsOf(headers, how))
      return [answer.status, answer.headers['retry-after']]
    },
    publish(): number {
      const { seq } = topics.append('frames:live')
      live!.wake()
      return seq
    },
  }
}

test('a visitor follows the streams without a key, under its cookie and from this origin only', async (t) => {
  const scene = await openLivePage(t)
  const visitor = await scene.visit()
  const peer = await scene.open(visitor)
  assert.deepEqual(await peer.join('frames:live'), { seq: 0, oldest_seq: 1, resumed: false })
  const seq = scene.publish()
  assert.equal(await peer.next(), `[null,null,"frames:live","frame",{"data":{"seq":${seq}}}]`)
  assert.equal(scene.live.sockets, 1)
  assert.deepEqual(scene.opened, [], 'no trial of anybody is used up')

  for (const origin of ['', 'https://evil.example', 'null', 'http://127.0.0.1:4001', 'https://127.0.0.1:4000']) {
    assert.deepEqual(await scene.refused(visitor, { origin }), [403, undefined], `origin ${origin}`)
  }
  const stranger = createPageTokens(Buffer.alloc(32, 8), scene.now).make(scene.now() + 1e6)
  for (const headers of [{}, { cookie: `page=${stranger}` }, { cookie: 'page=' }, { cookie: 'session=x' }]) {
    assert.deepEqual(await scene.refused(headers as Record<string, string>), [403, undefined], JSON.stringify(headers))
  }
  assert.deepEqual(
    await scene.refused(visitor, { query: '&api_key=nonsense' }),
    [403, undefined],
    'a key is judged alone',
  )
  await (await scene.open(visitor, { origin: 'http://localhost:4000' })).join('tokens:live')
  await (await scene.open({}, { origin: 'https://evil.example', query: `&api_key=${KEYS.pro}` })).join('frames:live')
})

test('a visitor’s EventSource is let in under its cookie, from pages of this origin only', async (t) => {
  const scene = await openLivePage(t)
  const visitor = await scene.visit()
  const path = '/v1/stream?topic=frames:live'
  const status = async (headers: Record<string, string>) => (await scene.ask(path, headers, { method: 'HEAD' })).status
  assert.equal(await status({ ...visitor, ...OWN }), 200, 'a GET of the own origin names no origin')
  assert.equal(await status({ ...visitor, origin: LOCAL }), 200)
  assert.equal(await status(visitor), 402, 'no browser said that it is one of ours')
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal(await status({ ...visitor, 'sec-fetch-site': site }), 402, site)
  }
  assert.equal(await status({ ...visitor, ...OWN, origin: 'https://evil.example' }), 402)
  assert.equal(await status({ ...visitor, ...OWN, host: 'evil.example' }), 402, 'a name that points here')
  assert.equal(await status(OWN), 402)
  await until('all is given back', () => scene.live.sockets === 0)
})

test('visitors have so many sockets for an address, and so many in all; others are not counted with them', async (t) => {
  const scene = await openLivePage(t, { shared: sharedWith({ sockets: { pool: { free: 3 }, share: { address: 2 } } }) })
  const [one, other] = [nextAddress(), nextAddress()]
  const first = await scene.visit(one)
  const peers = [await scene.open(first, { from: one }), await scene.open(await scene.visit(one), { from: one })]
  assert.deepEqual(await scene.refused(first, { from: one }), [429, '60'], 'another cookie is no way around')
  await scene.open(first, { from: other })
  assert.deepEqual(await scene.refused(first, { from: other }), [503, '60'])
  await scene.open({}, { query: `&api_key=${KEYS.pro}`, from: one })
  await scene.open(scene.sessions.enter('payer', 'pro'), { from: one })
  peers[0]!.socket.terminate()
  await until('the socket is given back', () => scene.live.sockets === 4)
  await scene.open(first, { from: one })
})

test('a socket ends with its session', async (t) => {
  const scene = await openLivePage(t)
  const peer = await scene.open(await scene.visit())
  await peer.join('frames:live')
  scene.pass(PAGE_SESSION_MS - 1_000)
  await peer.quiet()
  scene.pass(1_000)
  assert.equal(await peer.closed, 1001)
})

test('who has signed in follows by the plan of the account', async (t) => {
  const sessions = fakeSessions()
  const scene = await openLivePage(t, { mode: 'signed-in', sessions })
  await (await scene.open(sessions.enter('payer', 'pro'))).join('frames:live')
  assert.deepEqual(scene.opened, [])
  const free = await scene.open(sessions.enter('free', 'free'))
  await free.join('frames:live')
  assert.deepEqual(scene.opened, ['free'])
  const token = createPageTokens(Buffer.alloc(32, 7), scene.now).make(scene.now() + 1e6)
  assert.deepEqual(await scene.refused({ cookie: `page=${token}` }), [403, undefined], 'nobody without an account')

  sessions.leave('free')
  await free.quiet()
  scene.pass(PAGE_ACCOUNT_MS)
  assert.equal(await free.closed, 1001, 'signed out')
  assert.deepEqual(await scene.refused({ cookie: `session=${'free'.padEnd(43, '-')}` }), [403, undefined])
})

test('a used up trial closes the door, where everybody may follow it closes nothing', async (t) => {
  const trials: FreeTrials = { open: async () => ({ ok: false, retryAfterS: 7 }) }
  const closed = await openLivePage(t, { mode: 'signed-in', trials })
  assert.deepEqual(await closed.refused(closed.sessions.enter('free', 'free')), [429, '7'])
  const open = await openLivePage(t, { trials })
  const { cookie } = open.sessions.enter('free', 'free')
  assert.deepEqual(await open.refused({ cookie }), [429, '7'], 'without the page’s cookie it is the account alone')
  await (await open.open({ cookie: `${cookie}; ${(await open.visit()).cookie}` })).join('frames:live')
})

test('where everybody may follow, a free account is a visitor who has alerts, until it signs out', async (t) => {
  const alerts = memoryAlerts()
  const sessions = fakeSessions()
  const scene = await openLivePage(t, {
    alerts,
    sessions,
    shared: sharedWith({ sockets: { share: { address: 1 } } }),
    bounds: { ownLookMs: 20 },
  })
  alerts.add('free', 3)
  const from = nextAddress()
  const visitor = await scene.visit(from)
  const cookie = `${sessions.enter('free', 'free').cookie}; ${visitor.cookie}`
  const peer = await scene.open({ cookie }, { from })
  assert.deepEqual(await peer.join('alerts:mine'), { seq: 3, oldest_seq: 1, resumed: false })
  alerts.add('free', 1)
  alerts.add('payer', 1)
  assert.match(await peer.next(), /^\["1",null,"alerts:mine","alert",\{"data":\{"id":"alert_free_4",/)
  assert.deepEqual(scene.opened, [], 'no trial is used up')
  assert.deepEqual(await scene.refused(visitor, { from }), [429, '60'], 'counted by its address')

  sessions.leave('free')
  await peer.quiet()
  scene.pass(PAGE_ACCOUNT_MS)
  assert.equal(await peer.closed, 1001, 'signed out')
  await until('the socket is given back', () => scene.live.sockets === 0)
  const other = await scene.open({ cookie }, { from })
  await assert.rejects(other.join('alerts:mine'))
  await other.join('frames:live')
  scene.pass(PAGE_SESSION_MS)
  assert.equal(await other.closed, 1001)
})

test('an account has as many sockets as a key, from wherever', async (t) => {
  const scene = await openLivePage(t, { mode: 'signed-in', shared: sharedWith({ sockets: { share: { pro: 2 } } }) })
  const cookie = scene.sessions.enter('payer', 'pro')
  for (const from of [nextAddress(), nextAddress()]) await scene.open(cookie, { from })
  assert.deepEqual(await scene.refused(cookie, { from: nextAddress() }), [429, '60'])
})

test('nobody follows through a page that is turned off', async (t) => {
  const scene = await openLivePage(t, { mode: 'off' })
  const token = createPageTokens(Buffer.alloc(32, 7), scene.now).make(scene.now() + 1e6)
  const cookie = `${scene.sessions.enter('payer', 'pro').cookie}; page=${token}`
  assert.deepEqual(await scene.refused({ cookie }), [403, undefined])
})
