import { ALL_ENDPOINTS, methodOf } from '@ti/core/contract/endpoints.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE, sendJson } from './answer.ts'
import { textDocument } from './document.ts'
import type { Traffic } from './metrics.ts'
import { createMonitoring, type MonitoringOptions } from './monitoring.ts'
import { createReference, REFERENCE_PATHS } from './reference.ts'
import { EVENTS_PATH } from './stream-route.ts'

interface ServiceRoutes extends MonitoringOptions {
  readonly traffic: Traffic
  /** JSON text of the OpenAPI document */
  readonly openApi: string
  /** how the service calls itself in its texts, without a trailing slash */
  readonly publicUrl: string
}

/** What a monitor, a scraper or a curious person asks; open to everyone, not part of the versioned interface. */
export const SERVICE_PATHS = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', ...REFERENCE_PATHS] as const

const INDEX = {
  name: 'Token Intelligence API',
  links: {
    reference: '/docs',
    guide: '/docs/agents.md',
    overview: '/llms.txt',
    openapi: '/openapi.json',
    health: '/healthz',
    readiness: '/readyz',
    metrics: '/metrics',
    account: '/account',
    mcp: '/mcp',
    x402: '/.well-known/x402',
    registry: '/server.json',
  },
  operations: [...ALL_ENDPOINTS.map((endpoint) => `${methodOf(endpoint)} ${endpoint.path}`), `GET ${EVENTS_PATH}`],
}

export function addServiceRoutes(app: FastifyInstance, routes: ServiceRoutes): void {
  const { traffic, openApi, publicUrl } = routes
  const record = traffic.operation('service')

  type Serve = (request: FastifyRequest, reply: FastifyReply) => number | Promise<number>

  function route(url: string, serve: Serve): void {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const start = performance.now()
        record(await serve(request, reply), performance.now() - start)
        return reply
      },
    })
  }

  route('/', (request, reply) => {
    // a browser gets the page under the same address
    sendJson(reply.hijack().raw, 200, request.id, INDEX, ['vary', 'Accept'])
    return 200
  })
  const documents = { '/openapi.json': textDocument(JSON_TYPE, openApi), ...createReference(publicUrl) }
  const monitoring = createMonitoring(routes)
  // taken over only once written: until then a failure still becomes a 500
  for (const [url, answer] of Object.entries(monitoring)) {
    route(url, async (request, reply) => {
      const code = await answer(reply.raw, request.id)
      reply.hijack()
      return code
    })
  }
  for (const [url, document] of Object.entries(documents)) {
    route(url, async (request, reply) => {
      const code = await document(request.raw, reply.raw, request.id)
      reply.hijack()
      return code
    })
  }
}
