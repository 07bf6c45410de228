import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { ENDPOINTS, type Endpoint } from './endpoints.ts'
import { EXAMPLE_PAYMENT_REQUIRED, EXAMPLES } from './examples.ts'
import { PARAMETERS } from './parameters.ts'
import { ErrorEnvelope, type ErrorStatus, PaymentRequired, STATUS_CODE } from './resources.ts'

type Responses = RouteConfig['responses']

const DESCRIPTION = `Who is behind a memecoin: quality scores, coordinated wallet groups, holder behaviour, trader and deployer history.

Every success is \`{ data, meta }\`, every error \`{ error }\`; \`request_id\` in either equals the \`X-Request-Id\` header.
Percent fields (\`*_pct\`, cohort buckets) run from 0 to 100, rates from 0 to 1; \`roi\` is a ratio; \`sell_impact\` is in percent
points. Market caps are whole USD, amounts are SOL and whole tokens. Dates are RFC 3339 in UTC with microseconds. Mints and
wallets are base58 of 32 bytes. HEAD works as GET without a body. Within /v1 fields are only ever added.`

const CONDITIONS: Record<ErrorStatus, string> = {
  400: 'A parameter or the request itself is malformed; nothing was looked up or charged.',
  402: 'Neither a valid Pro key nor a payment was sent.',
  404: 'Not found, or an unknown path; never charged.',
  405: 'Another method than GET, HEAD or OPTIONS was used on this path.',
  413: 'The request’s headers or body are too large.',
  414: 'The URL is too long.',
  429: 'The rate limit is exceeded.',
  500: 'Something failed on our side; the message tells nothing, the request id finds it.',
  503: 'The service is starting or has lost its source; a stale answer is never given silently.',
}

const MESSAGES: Record<ErrorStatus, string> = {
  400: 'mint must be a token mint address: base58 of 32 bytes',
  402: EXAMPLE_PAYMENT_REQUIRED.error.message,
  404: 'the mint is not tracked',
  405: 'POST is not answered here: use GET',
  413: 'the request body is larger than 1024 bytes',
  414: 'the URL is longer than 4096 bytes',
  429: 'rate limit exceeded',
  500: 'internal error',
  503: 'starting: the history is being read',
}

const header = (description: string, type: 'string' | 'integer') => ({ required: true, description, schema: { type } })
const requestId = header('The same id as `request_id` in the body.', 'string')
const retryAfter = header('Seconds to wait before the next attempt.', 'integer')
const allow = header('The methods this path answers.', 'string')

function errorResponse(status: ErrorStatus) {
  const retry = status === 429 || status === 503
  const { request_id } = EXAMPLE_PAYMENT_REQUIRED.error
  const error = { code: STATUS_CODE[status], message: MESSAGES[status], request_id }
  return {
    description: CONDITIONS[status],
    headers: {
      'X-Request-Id': requestId,
      ...(retry && { 'Retry-After': retryAfter }),
      ...(status === 405 && { Allow: allow }),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${status === 402 ? 'PaymentRequired' : 'ErrorEnvelope'}` },
        example:
          status === 402 ? EXAMPLE_PAYMENT_REQUIRED : { error: status === 429 ? { ...error, retry_after: 12 } : error },
      },
    },
  }
}

function responses(endpoint: Endpoint, example: unknown): Responses {
  const answers: Responses = {
    200: {
      description: endpoint.summary,
      headers: { 'X-Request-Id': requestId },
      content: { 'application/json': { schema: endpoint.response, example } },
    },
  }
  for (const status of statusesOf(endpoint)) answers[status] = { $ref: `#/components/responses/${status}` }
  return answers
}

const ALL_ERRORS = Object.keys(STATUS_CODE).map(Number) as ErrorStatus[]

/** Error statuses an operation can answer. */
const statusesOf = (endpoint: Endpoint): readonly ErrorStatus[] =>
  endpoint.notFound === null ? ALL_ERRORS.filter((status) => status !== 404) : ALL_ERRORS

function parameters(endpoint: Endpoint, place: 'path' | 'query'): z.ZodObject | undefined {
  const chosen = endpoint.parameters.map((name) => PARAMETERS[name]).filter((parameter) => parameter.in === place)
  if (chosen.length === 0) return undefined
  return z.object(Object.fromEntries(chosen.map((parameter) => [parameter.name, parameter.schema])))
}

function route(endpoint: Endpoint, example: unknown): RouteConfig {
  const path = parameters(endpoint, 'path')
  const query = parameters(endpoint, 'query')
  const notFound = endpoint.notFound === null ? '' : ` Answers 404 when ${endpoint.notFound}.`
  return {
    method: 'get',
    path: endpoint.path,
    operationId: endpoint.id,
    summary: endpoint.summary,
    description: `${endpoint.description}${notFound}\n\nPrice per call without a key: $${(endpoint.priceUnits / 1e6).toFixed(2)}.`,
    tags: [endpoint.path.split('/')[2] ?? ''],
    security: [{ bearer: [] }],
    request: { ...(path && { params: path }), ...(query && { query }) },
    responses: responses(endpoint, example),
  }
}

/** The OpenAPI 3.1 document of the public interface. */
export function buildOpenApi({ formulasVersion }: { formulasVersion: string | number }): object {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A Pro API key: `Authorization: Bearer sk_live_…`',
  })
  for (const status of ALL_ERRORS) registry.registerComponent('responses', String(status), errorResponse(status))
  for (const endpoint of ENDPOINTS) registry.registerPath(route(endpoint, EXAMPLES[endpoint.id]))
  // the error responses name these by reference, which the generator does not follow
  const errorSchemas = [ErrorEnvelope, PaymentRequired].map((schema) => ({ type: 'schema' as const, schema }))
  const { webhooks: _, ...document } = new OpenApiGeneratorV31([
    ...errorSchemas,
    ...registry.definitions,
  ]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Token Intelligence API',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      'x-formulas-version': String(formulasVersion),
    },
    servers: [{ url: '/' }],
  })
  return document
}

/** The document as it is checked in and served. */
export const openApiText = (versions: { formulasVersion: string | number }): string =>
  `${JSON.stringify(buildOpenApi(versions), null, 2)}\n`
