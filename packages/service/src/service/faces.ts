import { openApiText } from '@ti/core/contract/openapi.ts'
import { FORMULAS_VERSION } from '@ti/core/engine/constants.ts'
import { createAppQuery } from '@ti/core/query/app.ts'
import type { Cuts } from '@ti/core/query/cuts.ts'
import { createOperations } from '@ti/core/query/operations.ts'
import { createPreviews } from '@ti/core/query/previews.ts'
import type { Listings, Query } from '@ti/core/query/query.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Options } from '../config/options.ts'
import { isLiveSource } from '../config/options.ts'
import { createHttpFace, type HttpFace, type ServiceStatus } from '../faces/http/face.ts'
import type { Listener } from '../faces/http/listener.ts'
import type { Traffic } from '../faces/http/metrics.ts'
import { createRequestIds } from '../faces/http/request-id.ts'
import type { LiveFace } from '../faces/live/face.ts'
import { createMcpFace, type McpFace } from '../faces/mcp/face.ts'
import { createWebFace, type WebFace } from '../faces/web/face.ts'
import type { WebFiles } from '../faces/web/files.ts'
import type { Access } from './access.ts'
import type { Node } from './node.ts'
import { vitalsOf } from './page.ts'

/** The parts that the faces of an answering node need. */
interface Served {
  readonly options: Options
  readonly query: Query & Listings
  readonly access: Access
  readonly logger: Logger
  readonly metrics: Metrics
  readonly traffic: Traffic
  readonly status: () => ServiceStatus
  readonly listener: Listener
  /** one for all who read tokens: they hold the same event loop */
  readonly cuts: Cuts
}

const sharedBy = ({ options, access, logger, metrics, status }: Served) => {
  const { publicUrl, validateResponses } = options
  return { ...access, status, logger, metrics, publicUrl, validateResponses }
}

export const createMcp = (served: Served): McpFace =>
  createMcpFace({
    ...sharedBy(served),
    operations: createOperations(served.query),
    watches: served.access.account.watches,
    newRequestId: createRequestIds(),
    record: served.traffic.operation('mcp'),
  })

export function createWeb(served: Served, files: WebFiles | null, node: Node, live: LiveFace): WebFace {
  const { options, access, traffic } = served
  const { engine, store } = node
  return createWebFace({
    ...sharedBy(served),
    files,
    access: access.page,
    query: createAppQuery({
      engine,
      store,
      lists: served.query,
      now: Date.now,
      cuts: served.cuts,
    }),
    previews: createPreviews({ store, views: served.query.views, query: served.query }),
    vitals: vitalsOf(node, () => live.sockets),
    sandbox: options.payments.mode === 'sandbox',
    network: isLiveSource(options.source) ? 'mainnet' : null,
    newRequestId: createRequestIds(),
    record: traffic.operation('page'),
  })
}

export function createHttp(served: Served, mcp: McpFace, live: LiveFace, web: WebFace): HttpFace {
  return createHttpFace({
    ...sharedBy(served),
    query: served.query,
    listener: served.listener,
    web,
    traffic: served.traffic,
    routes: [mcp.route, live.route],
    follow: live.follow,
    openApi: openApiText({ formulasVersion: FORMULAS_VERSION }),
  })
}
