import assert from 'node:assert/strict'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { KEYS, startFake } from '../../support/fake-service.ts'

const { mint } = EXAMPLE_ADDRESSES
const DATA = `/v1/tokens/${mint}`

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

async function service(t: TestContext, change: Parameters<typeof startFake>[0] = {}) {
  const { baseUrl, close } = await startFake({ unlimited: true, ...change })
  t.after(close)
  /** as it is on the wire: `fetch` would undo the coding */
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Raw>((resolve, reject) => {
      const all = { authorization: `Bearer ${KEYS.pro}`, ...headers }
      const asked = request(baseUrl + path, { method, headers: all, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          resolve({
            status: answer.statusCode!,
            headers: answer.headers as Raw['headers'],
            body: Buffer.concat(chunks),
          })
        })
      })
      asked.on('error', reject)
      asked.end()
    })
}

const undo: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }
const plain = ({ headers, body }: Raw): Buffer => undo[headers['content-encoding'] ?? '']?.(body) ?? body
/** operations whose example has more than 1 kB of data */
const LARGE = [DATA, `/v1/tokens/${mint}/who`, `/v1/tokens/${mint}/explain`, '/v1/accuracy']

test('answers over 1 kB come in the coding that is asked for, each with its own id', async (t) => {
  const get = await service(t)
  const cases = [
    [undefined, undefined],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, x-gzip', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['*', 'br'],
  ] as const
  for (const path of LARGE) {
    for (const [accepted, coding] of cases) {
      const answer = await get(path, accepted === undefined ? {} : { 'accept-encoding': accepted })
      assert.equal(answer.headers['content-encoding'], coding, `${path} ${accepted}`)
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(Number(answer.headers['content-length']), answer.body.length)
      const { data, meta } = JSON.parse(plain(answer).toString()) as { data: unknown; meta: { request_id: string } }
      assert.ok(data)
      assert.equal(meta.request_id, answer.headers['x-request-id'])
    }
  }
})

test('what is small or an error is sent as it is, without a tag', async (t) => {
  const get = await service(t)
  for (const path of [`${DATA}?fields=market`, `${DATA}?fields=x`, '/v1/tokens/bad']) {
    const { headers, body } = await get(path, { 'accept-encoding': 'br, gzip' })
    assert.ok(body.length < 1_024 + 200)
    assert.equal(headers['content-encoding'], undefined, path)
    assert.equal(headers.etag, undefined, path)
  }
})

test('the same data have the same tag in every coding, and a 304 has no body', async (t) => {
  const { data } = EXAMPLES.snapshot
  let now = 1
  const bytes = () => Buffer.from(JSON.stringify({ ...data, market: { ...data.market, mcap: now } }))
  const snapshot = () => ({ bytes: bytes(), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 })
  const get = await service(t, { query: { snapshot, newest: () => ({ seq: now, slot: 500 }) } })
  const etag = (await get(DATA)).headers.etag!
  assert.match(etag, /^W\/"[\w-]{22}"$/)
  assert.equal((await get(DATA, { 'accept-encoding': 'br' })).headers.etag, etag)
  for (const known of [etag, `"x", ${etag}`, etag.slice(2), '*']) {
    const answer = await get(DATA, { 'if-none-match': known, 'accept-encoding': 'br' })
    assert.equal(answer.status, 304, known)
    assert.equal(answer.body.length, 0)
    assert.equal(answer.headers.etag, etag)
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.equal(answer.headers['x-slot'], '500')
    assert.ok(answer.headers['x-request-id'])
    assert.ok(answer.headers['x-ratelimit-remaining'], 'a 304 is a call like any other')
  }
  for (const other of ['"x"', 'W/"x"', '']) assert.equal((await get(DATA, { 'if-none-match': other })).status, 200)
  now = 2
  const changed = await get(DATA, { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.etag, etag)
})

test('a 304 counts in the window as an answer does', async (t) => {
  const get = await service(t, { unlimited: false })
  const first = await get(DATA)
  const second = await get(DATA, { 'if-none-match': first.headers.etag! })
  assert.equal(second.status, 304)
  const left = ({ headers }: Raw) => Number(headers['x-ratelimit-remaining'])
  assert.equal(left(second), left(first) - 1)
})

test('HEAD has the length and the coding of GET', async (t) => {
  const get = await service(t)
  for (const accepted of ['identity', 'br', 'gzip']) {
    const head = await get(DATA, { 'accept-encoding': accepted }, 'HEAD')
    const { headers } = await get(DATA, { 'accept-encoding': accepted })
    assert.equal(head.body.length, 0)
    for (const name of ['content-length', 'content-encoding', 'etag']) assert.equal(head.headers[name], headers[name])
  }
})

test('every answer says which block it is of', async (t) => {
  const get = await service(t)
  for (const path of [...LARGE, `${DATA}?fields=market`]) assert.equal((await get(path)).headers['x-slot'], '500', path)
  assert.equal((await get('/v1/tokens/bad')).headers['x-slot'], undefined)
})

test('documents: compressed, with a tag of their own in each coding', async (t) => {
  const get = await service(t)
  for (const path of ['/openapi.json', '/llms.txt', '/docs/agents.md', '/docs']) {
    const whole = await get(path)
    const tags = new Set([whole.headers.etag])
    for (const coding of ['br', 'gzip']) {
      const dense = await get(path, { 'accept-encoding': coding })
      assert.equal(dense.headers['content-encoding'], coding, path)
      assert.ok(plain(dense).equals(whole.body))
      assert.ok(dense.body.length < whole.body.length * 0.7)
      tags.add(dense.headers.etag)
      const again = { 'accept-encoding': coding, 'if-none-match': dense.headers.etag! }
      assert.equal((await get(path, again)).status, 304)
    }
    assert.equal(tags.size, 3, path)
  }
})

test('names in a query that mean nothing are told, and nothing of them but letters', async (t) => {
  const get = await service(t)
  const told = async (query: string) => (await get(`${DATA}?${query}`)).headers['x-ignored-parameters']
  assert.equal(await told('fields=market'), undefined)
  assert.equal(await told('field=market&limit=5'), 'field, limit')
  assert.equal(await told(`${encodeURIComponent('a\r\nset-cookie: b=1')}=1`), 'a??set-cookie??b?1')
  assert.equal((await told(`${'x'.repeat(500)}=1`))!.length, 40)
  const many = Array.from({ length: 90 }, (_, n) => `p${n}=1`).join('&')
  assert.equal((await told(many))!.split(', ').length, 10)
})

test('a list in brackets is a list', async (t) => {
  const get = await service(t)
  const groups = async (query: string) => Object.keys(JSON.parse((await get(`${DATA}?${query}`)).body.toString()).data)
  assert.deepEqual(await groups('fields[]=market&fields[]=meta'), await groups('fields=market,meta'))
  assert.deepEqual(await groups('fields%5B%5D=score'), ['score'])
  const twice = await get(`${DATA}?fields[]=market`)
  assert.equal(twice.headers['x-ignored-parameters'], undefined)
})
