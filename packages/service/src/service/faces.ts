import { openApiText } from '@ti/core/contract/openapi.ts'
import { FORMULAS_VERSION } from '@ti/core/engine/constants.ts'
import type { Operation } from '@ti/core/query/operations.ts'
import type { Shared } from '../access/shared/shared.ts'
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
import { vitalsOf } from './page.ts'
import type { State } from './state.ts'

/** The parts that the faces of an answering node need. */
interface Served {
  readonly options: Options
  readonly operations: readonly Operation[]
  readonly access: Access & { readonly shared: Shared }
  readonly logger: Logger
  readonly metrics: Metrics
  readonly traffic: Traffic
  readonly status: () => ServiceStatus
  readonly listener: Listener
}

const sharedBy = ({ options, access, logger, metrics, status }: Served) => {
  const { publicUrl, validateResponses } = options
  return { ...access, status, logger, metrics, publicUrl, validateResponses }
}

export const createMcp = (served: Served): McpFace =>
  createMcpFace({
    ...sharedBy(served),
    operations: served.operations,
    watches: served.access.account.watches,
    newRequestId: createRequestIds(),
    record: served.traffic.operation('mcp'),
  })

export function createWeb(served: Served, files: WebFiles | null, state: State, live: LiveFace): WebFace {
  const { options, access, traffic } = served
  return createWebFace({
    ...sharedBy(served),
    files,
    access: access.page,
    query: state.app,
    previews: state.previews,
    vitals: vitalsOf(state.vitals, () => live.sockets),
    sandbox: options.payments.mode === 'sandbox',
    network: isLiveSource(options.source) ? 'mainnet' : null,
    newRequestId: createRequestIds(),
    record: traffic.operation('page'),
  })
}

/** `isDraining`: /readyz says that the service is not ready, though it answers. */
export function createHttp(
  served: Served,
  mcp: McpFace,
  live: LiveFace,
  web: WebFace,
  isDraining: () => boolean,
): HttpFace {
  return createHttpFace({
    ...sharedBy(served),
    operations: served.operations,
    isDraining,
    contact: served.options.contact,
    listener: served.listener,
    web,
    traffic: served.traffic,
    routes: [mcp.route, live.route],
    follow: live.follow,
    openApi: openApiText({ formulasVersion: FORMULAS_VERSION }),
  })
}
