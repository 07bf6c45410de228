import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { MAINNET, MAX_TIMEOUT_S, SCHEME } from '@ti/service/access/x402/network.ts'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { ACCOUNT_ROWS } from './account-endpoints.ts'
import { ALL_ENDPOINTS, BATCH_ENDPOINTS, ENDPOINTS, FREE_ENDPOINTS, FURTHER_ENDPOINTS } from './endpoints.ts'
import {
  EXAMPLE_PAYMENT_REQUIRED,
  EXAMPLE_PAYMENT_REQUIRED_V2,
  EXAMPLE_RECEIPT,
  EXAMPLES,
  FREE_EXAMPLES,
} from './examples.ts'
import { BATCH_EXAMPLES, FURTHER_EXAMPLES } from './examples-who.ts'
import { buildOpenApi, priceText } from './openapi.ts'
import {
  PAYMENT,
  PaymentReceipt,
  PaymentRequired,
  PaymentRequiredV2,
  SNAPSHOT_GROUPS,
  TokenCard,
  TokenSnapshot,
} from './resources.ts'
import { TOOL_ROWS, type ToolRow } from './tools.ts'

interface Header {
  $ref?: string
  required?: boolean
  example?: string
}

interface Response {
  $ref?: string
  headers: Record<string, Header>
}

interface Operation {
  operationId: string
  description: string
  security: unknown
  'x-price': Record<string, unknown>
  responses: Record<string, Response>
}

interface Document {
  openapi: string
  info: Record<string, unknown>
  paths: Record<string, { get: Operation; post?: Operation }>
  webhooks: Record<string, { post: { parameters: readonly { name: string }[] } }>
  components: {
    responses: Record<string, Response>
    headers: Record<string, Header>
    schemas: Record<string, unknown>
    securitySchemes: Record<string, { type: string; in?: string; name?: string }>
  }
}

const document = buildOpenApi({ formulasVersion: '7' }) as Document

test('nine operations, eight tools, the prices of the specification', () => {
  assert.equal(ENDPOINTS.length, 9)
  assert.equal(ENDPOINTS.filter((endpoint) => endpoint.tool !== null).length, 8)
  for (const { id, priceUnits } of ENDPOINTS) assert.equal(priceUnits, id === 'snapshot' ? 20_000 : 10_000)
  const paths = [...ALL_ENDPOINTS.map(({ path }) => path), '/v1/stream', ...ACCOUNT_ROWS.map(([, { path }]) => path)]
  assert.deepEqual(Object.keys(document.paths), [...new Set(paths)])
  assert.deepEqual(ALL_ENDPOINTS.slice(0, 9), ENDPOINTS, 'the nine come first')
  assert.deepEqual(document.paths['/v1/accuracy']!.get.security, [])
  assert.ok(!('402' in document.paths['/v1/accuracy']!.get.responses))
})

test('beyond the nine: tools of their own, none at the price of another kind', () => {
  assert.deepEqual(
    FURTHER_ENDPOINTS.map(({ id, tool, priceUnits }) => [id, tool, priceText(priceUnits)]),
    [
      ['who', 'who_is_behind', '$0.03'],
      ['check', 'check_token', '$0.03'],
      ['explain', 'explain_score', '$0.03'],
      ['actor', 'actor_profile', '$0.02'],
      ['positions', 'wallet_positions', '$0.02'],
      ['history', 'token_trades', '$0.01'],
      ['trader_windows', 'profile_wallet', '$0.01'],
      ['deployer_windows', 'deployer_history', '$0.01'],
    ],
  )
})

test('a tool answers operations of one price, and no operation names a tool that does not exist', () => {
  const rowOf = (id: string) => ALL_ENDPOINTS.find((endpoint) => endpoint.id === id)!
  for (const [tool, row] of Object.entries(TOOL_ROWS)) {
    const { operation, windows, paged }: ToolRow = row
    const answered = [operation, windows, paged].flatMap((id) => (id === undefined ? [] : [rowOf(id)]))
    assert.ok(
      answered.every((one) => one.tool === tool && one.priceUnits === answered[0]!.priceUnits),
      tool,
    )
  }
  const named = new Set(ALL_ENDPOINTS.flatMap(({ tool }) => tool ?? []))
  assert.deepEqual([...named].sort(), Object.keys(TOOL_ROWS).sort())
})

