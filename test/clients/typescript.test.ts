import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { EXAMPLE_ADDRESSES, EXAMPLES, FREE_EXAMPLES } from '@ti/core/contract/examples.ts'
import { BATCH_EXAMPLES, FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import { build } from 'esbuild'
import { WebSocket } from 'ws'
import { generated } from '../../clients/generate/main.ts'
import {
  ApiError,
  type ClientOptions,
  createClient,
  OPERATIONS,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts'
import { KEYS, startFake } from '../support/fake-service.ts'
import { type LiveService, openLive } from '../support/live-service.ts'
import { memoryAlerts } from '../support/memory-alerts.ts'

/** The TypeScript client against the real faces. */
const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { mint, trader, deployer } = EXAMPLE_ADDRESSES

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
    new: await client.new_tokens(),
    pumps: await client.pumps(),
    graduated: await client.graduated(),
    agents: await client.agents(),
    survivors: await client.survivors(),
    trader: await client.trader(trader),
    deployer: await client.deployer(deployer),
    who: await client.who(mint),
    check: await client.check(mint),
    explain: await client.explain(mint),
    actor: await client.actor(String(FURTHER_EXAMPLES.actor.data.no)),
    positions: await client.positions(trader),
    history: await client.trade_history(mint),
    trader_windows: await client.trader_windows(trader),
    deployer_windows: await client.deployer_windows(deployer),
    batch: await client.batch(BATCH_EXAMPLES.batch.asked),
    accuracy: await client.accuracy(),
  }
  const ofData = Object.entries(OPERATIONS).filter(([, [, path]]) => path.startsWith('/v1/'))
  assert.deepEqual(
    Object.keys(answers).sort(),
    ofData.map(([id]) => ({ new_tokens: 'new', trade_history: 'history' })[id] ?? id).sort(),
  )
  for (const [id, { data }] of Object.entries({ ...EXAMPLES, ...FURTHER_EXAMPLES, ...FREE_EXAMPLES })) {
    assert.deepEqual(answers[id as keyof typeof answers].data, data, id)
  }
  assert.deepEqual(answers.batch.data.not_found, BATCH_EXAMPLES.batch.answer.data.not_found)
  assert.match(answers.snapshot.meta.request_id, /^req_/)
  const some = await client.snapshot(mint, { fields: ['score', 'ratings'] })
  assert.deepEqual(some.data, { score: data.score, ratings: data.ratings })
  const page = await client.deployer(deployer, { limit: 1, offset: 0 })
  assert.deepEqual(page.meta.page, { limit: 1, offset: 0, returned: 1 })
})

test('an account: what it owns is added, changed and removed by the same names as in the document', async () => {
  const asked: [string, string, unknown][] = []
  const client = createClient({
    apiKey: KEYS.pro,
    retries: 2,
    baseUrl: 'http://service',
    fetch: async (url, { method = '', body } = {}) => {
      asked.push([method, new URL(String(url)).pathname, body === undefined ? null : JSON.parse(String(body))])
      throw new TypeError('the answer was lost')
    },
  })
  const failed = (call: Promise<unknown>) => assert.rejects(call, TypeError)
  await failed(client.add_watch({ kind: 'token', target: mint, name: 'it' }))
  await failed(client.change_destination('dest_1', { watches: null }))
  await failed(client.stream_token())
  assert.deepEqual(
    asked,
    [
      ['POST', '/account/watches', { kind: 'token', target: mint, name: 'it' }],
      ['PATCH', '/account/destinations/dest_1', { watches: null }],
      ['POST', '/account/stream-token', null],
    ],
    'a change is asked for once: if it was made, a repetition would make it twice',
  )
})

for (const transport of ['websocket', 'events'] as const) {
  test(`decisions over ${transport}: of all tokens by a filter, of one token, and alerts`, async (t) => {
    const alerts = memoryAlerts()
    const service = await openLive(t, { alerts })
    const client = clientOf(service, { transport, WebSocket: WebSocket as unknown as WebSocketClass })
    const change = (of: string, colour: string) => ({ mint: of, before: 'neutral', colour, code: 'bundled' })
    for (const [of, colour] of [
      [mint, 'red'],
      [mint, 'green'],
      [trader, 'green'],
    ] as const) {
      service.publish('verdicts:live', change(of, colour))
      service.publish('tokens:live', change(of, colour))
    }
    alerts.add('acc_pro', 2)
    const two = async (stream: AsyncIterable<{ readonly data: { readonly seq: number } }>) => {
      const seqs: number[] = []
      for await (const { data } of stream) if (seqs.push(data.seq) === 2) break
      return seqs
    }
    assert.deepEqual(await two(client.verdicts({ afterSeq: 0, filter: 'colour == "green"' })), [2, 3])
    assert.deepEqual(await two(client.token(mint, { afterSeq: 0 })), [1, 2])
    assert.deepEqual(await two(client.alertStream({ afterSeq: 0 })), [1, 2])
    await assert.rejects(two(client.verdicts({ filter: 'sol_amount > 5' })), { status: 400 })
  })
}

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
  const unpaid = await failing(clientOf(service, { apiKey: null }).new_tokens())
  assert.deepEqual([unpaid.status, unpaid.upgradeUrl], [402, 'https://api.example.com/account'])
  assert.ok((unpaid.body as { accepts: unknown }).accepts)
  const elsewhere = await failing(
    clientOf(service, {
      fetch: async () => new Response('<h1>bad gateway</h1>', { status: 502 }),
      retries: 0,
    }).new_tokens(),
  )
  assert.deepEqual([elsewhere.status, elsewhere.code, elsewhere.requestId], [502, 'unknown', null])
})

test('a shortage and a lost connection are waited out, within bounds', async (t) => {
  const service = await startFake()
  t.after(service.close)
  const waits: number[] = []
  const answers = [() => fail(), () => full('0'), fetch]
  const client = clientOf(service, {
    retries: 2,
    onResponse: ({ status }) => void waits.push(status),
    fetch: async (input, init) => answers.shift()!(input, init),
  })
  assert.equal((await client.new_tokens()).data.length > 0, true)
  assert.deepEqual(waits, [503, 200])
  const impatient = clientOf(service, { retries: 2, maxWaitMs: 10, fetch: async () => full('30') })
  await assert.rejects(impatient.new_tokens(), { status: 503, retryAfter: 30 })
  const stop = new AbortController()
  const patient = clientOf(service, { retries: 2, maxWaitMs: 60_000, fetch: async () => full('30') })
  const waiting = patient.new_tokens({ signal: stop.signal })
  setImmediate(() => stop.abort())
  await assert.rejects(waiting, { name: 'AbortError' })
})

const full = (seconds: string): Response => new Response('{}', { status: 503, headers: { 'retry-after': seconds } })
const fail = (): never => {
  throw new TypeError('fetch failed')
}
