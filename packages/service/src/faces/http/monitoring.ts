import type { ServerResponse } from 'node:http'
import { latin1 } from '@ti/core/query/envelope.ts'
import { NOT_READY_RETRY_S } from '../../access/refusals.ts'
import type { Shared } from '../../access/shared/shared.ts'
import type { PaymentsStatus } from '../../access/x402/types.ts'
import type { Metrics } from '../../base/metrics.ts'
import { send, sendError, sendJson } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { isRead } from '../router.ts'
import { type AccountsStatus, readiness, type ServiceStatus } from '../status.ts'
import { createPlainFace, type Listener, type ListeningFace } from './listener.ts'
import { createRequestIds } from './request-id.ts'

const RETRY = ['retry-after', String(NOT_READY_RETRY_S)]

const healthz: Serve = (_request, response, id) => sendJson(response, 200, id, { status: 'ok' })

/** The paths for balancers and probes on the public port. They reveal nothing about the inside. */
export const createHealthPaths = (isReady: () => boolean): Readonly<Record<'/healthz' | '/readyz', Serve>> => ({
  '/healthz': healthz,
  '/readyz'(_request, response, id) {
    const ready = isReady()
    return ready ? sendJson(response, 200, id, { ready }) : sendJson(response, 503, id, { ready }, RETRY)
  },
})

export async function sendMetrics(response: ServerResponse, id: string, metrics: Metrics): Promise<number> {
  return send(response, 200, id, metrics.contentType, latin1(Buffer.from(await metrics.text())))
}

interface OperatorFaceOptions {
  readonly status: () => ServiceStatus
  readonly metrics: Metrics
  /** null: the node has no accounts, or takes no payments */
  readonly accountsStatus: () => AccountsStatus | null
  readonly payments: () => PaymentsStatus | null
  /** null: the node answers no callers */
  readonly shared: Pick<Shared, 'usage'> | null
  /** left out: a listener of its own */
  readonly listener?: Listener
}

/** The operator's port: liveness, readiness with its details, and the metrics. */
export function createOperatorFace(options: OperatorFaceOptions): ListeningFace {
  const { status, metrics, accountsStatus, payments, shared } = options
  const newRequestId = createRequestIds()
  const routes = new Map<string, Serve>([
    ['/healthz', healthz],
    [
      '/readyz',
      (_request, response, id) => {
        const now = status()
        const body = readiness(now, accountsStatus(), payments(), shared?.usage() ?? null)
        return sendJson(response, now.ready ? 200 : 503, id, body, now.ready ? [] : RETRY)
      },
    ],
    ['/metrics', (_request, response, id) => sendMetrics(response, id, metrics)],
  ])
  return createPlainFace(
    (request, response) => {
      const id = newRequestId()
      const answer = routes.get((request.url ?? '').split('?', 1)[0]!)
      // monitors send no Origin: a page of another origin in the operator's browser does, and shall read nothing
      if (answer === undefined || !isRead(request) || request.headers.origin !== undefined) {
        return sendError(response, 404, NOT_HERE, id)
      }
      void Promise.resolve(answer(request, response, id, [], '')).catch(() => response.destroy())
    },
    newRequestId,
    options.listener ?? null,
  )
}

const NOT_HERE = 'this is the port for monitors: /healthz, /readyz and /metrics'
