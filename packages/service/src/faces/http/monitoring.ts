import { latin1 } from '@ti/core/query/envelope.ts'
import { NOT_READY_RETRY_S } from '../../access/refusals.ts'
import type { Shared } from '../../access/shared/shared.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'
import type { Metrics } from '../../base/metrics.ts'
import { send, sendError, sendJson } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { type AccountsStatus, readiness, type ServiceStatus } from '../status.ts'
import { createPlainFace, type Listener, type ListeningFace } from './listener.ts'
import { createRequestIds } from './request-id.ts'

export interface MonitoringOptions {
  readonly status: () => ServiceStatus
  readonly metrics: Metrics
  /** null: the node has no accounts */
  readonly accountsStatus: () => AccountsStatus | null
  readonly payments: () => PaymentsStatus | null
  /** null: the node answers no callers */
  readonly shared: Pick<Shared, 'usage'> | null
}

/** The monitoring paths of every node. */
export function createMonitoring(
  options: MonitoringOptions,
): Readonly<Record<'/healthz' | '/readyz' | '/metrics', Serve>> {
  const { status, metrics, accountsStatus, payments, shared } = options
  return {
    '/healthz': (_request, response, id) => sendJson(response, 200, id, { status: 'ok' }),
    '/readyz'(_request, response, id) {
      const now = status()
      const code = now.ready ? 200 : 503
      const extra = now.ready ? [] : ['retry-after', String(NOT_READY_RETRY_S)]
      return sendJson(response, code, id, readiness(now, accountsStatus(), payments(), shared?.usage() ?? null), extra)
    },
    async '/metrics'(_request, response, id) {
      return send(response, 200, id, metrics.contentType, latin1(Buffer.from(await metrics.text())))
    },
  }
}

type MonitoringFaceOptions = Pick<MonitoringOptions, 'status' | 'metrics'> & { readonly listener?: Listener }

/** The face of a node that serves only monitors, not readers. */
export function createMonitoringFace({ status, metrics, listener }: MonitoringFaceOptions): ListeningFace {
  const newRequestId = createRequestIds()
  const none = () => null
  const routes = new Map(
    Object.entries(createMonitoring({ status, metrics, accountsStatus: none, payments: none, shared: null })),
  )
  return createPlainFace(
    (request, response) => {
      const id = newRequestId()
      const answer = routes.get((request.url ?? '').split('?', 1)[0]!)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (answer === undefined || !isRead) return sendError(response, 404, NOT_HERE, id)
      void Promise.resolve(answer(request, response, id, [], '')).catch(() => response.destroy())
    },
    newRequestId,
    listener ?? null,
  )
}

const NOT_HERE = 'this node only writes its source into the log: ask a serving node'
