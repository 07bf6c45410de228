import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exchange, requestText } from '../../support/exchange.ts'
import { KEYS } from '../../support/fake-service.ts'
import { type LiveService, openLive, revocableKeys, soon, startLive, until } from '../../support/live-service.ts'
import { handshake, heartbeatReply, openPeer, openRaw, refusal } from './peer.ts'

/**
 * What of a Phoenix server's behaviour is the socket's own, on the wire: upgrade, pings, idleness, close codes, bytes. The
 * numbers are those of the table that `packages/service/src/faces/live/channels.test.ts` plays without sockets.
 */
const HEARTBEAT = '[null,"7","phoenix","heartbeat",{}]'
const V1_HEARTBEAT = '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"7"}'
const V1_HEARTBEAT_REPLY = '{"topic":"phoenix","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"7"}'

/** as a suite, so that rows which wait for a clock wait together */
describe('rows', { concurrency: true }, () => {
  let service: LiveService
  let socketPath: string
  before(async () => {
    service = await startLive()
    socketPath = `${service.socketUrl}/websocket`
  })
  after(async () => {
    await service.close()
    assert.ok(!service.logged.join('').includes('sk_live_'), 'a key was logged')
  })
  const keyed = (query = '') => `${socketPath}?api_key=${KEYS.pro}${query}`

  test('row 1: vsn 2.0.x is upgraded, any other is 403 without a body', async (t) => {
    for (const vsn of ['2.0.0', '2.0.5', '2.0.10']) {
      const peer = await openPeer(t, keyed(`&vsn=${vsn}`))
      peer.send(HEARTBEAT)
      assert.equal(await peer.next(), heartbeatReply('7'), vsn)
      peer.socket.close()
    }
    for (const vsn of ['2.1.0', '3.0.0', '2', '2.0', 'abc', '', '2.0.0-', '%00']) {
      const { status, headers, body } = await refusal(keyed(`&vsn=${vsn}`))
      assert.deepEqual([status, body, headers['content-length']], [403, '', '0'], vsn)
    }
    assert.equal(await service.metric('ti_live_refused_total{reason="version"}'), 8)
  })

  test('row 2: without vsn frames are objects, and an array closes with 1011', async (t) => {
    for (const query of ['', '&vsn=1.0.0']) {
      const peer = await openPeer(t, keyed(query))
      peer.send(V1_HEARTBEAT)
      assert.equal(await peer.next(), V1_HEARTBEAT_REPLY)
      peer.send('{"topic":"frames:live","event":"phx_join","payload":{},"ref":"1"}')
      const reply = JSON.parse(await peer.next())
      assert.deepEqual([reply.topic, reply.event, reply.ref], ['frames:live', 'phx_reply', '1'])
      assert.equal(reply.payload.status, 'ok')
      const seq = service.publish('frames:live', { a: 'ü' })
      assert.equal(
        await peer.next(),
        `{"topic":"frames:live","event":"frame","payload":{"data":{"seq":${seq},"a":"ü"}},"ref":null}`,
      )
      peer.send(HEARTBEAT)
      assert.equal(await peer.closed, 1011)
    }
  })

  test('row 3: a missing, unknown, revoked or expired key is 403 without a body, before the upgrade', async () => {
    const unknown = KEYS.pro.replace('p', 'q')
    const queries = [
      '',
      '&api_key=',
      '&api_key=nonsense',
      ...[unknown, KEYS.revoked, KEYS.expired].map((key) => `&api_key=${key}`),
    ]
    for (const query of queries) {
      const { status, headers, body } = await refusal(`${socketPath}?vsn=2.0.0${query}`)
      assert.deepEqual([status, body, headers.upgrade], [403, '', undefined], query)
    }
    const { status } = await refusal(`${socketPath}?vsn=2.0.0`, {
      headers: { authorization: `Bearer ${KEYS.revoked}` },
    })
    assert.equal(status, 403)
  })

  test('row 3: a trial that is over is 429 with the seconds to wait', async (t) => {
    const trials = { open: async () => ({ ok: false, retryAfterS: 1234 }) as const }
    const other = await openLive(t, { trials })
    const url = other.url().replace(KEYS.pro, KEYS.free)
    const { status, headers, body } = await refusal(url)
    assert.deepEqual([status, body, headers['retry-after']], [429, '', '1234'])
    assert.equal(await other.metric('ti_live_refused_total{reason="trial"}'), 1)
    // the paid plan has no trial
    await openPeer(t, other.url())
  })

  test('row 4: a plain request is 400, other paths are 404, also where they ask for a WebSocket', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const answer = await exchange(
        service.baseUrl,
        requestText(method, '/socket/websocket?vsn=2.0.0'),
        method !== 'HEAD',
      )
      assert.deepEqual([answer?.status, answer?.body.length], [400, 0], method)
    }
    const posted = requestText('POST', '/socket/websocket', { 'content-length': '2' })
    assert.equal((await exchange(service.baseUrl, `${posted}{}`))?.status, 400)
    const paths = ['/socket', '/socket/', '/socket/longpoll', '/socket/websocket/', '/socket/websocketx', '/websocket']
    for (const path of paths) {
      assert.equal((await exchange(service.baseUrl, requestText('GET', path)))?.status, 404, path)
      const url = `${service.baseUrl}${path}?vsn=2.0.0&api_key=${KEYS.pro}`
      assert.equal((await exchange(service.baseUrl, handshake(url)))?.status, 404, `upgrade of ${path}`)
    }
  })

  test('row 22: what is no message closes with 1011', async (t) => {
    for (const frame of [
      '',
      'x',
      '{}',
      '"text"',
      'null',
      '[]',
      '["1","2","tokens:live","phx_join"]',
      Buffer.from([9]),
    ]) {
      const peer = await openPeer(t, service.url())
      peer.send(frame)
      assert.equal(await peer.closed, 1011, String(frame))
    }
    assert.ok((await service.metric('ti_live_closed_total{why="1011"}')) >= 8, 'counted')
  })

  test('row 24: a ping is answered with its data, and pings alone keep a socket', async (t) => {
    const other = await openLive(t, { bounds: { idleMs: 6_000, visitMs: 60, visitSlots: 3 } })
    const peer = await openPeer(t, other.url())
    const pongs: string[] = []
    peer.socket.on('pong', (data) => pongs.push(data.toString()))
    const start = performance.now()
    let pings = 0
    const timer = setInterval(() => peer.socket.ping(`p${pings++}`), 50)
    t.after(() => clearInterval(timer))
    await until('pings were answered for longer than the idle time', () => performance.now() - start > 9_000)
    assert.deepEqual(
      pongs,
      pongs.map((_, i) => `p${i}`),
    )
    assert.equal(peer.socket.readyState, peer.socket.OPEN)
    clearInterval(timer)
    assert.equal(await peer.closed, 1002)
  })

  test('row 25: nothing received for the idle time closes with 1002, and not before', async (t) => {
    const other = await openLive(t, { bounds: { idleMs: 400, visitMs: 60, visitSlots: 3 } })
    const peer = await openPeer(t, other.url())
    const start = performance.now()
    await peer.join('frames:live')
    // what is sent to it does not count
    const timer = setInterval(() => other.publish('frames:live'), 20)
    t.after(() => clearInterval(timer))
    assert.equal(await peer.closed, 1002)
    assert.ok(performance.now() - start >= 390, `closed after ${performance.now() - start} ms`)
    await until('it is gone', async () => (await other.metric('ti_live_sockets')) === 0)
    assert.equal(await other.metric('ti_live_closed_total{why="1002"}'), 1)
  })

  test('row 26: 64 KiB are heard, one byte more is 1009', async (t) => {
    const padded = (length: number) => HEARTBEAT.replace('{}', `"${'x'.repeat(length - HEARTBEAT.length)}"`)
    const peer = await openPeer(t, service.url())
    assert.equal(padded(65_536).length, 65_536)
    peer.send(padded(65_536))
    assert.equal(await peer.next(), heartbeatReply('7'))
    peer.send(padded(65_537))
    assert.equal(await peer.closed, 1009)
    assert.ok((await service.metric('ti_live_closed_total{why="WS_ERR_UNSUPPORTED_MESSAGE_LENGTH"}')) >= 1, 'counted')
  })

  test('row 26: text that is no UTF-8 is 1007, a fault of the protocol 1002', async (t) => {
    const bad = await openPeer(t, service.url())
    bad.socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false })
    assert.equal(await bad.closed, 1007)
    const wrong = await openRaw(t, service.url(), { early: Buffer.from([0x83, 0x80, 0, 0, 0, 0]) })
    assert.equal(await wrong.closeCode(), 1002)
  })

  test('row 27: a key that is revoked closes with 1001, and its next socket is 403', async (t) => {
    const { keys, revoke } = revocableKeys()
    const other = await openLive(t, { keys, bounds: { visitMs: 60, visitSlots: 3 } })
    const peer = await openPeer(t, other.url())
    await peer.join('tokens:live')
    revoke(KEYS.pro)
    assert.equal(await peer.closed, 1001)
    assert.equal((await refusal(other.url())).status, 403)
  })

  test('row 27: a trial that runs out closes with 1001, and the next socket is 429', async (t) => {
    let time = true
    const seat = { hasTime: () => time, release() {} }
    const trials = {
      open: async () => (time ? ({ ok: true, seat } as const) : ({ ok: false, retryAfterS: 9 } as const)),
    }
    const other = await openLive(t, { trials, bounds: { visitMs: 60, visitSlots: 3 } })
    const url = other.url().replace(KEYS.pro, KEYS.free)
    const [free, paid] = [await openPeer(t, url), await openPeer(t, other.url())]
    time = false
    assert.equal(await free.closed, 1001)
    assert.equal((await refusal(url)).status, 429)
    await paid.quiet()
  })

  test('row 27: a server that stops closes with 1012, and refuses with 503 meanwhile', async (t) => {
    const other = await openLive(t, { bounds: { shutdownMs: 300, closeMs: 3_600_000 } })
    const [peer, mute] = [await openPeer(t, other.url()), await openRaw(t, other.url())]
    await peer.join('tokens:live')
    const stopped = other.live.close()
    // one that does not answer the close holds the stop up for as long as it is let
    const { status, headers } = await refusal(other.url())
    assert.deepEqual([status, headers['retry-after']], [503, '1'])
    assert.equal(await peer.closed, 1012)
    assert.equal(await mute.closeCode(), 1012)
    await soon('the stop', stopped)
    await mute.gone
    assert.deepEqual(
      [await other.metric('ti_live_sockets'), await other.metric('ti_live_closed_total{why="1012"}')],
      [0, 2],
    )
  })

  test('row 29: a broadcast is the same bytes for all sockets of a version', async (t) => {
    const other = await openLive(t)
    const url = { 2: other.url(), 1: other.url().replace('vsn=2.0.0&', '') }
    const join = {
      2: '["4","5","tokens:live","phx_join",{}]',
      1: '{"topic":"tokens:live","event":"phx_join","payload":{},"ref":"5"}',
    }
    const beat = { 2: HEARTBEAT, 1: V1_HEARTBEAT }
    const last = { 2: heartbeatReply('7'), 1: V1_HEARTBEAT_REPLY }
    const texts = ['', 'é😀', 'x'.repeat(70_000), '\u2028"\\']
    const payloads = texts.map((text, i) => `{"type":"t","data":{"seq":${i + 1},"text":${JSON.stringify(text)}}}`)
    const expected = {
      2: payloads.map((payload) => `[null,null,"tokens:live","token_event",${payload}]`),
      1: payloads.map((payload) => `{"topic":"tokens:live","event":"token_event","payload":${payload},"ref":null}`),
    }
    const peers = await Promise.all(
      ([1, 2, 1, 2] as const).map(async (version) => {
        const peer = await openRaw(t, url[version])
        peer.sendText(join[version])
        await until('it has joined', () => peer.frames.length === 1)
        return { peer, version, start: peer.bytes().length }
      }),
    )
    for (const text of texts) other.publish('tokens:live', { text })
    const bytes = await Promise.all(
      peers.map(async ({ peer, version, start }) => {
        await until('all were broadcast', () => peer.frames.length === 1 + texts.length)
        peer.sendText(beat[version])
        await until('the heartbeat is answered', () => peer.frames.length === 2 + texts.length)
        const got = peer.frames.slice(1).map(({ payload }) => payload.toString())
        assert.deepEqual(got, [...expected[version], last[version]])
        return peer.bytes().subarray(start).toString('latin1')
      }),
    )
    assert.equal(bytes[0], bytes[2])
    assert.equal(bytes[1], bytes[3])
  })

  test('row 29: what one socket alone is sent has its join_ref', async (t) => {
    const other = await openLive(t)
    for (let i = 0; i < 3; i++) other.append('frames:live')
    const peer = await openPeer(t, other.url())
    peer.send('["11","1","frames:live","phx_join",{"after_seq":1}]')
    const response = '{"seq":3,"oldest_seq":1,"resumed":true}'
    assert.equal(await peer.next(), `["11","1","frames:live","phx_reply",{"status":"ok","response":${response}}]`)
    for (const seq of [2, 3]) {
      assert.equal(await peer.next(), `["11",null,"frames:live","frame",{"data":{"seq":${seq}}}]`)
    }
    await until(
      'it follows',
      async () => (await other.metric('ti_live_readers{topic="frames:live",state="live"}')) === 1,
    )
    other.publish('frames:live')
    assert.equal(await peer.next(), '[null,null,"frames:live","frame",{"data":{"seq":4}}]')
  })

  test('row 31: a key beside the subprotocol opens, and the answer is the subprotocol', async (t) => {
    const url = `${socketPath}?vsn=2.0.0`
    const token = (key: string) => `base64url.bearer.phx.${Buffer.from(key).toString('base64').replace(/=/g, '')}`
    const peer = await openPeer(t, url, { protocols: ['phoenix', token(KEYS.pro)] })
    assert.equal(peer.socket.protocol, 'phoenix')
    await peer.quiet()
    const offered = { headers: { 'sec-websocket-protocol': `phoenix, ${token(KEYS.revoked)}` } }
    assert.equal((await refusal(url, offered)).status, 403)
    // a token is no subprotocol: it is never answered
    const answer = await exchange(service.baseUrl, handshake(url, { 'Sec-WebSocket-Protocol': token(KEYS.pro) }))
    assert.deepEqual([answer?.status, answer?.headers.get('sec-websocket-protocol')], [101, undefined])
  })

  test('row 32: the origin does not matter; deflate is not spoken', async (t) => {
    for (const origin of ['https://elsewhere.example', 'null', 'http://127.0.0.1:1']) {
      await (await openPeer(t, service.url(), { origin })).quiet()
    }
    const peer = await openPeer(t, service.url(), { perMessageDeflate: true })
    assert.equal(peer.socket.extensions, '')
  })
})
