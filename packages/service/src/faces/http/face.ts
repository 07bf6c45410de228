import type { Operation } from '@ti/core/query/operations.ts'
import { createShared } from '../../access/shared/shared.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'
import type { Metrics } from '../../base/metrics.ts'
import { sendError } from '../answer.ts'
import { createAnswering, type Serve } from '../answering.ts'
import { createFreeDocuments } from '../free-documents.ts'
import { createRouter, type PageRoutes, type Route } from '../router.ts'
import { type AccountOptions, createAccountRoutes } from './account.ts'
import { createDataRoutes, type DataRoutes } from './data.ts'
import { createGate } from './gate.ts'
import { faceBehind, type Listener, type ListeningFace } from './listener.ts'
import { createTraffic, type Traffic } from './metrics.ts'
import { createRequestIds } from './request-id.ts'
import { createServicePaths } from './service-routes.ts'
import { createEvents, EVENTS_PATH, type Follow } from './stream-route.ts'

export type { AccountsStatus, LiveSource, ServiceStatus } from '../status.ts'

export type AccountServices = Pick<
  AccountOptions,
  'accounts' | 'signIn' | 'work' | 'subscriptions' | 'play' | 'now' | 'watches' | 'destinations'
>

type Own = 'shared' | 'page' | 'traffic' | 'validateResponses'

/** `shared` and `traffic` are passed in if other faces count in them too. */
interface HttpFaceOptions extends Omit<DataRoutes, Own | 'newRequestId'>, Partial<Pick<DataRoutes, Own>> {
  readonly operations: readonly Operation[]
  /** routes of the page itself */
  readonly web?: PageRoutes | null
  /** further services that the account routes need; null: there are no account routes */
  readonly account?: AccountServices | null
  /** routes of the other faces */
  readonly routes?: readonly Route[]
  /** opens the streams of EVENTS_PATH; null: there are none */
  readonly follow?: Follow | null
  /** answers go on, and /readyz says that the service is not ready; left out: never */
  readonly isDraining?: () => boolean
  /** for security.txt; null: there is none */
  readonly contact?: string | null
  readonly metrics: Metrics
  /** JSON text of the OpenAPI document */
  readonly openApi: string
  /** the listener of the process, shared with the faces before and after this one; left out: a listener of its own */
  readonly listener?: Listener
}

export type HttpFace = ListeningFace

/** The route table behind a gate: the operations, the account API, the service's own pages, and the other faces' routes. */
export function createHttpFace(options: HttpFaceOptions): HttpFace {
  const { metrics, web = null, traffic = createTraffic(metrics) } = options
  const newRequestId = createRequestIds()
  const recordOther = traffic.operation('other')
  const count = (code: number) => recordOther(code, 0)
  const find = createRouter(tableOf(options, traffic, newRequestId))
  const lost = web === null ? () => null : web.lost
  return faceBehind(options.listener ?? null, {
    handle: createGate({ find, lost, newRequestId, count }),
    upgradeOf(path) {
      const found = find(path)
      return found === null || found === 'malformed' ? undefined : found.rows.upgrade
    },
    newRequestId,
    count,
  })
}

/** If several rows share a path, the row with a `when` comes before the row for the remaining requests. */
function tableOf(options: HttpFaceOptions, traffic: Traffic, newRequestId: () => string): readonly Route[] {
  const { operations, logger, publicUrl, validateResponses = false } = options
  const { keyUse, cashier, account = null, page = null, web = null } = options
  const { shared = createShared() } = options
  const parts = { ...options, shared, keyUse, page, traffic, newRequestId, validateResponses }
  const free = createFreeDocuments({ ...parts, sendError })
  const answering = (operation: string) =>
    createAnswering({ newRequestId, logger, record: traffic.operation(operation), sendError })
  const { status, isDraining = () => false, contact = null } = options
  const isReady = () => status().ready && !isDraining()
  const paths = createServicePaths({ ...parts, isReady, contact, payments: cashier?.status() ?? NO_PAYMENTS })
  const read =
    (answer: ReturnType<typeof createAnswering>) =>
    ([path, serve]: readonly [string, Serve]): Route => ({ method: 'GET', path, handle: answer(serve) })
  const service = read(answering('service'))
  const stream = options.follow == null ? null : createEvents({ follow: options.follow, publicUrl })
  return [
    ...(stream === null ? [] : [read(answering('stream'))([EVENTS_PATH, stream])]),
    ...createDataRoutes(operations, parts),
    ...(options.routes ?? []),
    ...(web?.routes ?? []),
    ...(account === null ? [] : createAccountRoutes({ ...account, ...parts })),
    ...Object.entries(paths).map(([path, serve]) =>
      service([path, ALWAYS.has(path) ? serve : free(serve, UNITS[path])]),
    ),
  ]
}

/** balancers and monitors get through, whoever else shares their address; an answer costs as much as a refusal */
const ALWAYS: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
/** documents of more than 64 kB */
const UNITS: Readonly<Record<string, number>> = { '/docs/scalar.js': 55, '/openapi.json': 9 }

export const NO_PAYMENTS: PaymentsStatus = { mode: 'off', ready: false, reason: 'calls need a key', open: 0 }
