import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { exchange, requestText } from '../../support/exchange.ts'
import { KEYS } from '../../support/fake-service.ts'
import { clientFrame, PING, readFrames, TEXT } from '../../support/live-frames.ts'
import { openLive, readersOf, until } from '../../support/live-service.ts'
import fc from '../../support/property.ts'
import { sharedWith } from '../../support/shared.ts'
import { handshake, openPeer, openRaw, refusal } from './peer.ts'

const BINARY = 0x82

const collectGarbage: () => void = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
})()

test('10,000 bad keys: each is refused, nothing is kept, and a socket that is open notices nothing', async (t) => {
  const open = new Set<Socket>()
  const service = await openLive(t, {
    onSocket(socket) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    },
  })
  const neighbour = await openPeer(t, service.url())
  await neighbour.join('frames:live')
  let attempts = 0
  const statuses = new Map<number | undefined, number>()
  async function attack(): Promise<void> {
    while (attempts < 10_000) {
      const attempt = attempts++
      const key = `sk_live_${String(attempt).padStart(43, '0')}`
      const status = (await exchange(service.baseUrl, handshake(service.url().replace(KEYS.pro, key))))?.status
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (attempt % 1_000 === 0) service.publish('frames:live')
    }
  }
  // so that what is made once is there before it is measured
  await Promise.all([exchange(service.baseUrl, handshake(`${service.url()}x`)), refusal(`${service.url()}x`)])
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  await Promise.all(Array.from({ length: 32 }, attack))
  await until('only the neighbour is connected', () => open.size === 1)
  collectGarbage()
  const grown = process.memoryUsage().heapUsed - before
  t.diagnostic(`${Math.round(grown / 1024)} kB more in use`)
  assert.deepEqual([...statuses], [[403, 10_000]])
  assert.ok(grown < 8 << 20, `${grown} bytes more in use`)
  assert.equal(await service.metric('ti_live_refused_total{reason="key"}'), 10_002)
  for (let seq = 1; seq <= 10; seq++) assert.equal(JSON.parse(await neighbour.next())[4].data.seq, seq)
  await neighbour.quiet()
  assert.ok(!service.logged.join('').includes('sk_live_'), 'a key was logged')
})

test('random bytes after a handshake: the server goes on, and a neighbour receives every broadcast', async (t) => {
  const service = await openLive(t, {
    bounds: { closeMs: 100 },
    shared: sharedWith({ sockets: { share: { pro: 10_000 } } }),
  })
  const neighbour = await openPeer(t, service.url())
  await neighbour.join('frames:live')
  const word = fc.constantFrom(
    'phx_join',
    'phx_leave',
    'heartbeat',
    'frames:live',
    'tokens:live',
    'phoenix',
    '1',
    'access',
  )
  const value = fc.oneof(word, fc.jsonValue({ maxDepth: 3 }))
  const frame = fc.oneof(
    fc.array(value, { maxLength: 7 }).map((parts) => clientFrame(TEXT, JSON.stringify(parts))),
    fc
      .record({ topic: value, event: value, payload: value, ref: value })
      .map((parts) => clientFrame(TEXT, JSON.stringify(parts))),
    fc
      .tuple(fc.nat(255), fc.uint8Array({ maxLength: 300 }), fc.boolean())
      .map(([first, bytes, masked]) => clientFrame(first, Buffer.from(bytes), masked)),
    fc
      .tuple(fc.constantFrom(TEXT, BINARY, 0x01, 0x80, PING, 0x8a), fc.uint8Array({ maxLength: 60 }))
      .map(([first, bytes]) => clientFrame(first, Buffer.from(bytes))),
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )
  const stream = fc.record({
    v1: fc.boolean(),
    frames: fc.array(frame, { minLength: 1, maxLength: 12 }),
    early: fc.boolean(),
    how: fc.constantFrom('end' as const, 'reset' as const, 'stay' as const),
  })
  let runs = 0
  await fc.assert(
    fc.asyncProperty(stream, async ({ v1, frames, early, how }) => {
      const url = v1 ? service.url().replace('vsn=2.0.0&', '') : service.url()
      const bytes = Buffer.concat(frames)
      const peer = await openRaw(t, url, early ? { early: bytes } : {})
      if (!early) peer.write(bytes)
      if (how === 'end') peer.socket.end()
      if (how === 'reset') peer.socket.resetAndDestroy()
      runs++
      const seq = service.publish('frames:live', { run: runs })
      assert.equal(await neighbour.next(), `[null,null,"frames:live","frame",{"data":{"seq":${seq},"run":${runs}}}]`)
      if (runs % 20 === 0) assert.equal((await exchange(service.baseUrl, requestText('GET', '/healthz')))?.status, 200)
      if (how === 'end') {
        await peer.gone
        // every byte that was sent to it is a whole frame
        assert.equal(readFrames(peer.bytes()).rest.length, 0)
      } else peer.socket.destroy()
    }),
    { numRuns: 400 },
  )
  await until('only the neighbour is left', async () => (await service.metric('ti_live_sockets')) === 1)
  assert.equal(await readersOf(service), 1)
  await neighbour.quiet()
  const failures = service.logged.filter((line) => /"level":"(error|fatal)"/.test(line))
  assert.deepEqual(failures, [])
})
