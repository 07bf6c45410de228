import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { build } from 'esbuild'
import { WebSocket, WebSocketServer } from 'ws'
import {
  ApiError,
  type ClientOptions,
  createClient,
  StreamGapError,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts'
import { KEYS } from '../support/fake-service.ts'
import {
  type Ending,
  fakeStreams,
  type LiveService,
  openLive,
  revocableKeys,
  until,
  untilQuiet,
} from '../support/live-service.ts'
import { sharedWith } from '../support/shared.ts'
import { exercise } from './exercise.ts'
import { RUNTIMES } from './tools.ts'

/** The streams of the TypeScript client over both transports, and the client in other runtimes. */
const SOCKET: ClientOptions = { WebSocket: WebSocket as unknown as WebSocketClass }
const EVENTS: ClientOptions = { transport: 'events' }
const TRANSPORTS = [
  ['websocket', SOCKET],
  ['events', EVENTS],
] as const

const clientOf = ({ baseUrl }: Pick<LiveService, 'baseUrl'>, more: ClientOptions = {}) =>
  createClient({ baseUrl, apiKey: KEYS.pro, ...more })

for (const [name, options] of TRANSPORTS) {
  test(`${name}: all after a seq, then what comes; nothing is open afterwards`, async (t) => {
    const service = await openLive(t)
    for (let i = 0; i < 5; i++) service.publish('frames:live')
    const seqs: number[] = []
    for await (const { data } of clientOf(service, options).frames({ afterSeq: 2 })) {
      seqs.push(data.seq)
      if (seqs.length === 3) service.publish('frames:live')
      if (seqs.length === 4) break
    }
    assert.deepEqual(seqs, [3, 4, 5, 6])
    const stop = new AbortController()
    const events = clientOf(service, options).tokenEvents({ signal: stop.signal })
    const next = events.next()
    await until(
      'it follows',
      async () => (await service.metric('ti_live_readers{topic="tokens:live",state="live"}')) === 1,
    )
    service.publish('tokens:live')
    assert.equal((await next).value!.data.seq, 1)
    const last = events.next()
    stop.abort()
    assert.deepEqual(await last, { value: undefined, done: true })
    await untilQuiet(service)
  })

  test(`${name}: every seq once over 10 restarts`, async (t) => {
    const topics = fakeStreams()
    let service = await openLive(t, { topics })
    const { port } = service
    const seqs: number[] = []
    let ends = 0
    const reading = (async () => {
      const stream = clientOf(service, options).frames({ afterSeq: 0, onReconnect: () => void ends++ })
      for await (const { data } of stream) {
        seqs.push(data.seq)
        if (data.seq === 220) return
      }
    })()
    for (let restart = 0; restart < 10; restart++) {
      await until(
        'it follows',
        async () => (await service.metric('ti_live_readers{topic="frames:live",state="live"}')) === 1,
      )
      for (let i = 0; i < 10; i++) service.publish('frames:live', { text: 'x'.repeat(i * 1_000) })
      await service.close()
      for (let i = 0; i < 10; i++) topics.append('frames:live')
      service = await openLive(t, { topics, port })
    }
    for (let i = 0; i < 20; i++) service.publish('frames:live')
    await reading
    assert.deepEqual(
      seqs,
      Array.from({ length: 220 }, (_, i) => i + 1),
    )
    assert.equal(ends >= 10, true)
  })

  test(`${name}: a reader that is slow loses nothing, and little waits for it`, async (t) => {
    const service = await openLive(t)
    const stream = clientOf(service, { ...options, buffered: 8 }).frames({ afterSeq: 0 })
    for (let i = 0; i < 500; i++) service.append('frames:live', { text: 'x'.repeat(20_000) })
    const seqs: number[] = []
    for await (const { data } of stream) {
      seqs.push(data.seq)
      if (data.seq % 100 === 0) await until('a turn', () => new Promise((done) => setTimeout(() => done(true), 20)))
      if (data.seq === 500) break
    }
    assert.equal(seqs.length, 500)
    await untilQuiet(service)
  })

  test(`${name}: what is lost is an error, or is told and the stream goes on`, async (t) => {
    const topics = fakeStreams(10)
    for (let i = 0; i < 100; i++) topics.append('frames:live')
    const service = await openLive(t, { topics })
    const gap = { after: 5, seq: 100, oldestSeq: 91 }
    await assert.rejects(clientOf(service, options).frames({ afterSeq: 5 }).next(), (error) => {
      assert.ok(error instanceof StreamGapError)
      assert.deepEqual(error.gap, gap)
      return true
    })
    const gaps: unknown[] = []
    const stream = clientOf(service, options).frames({ afterSeq: 5, onGap: (lost) => void gaps.push(lost) })
    const next = stream.next()
    await until('it has joined', () => gaps.length === 1)
    service.publish('frames:live')
    assert.equal((await next).value!.data.seq, 101)
    assert.deepEqual(gaps, [gap])
    await stream.return()
    await assert.rejects(clientOf(service, options).frames({ afterSeq: -1 }).next(), { status: 400 })
  })

  test(`${name}: a key that is not accepted is an error, also one that was revoked meanwhile`, async (t) => {
    const { keys, revoke } = revocableKeys()
    const service = await openLive(t, { keys, bounds: { visitMs: 60, visitSlots: 3 } })
    await assert.rejects(
      clientOf(service, { ...options, apiKey: KEYS.expired })
        .frames()
        .next(),
      { status: 402 },
    )
    const next = clientOf(service, options).frames().next()
    const failed = assert.rejects(next, { status: 402, code: 'payment_required' })
    await until(
      'it follows',
      async () => (await service.metric('ti_live_readers{topic="frames:live",state="live"}')) === 1,
    )
    revoke(KEYS.pro)
    await failed
  })

  test(`${name}: no room is waited for as long as the service asks`, async (t: Ending) => {
    const topics = fakeStreams()
    topics.append('frames:live')
    const service = await openLive(t, { topics, shared: sharedWith({ sockets: { share: { pro: 0 } } }) })
    const reasons: unknown[] = []
    const stop = new AbortController()
    const onReconnect = (reason: unknown): void => {
      reasons.push(reason)
      stop.abort()
    }
    const stream = clientOf(service, options).frames({ afterSeq: 0, signal: stop.signal, onReconnect })
    assert.deepEqual(await stream.next(), { value: undefined, done: true })
    const [reason] = reasons
    assert.ok(reason instanceof ApiError)
    assert.deepEqual([reason.status, reason.retryAfter], [429, 60])
  })
}

test('a service that is no more than the specification: the key in the URL, no seq, a bare reply', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  t.after(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  const asked: (string | undefined)[] = []
  server.on('connection', (socket, { url }) => {
    asked.push(url)
    socket.on('message', (text) => {
      const [joinRef, ref, topic, event] = JSON.parse(String(text))
      if (event !== 'phx_join') return
      socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]))
      for (const signature of ['a', 'b']) {
        socket.send(JSON.stringify([joinRef, null, topic, 'frame', { data: { signature, trades: [] } }]))
      }
      if (asked.length === 1) socket.close()
    })
  })
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signatures: string[] = []
  for await (const { data } of clientOf({ baseUrl }, { ...SOCKET, keyInUrl: true }).frames()) {
    signatures.push(data.signature)
    if (signatures.length === 4) break
  }
  assert.deepEqual(signatures, ['a', 'b', 'a', 'b'])
  assert.equal(asked[0], `/socket/websocket?vsn=2.0.0&api_key=${KEYS.pro}`)
})

