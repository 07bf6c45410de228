import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { BODY_MS } from '@ti/service/faces/body.ts'
import { MESSAGE_BYTES } from '@ti/service/faces/mcp/receive.ts'
import { exchange } from '../../support/exchange.ts'
import { signPayment } from '../../support/payments-fixtures.ts'
import { bearer, callOf, LIST, messageOf, open, PING, post, rateOf, raw, resultOf } from './raw.ts'
import { KEYS } from './service.ts'

/** What stands in front of the protocol, and what the official clients never send. */
const { mint } = EXAMPLE_ADDRESSES

describe('in front', () => {
  test('only POST', async (t) => {
    const { service } = await open(t)
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE']) {
      const answer = await raw(service, method, { accept: 'text/event-stream' })
      assert.equal(answer?.status, 405, method)
      assert.equal(answer.headers.get('allow'), 'POST')
      assert.equal(rateOf(answer), '59/60 60')
    }
  })

  test('only by our own names', async (t) => {
    const { service } = await open(t, { allowedHosts: ['mcp.internal'] })
    const names = [
      'api.example.com',
      'api.example.com:443',
      'localhost',
      'LOCALHOST:1',
      '127.0.0.1:4000',
      '[::1]:9',
      'mcp.internal',
    ]
    for (const host of names) assert.equal((await post(service, PING, { host })).status, 200, host)
    const foreign = [
      'evil.com',
      'api.example.com.evil.com',
      'localhost.evil.com',
      '',
      ':',
      '127.0.0.2',
      '[::2]',
      'a b',
      'xn--a',
    ]
    for (const host of foreign) assert.equal((await post(service, PING, { host })).status, 403, host)
  })

  test('only for pages of our own', async (t) => {
    const { service } = await open(t)
    for (const origin of ['https://api.example.com', 'http://localhost:5173', 'http://127.0.0.1']) {
      assert.equal((await post(service, PING, { origin })).status, 200, origin)
    }
    for (const origin of ['https://evil.com', 'null', 'file://', 'https://api.example.com.evil.com', 'localhost']) {
      for (const host of ['localhost', '127.0.0.1:4000', '[::1]:9']) {
        const answer = await post(service, PING, { origin, host })
        assert.equal(answer.status, 403, origin)
        assert.ok(!answer.headers.has('access-control-allow-origin'))
      }
    }
  })

  test('the public address for pages of everybody, with a preflight', async (t) => {
    const { service } = await open(t)
    const host = 'api.example.com'
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-protocol-version' }
    for (const origin of ['https://inspector.example', 'null', 'https://api.example.com']) {
      const preflight = await raw(service, 'OPTIONS', { host, origin, ...asked })
      assert.equal(preflight?.status, 204)
      assert.match(
        preflight.headers.get('access-control-allow-headers')!,
        /Authorization.*Mcp-Protocol-Version.*Mcp-Session-Id/,
      )
      assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
      for (const message of [PING, LIST, callOf('nope')]) {
        const { headers } = await post(service, message, { host, origin })
        assert.equal(headers.get('access-control-allow-origin'), '*')
        assert.match(headers.get('access-control-expose-headers')!, /Retry-After.*Mcp-Session-Id/)
        assert.ok(!headers.has('access-control-allow-credentials'))
      }
    }
    assert.equal((await raw(service, 'OPTIONS', { origin: 'https://evil.com', ...asked }))?.status, 403)
    assert.ok(!(await post(service, PING, { host })).headers.has('access-control-allow-origin'))
    assert.ok(service.subjects.length === 9 + 2, 'a preflight takes no place in a window')
  })

  test('only JSON', async (t) => {
    const { service } = await open(t)
    for (const type of [
      'text/plain',
      'application/jsonx',
      '',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ]) {
      assert.equal((await post(service, PING, { 'content-type': type })).status, 415, type)
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      assert.equal((await post(service, PING, { 'content-type': type })).status, 200, type)
    }
  })

  test('a body that is no message', async (t) => {
    const { service } = await open(t)
    const expected: [string, number][] = [
      ['', -32_700],
      ['{', -32_700],
      ['['.repeat(60_000), -32_700],
      ['\xff\xfe', -32_700],
      ['[]', -32_600],
      ['null', -32_600],
      ['5', -32_600],
      ['{}', -32_600],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
    ]
    for (const [body, code] of expected) {
      const answer = await post(service, body)
      assert.equal(answer.status, 400, body.slice(0, 50))
      assert.equal(messageOf(answer).error?.code, code, body.slice(0, 50))
      assert.equal(rateOf(answer), '59/60 60')
    }
  })

  test('a message too large; the connection goes on', async (t) => {
    const { service } = await open(t)
    const padded = (bytes: number): string => {
      const bare = JSON.stringify({ ...PING, params: { pad: '' } })
      return bare.replace('""', `"${'x'.repeat(bytes - bare.length)}"`)
    }
    assert.equal((await post(service, padded(MESSAGE_BYTES))).status, 200)
    const large = await post(service, padded(MESSAGE_BYTES + 1))
    assert.equal(large.status, 413)
    assert.notEqual(large.headers.get('connection'), 'close')
    const chunked = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    assert.equal((await exchange(service.url.href, `${chunked}${chunk.repeat(3)}0\r\n\r\n`))?.status, 413)
    const announced = { 'content-type': 'application/json', 'content-length': '2000000' }
    const answer = await raw(service, 'POST', announced)
    assert.equal(answer?.status, 413)
    assert.equal(answer.headers.get('connection'), 'close')
  })

  test('a message that does not arrive in time', async (t) => {
    const { service } = await open(t)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let answered = false
    const announced = { 'content-type': 'application/json', 'content-length': '99' }
    const answer = raw(service, 'POST', announced, '{').finally(() => {
      answered = true
    })
    while (!answered) {
      t.mock.timers.tick(BODY_MS / 10)
      await new Promise((done) => setImmediate(done))
    }
    assert.equal((await answer)?.status, 408)
    assert.equal((await answer)?.headers.get('connection'), 'close')
  })

  test('a batch is refused as a whole, and counted once', async (t) => {
    const { service, cashier } = await open(t)
    const { v2Text } = await signPayment(10_000)
    const batch = [callOf('list_new_tokens', { x_payment: v2Text }), callOf('token_trades', { mint }, 2)]
    const answer = await post(service, batch, bearer(KEYS.pro))
    assert.equal(answer.status, 400)
    assert.match(messageOf(answer).error!.message, /one message a request/)
    assert.deepEqual(service.subjects, ['key:key-pro 600'])
    assert.equal(cashier.seen.length, 0)
  })

  test('what carries no request is taken and not answered', async (t) => {
    const { service } = await open(t)
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_new_tokens', arguments: {} } },
    ]) {
      const answer = await post(service, message)
      assert.equal(answer.status, 202)
      assert.equal(answer.body.length, 0)
    }
  })

  test('ids come back as they came', async (t) => {
    const { service } = await open(t)
    const ids = [0, 1, -5, 2 ** 53 - 1, '', '1', '0', 'é"\\', 'x'.repeat(500)]
    for (const id of [...ids, ...ids]) {
      assert.deepEqual(messageOf(await post(service, { ...PING, id })).id, id)
      const answer = await post(service, callOf('list_new_tokens', {}, id), bearer(KEYS.pro))
      assert.deepEqual(messageOf(answer).id, id)
      assert.equal(resultOf(answer).isError, undefined)
    }
  })

  test('methods of the protocol that are not offered', async (t) => {
    const { service } = await open(t)
    for (const method of [
      'resources/subscribe',
      'completion/complete',
      'logging/setLevel',
      'nope',
      'constructor',
      '__proto__',
    ]) {
      assert.equal(messageOf(await post(service, { ...PING, method })).error?.code, -32_601, method)
    }
    for (const params of [undefined, {}, { name: 5 }, { name: 'scan_token', arguments: [] }, { name: 'toString' }]) {
      const answer = await post(service, { ...PING, method: 'tools/call', params })
      assert.equal(messageOf(answer).error?.code, -32_602, JSON.stringify(params))
    }
  })
})
