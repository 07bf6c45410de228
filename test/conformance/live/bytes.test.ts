import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { clientFrame, TEXT } from '../../support/live-frames.ts'
import { openLive, until } from '../../support/live-service.ts'
import { openRaw, type RawPeer } from './peer.ts'

/**
 * The bytes of a broadcast are shared by all who are sent it, and wait for the slowest of them: they must be the same when
 * the kernel takes them as when they were given to `write`.
 */
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function createWatch() {
  const watch = { written: 0, taken: 0, changed: 0, shared: 0 }
  const seen = new WeakSet<Buffer>()
  function onSocket(socket: Socket): void {
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
    const watched = (chunk: unknown, ...rest: unknown[]): boolean => {
      if (!Buffer.isBuffer(chunk)) return write(chunk, ...rest)
      const before = hashOf(chunk)
      if (seen.has(chunk)) watch.shared++
      seen.add(chunk)
      watch.written++
      const callback = typeof rest.at(-1) === 'function' ? (rest.pop() as (error?: Error) => void) : () => {}
      return write(chunk, ...rest, (error?: Error) => {
        watch.taken++
        if (hashOf(chunk) !== before) watch.changed++
        callback(error)
      })
    }
    socket.write = watched as Socket['write']
  }
  return { watch, onSocket }
}

const expected = (version: 1 | 2, payload: string): string =>
  version === 2
    ? `[null,null,"frames:live","frame",${payload}]`
    : `{"topic":"frames:live","event":"frame","payload":${payload},"ref":null}`

test('bytes that wait are never changed, and every reader gets exactly what was published', async (t) => {
  const { watch, onSocket } = createWatch()
  const bounds = { unreadBytes: 1e9, replayUnreadBytes: 100_000, stallMs: 3_600_000 }
  const service = await openLive(t, { bounds, onSocket })
  const join = async (version: 1 | 2, payload: object = {}): Promise<RawPeer> => {
    const peer = await openRaw(t, version === 2 ? service.url() : service.url().replace('vsn=2.0.0&', ''))
    const text =
      version === 2
        ? JSON.stringify(['1', '1', 'frames:live', 'phx_join', payload])
        : JSON.stringify({ topic: 'frames:live', event: 'phx_join', payload, ref: '1' })
    peer.sendText(text)
    await until('it has joined', () => peer.frames.length > 0)
    return peer
  }
  const peers: { readonly peer: RawPeer; readonly version: 1 | 2; readonly slow: boolean; readonly start: number }[] =
    []
  for (const version of [1, 2] as const) {
    for (const slow of [false, true, true]) {
      const peer = await join(version)
      peers.push({ peer, version, slow, start: peer.bytes().length })
      if (slow) peer.socket.pause()
    }
  }

  const payloads: string[] = []
  const publish = (bytes: number): void => {
    const fill = String.fromCharCode(97 + (payloads.length % 26)).repeat(bytes)
    payloads.push(service.append('frames:live', { fill: payloads.length % 5 === 0 ? `${fill}é😀` : fill }).payload)
  }
  const sizes = [0, 1, 90, 200, 4_000, 65_450, 66_000, 150_000]
  for (let burst = 0; burst < 60; burst++) {
    for (let i = 0; i <= burst % 7; i++) publish(sizes[(burst * 3 + i * 5) % sizes.length]!)
    service.live.wake()
    await new Promise(setImmediate)
    // the slow ones have a breath now and then
    for (const { peer, slow } of peers) if (slow && burst % 15 === 14) peer.socket.resume()
    await new Promise(setImmediate)
    for (const { peer, slow } of peers) if (slow) peer.socket.pause()
  }
  // the kernel takes some megabytes for those who do not read
  const waiting = (): number => watch.written - watch.taken
  for (let more = 0; more < 400 && waiting() <= 50; more++) {
    publish(150_000)
    service.live.wake()
    await new Promise(setImmediate)
  }
  assert.ok(waiting() > 50, `only ${waiting()} writes waited`)
  const resumed = await join(2, { after_seq: 0 })
  for (const { peer } of peers) peer.socket.resume()
  await until('all have everything', () =>
    [...peers, { peer: resumed }].every(({ peer }) => peer.frames.length === payloads.length + 1),
  )

  for (const { peer, version, start } of peers) {
    const all = Buffer.concat(payloads.map((payload) => clientFrame(TEXT, expected(version, payload), false)))
    assert.equal(hashOf(peer.bytes().subarray(start)), hashOf(all))
  }
  for (const [i, { payload }] of resumed.frames.slice(1).entries()) {
    const text = payload.toString().replace('["1",null', '[null,null')
    assert.equal(text, expected(2, payloads[i]!), `message ${i + 1} of the resume`)
  }
  await until('every write was taken', () => watch.taken === watch.written)
  assert.equal(watch.changed, 0)
  assert.ok(watch.shared > payloads.length / 7, `${watch.shared} writes of bytes that others were given too`)
})