test('every example is what its schema says, without a stray field', () => {
  for (const { id, response } of ENDPOINTS) {
    const parsed = response.safeParse(EXAMPLES[id])
    assert.ok(parsed.success, `${id}: ${parsed.error?.message}`)
    assert.deepEqual(parsed.data, EXAMPLES[id])
  }
  for (const { id, response } of FURTHER_ENDPOINTS) {
    const parsed = response.safeParse(FURTHER_EXAMPLES[id])
    assert.ok(parsed.success, `${id}: ${parsed.error?.message}`)
    assert.deepEqual(parsed.data, FURTHER_EXAMPLES[id])
  }
  for (const { id, response } of BATCH_ENDPOINTS) {
    assert.deepEqual(response.parse(BATCH_EXAMPLES[id].answer), BATCH_EXAMPLES[id].answer)
  }
  const [{ response }] = FREE_ENDPOINTS
  assert.deepEqual(response.parse(FREE_EXAMPLES.accuracy), FREE_EXAMPLES.accuracy)
  assert.deepEqual(PaymentRequired.parse(EXAMPLE_PAYMENT_REQUIRED), EXAMPLE_PAYMENT_REQUIRED)
})

test('a snapshot has ten groups, each of which may be left out', () => {
  assert.equal(SNAPSHOT_GROUPS.length, 10)
  assert.deepEqual(Object.keys(EXAMPLES.snapshot.data), [...SNAPSHOT_GROUPS])
  assert.ok(TokenSnapshot.safeParse({}).success)
})

test('dates have microseconds and Z, whole numbers are whole, only the named fields may be null', () => {
  const card = EXAMPLES.new.data[0]!
  const accepts = (change: object) => TokenCard.safeParse({ ...card, ...change }).success
  assert.ok(accepts({ deployed_at: '2026-10-01T01:23:20.669800Z' }))
  for (const bad of ['2026-10-01T01:23:20Z', '2026-10-01T01:23:20.669Z', '2026-10-01T01:23:20.669800+00:00']) {
    assert.ok(!accepts({ deployed_at: bad }), bad)
  }
  assert.ok(!accepts({ mcap: 1.5 }))
  assert.ok(!accepts({ mcap: null }))
  assert.ok(!accepts({ name: null }))
  assert.ok(accepts({ conviction_score: null }))
})

test('the document: versions, ways in, prices, error statuses', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.0.0')
  assert.equal(document.info['x-formulas-version'], '7')
  for (const { id, path, notFound, priceUnits } of [...ENDPOINTS, ...FURTHER_ENDPOINTS]) {
    const { get } = document.paths[path]!
    assert.equal(get.operationId, ({ new: 'new_tokens', history: 'trade_history' } as Record<string, string>)[id] ?? id)
    assert.deepEqual(get.security, [{ bearer: [] }, { x402: [] }, { x402_v1: [] }])
    assert.equal(get['x-price'].amount, String(priceUnits))
    assert.ok(get.description.includes(`${priceText(priceUnits)} (${priceUnits} units of USDC)`), get.description)
    const expected = [200, 400, 402, 404, 405, 413, 414, 429, 500, 503].filter((s) => s !== 404 || notFound !== null)
    assert.deepEqual(Object.keys(get.responses).map(Number), expected)
  }
  assert.equal(priceText(20_000), '$0.02')
  const schemes = Object.values(document.components.securitySchemes).map((s) => [s.type, s.in, s.name])
  assert.deepEqual(schemes, [
    ['http', undefined, undefined],
    ['apiKey', 'query', 'api_key'],
    ['apiKey', 'header', 'PAYMENT-SIGNATURE'],
    ['apiKey', 'header', 'X-PAYMENT'],
    ['apiKey', 'cookie', 'session'],
  ])
})

test('a batch is posted, and priced by the token', () => {
  const { get, post } = document.paths['/v1/tokens/batch']!
  assert.equal(get, undefined)
  assert.equal(post!['x-price'].per, 'token')
  assert.ok(post!.description.includes('Price per token found without a key: $0.02'))
  assert.deepEqual(Object.keys(post!.responses).map(Number), [200, 400, 402, 404, 405, 413, 414, 429, 500, 503])
})

test('beyond the nine, meta says the slot; that of the nine is the specification’s', () => {
  for (const { id, response } of ALL_ENDPOINTS) {
    const { meta } = response.shape
    const isOfTheNine = ENDPOINTS.some((endpoint) => endpoint.id === id)
    assert.deepEqual(
      Object.keys(meta.shape).filter((name) => name !== 'page'),
      ['cached_at', 'request_id', ...(isOfTheNine ? [] : ['slot'])],
      id,
    )
  }
})

