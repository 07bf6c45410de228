import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { exchange, requestText } from '../../support/exchange.ts'
import { KEYS } from '../../support/fake-service.ts'
import { clientFrame, clientHead, closeCode, PING, TEXT } from '../../support/live-frames.ts'
import { openLive, readersOf, until, untilQuiet } from '../../support/live-service.ts'
import { sharedWith } from '../../support/shared.ts'
import { handshake, heartbeatReply, openPeer, openRaw, refusal } from './peer.ts'

/** What no honest client sends: each is cut with its code, costs a bounded amount, and leaves nothing behind. */
const BEAT = '[null,"7","phoenix","heartbeat",{}]'
const BINARY = 0x82
const HOUR_MS = 3_600_000

describe('bytes that no client sends', { concurrency: true }, () => {
  // long enough for a busy client to read its close: what it has not read when it is cut, a reset takes away
  const QUICK = { closeMs: 1_500, visitMs: 60, visitSlots: 3 }
  const text = (first: number, body: string | Buffer = BEAT) => clientFrame(first, body)
  const cases: [string, Buffer, number][] = [
    ['a frame of 1 MB', text(TEXT, 'x'.repeat(1 << 20)), 1009],
    ['a binary frame of 1 MB', text(BINARY, Buffer.alloc(1 << 20)), 1009],
    ['a frame that only promises 1 MB', clientHead(TEXT, 1 << 20), 1009],
    ['a length beyond 2^53', Buffer.from([TEXT, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0]), 1009],
    [
      'fragments that add up to too much',
      Buffer.concat([text(0x01, 'x'.repeat(40_000)), text(0x80, 'x'.repeat(40_000))]),
      1009,
    ],
    ['text that is not UTF-8', text(TEXT, Buffer.from([0xff, 0xfe])), 1007],
    ['text that ends inside a character', text(TEXT, Buffer.from([0x22, 0xf0, 0x9f, 0x98])), 1007],
    ['half a surrogate pair', text(TEXT, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 1007],
    ['a reason of a close that is not UTF-8', text(0x88, Buffer.from([3, 0xe8, 0xff])), 1007],
    ['a frame that is not masked', clientFrame(TEXT, BEAT, false), 1002],
    ['the first reserved bit, which deflate would use', text(0xc1), 1002],
    ['the second reserved bit', text(0xa1), 1002],
    ['the third reserved bit', text(0x91), 1002],
    ['an unknown opcode', text(0x83), 1002],
    ['an unknown control opcode', text(0x8b), 1002],
    ['a fragment of nothing', text(0x80), 1002],
    ['a message inside another', Buffer.concat([text(0x01), text(TEXT)]), 1002],
    ['a ping in fragments', text(0x09, 'x'), 1002],
    ['a ping of 126 bytes', text(PING, 'x'.repeat(126)), 1002],
    ['a close of one byte', text(0x88, 'x'), 1002],
    ['a close with a code that nobody may send', text(0x88, Buffer.from([3, 0xed])), 1002],
    ['a flood of fragments', Buffer.concat([text(0x01, '['), ...Array(200).fill(text(0x00, ' '))]), 1008],
    ['a flood of empty fragments', Buffer.concat([text(0x01, ''), ...Array(200).fill(text(0x00, ''))]), 1008],
    ['a flood of pings', Buffer.concat(Array(2_000).fill(text(PING, 'x'))), 1008],
    ['a flood of pongs', Buffer.concat(Array(2_000).fill(text(0x8a, 'x'))), 1008],
    ['a flood of heartbeats', Buffer.concat(Array(2_000).fill(text(TEXT))), 1008],
    [
      'joins in a loop',
      Buffer.concat(
        Array.from({ length: 2_000 }, (_, i) => text(TEXT, `["${i}","${i}","frames:live","phx_join",{"after_seq":0}]`)),
      ),
      1008,
    ],
  ]

  for (const [what, bytes, code] of cases) {
    test(`${what} closes with ${code}, and nothing is left`, async (t) => {
      const service = await openLive(t, { bounds: QUICK })
      for (let i = 0; i < 10; i++) service.append('frames:live', { pad: 'x'.repeat(1_000) })
      const neighbour = await openPeer(t, service.url())
      const peer = await openRaw(t, service.url())
      peer.sendText('["1","1","frames:live","phx_join",{}]')
      await peer.text('["1","1","frames:live","phx_reply"')
      peer.write(bytes)
      assert.equal(await peer.closeCode(), code)
      // it does not answer the close, and is cut
      await peer.gone
      const closes = peer.frames.map(closeCode).filter((one) => one !== null)
      assert.deepEqual(closes, [code], 'one close')
      assert.notEqual(closeCode(peer.frames.at(-1)!), null, 'the close is the last frame')
      await untilQuiet(service, 1)
      await neighbour.quiet()
    })
  }

  test('a frame byte by byte is heard', async (t) => {
    const service = await openLive(t)
    const peer = await openRaw(t, service.url())
    for (const byte of clientFrame(TEXT, BEAT)) {
      peer.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    assert.equal(await peer.text('['), heartbeatReply('7'))
  })

  test('a frame byte by byte without an end is cut, by the number of its pieces or for being idle', async (t) => {
    for (const [frameChunks, idleMs, code] of [
      [32, HOUR_MS, 1008],
      [LIVE.frameChunks, 500, 1002],
    ] as const) {
      const service = await openLive(t, { bounds: { ...QUICK, idleMs, frameChunks } })
      const peer = await openRaw(t, service.url())
      peer.write(clientHead(TEXT, 60_000))
      const timer = setInterval(() => peer.write(Buffer.from('x')), 20)
      t.after(() => clearInterval(timer))
      assert.equal(await peer.closeCode(), code)
      await peer.gone
      clearInterval(timer)
      await untilQuiet(service)
    }
  })
})

describe('clients that do not play along', { concurrency: true }, () => {
  test('a fault ends the subscriptions at once, also where the client stays', async (t) => {
    const service = await openLive(t, { bounds: { closeMs: HOUR_MS } })
    const peer = await openRaw(t, service.url(), { stays: true })
    peer.sendText('["1","1","frames:live","phx_join",{}]')
    await peer.text('[')
    peer.write(clientFrame(0x83, ''))
    assert.equal(await peer.closeCode(), 1002)
    await untilQuiet(service, 1)
    peer.socket.destroy()
    await untilQuiet(service)
  })

  test('a flood is not read on after it was noticed', async (t) => {
    const sockets: Socket[] = []
    const service = await openLive(t, { onSocket: (socket) => sockets.push(socket), bounds: { closeMs: 500 } })
    const peer = await openRaw(t, service.url())
    const piece = Buffer.concat(Array(10_000).fill(clientFrame(TEXT, BEAT)))
    for (let i = 0; i < 50; i++) peer.write(piece)
    await peer.gone
    const { bytesRead } = sockets[0]!
    assert.ok(bytesRead < 1 << 20, `${bytesRead} bytes of ${50 * piece.length} were read`)
    await untilQuiet(service)
  })

  test('a client that is refused and stays is cut', async (t) => {
    const sockets: Socket[] = []
    const service = await openLive(t, { onSocket: (socket) => sockets.push(socket) })
    const client = connect({ host: '127.0.0.1', port: service.port, allowHalfOpen: true })
    t.after(() => client.destroy())
    let answer = ''
    client.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    client.write(handshake(`${service.url()}x`))
    await until('it is refused', () => answer.startsWith('HTTP/1.1 403 '))
    await until('it is cut', () => sockets[0]!.destroyed)
  })

  test('a client that vanished is closed with 1002 after the idle time, and is gone', async (t) => {
    const bounds = { idleMs: 3_000, closeMs: 150, visitMs: 60, visitSlots: 3 }
    const service = await openLive(t, { bounds })
    const peers = await Promise.all(Array.from({ length: 20 }, () => openRaw(t, service.url())))
    for (const peer of peers) peer.sendText('["1","1","frames:live","phx_join",{}]')
    await until('all have joined', async () => (await readersOf(service)) === 20)
    for (const peer of peers) peer.socket.pause()
    await untilQuiet(service)
    for (const peer of peers) {
      peer.socket.resume()
      assert.equal(await peer.closeCode(), 1002)
      await peer.gone
    }
    assert.equal(await service.metric('ti_live_closed_total{why="1002"}'), 20)
  })

  test('half a handshake holds no place, and may be finished', async (t) => {
    const service = await openLive(t, { shared: sharedWith({ sockets: { share: { pro: 1 } } }) })
    const socket = connect({ host: '127.0.0.1', port: service.port })
    t.after(() => socket.destroy())
    const request = handshake(service.url())
    socket.write(request.slice(0, -2))
    const peer = await openPeer(t, service.url())
    await peer.quiet()
    assert.equal(await service.metric('ti_live_sockets'), 1)
    peer.socket.close()
    await peer.closed
    await untilQuiet(service)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.write(request.slice(-2))
    await until('it is upgraded', () => answer.startsWith('HTTP/1.1 101 '))
  })

  test('a handshake that the library refuses gives its place back', async (t) => {
    const service = await openLive(t, { shared: sharedWith({ sockets: { share: { pro: 1 } } }) })
    const wrong: [Record<string, string>, number][] = [
      [{ 'Sec-WebSocket-Key': 'short' }, 400],
      [{ 'Sec-WebSocket-Version': '99' }, 400],
      [{ 'Sec-WebSocket-Protocol': ',,' }, 400],
    ]
    for (const [headers, status] of wrong) {
      assert.equal((await exchange(service.baseUrl, handshake(service.url(), headers)))?.status, status)
    }
    assert.equal((await exchange(service.baseUrl, handshake(service.url()).replace('GET', 'POST')))?.status, 405)
    let answer: number | undefined
    await until('there is room', async () => {
      answer = (await exchange(service.baseUrl, handshake(service.url())))?.status
      return answer !== 429
    })
    assert.equal(answer, 101)
  })

  test('clients that leave while their trial is looked up take nothing with them', async (t) => {
    const waiting: (() => void)[] = []
    let seats = 0
    const seat = () => {
      seats++
      return { ok: true, seat: { hasTime: () => true, release: () => void seats-- } } as const
    }
    const open = () => new Promise<ReturnType<typeof seat>>((resolve) => waiting.push(() => resolve(seat())))
    const service = await openLive(t, { trials: { open } })
    const url = service.url().replace(KEYS.pro, KEYS.free)
    const clients = Array.from({ length: 9 }, () => connect({ host: '127.0.0.1', port: service.port }))
    for (const client of clients) {
      client.on('error', () => {})
      client.write(handshake(url))
    }
    await until('all are looked up', () => waiting.length === clients.length)
    // cut, ended, and ended with a close that was sent early
    for (const client of clients.slice(0, 3)) client.resetAndDestroy()
    for (const client of clients.slice(3, 6)) client.end()
    for (const client of clients.slice(6)) client.end(clientFrame(0x88, Buffer.from([3, 0xe8])))
    await until(
      'the server has heard of it',
      async () => (await exchange(service.baseUrl, requestText('GET', '/healthz')))?.status === 200,
    )
    for (const decide of waiting) decide()
    await untilQuiet(service)
    await until('every seat is given back', () => seats === 0)
    for (const client of clients) client.destroy()
  })

  test('what comes in one piece with the handshake is heard, also while a trial is looked up', async (t) => {
    const trials = {
      open: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        return { ok: true, seat: { hasTime: () => true, release() {} } } as const
      },
    }
    const service = await openLive(t, { trials })
    for (const key of [KEYS.pro, KEYS.free]) {
      const early = Buffer.concat([clientFrame(TEXT, BEAT), clientFrame(TEXT, BEAT.replace('7', '8'))])
      const peer = await openRaw(t, service.url().replace(KEYS.pro, key), { early })
      assert.equal(await peer.text('['), heartbeatReply('7'), key)
      assert.equal(await peer.text('['), heartbeatReply('8'), key)
    }
  })

  test('the 51st socket of a key is 429, and there is room again when one closes; other keys are not concerned', async (t) => {
    const service = await openLive(t)
    const peers = await Promise.all(Array.from({ length: 50 }, () => openPeer(t, service.url())))
    const { status, headers, body } = await refusal(service.url())
    assert.deepEqual([status, headers['retry-after'], body], [429, '60', ''])
    await openPeer(t, service.url().replace(KEYS.pro, KEYS.free))
    peers[0]!.socket.close()
    await peers[0]!.closed
    await until('there is room', async () => (await service.metric('ti_live_sockets')) === 50)
    await openPeer(t, service.url())
    assert.equal(await service.metric('ti_live_refused_total{reason="key sockets"}'), 1)
  })

  test('beyond the bound of sockets it is 503', async (t) => {
    const service = await openLive(t, { shared: sharedWith({ sockets: { pool: { free: 3 } } }) })
    const free = service.url().replace(KEYS.pro, KEYS.free)
    for (let i = 0; i < 3; i++) await openPeer(t, free)
    const { status, headers } = await refusal(free)
    assert.deepEqual([status, headers['retry-after']], [503, '60'])
  })

  test('upgrades with bodies and to other protocols are answered, and harm nobody', async (t) => {
    const service = await openLive(t)
    const neighbour = await openPeer(t, service.url())
    const body = (headers: Record<string, string>, bytes: string) =>
      exchange(service.baseUrl, handshake(service.url(), headers) + bytes)
    // the body of a WebSocket's request is its first frames: not masked, so a fault
    const withBody = await body({ 'Content-Length': '5' }, 'hello')
    assert.equal(withBody?.status, 101)
    const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    for (const [path, status] of [
      ['/healthz', 200],
      ['/v1/tokens/new', 402],
      ['/socket/websocket', 400],
      ['/nowhere', 404],
    ] as const) {
      assert.equal((await exchange(service.baseUrl, requestText('GET', path, h2c)))?.status, status, path)
    }
    const posted = requestText('POST', '/healthz', { ...h2c, 'content-length': '5' })
    const refused = await exchange(service.baseUrl, `${posted}hello`)
    assert.equal(refused?.status, 405)
    assert.match(refused.headers.get('x-request-id') ?? '', /^req_/)
    // behind a request whose answer is to come
    for (const second of [requestText('GET', '/healthz', h2c), handshake(service.url())]) {
      await exchange(service.baseUrl, requestText('GET', '/docs') + second)
    }
    await neighbour.quiet()
    await untilQuiet(service, 1)
  })
})
