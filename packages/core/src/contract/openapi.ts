import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '../base/verdict-codes.ts'
import { DESTINATION_KINDS, DESTINATION_STATES, KEY_STATES, PLANS, WATCH_KINDS } from './account.ts'
import { INVOLVEMENTS } from './actors.ts'
import { ALL_ENDPOINTS, type Endpoint, isFree, isList, methodOf } from './endpoints.ts'
import { EXAMPLE_PAYMENT_REQUIRED, EXAMPLE_PAYMENT_REQUIRED_V2, EXAMPLE_RECEIPT } from './examples.ts'
import { ANSWERS, BATCH_EXAMPLES } from './examples-who.ts'
import { ACCOUNT_TAGS, AccountError, registerAccount } from './openapi-account.ts'
import { registerStream, STREAMED } from './openapi-stream.ts'
import { PARAMETERS, type ParameterName } from './parameters.ts'
import {
  ERROR_CODES,
  ErrorEnvelope,
  type ErrorStatus,
  PAYMENT,
  PaymentReceipt,
  PaymentRequired,
  PaymentRequiredV2,
  STATUS_CODE,
} from './resources.ts'
import { SAID } from './scalars.ts'
import { TAGS } from './who.ts'
import { STATES } from './who-money.ts'

type Responses = RouteConfig['responses']

const DESCRIPTION = `Who is behind a memecoin: quality scores, coordinated wallet groups, holder behaviour, trader and deployer history.

**Answers.** Every success is \`{ data, meta }\`, every error \`{ error }\`; \`request_id\` in either equals the \`X-Request-Id\` header.
Percent fields (\`*_pct\`, cohort buckets) run from 0 to 100, rates from 0 to 1; \`roi\` is a ratio; \`sell_impact\` is in percent
points. Market caps are whole USD, amounts are SOL and whole tokens. Dates are RFC 3339 in UTC with microseconds. Mints and
wallets are base58 of 32 bytes. HEAD works as GET without a body. \`X-Slot\` is the newest block in an answer. Within /v1 fields are only ever added. ${SAID}

**Access.** Send a Pro key as \`Authorization: Bearer sk_live_…\`, or pay per call with x402 in USDC on Solana and no account:
the 402 of an unpaid call carries the offer, V2 in the \`PAYMENT-REQUIRED\` header, V1 in the body. The answer to a payment
carries a receipt. A call is settled only when it answers 200 with data: errors and empty lists are free, and a call with a
valid Pro key is never charged. In the V1 body \`error\` is an object; V1 clients that expect a string there should use V2.

**Limits per minute.** 600 with a Pro key; without one 600 paid and 60 unpaid calls per address; 5 with a free key.`

const CONDITIONS: Record<ErrorStatus, string> = {
  400: 'A parameter or the request itself is malformed, or two payment headers disagree; nothing was looked up or charged.',
  402: 'Neither a valid Pro key nor a valid payment was sent, or the payment failed or was used before; the message says which. This call was not charged.',
  404: 'Not found, or an unknown path; never charged.',
  405: 'The method is not one of those in `Allow`.',
  413: 'The request’s headers or body are too large.',
  414: 'The URL is too long.',
  429: 'The rate limit is exceeded.',
  500: 'Something failed on our side; the message gives no detail; report the request id.',
  503: 'The service is starting or has lost its source (a stale answer is never given silently), or accounts cannot be read, or whether a payment was settled is not known yet: then a receipt says so, and the identical payment may be repeated without being charged twice.',
}

const MESSAGES: Record<ErrorStatus, string> = {
  400: 'mint must be a token mint address: base58 of 32 bytes',
  402: EXAMPLE_PAYMENT_REQUIRED.error.message,
  404: 'the mint is not tracked',
  405: 'POST is not supported here: use GET',
  413: 'the request body is larger than 1024 bytes',
  414: 'the URL is longer than 4096 bytes',
  429: 'more than 60 requests a minute; the window resets in 12 s',
  500: 'internal error',
  503: 'starting: the history is being read',
}

const integer = (description: string) => ({ required: true, description, schema: { type: 'integer' as const } })
const string = (description: string) => ({ required: true, description, schema: { type: 'string' as const } })

