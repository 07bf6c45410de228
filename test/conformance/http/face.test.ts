import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import type { ErrorEnvelope, PaymentRequired } from '@ti/core/contract/resources.ts'
import { BODY_BYTES } from '@ti/service/faces/http/gate.ts'
import { HEADER_BYTES, URL_BYTES } from '@ti/service/faces/http/malformed.ts'
import { exchange, requestText } from '../../support/exchange.ts'
import { fakeQuery, KEYS, READY, startFake } from '../../support/fake-service.ts'

const { mint, deployer } = EXAMPLE_ADDRESSES

async function service(t: TestContext, change?: Parameters<typeof startFake>[0]) {
  const started = await startFake(change)
  t.after(started.close)
  const { baseUrl, key } = started
  const authorization = `Bearer ${key}`
  return {
    ...started,
    get: (path: string, init: RequestInit = {}) => fetch(baseUrl + path, { headers: { authorization }, ...init }),
    raw: async (text: string, hasBody = true) => (await exchange(baseUrl, text, hasBody))!,
  }
}

const errorOf = async (response: Response) => ((await response.json()) as ErrorEnvelope).error

test('a snapshot in its envelope, whole or in parts', async (t) => {
  const { get } = await service(t)
  const answer = await get(`/v1/tokens/${mint}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const body = (await answer.json()) as { data: object; meta: Record<string, unknown> }
  assert.deepEqual(body.data, EXAMPLES.snapshot.data)
  assert.deepEqual(body.meta, {
    cached_at: '2026-10-01T01:25:24.000000Z',
    request_id: answer.headers.get('x-request-id'),
  })
  const part = (await (await get(`/v1/tokens/${mint}?fields=score,,meta`)).json()) as { data: object }
  assert.deepEqual(Object.keys(part.data), ['meta', 'score'])
})

test('bytes beyond ASCII arrive as they are', async (t) => {
  const name = 'ÿ 漢字 🚀  "\\'
  const bytes = Buffer.from(JSON.stringify([{ ...EXAMPLES.new.data[0], name }]))
  const { get } = await service(t, {
    query: { list: () => ({ bytes, renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }) },
  })
  for (let i = 0; i < 2; i++) {
    const body = (await (await get('/v1/tokens/new')).json()) as { data: { name: string }[] }
    assert.equal(body.data[0]!.name, name)
  }
})

test('the deployer answer has data, summary and the page that was applied', async (t) => {
  const { get } = await service(t)
  const answer = await get(`/v1/devs/${deployer}/tokens?limit=5000&offset=1`)
  const { summary, meta } = (await answer.json()) as { summary: unknown; meta: { page: unknown } }
  assert.deepEqual(summary, EXAMPLES.deployer.summary)
  assert.deepEqual(meta.page, { limit: 100, offset: 1, returned: 0 })
})

test('parameters are judged before the key, the key before the lookup', async (t) => {
  let lookups = 0
  const snapshot = () => {
    lookups++
    return null
  }
  const { get } = await service(t, { query: { snapshot } })
  const without = { headers: {} }
  assert.equal((await get('/v1/tokens/bad', without)).status, 400)
  assert.equal((await get(`/v1/tokens/${mint}?fields=bad`, without)).status, 400)
  assert.equal((await get(`/v1/tokens/${mint}`, without)).status, 402)
  assert.equal(lookups, 0)
  const missing = await get(`/v1/tokens/${mint}`)
  assert.equal(missing.status, 404)
  assert.equal((await errorOf(missing)).code, 'not_found')
  assert.equal(lookups, 1)
})

test('402 without payments is the V1 shape with nothing offered, says what is wrong with the key and where to get one', async (t) => {
  const { get } = await service(t)
  const cases = [
    [undefined, /No API key/],
    ['Bearer x', /not `Bearer`/],
    [`Bearer sk_live_${'A'.repeat(43)}`, /key is unknown/],
    [`Bearer ${KEYS.revoked}`, /key was revoked/],
    [`Bearer ${KEYS.expired}`, /key has expired/],
  ] as const
  for (const [authorization, reason] of cases) {
    const answer = await get('/v1/tokens/new', { headers: authorization === undefined ? {} : { authorization } })
    assert.equal(answer.status, 402)
    assert.equal(answer.headers.get('payment-required'), null)
    const { error, ...offer } = (await answer.json()) as PaymentRequired
    assert.deepEqual(offer, { x402Version: 1, accepts: [] })
    assert.equal(error.code, 'payment_required')
    assert.match(error.message, reason)
    assert.equal(error.upgrade_url, 'https://api.example.com/account')
  }
})

test('503 with Retry-After while not ready, after the key was judged', async (t) => {
  let status = { ...READY, ready: false, starting: true, reason: null as string | null }
  const { get } = await service(t, { status: () => status })
  assert.equal((await get('/v1/tokens/new', { headers: {} })).status, 402)
  const starting = await get('/v1/tokens/new')
  assert.equal(starting.status, 503)
  assert.ok(Number(starting.headers.get('retry-after')) > 0)
  assert.deepEqual((await errorOf(starting)).message, 'the service is starting')
  status = { ...status, starting: false, reason: 'no block for 90 s' }
  assert.equal((await errorOf(await get('/v1/tokens/new'))).message, 'no block for 90 s')
  assert.equal((await get('/readyz')).status, 503)
  assert.equal((await get('/healthz')).status, 200)
  status = { ...READY, reason: null }
  assert.equal((await get('/v1/tokens/new')).status, 200)
})

test('a failure inside is a 500 that tells nothing, and is logged with its request id', async (t) => {
  const { get, logged } = await service(t, {
    query: {
      list() {
        throw new Error('secret detail')
      },
    },
  })
  const answer = await get('/v1/tokens/pumps')
  assert.equal(answer.status, 500)
  const error = await errorOf(answer)
  assert.equal(error.code, 'internal_error')
  assert.equal(error.message, 'internal error')
  assert.equal(logged.length, 1)
  assert.ok(logged[0]!.includes('secret detail') && logged[0]!.includes(error.request_id))
})

test('VALIDATE_RESPONSES turns an answer that breaks the contract into a 500', async (t) => {
  const list = () => ({ bytes: Buffer.from('[{"mint":"x"}]'), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 })
  const strict = await service(t, { query: { list } })
  assert.equal((await strict.get('/v1/tokens/new')).status, 500)
  assert.match(strict.logged.join(), /answer of new breaks the contract/)
  const lax = await service(t, { query: { list }, validateResponses: false })
  assert.equal((await lax.get('/v1/tokens/new')).status, 200)
})

test('an answer is of min_slot or later, or a 503 that says which slot was read and is not charged', async (t) => {
  const { get } = await service(t)
  for (const path of [`/v1/tokens/${mint}`, '/v1/tokens/new']) {
    assert.equal((await get(`${path}?min_slot=500`)).headers.get('x-slot'), '500', path)
    const early = await get(`${path}?min_slot=501`)
    assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '1'], path)
    assert.match((await errorOf(early)).message, /^the newest slot that can be read here is 500/)
  }
})

test('a list says how many tokens it left out', async (t) => {
  const answered = { bytes: Buffer.from('[]'), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  const { get } = await service(t, { query: { list: (name) => ({ ...answered, dropped: name === 'pumps' ? 3 : 0 }) } })
  assert.equal((await get('/v1/tokens/pumps')).headers.get('x-dropped-count'), '3')
  assert.equal((await get('/v1/tokens/survivors')).headers.get('x-dropped-count'), '0')
  assert.equal((await get(`/v1/tokens/${mint}`)).headers.get('x-dropped-count'), null)
})

test('an empty list says why, if that is known', async (t) => {
  const answered = { bytes: Buffer.from('[]'), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
  const { get } = await service(t, {
    query: { list: (name) => ({ ...answered, emptyReason: name === 'agents' ? 'no agent gained' : null }) },
  })
  assert.equal((await get('/v1/tokens/agents')).headers.get('x-empty-reason'), 'no agent gained')
  assert.equal((await get('/v1/tokens/pumps')).headers.get('x-empty-reason'), null)
})

test('HEAD is GET without the body', async (t) => {
  const { raw, key } = await service(t)
  const headers = { authorization: `Bearer ${key}` }
  for (const path of [`/v1/tokens/${mint}`, '/v1/tokens/bad', '/nowhere', '/healthz']) {
    const get = await raw(requestText('GET', path, headers))
    const head = await raw(requestText('HEAD', path, headers), false)
    assert.equal(head.status, get.status, path)
    assert.equal(head.headers.get('content-length'), String(get.body.length), path)
    assert.equal(head.body.length, 0, path)
  }
})

test('unknown paths are 404, other methods on known paths 405 with Allow', async (t) => {
  const { get, raw } = await service(t)
  for (const path of ['/nowhere', '/v1', '/v1/tokens', '/v1/tokens/new/', '/v2/tokens/new']) {
    const answer = await get(path)
    assert.equal(answer.status, 404, path)
    assert.equal((await errorOf(answer)).request_id, answer.headers.get('x-request-id'))
  }
  for (const path of ['/v1/tokens/new', `/v1/tokens/${mint}?x=1`, '/healthz', '/openapi.json']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
      const answer = await raw(requestText(method, path))
      assert.equal(answer.status, 405, `${method} ${path}`)
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
      assert.equal((JSON.parse(answer.body.toString()) as ErrorEnvelope).error.code, 'bad_request')
    }
  }
  assert.equal((await raw(requestText('POST', '/nowhere'))).status, 404)
  assert.equal((await raw(requestText('CONNECT', 'example.com:443'))).status, 405)
})

test('scripts of other origins may ask and read', async (t) => {
  const { get } = await service(t)
  const origin = 'https://page.example'
  const preflight = await get('/v1/tokens/new', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/)
  assert.ok(preflight.headers.get('x-request-id'))
  for (const path of ['/v1/tokens/new', '/v1/tokens/bad', '/nowhere', '/openapi.json']) {
    const { headers } = await get(path, { headers: { origin } })
    assert.equal(headers.get('access-control-allow-origin'), '*', path)
    assert.match(
      headers.get('access-control-expose-headers') ?? '',
      /X-Request-Id, Retry-After, X-RateLimit-Limit/,
      path,
    )
  }
})

test('a request id is ours, whatever the client sends', async (t) => {
  const { get } = await service(t)
  const ids = new Set<string>()
  for (let i = 0; i < 50; i++) {
    const { headers } = await get('/healthz', { headers: { 'x-request-id': 'mine' } })
    assert.match(headers.get('x-request-id') ?? '', /^req_[\w-]{16,}$/)
    ids.add(headers.get('x-request-id')!)
  }
  assert.equal(ids.size, 50)
})

test('sizes are bounded: URL 414, headers and bodies 413', async (t) => {
  const { raw } = await service(t)
  const status = async (text: string) => {
    const answer = await raw(text)
    const { error } = JSON.parse(answer.body.toString()) as ErrorEnvelope
    assert.equal(error.request_id, answer.headers.get('x-request-id'))
    assert.equal(error.code, answer.status === 402 ? 'payment_required' : 'bad_request')
    return answer.status
  }
  const path = (length: number) => `/v1/tokens/new?x=${'a'.repeat(length - 17)}`
  assert.equal(await status(requestText('GET', path(URL_BYTES))), 402)
  assert.equal(await status(requestText('GET', path(URL_BYTES + 1))), 414)
  assert.equal(await status(requestText('GET', path(HEADER_BYTES * 2))), 414)
  assert.equal(await status(requestText('GET', '/v1/tokens/new', { x: 'a'.repeat(HEADER_BYTES) })), 413)
  const length = (bytes: number) => requestText('GET', '/v1/tokens/new', { 'content-length': String(bytes) })
  assert.equal(await status(length(BODY_BYTES) + 'b'.repeat(BODY_BYTES)), 402)
  assert.equal(await status(length(BODY_BYTES + 1)), 413)
  assert.equal(await status(length(2 ** 40)), 413)
  const chunked = requestText('GET', '/v1/tokens/new', { 'transfer-encoding': 'chunked' })
  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'b'.repeat(bytes)}\r\n`
  assert.equal(await status(`${chunked}${chunk(BODY_BYTES)}0\r\n\r\n`), 402)
  assert.equal(await status(`${chunked}${chunk(BODY_BYTES)}${chunk(1)}`), 413)
})

test('what is not HTTP gets the envelope too', async (t) => {
  const { raw } = await service(t)
  const bad = [
    'hello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nno colon\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    requestText('GET', '/v1/tokens/%zz'),
  ]
  for (const text of bad) {
    const answer = await raw(text)
    assert.equal(answer.status, 400, text)
    const { error } = JSON.parse(answer.body.toString()) as ErrorEnvelope
    assert.equal(error.code, 'bad_request')
    assert.equal(error.request_id, answer.headers.get('x-request-id'))
  }
  assert.equal((await raw(requestText('GET', '/healthz', { expect: 'banana' }))).status, 200)
})

test('service pages', async (t) => {
  const { get, metrics: text } = await service(t)
  const ready = await get('/readyz')
  assert.deepEqual(await ready.json(), { ready: true }, 'nothing about the inside')
  for (const path of ['/metrics', '/metrics/', '/readyz/']) assert.equal((await get(path)).status, 404, path)
  const document = (await (await get('/openapi.json')).json()) as { openapi: string }
  assert.equal(document.openapi, '3.1.0')
  const index = (await (await get('/')).json()) as { links: Record<string, string> }
  const { account, mcp, ...pages } = index.links
  assert.deepEqual([account, mcp], ['/account', '/mcp'])
  for (const link of Object.values(pages)) assert.equal((await get(link)).status, 200, link)
  await get('/v1/tokens/new')
  await get('/v1/tokens/bad')
  const metrics = await text()
  assert.match(metrics, /^http_requests_total\{operation="new",status="200"\} 1$/m)
  assert.match(metrics, /^http_requests_total\{operation="snapshot",status="400"\} 1$/m)
  assert.match(metrics, /^http_request_duration_seconds_count\{operation="new"\} 1$/m)
})

test('requests are logged at debug only, and keys never', async (t) => {
  const quiet = await service(t)
  await quiet.get('/v1/tokens/new')
  assert.deepEqual(quiet.logged, [])
  const loud = await service(t, { level: 'debug' })
  await loud.get('/v1/tokens/new')
  assert.match(loud.logged.join(), /"operation":"new","status":200/)
  assert.ok(!loud.logged.join().includes(loud.key.slice(8)))
})

test('closing lets go of idle connections and refuses new ones', async () => {
  const { baseUrl, close } = await startFake({ query: fakeQuery() })
  await (await fetch(`${baseUrl}/healthz`)).arrayBuffer()
  await close()
  await assert.rejects(fetch(`${baseUrl}/healthz`))
})
