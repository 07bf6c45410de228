import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createFreeTrials } from '@ti/service/access/free-tier.ts'
import { createPageTokens } from '@ti/service/access/page-token.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { createLiveFace, SOCKET_PATH } from '@ti/service/faces/live/face.ts'
import { OWN, openPage, REMOTE } from '../conformance/http/web-scene.ts'
import { fakeKeys } from '../support/fake-service.ts'
import { fakeStreams } from '../support/live-service.ts'

const READ = '/app/v1/tokens/new'

/**
 * DNS rebinding: a stranger's name leads to this address, so that his page is of the same origin to a browser. Before, 5 of
 * these 6 got a cookie and read with it.
 */
const REBOUND: readonly Record<string, string>[] = [
  { ...OWN, host: 'rebound.example:4000' },
  { ...OWN, host: 'rebound.example' },
  { ...OWN, host: '127.0.0.1.rebound.example:4000' },
  { ...OWN, host: 'rebound.example:4000', origin: 'http://127.0.0.1:4000' },
  { 'x-page': '1', host: 'rebound.example:4000' },
  { ...OWN, origin: 'http://rebound.example:4000' },
]

test('a page under a name that was pointed here gets no cookie and reads nothing', async (t) => {
  const scene = await openPage(t)
  const visitor = await scene.visit()
  for (const headers of REBOUND) {
    const session = await scene.ask('/app/session', headers)
    assert.deepEqual([session.status, session.headers.get('set-cookie')], [400, undefined], JSON.stringify(headers))
    assert.equal((await scene.ask(READ, { ...visitor, ...headers })).status, 402, JSON.stringify(headers))
  }
  for (const host of ['localhost:4000', '127.0.0.1:8080', '[::1]', 'LOCALHOST']) {
    assert.equal((await scene.ask(READ, { ...visitor, ...OWN, host })).status, 200, host)
  }
  const remote = await openPage(t, { publicUrl: REMOTE })
  for (const host of ['localhost', 'api.example.com.rebound.example', 'api.example.com:4000']) {
    assert.equal((await remote.ask('/app/session', { ...OWN, host })).status, 400, host)
  }
  t.diagnostic(`0 of ${REBOUND.length} read; before, 5`)
})

test('no stream opens for a page under another name', async (t) => {
  let live: ReturnType<typeof createLiveFace> | undefined
  const scene = await openPage(t, {
    closing: async () => live?.close(),
    routes: (page) => {
      live = createLiveFace({
        streams: fakeStreams().streams,
        keys: fakeKeys(),
        trials: createFreeTrials({ open: async () => ({ ok: false, retryAfterS: 1 }) }),
        clientAddress: () => '127.0.0.1',
        page,
        logger: createLogger('error', { write() {} }),
        metrics: createMetrics(),
        bounds: { ...LIVE, shutdownMs: 200 },
      })
      return [live.route]
    },
  })
  const { cookie } = await scene.visit()
  const opened = (host: string): Promise<string> =>
    new Promise((done, fail) => {
      const socket = connect(scene.port, '127.0.0.1')
      socket.once('error', fail).once('data', (bytes) => {
        done(String(bytes).split('\r\n', 1)[0]!)
        socket.destroy()
      })
      socket.write(
        `GET ${SOCKET_PATH}?vsn=2.0.0 HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://127.0.0.1:4000\r\nCookie: ${cookie}\r\n` +
          'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      )
    })
  assert.match(await opened('rebound.example:4000'), / 403 /)
  assert.match(await opened('127.0.0.1:4000'), / 101 /)
})

test('the cookie is found whatever other cookies of this host are sent', async (t) => {
  const scene = await openPage(t)
  const { cookie } = await scene.visit()
  const forged = createPageTokens(Buffer.alloc(32, 8), scene.now).make(scene.now() + 3_600_000)
  const others = [
    `page=${forged}`,
    'page=',
    'page=short',
    `page="${forged}"`,
    Array.from({ length: 40 }, () => `page=${forged}`).join('; '),
    'a=b;;c; =; page',
    `session=${'x'.repeat(43)}`,
  ]
  for (const other of others) {
    for (const sent of [`${other}; ${cookie}`, `${cookie}; ${other}`]) {
      assert.equal((await scene.ask(READ, { ...OWN, cookie: sent })).status, 200, sent.slice(0, 120))
    }
  }
  const all = Array.from({ length: 200 }, () => `page=${forged}`).join('; ')
  assert.equal((await scene.ask(READ, { ...OWN, cookie: all })).status, 402, 'many are not all tried')
})

test('the cookie opens what the page asks and nothing of the priced interface', async (t) => {
  const scene = await openPage(t)
  const visitor = { ...OWN, ...(await scene.visit()) }
  for (const path of ['/v1/tokens/new', '/v1/tokens/pumps', '/v1/tokens/agents']) {
    const priced = await scene.ask(path, visitor)
    assert.equal(priced.status, 402, path)
    assert.equal(priced.headers.get('x-ratelimit-limit'), String(RATES.unpaid), 'counted as a call without anything')
    const read = await scene.ask(`/app${path}`, visitor)
    assert.equal(read.status, 200, path)
    assert.equal(
      read.headers.get('cache-control'),
      'private, no-cache',
      'kept by this browser alone, which asks each time',
    )
    assert.equal((await scene.ask(`/app${path}`, OWN)).status, 402, 'without the cookie')
  }
})
