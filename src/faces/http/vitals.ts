import type { ServerResponse } from 'node:http'
import { NOT_READY_RETRY_S } from '../../access/refusals.ts'
import type { Metrics } from '../../base/metrics.ts'
import { latin1 } from '../../query/envelope.ts'
import { send, sendError, sendJson } from './answer.ts'
import type { AtDoor, Door } from './door.ts'
import { createPlainFace } from './plain.ts'
import { createRequestIds } from './request-id.ts'
import { readiness, type ServiceStatus } from './status.ts'

export interface VitalsFaceOptions {
  readonly status: () => ServiceStatus
  readonly metrics: Metrics
  readonly door?: Door
}

/** What a node that answers no readers says to monitors: /healthz, /readyz and /metrics, as the others say it. */
export function createVitalsFace({ status, metrics, door }: VitalsFaceOptions): AtDoor {
  const newRequestId = createRequestIds()
  const routes: Readonly<Record<string, (response: ServerResponse, id: string) => void | Promise<void>>> = {
    '/healthz': (response, id) => sendJson(response, 200, id, { status: 'ok' }),
    '/readyz'(response, id) {
      const now = status()
      const extra = now.ready ? [] : ['retry-after', String(NOT_READY_RETRY_S)]
      sendJson(response, now.ready ? 200 : 503, id, readiness(now, null, null), extra)
    },
    async '/metrics'(response, id) {
      send(response, 200, id, metrics.contentType, latin1(Buffer.from(await metrics.text())))
    },
  }
  return createPlainFace(
    (request, response) => {
      const id = newRequestId()
      const path = (request.url ?? '').split('?', 1)[0]!
      const route = Object.hasOwn(routes, path) ? routes[path] : undefined
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (route === undefined || !isRead) return sendError(response, 404, NOT_HERE, id)
      void Promise.resolve(route(response, id)).catch(() => response.destroy())
    },
    newRequestId,
    door ?? null,
  )
}

const NOT_HERE = 'this node only brings what its source gives into the log: ask one that serves'
