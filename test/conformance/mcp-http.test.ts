import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { createMemoryWindows, WINDOW_MS } from '../../src/access/limits/windows.ts'
import { LIMITS } from '../../src/config/limits.ts'
import { EXAMPLE_ADDRESSES } from '../../src/contract/examples.ts'
import { ErrorEnvelope } from '../../src/contract/resources.ts'
import { type Answer, exchange } from './exchange.ts'
import { signPayment } from './mcp-payment.ts'
import { createFakeCashier, KEYS, type McpService, type McpServiceOptions, startMcp } from './mcp-service.ts'

/** The face as HTTP sees it: what stands in front of the protocol, and what the official clients never send. */
type Headers = Readonly<Record<string, string>>
const { mint } = EXAMPLE_ADDRESSES

/** A request as it is written, whatever it says; `body` is bytes in a latin-1 string. */
function raw(service: McpService, method: string, headers: Headers, body = ''): Promise<Answer | null> {
  const all = { host: 'localhost', 'content-length': `${body.length}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return exchange(service.url.href, `${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`, method !== 'HEAD')
}

async function post(service: McpService, message: unknown, headers: Headers = {}): Promise<Answer> {
  const body = typeof message === 'string' ? message : Buffer.from(JSON.stringify(message)).toString('latin1')
  const answer = await raw(service, 'POST', { 'content-type': 'application/json', ...headers }, body)
  assert.ok(answer !== null, 'no answer')
  return answer
}

const callOf = (name: string, args: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const LIST = callOf('list_new_tokens')
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

interface Message {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: { readonly isError?: boolean; readonly structuredContent: Json; readonly _meta?: Json }
}
type Json = Record<string, never>
const messageOf = (answer: Answer): Message => JSON.parse(answer.body.toString()) as Message
const resultOf = (answer: Answer): NonNullable<Message['result']> => {
  const { result } = messageOf(answer)
  assert.ok(result !== undefined, answer.body.toString())
  return result
}
const errorOf = (answer: Answer): ErrorEnvelope['error'] =>
  ErrorEnvelope.parse(resultOf(answer).structuredContent).error

function rateOf(answer: Answer): string {
  const { headers } = answer
  assert.match(headers.get('x-request-id') ?? '', /^req_\d+$/)
  return `${headers.get('x-ratelimit-remaining')}/${headers.get('x-ratelimit-limit')} ${headers.get('x-ratelimit-reset')}`
}

async function open(t: { after(fn: () => Promise<void>): void }, options: McpServiceOptions = {}) {
  const cashier = createFakeCashier()
  const service = await startMcp({ cashier, ...options })
  t.after(async () => {
    await service.close()
    const wrong = service.logged.filter((line) => /"level":"(error|warn|fatal)"/.test(line))
    if (options.query === undefined) assert.deepEqual(wrong, [])
  })
  return { service, cashier }
}

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
      assert.equal((await post(service, PING, { origin })).status, 403, origin)
    }
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
    assert.equal((await post(service, padded(LIMITS.mcpBodyBytes))).status, 200)
    const large = await post(service, padded(LIMITS.mcpBodyBytes + 1))
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
    for (const method of ['resources/list', 'prompts/get', 'logging/setLevel', 'nope', 'constructor', '__proto__']) {
      assert.equal(messageOf(await post(service, { ...PING, method })).error?.code, -32_601, method)
    }
    for (const params of [undefined, {}, { name: 5 }, { name: 'scan_token', arguments: [] }, { name: 'toString' }]) {
      const answer = await post(service, { ...PING, method: 'tools/call', params })
      assert.equal(messageOf(answer).error?.code, -32_602, JSON.stringify(params))
    }
  })
})

describe('who may', () => {
  test('cookies and payment headers of HTTP say nothing here', async (t) => {
    const { service, cashier } = await open(t)
    const { v2Text, v1Text } = await signPayment(10_000)
    const headers = { cookie: `session=${KEYS.pro}`, 'payment-signature': v2Text, 'x-payment': v1Text }
    assert.equal(resultOf(await post(service, LIST, headers)).isError, true)
    assert.equal(cashier.seen.length, 0)
    assert.deepEqual(service.subjects, ['unpaid:203.0.113.7 60'])
  })

  test('without payments: keys only, and the error says so', async (t) => {
    const { service } = await open(t, { cashier: null })
    const { v2Text } = await signPayment(10_000)
    for (const args of [{}, { x_payment: v2Text }]) {
      const error = errorOf(await post(service, callOf('list_new_tokens', args)))
      assert.equal(error.code, 'payment_required')
      assert.match(error.message, /not paid for one by one/)
      assert.equal(error.upgrade_url, 'https://api.example.com/account')
    }
    const answer = await post(service, callOf('list_new_tokens', { x_payment: v2Text }), bearer(KEYS.free))
    assert.equal(resultOf(answer).isError, undefined)
    assert.ok(service.subjects.every((subject) => !subject.startsWith('paid:')))
  })

  test('not ready: an error for who may ask, nothing paid, the offer for who may not', async (t) => {
    const status = () => ({ ready: false, starting: true, reason: null })
    const { service, cashier } = await open(t, { status })
    const { v2Text } = await signPayment(10_000)
    for (const answer of [
      await post(service, LIST, bearer(KEYS.pro)),
      await post(service, LIST, bearer(KEYS.free)),
      await post(service, callOf('list_new_tokens', { x_payment: v2Text })),
    ]) {
      const error = errorOf(answer)
      assert.equal(`${error.code}: ${error.message}`, 'internal_error: the service is starting')
      assert.equal(error.retry_after, 5)
    }
    assert.equal('accepts' in resultOf(await post(service, LIST)).structuredContent, true)
    assert.equal(cashier.seen.length, 0)
  })

  test('an empty list is answered and not charged', async (t) => {
    const empty = { bytes: Buffer.from('[]'), renderedAt: '2026-10-01T01:25:24.000000Z' }
    const { service, cashier } = await open(t, { query: { list: () => empty } })
    const { v2Text } = await signPayment(10_000)
    for (let i = 0; i < 2; i++) {
      const { isError, structuredContent, _meta } = resultOf(
        await post(service, callOf('list_new_tokens', { x_payment: v2Text })),
      )
      assert.equal(isError, undefined)
      assert.deepEqual(structuredContent.data, [])
      assert.equal(_meta, undefined)
    }
    assert.equal(cashier.told.length, 0)
  })

  test('an exception of ours: an error without a word about it, logged once, nothing charged', async (t) => {
    const trades = () => {
      throw new Error('secret of the store')
    }
    const { service, cashier } = await open(t, { query: { trades } })
    const { v2Text } = await signPayment(10_000)
    const answer = await post(service, callOf('token_trades', { mint, x_payment: v2Text }))
    assert.equal(errorOf(answer).message, 'internal error')
    assert.ok(!answer.body.includes('secret'))
    assert.equal(service.logged.filter((line) => line.includes('"level":"error"')).length, 1)
    assert.equal(cashier.told.length, 0)
  })
})

describe('rate windows', () => {
  const clocked = () => {
    const clock = { ms: 0 }
    return { clock, windows: createMemoryWindows(() => clock.ms) }
  }
  function assertLimited(answer: Answer, limit: number): void {
    assert.equal(answer.status, 429)
    assert.equal(answer.headers.get('retry-after'), '60')
    assert.equal(rateOf(answer), `0/${limit} 60`)
    const { error } = ErrorEnvelope.parse(JSON.parse(answer.body.toString()))
    assert.equal(error.code, 'rate_limited')
    assert.equal(error.retry_after, 60)
    assert.equal(error.request_id, answer.headers.get('x-request-id'))
  }

  test('without key and payment, whatever is asked; a new window after a minute', async (t) => {
    const { clock, windows } = clocked()
    const { service } = await open(t, { windows })
    const asked = [PING, LIST, '{', { ...PING, method: 'tools/list' }]
    for (let i = 0; i < LIMITS.rateUnpaid; i++) {
      assert.equal(rateOf(await post(service, asked[i % asked.length])), `${LIMITS.rateUnpaid - 1 - i}/60 60`)
    }
    for (const message of asked) assertLimited(await post(service, message), LIMITS.rateUnpaid)
    assert.equal((await post(service, LIST, bearer(KEYS.pro))).status, 200)
    clock.ms += WINDOW_MS
    assert.equal((await post(service, LIST)).status, 200)
  })

  test('a free key has five calls; the rest of the protocol is counted elsewhere', async (t) => {
    const { windows } = clocked()
    const { service } = await open(t, { windows })
    const headers = bearer(KEYS.free)
    for (let i = 0; i < 10; i++) assert.equal((await post(service, PING, headers)).status, 200)
    for (let i = 0; i < LIMITS.rateFree; i++) assert.equal((await post(service, LIST, headers)).status, 200)
    assertLimited(await post(service, LIST, headers), LIMITS.rateFree)
    assert.equal((await post(service, { ...PING, method: 'tools/list' }, headers)).status, 200)
  })

  test('refused payments take from the unpaid window and close the door to payments', async (t) => {
    const { clock, windows } = clocked()
    const { service, cashier } = await open(t, { windows })
    const junk = callOf('list_new_tokens', { x_payment: 'junk' })
    for (let i = 0; i < LIMITS.rateUnpaid; i++) assert.equal((await post(service, junk)).status, 200)
    assertLimited(await post(service, junk), LIMITS.rateUnpaid)
    assertLimited(await post(service, LIST), LIMITS.rateUnpaid)
    const { v2Text } = await signPayment(10_000)
    const honest = callOf('list_new_tokens', { x_payment: v2Text })
    assertLimited(await post(service, honest), LIMITS.rateUnpaid)
    assert.equal(cashier.seen.length, 0)
    clock.ms += WINDOW_MS
    assert.equal(resultOf(await post(service, honest)).isError, undefined)
  })

  test('a payment opens the larger window only to a tool that exists', async (t) => {
    const { service } = await open(t)
    await post(service, callOf('survivors', { x_payment: 'junk' }))
    await post(service, { ...PING, params: { arguments: { x_payment: 'junk' } } })
    assert.deepEqual([...new Set(service.subjects)], ['unpaid:203.0.113.7 60'])
  })
})

describe('a client that goes away', () => {
  /** Sends a call, waits until the cashier has it, goes away, and waits until the face has noticed. */
  async function leave(service: McpService, cashier: ReturnType<typeof createFakeCashier>, text: string) {
    let release = () => {}
    cashier.hold = new Promise((done) => {
      release = done
    })
    const body = JSON.stringify(callOf('list_new_tokens', { x_payment: text }))
    const socket = connect(Number(service.url.port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await until(() => cashier.seen.length > 0)
    socket.destroy()
    await until(() => service.statuses.includes(499))
    cashier.hold = null
    release()
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 20_000
    while (!condition()) {
      assert.ok(Date.now() < deadline, 'it never happened')
      await new Promise((done) => setImmediate(done))
    }
  }

  test('before settlement: nothing is settled, the payment stays good', async (t) => {
    const { service, cashier } = await open(t)
    const { v2Text } = await signPayment(10_000)
    await leave(service, cashier, v2Text)
    const again = resultOf(await post(service, callOf('list_new_tokens', { x_payment: v2Text })))
    assert.equal(again.isError, undefined)
    assert.deepEqual(cashier.told, [true])
  })

  test('while it is settled: the ledger learns that nothing was delivered', async (t) => {
    const cashier = createFakeCashier()
    const blind: typeof cashier.pay = (payment, call, client, work) =>
      cashier.pay(payment, call, { ...client, gone: () => false }, work)
    const { service } = await open(t, { cashier: { ...cashier, pay: blind } })
    const { v2Text } = await signPayment(10_000)
    await leave(service, cashier, v2Text)
    await until(() => cashier.told.length > 0)
    assert.deepEqual(cashier.told, [false])
  })

  test('in the middle of its message', async (t) => {
    const { service } = await open(t)
    const socket = connect(Number(service.url.port), '127.0.0.1')
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    )
    await until(() => socket.bytesWritten > 0)
    socket.destroySoon()
    await until(() => service.statuses.includes(499))
  })
})

test('payments and keys are nowhere in the logs, whatever becomes of them', async (t) => {
  const { service, cashier } = await open(t)
  const { v1, v2, v1Text, v2Text } = await signPayment(10_000)
  const { payload } = v2 as { payload: { transaction: string } }
  const arguments_ = { x_payment: v2Text }
  for (const fate of ['settle', 'refused', 'uncertain', 'unavailable', 'settle'] as const) {
    cashier.fate = fate
    await post(service, callOf('list_new_tokens', arguments_), bearer('sk_live_secret'))
    await post(service, { ...LIST, params: { ...LIST.params, _meta: { 'x402/payment': v1 } } }, bearer(KEYS.free))
  }
  await post(service, `${JSON.stringify(callOf('scan_token', { x_payment: v1Text }))}}`)
  await post(service, callOf('scan_token', { mint: v1Text, x_payment: v1Text.slice(1) }))
  await post(service, { ...LIST, method: v2Text })
  await post(service, callOf(v2Text, arguments_))
  await post(service, LIST, { 'mcp-protocol-version': v2Text })
  await post(service, { ...LIST, params: { name: 5, arguments: arguments_ } })
  const log = service.logged.join('\n')
  assert.ok(service.logged.length > 10)
  for (const secret of [v1Text, v2Text, payload.transaction, 'sk_live_secret', KEYS.free]) {
    assert.ok(!log.includes(secret.slice(0, 60)), secret)
  }
})

test('calls are counted by what became of them', async (t) => {
  const { service } = await open(t)
  const { v2Text } = await signPayment(10_000)
  await post(service, LIST)
  await post(service, LIST, bearer(KEYS.pro))
  await post(service, callOf('list_new_tokens', { x_payment: v2Text }))
  await post(service, callOf('list_new_tokens', { x_payment: v2Text }))
  await post(service, callOf('scan_token', {}))
  const text = await service.metrics.text()
  for (const [tool, outcome] of [
    ['list_new_tokens', 'offered'],
    ['list_new_tokens', 'pro'],
    ['list_new_tokens', 'paid'],
    ['list_new_tokens', 'refused'],
    ['scan_token', 'bad_request'],
  ]) {
    assert.ok(text.includes(`mcp_tool_calls_total{tool="${tool}",outcome="${outcome}"} 1`), `${tool} ${outcome}`)
  }
})
