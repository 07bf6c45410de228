import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { WebSocket } from 'ws'
import { generated } from '../../clients/generate/main.ts'
import {
  ApiError,
  type ClientOptions,
  createClient,
  OPERATIONS,
  StreamGapError,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES, FREE_EXAMPLES } from '../../src/contract/examples.ts'
import { KEYS, READY, startFake } from '../support/fake-service.ts'
import {
  type Ending,
  fakeStreams,
  type LiveService,
  openLive,
  revocableKeys,
  until,
  untilQuiet,
} from '../support/live-service.ts'
import { exercise } from './exercise.ts'

/** The TypeScript client against the real faces. */
const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { mint, trader, deployer } = EXAMPLE_ADDRESSES

const SOCKET: ClientOptions = { WebSocket: WebSocket as unknown as WebSocketClass }
const EVENTS: ClientOptions = { transport: 'events' }
const TRANSPORTS = [
  ['websocket', SOCKET],
  ['events', EVENTS],
] as const

const clientOf = ({ baseUrl }: Pick<LiveService, 'baseUrl'>, more: ClientOptions = {}) =>
  createClient({ baseUrl, apiKey: KEYS.pro, ...more })

test('what is generated of the clients is fresh', () => {
  for (const [path, text] of Object.entries(generated()))
    assert.equal(read(path), text, `${path}: run \`npm run clients\``)
})

test('its version is that of the interface, and it needs nothing', () => {
  const { version, dependencies } = JSON.parse(read('clients/typescript/package.json'))
  assert.equal(version, JSON.parse(read('openapi.json')).info.version)
  assert.equal(dependencies, undefined)
})

test('it is small', async (t) => {
  const entryPoints = [join(ROOT, 'clients/typescript/src/index.ts')]
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: 'esm', write: false })
  const bytes = gzipSync(outputFiles[0]!.contents).length
  t.diagnostic(`${bytes} bytes, minified and gzipped`)
  assert.equal(bytes < 15_000, true, `${bytes} bytes`)
})

test('every operation answers with its example', async (t) => {
  const service = await startFake()
  t.after(service.close)
  const client = clientOf(service)
  const { data } = EXAMPLES.snapshot
  const answers = {
    snapshot: await client.snapshot(mint),
    trades: await client.trades(mint),
    new: await client.new(),
    pumps: await client.pumps(),
    graduated: await client.graduated(),
    agents: await client.agents(),
    survivors: await client.survivors(),
    trader: await client.trader(trader),
    deployer: await client.deployer(deployer),
    accuracy: await client.accuracy(),
  }
  assert.deepEqual(Object.keys(answers).sort(), Object.keys(OPERATIONS).sort())
  for (const [id, { data }] of Object.entries({ ...EXAMPLES, ...FREE_EXAMPLES })) {
    assert.deepEqual(answers[id as keyof typeof answers].data, data, id)
  }
  assert.match(answers.snapshot.meta.request_id, /^req_/)
  const some = await client.snapshot(mint, { fields: ['score', 'ratings'] })
  assert.deepEqual(some.data, { score: data.score, ratings: data.ratings })
  const page = await client.deployer(deployer, { limit: 1, offset: 0 })
  assert.deepEqual(page.meta.page, { limit: 1, offset: 0, returned: 1 })
})

test('what is no data is an ApiError', async (t) => {
  const service = await startFake()
  t.after(service.close)
  const failing = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => assert.fail('it was answered'),
      (caught: unknown) => caught,
    )
    assert.ok(error instanceof ApiError)
    return error
  }
  const wrong = await failing(clientOf(service).snapshot('../../healthz?x'))
  assert.deepEqual([wrong.status, wrong.code], [400, 'bad_request'])
  assert.match(wrong.requestId!, /^req_/)
  assert.match(wrong.message, /^400: mint must be/)
  const unknown = await failing(clientOf(service).trades(trader))
  assert.deepEqual([unknown.status, unknown.code], [404, 'not_found'])
  const unpaid = await failing(clientOf(service, { apiKey: null }).new())
  assert.deepEqual([unpaid.status, unpaid.upgradeUrl], [402, 'https://api.example.com/account'])
  assert.ok((unpaid.body as { accepts: unknown }).accepts)
  const elsewhere = await failing(
    clientOf(service, { fetch: async () => new Response('<h1>bad gateway</h1>', { status: 502 }), retries: 0 }).new(),
  )
  assert.deepEqual([elsewhere.status, elsewhere.code, elsewhere.requestId], [502, 'unknown', null])
})

test('a shortage and a lost connection are waited out, within bounds', async (t) => {
  let ready = false
  const service = await startFake({
    status: () => (ready ? READY : { ...READY, ready: false, reason: 'starting' }),
  })
  t.after(service.close)
  const waits: number[] = []
  let calls = 0
  const client = clientOf(service, {
    onResponse: ({ status }) => void waits.push(status),
    fetch: async (input, init) => {
      if (++calls === 1) throw new TypeError('fetch failed')
      ready = calls > 2
      return fetch(input, init)
    },
  })
  assert.equal((await client.new()).data.length > 0, true)
  assert.deepEqual(waits, [503, 200])
  const impatient = clientOf(service, { maxWaitMs: 10, fetch: async () => busy() })
  await assert.rejects(impatient.new(), { status: 429, retryAfter: 30 })
  const stop = new AbortController()
  const patient = clientOf(service, { maxWaitMs: 60_000, fetch: async () => busy() })
  const waiting = patient.new({ signal: stop.signal })
  setImmediate(() => stop.abort())
  await assert.rejects(waiting, { name: 'AbortError' })
})

const busy = (): Response => new Response('{}', { status: 429, headers: { 'retry-after': '30' } })

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
    const service = await openLive(t, { keys, bounds: { liveVisitMs: 60, liveVisitSlots: 3 } })
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
    const service = await openLive(t, { topics, bounds: { liveSocketsPerKey: 0 } })
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

test('the exercise of all runtimes', async (t) => {
  const service = await openLive(t)
  for (let i = 0; i < 30; i++) service.publish('frames:live')
  const asked = { baseUrl: service.baseUrl, apiKey: KEYS.pro, mint, after: 10, count: 20 }
  const done = await exercise(asked, SOCKET)
  const seqs = Array.from({ length: 20 }, (_, i) => 11 + i)
  assert.deepEqual(done, {
    symbol: EXAMPLES.snapshot.data.meta.symbol,
    cards: EXAMPLES.new.data.length,
    refused: [400, 'bad_request'],
    websocket: seqs,
    events: seqs,
    closedDoor: [402, 'payment_required'],
  })
})