const PLAIN_HEADERS = {
  'X-Request-Id': string('The same id as `request_id` in the body.'),
  'X-RateLimit-Limit': integer('Calls allowed in a window of 60 seconds.'),
  'X-RateLimit-Remaining': integer('Calls left in the window.'),
  'X-RateLimit-Reset': integer('Seconds until the next window begins.'),
  'X-Slot': integer('Newest block in the answer; absent where a payment is answered a second time.'),
  'X-Dropped-Count': integer(
    'Tokens left out although they would be listed: rugged, drained or dead, or their inner circle sold within the hour.',
  ),
  'X-Empty-Reason': string('Why a list is empty, if that is known.'),
  'Retry-After': integer('Seconds to wait before the next attempt.'),
  Allow: string('The methods this path answers.'),
} as const

/** A header with base64-encoded JSON. */
function encoded(description: string, schema: 'PaymentRequiredV2' | 'PaymentReceipt', value: object) {
  return {
    required: false,
    description,
    schema: {
      type: 'string' as const,
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      contentSchema: { $ref: `#/components/schemas/${schema}` },
    },
    example: Buffer.from(JSON.stringify(value)).toString('base64'),
  }
}

/** Components, because they are long, optional and repeated. */
const PAYMENT_HEADERS = {
  'PAYMENT-REQUIRED': encoded(
    'The x402 V2 offer: base64 of the JSON of `PaymentRequiredV2`. Absent only where the operator takes no payments.',
    'PaymentRequiredV2',
    EXAMPLE_PAYMENT_REQUIRED_V2,
  ),
  'PAYMENT-RESPONSE': encoded(
    'Receipt of an x402 V2 payment: base64 of the JSON of `PaymentReceipt`.',
    'PaymentReceipt',
    EXAMPLE_RECEIPT,
  ),
  'X-PAYMENT-RESPONSE': encoded('Receipt of an x402 V1 payment, likewise.', 'PaymentReceipt', {
    ...EXAMPLE_RECEIPT,
    network: PAYMENT.network.v1,
  }),
} as const

const WINDOW = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
const RECEIPTS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] as const

/** Errors possible before a call is counted, so without its window. */
const UNCOUNTED: ReadonlySet<number> = new Set([400, 405, 413, 414, 500])

function headersOf(status: 200 | ErrorStatus, ofList = false) {
  const plain: (keyof typeof PLAIN_HEADERS)[] = ['X-Request-Id', ...WINDOW]
  if (status === 200) plain.push('X-Slot')
  if (ofList) plain.push('X-Dropped-Count', 'X-Empty-Reason')
  if (status === 405) plain.push('Allow')
  if (status === 429 || status === 503) plain.push('Retry-After')
  const payment: (keyof typeof PAYMENT_HEADERS)[] = status === 402 ? ['PAYMENT-REQUIRED'] : []
  if (status === 200 || status === 402 || status === 503) payment.push(...RECEIPTS)
  const uncertain: readonly string[] = UNCOUNTED.has(status) ? WINDOW : ['X-Slot', 'X-Dropped-Count', 'X-Empty-Reason']
  return Object.fromEntries<{ $ref: string } | { required: boolean; description: string; schema: object }>([
    ...plain.map((name) => [name, { ...PLAIN_HEADERS[name], required: !uncertain.includes(name) }] as const),
    ...payment.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  ])
}

function errorResponse(status: ErrorStatus) {
  const { request_id } = EXAMPLE_PAYMENT_REQUIRED.error
  const error = { code: STATUS_CODE[status], message: MESSAGES[status], request_id }
  return {
    description: CONDITIONS[status],
    headers: headersOf(status),
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
      headers: headersOf(200, isList(endpoint)),
      content: { 'application/json': { schema: endpoint.response, example } },
    },
  }
  for (const status of statusesOf(endpoint)) answers[status] = { $ref: `#/components/responses/${status}` }
  return answers
}

const ALL_ERRORS = Object.keys(STATUS_CODE).map(Number) as ErrorStatus[]

const statusesOf = (endpoint: Endpoint): readonly ErrorStatus[] =>
  ALL_ERRORS.filter((status) => (status !== 404 || endpoint.notFound !== null) && (status !== 402 || !isFree(endpoint)))

