import { createOperations } from '@ti/core/query/operations.ts'
import type { Query } from '@ti/core/query/query.ts'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import type { Keys } from '../../access/keys.ts'
import type { ClientAddress } from '../../access/rate-limits/client-address.ts'
import type { Windows } from '../../access/rate-limits/windows.ts'
import type { Cashier, PaymentsStatus } from '../../access/x402/types.ts'
import type { Logger } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { sendError } from '../answer.ts'
import { createAnswering, type Serve } from '../answering.ts'
import { createRouter, type PageRoutes, type Route } from '../router.ts'
import type { AccountsStatus, ServiceStatus } from '../status.ts'
import { type AccountOptions, createAccountRoutes } from './account.ts'
import { createDataRoutes, type PageReads } from './data.ts'
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

interface HttpFaceOptions {
  readonly query: Query
  readonly keys: Keys
  /** how much they are used; left out: nobody counts */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  /** null: calls are not paid for one by one */
  readonly cashier: Cashier | null
  /** reads of the service's own page; null: there are none */
  readonly page?: PageReads | null
  /** the page itself */
  readonly web?: PageRoutes | null
  /** what the routes of the account need besides; null: there are none */
  readonly account?: AccountServices | null
  /** what other faces answer */
  readonly routes?: readonly Route[]
  /** streams of EVENTS_PATH; null: there are none */
  readonly follow?: Follow | null
  readonly status: () => ServiceStatus
  /** shown in the readiness; nothing of it makes the service less ready */
  readonly accountsStatus?: () => AccountsStatus
  readonly logger: Logger
  readonly metrics: Metrics
  /** counts answers; given where what is mounted beside counts in it too */
  readonly traffic?: Traffic
  readonly publicUrl: string
  /** JSON text of the OpenAPI document */
  readonly openApi: string
  readonly validateResponses?: boolean
  /** the process' own, which others had before and will have after it; left out: one of its own */
  readonly listener?: Listener
}

export type HttpFace = Omit<ListeningFace, 'show'>

/** The table of routes behind a gate: the operations, the account, the service's own pages, and what is served beside. */
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

/** Rows that answer some requests of a path come before the row that answers the others. */
function tableOf(options: HttpFaceOptions, traffic: Traffic, newRequestId: () => string): readonly Route[] {
  const { query, logger, publicUrl, validateResponses = false, accountsStatus = () => null } = options
  const { keyUse, cashier, account = null, page = null, web = null } = options
  const shared = { ...options, keyUse, page, traffic, newRequestId, validateResponses }
  const answering = (operation: string) =>
    createAnswering({ newRequestId, logger, record: traffic.operation(operation), sendError })
  const payments = () => cashier?.status() ?? NO_PAYMENTS
  const paths = createServicePaths({ ...options, accountsStatus, payments })
  const read =
    (answer: ReturnType<typeof createAnswering>) =>
    ([path, serve]: readonly [string, Serve]): Route => ({ method: 'GET', path, handle: answer(serve) })
  const stream = options.follow == null ? null : createEvents({ follow: options.follow, publicUrl })
  return [
    ...(stream === null ? [] : [read(answering('stream'))([EVENTS_PATH, stream])]),
    ...createDataRoutes(createOperations(query), shared),
    ...(options.routes ?? []),
    ...(web?.routes ?? []),
    ...(account === null ? [] : createAccountRoutes({ ...account, ...shared })),
    ...Object.entries(paths).map(read(answering('service'))),
  ]
}

const NO_PAYMENTS: PaymentsStatus = { mode: 'off', ready: false, reason: 'calls need a key', open: 0 }
