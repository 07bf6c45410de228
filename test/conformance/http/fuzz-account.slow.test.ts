import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ACCOUNT_ROWS, type AccountEndpoint } from '@ti/core/contract/account-endpoints.ts'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { createDeliveryLog } from '@ti/service/alerts/delivery/deliveries.ts'
import { createDestinationBook } from '@ti/service/alerts/delivery/destinations.ts'
import { createAlertStore, createWatchBook } from '@ti/service/alerts/watches.ts'
import { createOutboundOn } from '@ti/service/observe/outbound/outbound.ts'
import { z } from 'zod'
import { startAccountFace } from '../../support/account-face.ts'
import { KEYS } from '../../support/fake-service.ts'
import { fakeStreams, openLive } from '../../support/live-service.ts'
import { createInternet, type Internet } from '../../support/observe-internet.ts'
import fc from '../../support/property.ts'
import { sharedWith } from '../../support/shared.ts'
import { wallet } from '../../support/wallet.ts'
import { createJudge } from './judge.ts'

/** The operations of accounts and the stream under hostile input that is drawn from the contract itself. */
const RUNS = 300

let net: Internet
before(async () => {
  net = await createInternet()
  net.name('fine.example', ['93.184.216.34'])
  net.name('inside.example', ['10.1.2.3'])
})
after(() => net.close())

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
}

/** what a field of this name takes */
const NAMED: Readonly<Record<string, string>> = {
  name: 'mine',
  url: 'https://fine.example/hook',
  target: EXAMPLE_ADDRESSES.mint,
  wallet: EXAMPLE_ADDRESSES.trader,
}
const TEXTS = [
  ...Object.values(NAMED),
  'https://inside.example/hook',
  'https://discord.com/api/webhooks/1/abc',
  'colour == "green"',
  '2026-06-01T00:00:00Z',
]
const HOSTILE = [
  null,
  true,
  -1,
  0.1,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '🧨'.repeat(40),
  'a'.repeat(1_500),
  [],
  {},
  [[]],
]
const hostile = fc.oneof(fc.constantFrom<unknown>(...HOSTILE), fc.jsonValue({ maxDepth: 3 }))

/** Values of the shape, most of which the contract takes. */
function drawnOf({ type, properties, ...shape }: Shape, name = ''): fc.Arbitrary<unknown> {
  if ('const' in shape) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map((one) => drawnOf(one, name)))
  if (type === 'object') {
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, drawnOf(field, name)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...(shape.required ?? [])] })
  }
  if (type === 'array') return fc.array(drawnOf(shape.items ?? {}), { maxLength: 5 })
  if (type === 'string') {
    const own = fc.constantFrom(NAMED[name] ?? '', NAMED[name] ?? 'x', ...TEXTS)
    return fc.oneof(fc.constant(NAMED[name] ?? 'x'), own, fc.string({ unit: 'grapheme', maxLength: 80 }))
  }
  if (type === 'integer') return fc.integer({ min: 0, max: 1_000 })
  if (type === 'number') return fc.double({ min: 0, max: 1_000, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  return type === 'null' ? fc.constant(null) : hostile
}

/** A body as text: of the shape, with a field that is not, or none at all. */
function bodyOf(endpoint: AccountEndpoint): fc.Arbitrary<string | undefined> {
  const shape = endpoint.body && (z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Shape)
  const whole = shape === undefined ? fc.constant({}) : (drawnOf(shape) as fc.Arbitrary<object>)
  const field = fc.constantFrom(...Object.keys(shape?.properties ?? {}), 'unknown', '__proto__', 'constructor')
  const changed = fc.tuple(whole, field, hostile).map(([body, name, value]) => ({ ...body, [name]: value }))
  const junk = fc.constantFrom('', '{', 'null', '"x"', '\u0000', '{"__proto__":1}', '['.repeat(900), 'a'.repeat(3_000))
  return fc.oneof(
    { weight: 4, arbitrary: whole.map((body) => JSON.stringify(body)) },
    { weight: 4, arbitrary: changed.map((body) => JSON.stringify(body)) },
    hostile.map((value) => JSON.stringify(value)),
    { weight: 2, arbitrary: junk },
    fc.constant(undefined),
  )
}

const ID = fc.constantFrom(
  '0',
  '1',
  '-1',
  'null',
  '%00',
  '%2e%2e',
  '%zz',
  '%F0%9F',
  '..%2f',
  'a'.repeat(3_000),
  '%27--',
)
const QUERY = fc.constantFrom(
  '',
  '',
  '?',
  '?before=5',
  '?before=',
  '?before=1e9',
  '?before=1&before=2',
  '?__proto__=x',
  '?%zz',
)

test('every operation of an account answers hostile input as documented', async (t) => {
  const { call, enter, makeKey, logged, pass } = await startAccountFace(t, {
    services: (database, now) => ({
      watches: { book: createWatchBook(database, { now }), alertStore: createAlertStore(database) },
      destinations: {
        book: createDestinationBook(database, {
          now,
          outbound: createOutboundOn(net.network, { loopback: false }),
          reader: createAlertStore(database),
          telegram: true,
          shared: sharedWith({ destinations: { share: { free: 3, pro: 4 } } }),
        }),
        log: createDeliveryLog(database, { now }),
        botName: () => 'ti_bot',
        wake: () => {},
      },
    }),
  })
  const holder = wallet()
  let me = await enter(holder)
  const made = await makeKey({ name: 'fuzz' }, me)
  assert.equal(made.status, 200, JSON.stringify(made.json))
  const bearer = { authorization: `Bearer ${made.json.data.key}` }
  const known: string[] = []
  const seen = new Map<string, number>()
  const who = fc.constantFrom<() => Record<string, string>>(
    ...[() => me, () => me, () => bearer, () => bearer, () => ({})],
    () => ({ authorization: 'Bearer x' }),
    () => ({ cookie: 'session=%00; session=' }),
    () => ({ ...me, origin: 'https://evil.example' }),
    () => ({ ...me, 'content-type': 'text/plain' }),
  )
  for (const [id, endpoint] of ACCOUNT_ROWS) {
    const { method, path } = endpoint
    const property = fc.asyncProperty(
      bodyOf(endpoint),
      ID,
      fc.nat(),
      QUERY,
      who,
      async (body, odd, which, query, as) => {
        const own = known.length > 0 && which % 3 > 0 ? known.at(-1 - (which % Math.min(known.length, 4)))! : odd
        const asked = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'number' ? `${which % 4}` : own)) + query
        // checked there against the contract
        const { status, json } = await call(method, asked, method === 'GET' ? undefined : body, as())
        seen.set(`${id} ${status}`, (seen.get(`${id} ${status}`) ?? 0) + 1)
        assert.ok(status < 500, `${method} ${asked} ${body}: ${status} ${JSON.stringify(json)}`)
        if (status === 200 && typeof json.data?.id === 'string') known.push(json.data.id)
        if (id !== 'sign_out' || status !== 200) return
        // of sessions of one moment any may be the oldest
        pass(1_000)
        me = await enter(holder)
      },
    )
    await fc.assert(property, { numRuns: RUNS, includeErrorInReport: true })
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
  const drawn = ['challenge', 'add_watch', 'remove_watch', 'add_destination', 'remove_destination', 'stream_token']
  for (const id of drawn) assert.ok((seen.get(`${id} 200`) ?? 0) > 0, `${id} never 200`)
  assert.deepEqual(
    logged.filter((line) => /"level":"(error|fatal)"/.test(line)),
    [],
  )
})

