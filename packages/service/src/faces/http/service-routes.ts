import { ALL_ENDPOINTS, methodOf } from '@ti/core/contract/endpoints.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'
import { JSON_TYPE, sendJson } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { textDocument } from './document.ts'
import { createHealthPaths } from './monitoring.ts'
import { createReference } from './reference.ts'
import { robots, securityText } from './site-files.ts'
import { EVENTS_PATH } from './stream-route.ts'

interface ServiceRoutes {
  readonly isReady: () => boolean
  /** null: there is no security.txt */
  readonly contact: string | null
  readonly payments: PaymentsStatus
  /** JSON text of the OpenAPI document */
  readonly openApi: string
  /** the service's URL in its texts, without a trailing slash */
  readonly publicUrl: string
}

const INDEX = {
  name: 'Token Intelligence API',
  links: {
    reference: '/docs',
    guide: '/docs/agents.md',
    overview: '/llms.txt',
    openapi: '/openapi.json',
    health: '/healthz',
    readiness: '/readyz',
    account: '/account',
    mcp: '/mcp',
    x402: '/.well-known/x402',
    registry: '/server.json',
  },
  operations: [...ALL_ENDPOINTS.map((endpoint) => `${methodOf(endpoint)} ${endpoint.path}`), `GET ${EVENTS_PATH}`],
}

/** Paths for balancers and developers: open to everyone, and not part of the versioned API. */
export const createServicePaths = (options: ServiceRoutes): Readonly<Record<string, Serve>> => ({
  // browsers get the page at the same address
  '/': (_request, response, requestId) => sendJson(response, 200, requestId, INDEX, ['vary', 'Accept']),
  ...createHealthPaths(options.isReady),
  '/openapi.json': textDocument(JSON_TYPE, options.openApi),
  ...createReference(options.publicUrl, options.payments),
  '/robots.txt': robots,
  ...(options.contact === null
    ? {}
    : { '/.well-known/security.txt': securityText(options.contact, options.publicUrl) }),
})
