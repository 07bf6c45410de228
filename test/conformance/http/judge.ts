import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Answer, exchange, requestText } from '../../support/exchange.ts'

interface Reference {
  readonly $ref?: string
}

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: { readonly type: string }
}

interface Response extends Reference {
  readonly headers?: Record<string, { readonly required?: boolean }>
  readonly content?: { 'application/json': { schema: Reference } }
}

interface Documented {
  readonly operationId: string
  readonly parameters?: DocumentedParameter[]
  readonly responses: Record<string, Response>
}

interface Document {
  readonly paths: Record<string, { get?: Documented; post?: Documented }>
  readonly components: { schemas: Record<string, object>; responses: Record<string, Response> }
}

export interface DocumentedOperation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly parameters: readonly DocumentedParameter[]
  /** no answer of it asks for a payment */
  readonly isFree: boolean
  /** fails where an answer is not one the document describes */
  judge(answer: Answer, context: string, method?: string): void
}

export interface Judge {
  readonly operations: readonly DocumentedOperation[]
  /** an answer outside the operations: an error envelope with its id and type */
  judgeError(answer: Answer, context: string): void
  readonly snapshotGroups: readonly string[]
}

/** Fields that nobody declared are a mistake in a test, though clients must accept them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]))
  return 'properties' in copy && copy.type === 'object' ? { ...copy, additionalProperties: false } : copy
}

/** Judges answers by the OpenAPI document alone, so that the judge is not the producer. */
export function createJudge(document: object): Judge {
  const { paths, components } = document as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const schemas = closed(components.schemas)
  const compiled = new Map<string, ValidateFunction>()

  function validator(ref: string): ValidateFunction {
    const known = compiled.get(ref) ?? ajv.compile({ $ref: ref, components: { schemas } })
    compiled.set(ref, known)
    return known
  }

  function body(answer: Answer, ref: string, context: string): void {
    const value = JSON.parse(answer.body.toString()) as {
      meta?: { request_id: string }
      error?: { request_id: string }
    }
    const valid = validator(ref)
    assert.ok(valid(value), `${context}: ${ajv.errorsText(valid.errors)}`)
    assert.equal((value.meta ?? value.error)?.request_id, answer.headers.get('x-request-id'), context)
  }

  function frame(answer: Answer, context: string): void {
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', context)
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_\S+$/, context)
    assert.notEqual(answer.status, 500, context)
  }

  const described = Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [{ path, method: 'GET' as const, of: get }]),
    ...(post === undefined ? [] : [{ path, method: 'POST' as const, of: post }]),
  ])
  const operations = described.map(({ path, method: own, of }) => ({
    id: of.operationId,
    method: own,
    path,
    parameters: of.parameters ?? [],
    isFree: of.responses[402] === undefined,
    judge(answer: Answer, context: string, method = 'GET') {
      const named = of.responses[answer.status]
      assert.ok(named !== undefined, `${context}: status ${answer.status} is not documented`)
      const response = named.$ref === undefined ? named : components.responses[named.$ref.split('/').at(-1)!]!
      frame(answer, context)
      for (const [header, { required }] of Object.entries(response.headers ?? {})) {
        assert.ok(required !== true || answer.headers.has(header.toLowerCase()), `${context}: ${header} is missing`)
      }
      if (method === 'HEAD') assert.equal(answer.body.length, 0, context)
      else body(answer, response.content!['application/json'].schema.$ref!, context)
    },
  }))

  return {
    operations,
    judgeError(answer, context) {
      frame(answer, context)
      body(answer, '#/components/schemas/ErrorEnvelope', context)
    },
    snapshotGroups: Object.keys((components.schemas.TokenSnapshot as { properties: object }).properties),
  }
}

/** The judge of a running service, by the document it serves. */
export async function judgeOf(baseUrl: string): Promise<Judge> {
  const answer = await exchange(baseUrl, requestText('GET', '/openapi.json'))
  assert.equal(answer?.status, 200)
  return createJudge(JSON.parse(answer.body.toString()) as object)
}
