import type { OpenAPIRegistry, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { AlertMessage, ChallengeMessage } from './account.ts'
import { ACCOUNT_ROWS, type AccountEndpoint } from './account-endpoints.ts'
import { ErrorEnvelope, type ErrorStatus, Meta } from './envelope.ts'
import { REFUSALS, type RefusalReason } from './refusals.ts'

/** The part of the OpenAPI document on accounts and what is delivered to them. */

const REASONS = Object.keys(REFUSALS) as [RefusalReason, ...RefusalReason[]]

export const AccountError = z
  .object({
    error: z.object({
      ...ErrorEnvelope.shape.error.shape,
      reason: z.enum(REASONS).describe('stable'),
      origin: z.string().optional().describe('where accounts are; present on `foreign_origin`'),
    }),
  })
  .meta({ id: 'AccountErrorEnvelope' })

export const SESSION = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'The session of the account page, after `sign_in`; over TLS the name is `__Host-session`.',
  },
} as const

/** The ways in, each sufficient by itself. */
const WAYS = { anyone: [], session: [{ session: [] }], key: [{ bearer: [] }, { session: [] }] }

export const ACCOUNT_TAGS = [
  {
    name: 'account',
    description: 'Watches, alerts, destinations: with a key of the account, any plan, free of charge.',
  },
  { name: 'session', description: 'Sign-in, keys, subscription: for the page, or a program that holds the wallet.' },
]

/** The statuses of an operation's refusals. */
function statusesOf({ access, body }: AccountEndpoint): readonly ErrorStatus[] {
  const own: ErrorStatus[] = access === 'anyone' ? [] : [404]
  if (access === 'key') own.push(402)
  if (body !== undefined) own.push(413)
  return [400, ...own.sort(), 429, 500, 503]
}

/** `add_watch` → `AddWatchAnswer` */
const answerName = (id: string): string =>
  `${id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Answer`

function routeOf(id: string, endpoint: AccountEndpoint): RouteConfig {
  const { method, path, access, query, body, answer, summary } = endpoint
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const placed = names.map((name) => [name, name === 'number' ? z.int().min(1) : z.string()])
  const schema = z.object({ data: answer, meta: Meta }).meta({ id: answerName(id) })
  const refused = statusesOf(endpoint).map((status) => [status, { $ref: '#/components/responses/account_error' }])
  return {
    method: method.toLowerCase() as Lowercase<typeof method>,
    path,
    operationId: id,
    summary,
    description: `${summary}.`,
    tags: [access === 'key' ? 'account' : 'session'],
    security: WAYS[access],
    request: {
      ...(names.length > 0 && { params: z.object(Object.fromEntries(placed)) }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
    },
    responses: {
      200: { description: summary, content: { 'application/json': { schema } } },
      ...Object.fromEntries(refused),
      // before an operation is known, so without a reason
      414: { $ref: '#/components/responses/414' },
    },
  }
}

/** The headers of a delivery, as in the Standard Webhooks specification. */
const SIGNED = z.object({
  'webhook-id': z.string().describe('id of the alert: the same in every attempt and replay'),
  'webhook-timestamp': z.string().describe('Unix seconds of this attempt'),
  'webhook-signature': z
    .string()
    .describe('`v1,` and base64 of an HMAC-SHA-256 with the secret; several after a rotation'),
})

const TAKEN = {
  '2XX': { description: 'Taken. The body is not read.' },
  410: { description: 'The receiver wants no more: the destination is disabled.' },
  default: { description: 'A failure: tried again for 48 hours.' },
} as unknown as RouteConfig['responses']

export function registerAccount(registry: OpenAPIRegistry): void {
  registry.registerComponent('securitySchemes', 'session', SESSION.session)
  registry.registerComponent('responses', 'account_error', {
    description: 'Refused; `error.reason` says why, `error.message` in words.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/AccountErrorEnvelope' } } },
  })
  for (const [id, endpoint] of ACCOUNT_ROWS) registry.registerPath(routeOf(id, endpoint))
  const webhook = (path: string, summary: string, schema: z.ZodType, responses: RouteConfig['responses']) =>
    registry.registerWebhook({
      ...{
        method: 'post',
        path,
        operationId: path,
        summary,
        description: `${summary}.`,
        tags: ['account'],
        security: [],
      },
      request: { headers: SIGNED, body: { required: true, content: { 'application/json': { schema } } } },
      responses,
    })
  webhook('alert_delivered', 'An alert, signed, to the URL of a webhook', AlertMessage, TAKEN)
  webhook('challenge_delivered', 'Asks a receiver whether it wants alerts, before the first one', ChallengeMessage, {
    200: {
      description:
        'It wants them: within 5 seconds, with the challenge alone as the body, or as `challenge` of an object.',
      content: {
        'application/json': { schema: ChallengeMessage.shape.data },
        'text/plain': { schema: z.string() },
      },
    },
    default: { description: 'Anything else: asked again, up to seven times within an hour.' },
  } as unknown as RouteConfig['responses'])
}