test('the stream answers hostile input as documented', async (t) => {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'))
  const { operations } = createJudge(document)
  const stream = operations.find(({ id }) => id === 'stream')!
  const topics = fakeStreams(25)
  for (let i = 0; i < 30; i++) topics.append('frames:live', { text: 'a frame' })
  const { baseUrl } = await openLive(t, { topics })
  const seen = new Map<number, number>()
  const text = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '7',
      '-1',
      '1e3',
      '99999999999999999999',
      'colour == "green"',
      '((((',
      '\u0000',
      'é'.repeat(600),
    ),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  const topic = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('frames:live', 'tokens:live', 'alerts:mine', `token:${EXAMPLE_ADDRESSES.mint}`),
    },
    fc.constantFrom('', 'phoenix', 'token:', 'token:x', '__proto__'),
    text,
  )
  const live = fc.record({ topic: fc.constantFrom('frames:live', 'tokens:live'), after_seq: fc.constant('7') })
  const query = fc.oneof(live, fc.record({ topic, filter: text, after_seq: text, api_key: text }, { requiredKeys: [] }))
  const headers = fc.constantFrom<Record<string, string>>(
    ...Array.from({ length: 5 }, () => ({ authorization: `Bearer ${KEYS.pro}` })),
    { authorization: `Bearer ${KEYS.pro}`, 'last-event-id': '7' },
    { authorization: `Bearer ${KEYS.pro}`, 'last-event-id': 'x', accept: 'text/html' },
    { authorization: 'Bearer x' },
    {},
  )
  const property = fc.asyncProperty(query, headers, async (asked, sent) => {
    const leave = new AbortController()
    const search = new URLSearchParams(asked as Record<string, string>)
    const response = await fetch(`${baseUrl}/v1/stream?${search}`, { headers: sent, signal: leave.signal })
    const { status } = response
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const context = `${search} ${JSON.stringify(sent)}: ${status}`
    if (status === 200) {
      assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/, context)
      return leave.abort()
    }
    const body = Buffer.from(await response.arrayBuffer())
    stream.judge({ status, headers: new Map(response.headers), body }, context)
  })
  await fc.assert(property, { numRuns: RUNS, includeErrorInReport: true })
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
  for (const status of [200, 400, 402]) assert.ok((seen.get(status) ?? 0) > 0, `never ${status}`)
})