/** The location of a parameter: other than path parameters, those of a POST are in its body. */
export const placeOf = (endpoint: Endpoint, name: ParameterName): 'path' | 'query' | 'body' =>
  PARAMETERS[name].in === 'path' ? 'path' : methodOf(endpoint) === 'POST' ? 'body' : 'query'

function parameters(endpoint: Endpoint, place: 'path' | 'query' | 'body'): z.ZodObject | undefined {
  const chosen = endpoint.parameters.filter((name) => placeOf(endpoint, name) === place).map((name) => PARAMETERS[name])
  if (chosen.length === 0) return undefined
  return z.object(Object.fromEntries(chosen.map((parameter) => [parameter.name, parameter.schema])))
}

/** A price as text: `$0.02`. */
export const priceText = (units: number): string => `$${(units / 10 ** PAYMENT.decimals).toFixed(2)}`

/** The unit of the price: a call, or a token found. */
const unitOf = (endpoint: Endpoint): string => (methodOf(endpoint) === 'POST' ? 'token found' : 'call')

function route(endpoint: Endpoint, example: unknown): RouteConfig {
  const path = parameters(endpoint, 'path')
  const query = parameters(endpoint, 'query')
  const body = parameters(endpoint, 'body')
  const notFound = endpoint.notFound === null ? '' : ` Answers 404 when ${endpoint.notFound}.`
  const { asset, symbol, decimals } = PAYMENT
  const price = isFree(endpoint)
    ? 'Free, with or without a key.'
    : `Price per ${unitOf(endpoint)} without a key: ${priceText(endpoint.priceUnits)} (${endpoint.priceUnits} units of ${symbol}).`
  return {
    method: methodOf(endpoint) === 'POST' ? 'post' : 'get',
    path: endpoint.path,
    operationId: endpoint.operationId ?? endpoint.id,
    summary: endpoint.summary,
    description: `${endpoint.description}${notFound}\n\n${price}`,
    tags: [endpoint.path.split('/')[2] ?? ''],
    security: isFree(endpoint) ? [] : WAYS.map((name) => ({ [name]: [] })),
    ...(!isFree(endpoint) && {
      'x-price': {
        ...{ amount: String(endpoint.priceUnits), asset, symbol, decimals, network: PAYMENT.network.v2 },
        ...(methodOf(endpoint) === 'POST' && { per: 'token' }),
      },
    }),
    request: {
      ...(path && { params: path }),
      ...(query && { query }),
      ...(body && {
        body: {
          required: true,
          content: { 'application/json': { schema: body, example: BATCH_EXAMPLES.batch.asked } },
        },
      }),
    },
    responses: responses(endpoint, example),
  }
}

/** The ways into the priced operations, each sufficient by itself. */
const WAYS = ['bearer', 'x402', 'x402_v1'] as const

/** Beside the session of the account's page. */
const SECURITY = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A Pro API key: `Authorization: Bearer sk_live_…`. Never charged per call.',
  },
  stream_token: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'A token of `POST /account/stream-token`, which opens streams for a minute: for browsers, in place of a key.',
  },
  x402: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description:
      'An x402 V2 payment: base64 of `{"x402Version":2,"accepted":…,"payload":{"transaction":…}}`, where `accepted` is the chosen entry of the offer in `PAYMENT-REQUIRED` and `transaction` the base64 of the partially signed transfer. Valid for one call.',
  },
  x402_v1: {
    type: 'apiKey',
    in: 'header',
    name: 'X-PAYMENT',
    description:
      'An x402 V1 payment: base64 of `{"x402Version":1,"scheme":"exact","network":"solana","payload":{"transaction":…}}`, for an entry of `accepts` in the body of a 402. Valid for one call. Where both headers are sent, `PAYMENT-SIGNATURE` counts.',
  },
} as const

const GROUPS = [
  { name: 'tokens', description: 'One token, and lists of tokens.' },
  { name: 'traders', description: 'The record of a wallet.' },
  { name: 'devs', description: 'The record of a deployer.' },
  { name: 'actors', description: 'The same people across tokens.' },
  { name: 'wallets', description: 'What a wallet holds and made.' },
  { name: 'accuracy', description: 'What was predicted and what came true.' },
  { name: 'streams', description: 'What happens, as it happens.' },
  ...ACCOUNT_TAGS,
]

