import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { TOOL_ROWS } from '@ti/core/contract/tools.ts'
import { runs } from '../../support/chance.ts'
import { exchange } from '../../support/exchange.ts'
import { signPayment } from '../../support/payments-fixtures.ts'
import fc from '../../support/property.ts'
import { createFakeCashier, KEYS, startMcp } from './service.ts'

/**
 * Whatever comes is answered, in time, with a status below 500 and JSON where there is a body, and nothing of it is an
 * error of ours.
 */
const RUNS = runs(400)

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

const TOOLS = Object.keys(TOOL_ROWS)
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const payments = await Promise.all([signPayment(10_000), signPayment(20_000)])
const payment = fc.oneof(
  fc.constantFrom<unknown>(...payments.flatMap(({ v1, v2, v1Text, v2Text }) => [v1, v2, v1Text, v2Text])),
  fc
    .constantFrom(...payments.map(({ v2Text }) => v2Text))
    .chain((text) => fc.nat(text.length - 1).map((i) => `${text.slice(0, i)}A${text.slice(i + 1)}`)),
  fc.jsonValue(),
)
const addresses = fc.constantFrom<unknown>(...Object.values(EXAMPLE_ADDRESSES))
const toolArguments = fc.oneof(
  fc.record(
    {
      mint: fc.oneof(addresses, fc.jsonValue()),
      address: fc.oneof(addresses, fc.jsonValue()),
      fields: fc.oneof(fc.constantFrom<unknown>('meta', 'meta,score', ',,'), fc.jsonValue()),
      mints: fc.oneof(fc.array(addresses, { maxLength: 60 }), addresses, fc.jsonValue()),
      limit: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
      offset: fc.oneof(fc.integer(), fc.jsonValue()),
      detail: fc.oneof(fc.constantFrom<unknown>('short', 'full', 'windows'), fc.jsonValue()),
      x_payment: payment,
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
)
const params = fc.oneof(
  fc.record(
    {
      name: fc.oneof(fc.constantFrom<unknown>(...TOOLS), fc.jsonValue()),
      arguments: toolArguments,
      _meta: fc.oneof(
        fc.record({ 'x402/payment': payment }),
        payment.map((value) => ({ ...MODERN, 'x402/payment': value })),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: ['name'] },
  ),
  fc.jsonValue(),
)
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>('2.0') }, { weight: 1, arbitrary: fc.jsonValue() }),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant<unknown>('tools/call') },
      {
        weight: 3,
        arbitrary: fc.constantFrom<unknown>(
          'initialize',
          'tools/list',
          'server/discover',
          'subscriptions/listen',
          'ping',
        ),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    params,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)
const whole = message.map((value) => latin1(JSON.stringify(value)))
const body = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 1, arbitrary: whole.chain((text) => fc.nat(text.length).map((i) => text.slice(0, i))) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => latin1(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
  { weight: 1, arbitrary: fc.nat(100_000).map((length) => '['.repeat(length)) },
)

const line = fc.string({
  unit: fc.constantFrom(...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\u00e9\u00ff'),
  maxLength: 40,
})
const or = (...values: string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: line })
const headers = fc.record(
  {
    host: or('localhost', 'api.example.com', 'evil.com'),
    origin: or('http://localhost', 'https://evil.com', 'null'),
    'content-type': or('application/json'),
    accept: or('application/json, text/event-stream', '*/*'),
    authorization: or(`Bearer ${KEYS.pro}`, `Bearer ${KEYS.free}`, `Bearer ${KEYS.revoked}`),
    'mcp-protocol-version': or('2026-07-28', '2025-11-25', '2025-03-26'),
    'mcp-method': or('tools/call', 'tools/list', 'server/discover'),
    'mcp-name': or(...TOOLS),
    'mcp-session-id': line,
    'mcp-param-mint': line,
    'last-event-id': line,
    cookie: line,
  },
  { requiredKeys: ['host', 'content-type'] },
)
const method = fc.oneof(
  { weight: 9, arbitrary: fc.constant('POST') },
  fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS'),
)
const fate = fc.constantFrom('settle', 'refused', 'uncertain', 'unavailable', 'gone')

/** What random messages come to too rarely: one that wants no answer, and one that is too large. */
const KNOWN = { host: 'localhost', 'content-type': 'application/json' }
const RARE = [JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), '['.repeat(100_000)].map(
  (text): ['POST', typeof KNOWN, string, 'settle'] => ['POST', KNOWN, text, 'settle'],
)

test('whatever comes is answered', { timeout: 300_000 }, async (t) => {
  const cashier = createFakeCashier()
  const service = await startMcp({ cashier })
  t.after(service.close)
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(method, headers, body, fate, async (verb, sent, bytes, ends) => {
      cashier.fate = ends
      const all = Object.entries({ ...sent, 'content-length': `${bytes.length}` })
      const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const answer = await exchange(service.url.href, `${verb} /mcp HTTP/1.1\r\n${head}\r\n${bytes}`)
      assert.ok(answer !== null, 'no answer')
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      assert.ok(answer.status < 500, `${answer.status}`)
      const type = answer.headers.get('content-type') ?? ''
      if (type.startsWith('application/json')) JSON.parse(answer.body.toString())
      else if (answer.body.length > 0) assert.equal(type, 'text/event-stream')
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_\d+$/)
      assert.ok(answer.headers.has('x-ratelimit-remaining'))
    }),
    { numRuns: RUNS, examples: RARE },
  )
  const wrong = service.logged.filter((text) => /"level":"(warn|error|fatal)"/.test(text))
  assert.deepEqual(wrong, [])
  // a fuzzer that only ever meets the door proves nothing
  for (const status of [200, 202, 400, 403, 405, 413]) assert.ok(statuses.has(status), `${status} never came`)
})
