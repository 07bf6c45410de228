import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { AlertEvent } from './account.ts'
import { ErrorEnvelope } from './envelope.ts'
import { FILTER_BOUNDS } from './filter.ts'
import { tally } from './scalars.ts'
import { Frame, TOPIC_NAMES, TokenEvent, VerdictChanged } from './streams.ts'

/** The part of the OpenAPI document on streams. The same topics come over a WebSocket (docs/streams.md). */

const Joined = z
  .object({
    topic: z.string(),
    seq: tally().describe('the newest message; live ones begin after it'),
    oldest_seq: tally().describe('the first message that a resume can reach'),
    resumed: z.boolean().describe('everything after `after_seq` follows'),
  })
  .meta({ id: 'StreamJoined', description: 'Data of the event `joined`, the first of a stream.' })

const Ended = z
  .object({ reason: z.enum(['restart', 'lost', 'dismissed']) })
  .meta({ id: 'StreamEnded', description: 'Data of the event `end`, the last of a stream that the service ends.' })

const QUERY = z.object({
  topic: z
    .string()
    .describe(
      `${TOPIC_NAMES}: \`alerts:mine\` has the alerts of the key’s account, \`token:MINT\` the events of one token`,
    ),
  filter: z
    .string()
    .max(FILTER_BOUNDS.length)
    .optional()
    .describe('only messages that match, as `colour == "green"`; the fields of each topic are in the guide on alerts'),
  after_seq: tally().optional().describe('everything after it comes first'),
  api_key: z.string().optional().describe('a stream token, where no header can be sent'),
})

const HEADERS = z.object({ 'Last-Event-ID': z.string().optional().describe('as `after_seq`, and stronger') })

/** Data of the events of a stream. The document refers to them by name. */
export const STREAMED = [TokenEvent, Frame, VerdictChanged, AlertEvent, Joined, Ended]
const STREAM_SCHEMAS = STREAMED.map((schema) => schema.meta()!.id)

const REFUSED = {
  400: 'A topic, filter or position is malformed.',
  402: 'No valid key or stream token was sent.',
  414: 'The URL is too long.',
  429: 'Too many streams are open, or the free plan’s time is used up. For a client that accepts an event stream: a 200 with the event `refused`.',
  503: 'The service is full or stops. Likewise a 200 for a client that accepts an event stream.',
}

export function registerStream(registry: OpenAPIRegistry): void {
  const refused = Object.entries(REFUSED).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: ErrorEnvelope } } },
  ])
  registry.registerPath({
    method: 'get',
    path: '/v1/stream',
    operationId: 'stream',
    summary: 'A topic as server-sent events',
    description:
      'One event a message: `token_event`, `frame`, `verdict_changed` or `alert`, with its `seq` as id. The schema is that of the data of each event.',
    tags: ['streams'],
    security: [{ bearer: [] }, { stream_token: [] }],
    request: { query: QUERY, headers: HEADERS },
    responses: {
      200: {
        description: 'The stream, until the client leaves',
        content: {
          'text/event-stream': {
            schema: { anyOf: STREAM_SCHEMAS.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
          },
        },
      },
      ...Object.fromEntries(refused),
    },
  })
}