const SEQS = Array.from({ length: 20 }, (_, i) => 11 + i)
const EXERCISED = {
  symbol: EXAMPLES.snapshot.data.meta.symbol,
  cards: EXAMPLES.new.data.length,
  refused: [400, 'bad_request'],
  websocket: SEQS,
  events: SEQS,
  closedDoor: [402, 'payment_required'],
}

async function openExercise(t: Ending) {
  const service = await openLive(t)
  for (let i = 0; i < 30; i++) service.publish('frames:live')
  return { baseUrl: service.baseUrl, apiKey: KEYS.pro, mint: EXAMPLE_ADDRESSES.mint, after: 10, count: 20 }
}

test('the exercise, with the package ws', async (t) => {
  assert.deepEqual(await exercise(await openExercise(t), SOCKET), EXERCISED)
})

for (const [name, runtime, missing] of RUNTIMES) {
  test(`the exercise in ${name}`, { skip: runtime === null && missing }, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'client-'))
    t.after(() => rmSync(dir, { recursive: true, force: true }))
    const program = join(dir, 'exercise.mjs')
    await build({
      stdin: {
        contents: `import { exercise } from './exercise.ts'
          process.stdout.write(JSON.stringify(await exercise(JSON.parse(process.argv[2]))))`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      format: 'esm',
      outfile: program,
    })
    const asked = JSON.stringify(await openExercise(t))
    const { stdout } = await promisify(execFile)(runtime!, [program, asked], { timeout: 60_000 })
    assert.deepEqual(JSON.parse(stdout), EXERCISED)
  })
}