/** The OpenAPI 3.1 document of the public interface. */
export function buildOpenApi({ formulasVersion }: { formulasVersion: string | number }): object {
  const registry = new OpenAPIRegistry()
  for (const [name, scheme] of Object.entries(SECURITY)) registry.registerComponent('securitySchemes', name, scheme)
  for (const [name, header] of Object.entries(PAYMENT_HEADERS)) registry.registerComponent('headers', name, header)
  for (const status of ALL_ERRORS) registry.registerComponent('responses', String(status), errorResponse(status))
  for (const endpoint of ALL_ENDPOINTS) registry.registerPath(route(endpoint, ANSWERS[endpoint.id]))
  registerStream(registry)
  registerAccount(registry)
  // error responses and headers refer to these by name, which the generator does not follow
  const byReference = [...STREAMED, ErrorEnvelope, AccountError, PaymentRequired, PaymentRequiredV2, PaymentReceipt]
  const document = new OpenApiGeneratorV31([
    ...byReference.map((schema) => ({ type: 'schema' as const, schema })),
    ...registry.definitions,
  ]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Token Intelligence API',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of the service' },
      'x-formulas-version': String(formulasVersion),
    },
    servers: [{ url: '/' }],
    tags: GROUPS,
  })
  return finished(document)
}

/** Values that occur in several places have one schema, so that generated clients have one type for them. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  Colour: COLOURS,
  VerdictCode: VERDICT_CODES,
  VerdictEvent: VERDICT_EVENTS,
  HolderTag: TAGS,
  Involvement: INVOLVEMENTS,
  TokenState: STATES,
  Plan: PLANS,
  WatchKind: WATCH_KINDS,
  KeyState: KEY_STATES,
  DestinationKind: DESTINATION_KINDS,
  DestinationState: DESTINATION_STATES,
  ErrorCode: ERROR_CODES,
}

const keyOf = (values: readonly unknown[]): string => values.map(String).sort().join()
const NAME_OF = new Map(Object.entries(ENUMS).map(([name, values]) => [keyOf(values), name]))

interface Written {
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly object[]
  readonly discriminator?: unknown
  readonly type?: unknown
}

/**
 * Turns an enum that has a schema into a reference to it, unless it may be null, and says types where some readers look for them: a list of
 * types in place of a union of bare ones, and `object` beside a discriminator.
 */
function plain(schema: Written): object {
  const { enum: values, anyOf, discriminator, type, ...rest } = schema
  if (Array.isArray(values) && !values.includes(null)) {
    const name = NAME_OF.get(keyOf(values))
    return name === undefined ? schema : { $ref: `#/components/schemas/${name}`, ...rest }
  }
  if (anyOf?.every((one) => Object.keys(one).join() === 'type')) {
    return { type: anyOf.map((one: Written) => one.type), ...rest }
  }
  return discriminator !== undefined && type === undefined ? { type: 'object', ...schema } : schema
}

/** Makes all schemas plain, and removes `additionalProperties: {}`, which is the default and which some readers do not expect. */
function finished(document: ReturnType<OpenApiGeneratorV31['generateDocument']>): object {
  const { components, ...rest } = JSON.parse(JSON.stringify(document), (name, value: unknown) => {
    if (name === 'additionalProperties' && JSON.stringify(value) === '{}') return undefined
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? plain(value) : value
  }) as typeof document
  const enums = Object.entries(ENUMS).map(([name, values]) => [name, { type: 'string', enum: values }])
  const schemas = { ...components?.schemas, ...Object.fromEntries(enums) }
  return { ...rest, components: { ...components, schemas } }
}

/** by version; building one takes a tenth of a second */
const texts = new Map<string, string>()

/** The document as checked in and served. */
export function openApiText(versions: { formulasVersion: string | number }): string {
  const version = String(versions.formulasVersion)
  const text = texts.get(version) ?? `${JSON.stringify(buildOpenApi(versions), null, 2)}\n`
  texts.set(version, text)
  return text
}