test('headers: id and window on every answer, what a status adds, and which are certain', () => {
  const WINDOW = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  const RECEIPTS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']
  const certain: Record<string, string[]> = {
    200: WINDOW,
    400: [],
    402: WINDOW,
    404: WINDOW,
    405: ['Allow'],
    413: [],
    414: [],
    429: ['Retry-After', ...WINDOW],
    500: [],
    503: ['Retry-After', ...WINDOW],
  }
  const answers = ENDPOINTS.flatMap(({ path }) => Object.entries(document.paths[path]!.get.responses))
  for (const [status, named] of answers) {
    const { headers } = named.$ref === undefined ? named : document.components.responses[status]!
    const required = Object.entries(headers)
      .map(([name, header]) => [name, header.$ref === undefined ? header : document.components.headers[name]!] as const)
      .filter(([, header]) => header.required === true)
      .map(([name]) => name)
    assert.deepEqual(required.toSorted(), ['X-Request-Id', ...certain[status]!].toSorted(), status)
    for (const name of WINDOW) assert.ok(name in headers, `${status} ${name}`)
    assert.equal('PAYMENT-REQUIRED' in headers, status === '402')
    for (const name of RECEIPTS) assert.equal(name in headers, ['200', '402', '503'].includes(status), status)
  }
})

test('the 402: body and header say the same, and the protocol’s own schemas take both', () => {
  const header = document.components.headers['PAYMENT-REQUIRED']!.example!
  const v2 = PaymentRequiredV2.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
  assert.deepEqual(v2, EXAMPLE_PAYMENT_REQUIRED_V2)
  assert.ok(PaymentRequiredV2Schema.safeParse(v2).success)
  const { error: _, ...v1 } = EXAMPLE_PAYMENT_REQUIRED
  assert.ok(PaymentRequiredV1Schema.safeParse(v1).success)
  const [old, now] = [v1.accepts[0]!, v2.accepts[0]!]
  assert.equal(old.maxAmountRequired, now.amount)
  assert.equal(old.resource, v2.resource.url)
  for (const name of ['scheme', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'] as const) {
    assert.deepEqual(old[name], now[name], name)
  }
  const receipt = document.components.headers['PAYMENT-RESPONSE']!.example!
  const decoded = PaymentReceipt.parse(JSON.parse(Buffer.from(receipt, 'base64').toString()))
  assert.deepEqual(decoded, EXAMPLE_RECEIPT)
})

test('what is documented is what is taken', () => {
  const { scheme, network, asset, maxTimeoutSeconds } = PAYMENT
  assert.deepEqual(
    [scheme, network, asset, maxTimeoutSeconds],
    [SCHEME, { v1: MAINNET.v1, v2: MAINNET.v2 }, MAINNET.asset, MAX_TIMEOUT_S],
  )
})

test('V2 shapes keep what the protocol may add', () => {
  const more = { ...EXAMPLE_PAYMENT_REQUIRED_V2, extensions: { bazaar: {} } }
  assert.deepEqual(PaymentRequiredV2.parse(more), more)
})

test('the document is OpenAPI 3.1 to a validator that is not ours', async () => {
  const copy = (): Record<string, unknown> => structuredClone({ ...document })
  const validator = new Validator()
  const { valid, errors } = await validator.validate(copy())
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(validator.version, '3.1')
  const broken = await new Validator().validate({ ...copy(), paths: [] })
  assert.equal(broken.valid, false)
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!)
  assert.ok(references.length > 50)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document)
    assert.ok(target !== undefined, reference)
  }
})

test('answers may gain fields: only bodies of requests forbid what they do not know', () => {
  const withoutBodies = JSON.stringify(document, (name, value: unknown) => (name === 'requestBody' ? undefined : value))
  assert.ok(!withoutBodies.includes('"additionalProperties":false'))
  assert.ok(JSON.stringify(document).includes('"additionalProperties":false'))
})

test('an account: what a key opens and what only a session does, with the body it takes', () => {
  for (const [id, { method, path, access, body }] of ACCOUNT_ROWS) {
    const operation = document.paths[path]![method.toLowerCase() as 'get']
    assert.equal(operation.operationId, id)
    const ways = { anyone: [], session: [{ session: [] }], key: [{ bearer: [] }, { session: [] }] }
    assert.deepEqual(operation.security, ways[access], id)
    assert.equal('requestBody' in operation, body !== undefined, id)
  }
})

test('names that generators keep: one for each operation, a word of no language', () => {
  const ids = [...JSON.stringify(document).matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id!)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) {
    assert.match(id, /^[a-z][a-z_]*$/)
    assert.ok(!['new', 'delete', 'import', 'class', 'return', 'default', 'history'].includes(id), id)
  }
})

test('an enum that occurs twice has one schema', () => {
  const found: string[] = []
  JSON.stringify(document, (_, value: { enum?: readonly string[] }) => {
    if (Array.isArray(value?.enum) && value.enum.length > 2) found.push([...value.enum].sort().join())
    return value
  })
  assert.equal(new Set(found).size, found.length)
})

test('webhooks: the alert and the challenge, with the headers that sign them', () => {
  assert.deepEqual(Object.keys(document.webhooks), ['alert_delivered', 'challenge_delivered'])
  for (const { post } of Object.values(document.webhooks)) {
    const names = post.parameters.map(({ name }) => name)
    assert.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  }
})
