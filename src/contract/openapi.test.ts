import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from './endpoints.ts'
import { EXAMPLE_PAYMENT_REQUIRED, EXAMPLES } from './examples.ts'
import { buildOpenApi } from './openapi.ts'
import { PaymentRequired, SNAPSHOT_GROUPS, TokenCard, TokenSnapshot } from './resources.ts'

interface Document {
  openapi: string
  info: Record<string, unknown>
  paths: Record<string, { get: { operationId: string; security: unknown; responses: Record<string, unknown> } }>
  components: { responses: Record<string, { headers: Record<string, unknown> }>; schemas: Record<string, unknown> }
}

const document = buildOpenApi({ formulasVersion: '7' }) as Document

test('nine operations, eight tools, the prices of the specification', () => {
  assert.equal(ENDPOINTS.length, 9)
  assert.equal(ENDPOINTS.filter((endpoint) => endpoint.tool !== null).length, 8)
  for (const { id, priceUnits } of ENDPOINTS) assert.equal(priceUnits, id === 'snapshot' ? 20_000 : 10_000)
  assert.deepEqual(
    Object.keys(document.paths),
    ENDPOINTS.map((endpoint) => endpoint.path),
  )
})

test('every example is what its schema says, without a stray field', () => {
  for (const { id, response } of ENDPOINTS) {
    const parsed = response.safeParse(EXAMPLES[id])
    assert.ok(parsed.success, `${id}: ${parsed.error?.message}`)
    assert.deepEqual(parsed.data, EXAMPLES[id])
  }
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

test('the document: versions, security, error statuses and their headers', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.0.0')
  assert.equal(document.info['x-formulas-version'], '7')
  for (const { id, path, notFound } of ENDPOINTS) {
    const { get } = document.paths[path]!
    assert.equal(get.operationId, id)
    assert.deepEqual(get.security, [{ bearer: [] }])
    const expected = [200, 400, 402, 404, 405, 413, 414, 429, 500, 503].filter((s) => s !== 404 || notFound !== null)
    assert.deepEqual(Object.keys(get.responses).map(Number), expected)
  }
  for (const [status, { headers }] of Object.entries(document.components.responses)) {
    assert.ok('X-Request-Id' in headers)
    assert.equal('Retry-After' in headers, status === '429' || status === '503')
  }
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!)
  assert.ok(references.length > 50)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document)
    assert.ok(target !== undefined, reference)
  }
})

test('answers may gain fields: nothing forbids additional ones', () => {
  assert.ok(!JSON.stringify(document).includes('additionalProperties'))
})
