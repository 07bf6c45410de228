import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exchange, requestText } from '../../support/exchange.ts'
import { clientFrame, closeCode, readFrames, TEXT } from '../../support/live-frames.ts'
import { type LiveService, openLive, readersOf, until, untilQuiet } from '../../support/live-service.ts'
import { openPeer, openRaw, type RawPeer } from './peer.ts'

const HOUR_MS = 3_600_000

describe('clients that do not read', { concurrency: true }, () => {
  const PAD = 'x'.repeat(1_000)
  /** a client that asks and asks; `wanted` bytes are sent or the connection is closed */
  async function ask(peer: RawPeer, count: number): Promise<void> {
    const frame = clientFrame(TEXT, JSON.stringify([null, 'r', PAD, 'hello', {}]))
    const piece = Buffer.concat(Array(100).fill(frame))
    for (let i = 0; i < count / 100 && !peer.socket.destroyed; i++) {
      if (!peer.socket.write(piece))
        await Promise.race([new Promise((resolve) => peer.socket.once('drain', resolve)), peer.gone])
    }
  }

  test('requests whose answers are not read: 1013, and what waits is bounded', async (t) => {
    const bounds = { unreadBytes: 100_000, messagesPerSecond: 1e9, closeMs: 30_000 }
    const service = await openLive(t, { bounds })
    const peer = await openRaw(t, service.url())
    peer.socket.pause()
    let most = 0
    const asking = ask(peer, 50_000)
    await until('it is closed as too slow', async () => {
      most = Math.max(most, await service.metric('ti_live_queue_bytes'))
      return (await service.metric('ti_live_closed_total{why="1013"}')) === 1
    })
    assert.ok(most < bounds.unreadBytes + 10_000, `${most} bytes waited`)
    peer.socket.resume()
    assert.equal(await peer.closeCode(), 1013)
    peer.socket.destroy()
    await asking
    await untilQuiet(service)
    assert.equal(await service.metric('ti_live_queue_bytes'), 0)
  })

  test('a follower that does not read: 1013, the others get everything', async (t) => {
    const service = await openLive(t, { bounds: { unreadBytes: 500_000, closeMs: 30_000 } })
    const [slow, fast] = [await openRaw(t, service.url()), await openPeer(t, service.url())]
    slow.sendText('["1","1","frames:live","phx_join",{}]')
    await slow.text('[')
    await fast.join('frames:live')
    slow.socket.pause()
    let published = 0
    let most = 0
    while ((await service.metric('ti_live_closed_total{why="1013"}')) === 0) {
      published = service.publish('frames:live', { pad: 'x'.repeat(100_000) })
      const message: { readonly data: { readonly seq: number } } = JSON.parse(await fast.next())[4]
      assert.equal(message.data.seq, published)
      most = Math.max(most, await service.metric('ti_live_queue_bytes'))
      assert.ok(published < 1_000, 'never closed')
    }
    assert.ok(most < 500_000 + 110_000, `${most} bytes waited`)
    await untilReaders(service, 1)
    slow.socket.resume()
    assert.equal(await slow.closeCode(), 1013)
    // what came before the close is whole and in order
    const seqs = slow.frames.slice(1, -1).map(({ payload }) => JSON.parse(payload.toString())[4].data.seq)
    assert.deepEqual(
      seqs,
      seqs.map((_, i) => i + 1),
    )
  })

  const untilReaders = (service: LiveService, count: number) =>
    until(`${count} follow`, async () => (await readersOf(service)) === count)

  test('a socket that takes nothing of what waits is closed with 1013 in time', async (t) => {
    const bounds = { stallMs: 500, idleMs: HOUR_MS, closeMs: 200, visitMs: 60, visitSlots: 3 }
    const service = await openLive(t, { bounds: { ...bounds, unreadBytes: 1e9 } })
    const peer = await openRaw(t, service.url())
    peer.sendText('["1","1","frames:live","phx_join",{}]')
    await peer.text('[')
    peer.socket.pause()
    while ((await service.metric('ti_live_queue_bytes')) === 0) {
      service.publish('frames:live', { pad: 'x'.repeat(1_000_000) })
      await new Promise(setImmediate)
    }
    await until('it is closed', async () => (await service.metric('ti_live_closed_total{why="1013"}')) === 1)
    await untilQuiet(service)
  })

  test('a socket that takes a little all the time is not taken for a dead one', async (t) => {
    const bounds = { stallMs: 3_000, idleMs: HOUR_MS, visitMs: 60, visitSlots: 3 }
    const service = await openLive(t, { bounds: { ...bounds, unreadBytes: 1e9 } })
    const peer = await openRaw(t, service.url())
    peer.sendText('["1","1","frames:live","phx_join",{}]')
    await peer.text('[')
    peer.socket.pause()
    const pad = 'x'.repeat(1_000_000)
    let count = 0
    // beyond what the kernel takes, and then as much in one piece as is read in more than the time
    while ((await service.metric('ti_live_queue_bytes')) === 0) {
      count = service.publish('frames:live', { pad })
      await new Promise(setImmediate)
    }
    for (let i = 0; i < 40; i++) service.append('frames:live', { pad })
    service.live.wake()
    count += 40
    const start = performance.now()
    while (peer.frames.length < count + 1 && !peer.socket.destroyed) {
      peer.socket.resume()
      await Promise.race([new Promise((resolve) => peer.socket.once('data', resolve)), peer.gone])
      peer.socket.pause()
      await new Promise((resolve) => setTimeout(resolve, 8))
    }
    const tookMs = performance.now() - start
    assert.equal(peer.frames.length, count + 1, `after ${tookMs} ms`)
    t.diagnostic(`${count} MB in ${Math.round(tookMs)} ms`)
  })

  test('after the close of a client nothing is written any more', async (t) => {
    const service = await openLive(t, { bounds: { closeMs: HOUR_MS } })
    const peer = await openRaw(t, service.url())
    peer.sendText('["1","1","frames:live","phx_join",{}]')
    await peer.text('[')
    peer.socket.pause()
    const pad = 'x'.repeat(100_000)
    while ((await service.metric('ti_live_queue_bytes')) < 500_000) {
      service.publish('frames:live', { pad })
      await new Promise(setImmediate)
    }
    peer.write(clientFrame(0x88, Buffer.from([3, 0xe8])))
    // an exchange later the close has been read
    await until(
      'time has passed',
      async () => (await exchange(service.baseUrl, requestText('GET', '/healthz')))?.status === 200,
    )
    for (let i = 0; i < 5; i++) service.publish('frames:live', { late: true })
    peer.socket.resume()
    assert.equal(await peer.closeCode(), 1000)
    await peer.gone
    assert.equal(closeCode(peer.frames.at(-1)!), 1000)
    assert.equal(readFrames(peer.bytes()).rest.length, 0)
    await untilQuiet(service)
  })
})
