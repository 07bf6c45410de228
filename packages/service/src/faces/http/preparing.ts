import type { ServerResponse } from 'node:http'
import { duration, pct } from '@ti/core/base/format.ts'
import { latin1 } from '@ti/core/query/envelope.ts'
import { NOT_READY_RETRY_S } from '../../access/refusals.ts'
import type { Metrics } from '../../base/metrics.ts'
import { send, sendError, sendJson } from '../answer.ts'
import { troublesJson } from '../status.ts'
import { createPlainFace, type Listener, type ListeningFace } from './listener.ts'
import { sendMetrics } from './monitoring.ts'
import { createRequestIds } from './request-id.ts'
import { EVENTS_PATH, sendLater } from './stream-route.ts'

/** The progress of the work that precedes the first answer. */
export interface Preparing {
  readonly what: string
  /** 0 to 1; null: it has no measure */
  readonly share: number | null
  /** seconds; null: not known yet */
  readonly leftS: number | null
}

interface PreparingFaceOptions {
  /** left out: a listener of its own */
  readonly listener?: Listener
  /** on the operator's port: /metrics, and /readyz with its details */
  readonly metrics?: Metrics
}

/**
 * Answers while the log or the state is prepared: /healthz as usual, /readyz, a page with the progress for browsers, and 503
 * on every other path.
 */
export function createPreparingFace(
  preparing: () => Preparing,
  { listener, metrics }: PreparingFaceOptions = {},
): ListeningFace {
  const newRequestId = createRequestIds()
  const retry = ['retry-after', String(NOT_READY_RETRY_S)]
  const answer = (path: string, accept: string, response: ServerResponse): unknown => {
    const id = newRequestId()
    const now = preparing()
    if (path === '/healthz') return sendJson(response, 200, id, { status: 'ok' })
    if (path === '/readyz') {
      return sendJson(response, 503, id, { ready: false, ...(metrics ? detailsOf(now) : {}) }, retry)
    }
    if (path === '/metrics' && metrics !== undefined) return sendMetrics(response, id, metrics)
    if (accept.includes('text/html')) {
      return send(response, 503, id, 'text/html; charset=utf-8', latin1(Buffer.from(pageOf(now))), [...retry, ...PAGE])
    }
    if (path === EVENTS_PATH)
      return sendLater(response, 503, `the service is not ready: ${inWords(now)}`, id, NOT_READY_RETRY_S)
    sendError(response, 503, `the service is not ready: ${inWords(now)}`, id, retry)
  }
  return createPlainFace(
    (request, response) => {
      answer((request.url ?? '').split('?', 1)[0]!, request.headers.accept ?? '', response)
    },
    newRequestId,
    listener ?? null,
  )
}

function detailsOf(now: Preparing): object {
  const { what, share, leftS } = now
  const progress = share !== null && { progress: { share: Math.round(share * 1_000) / 1_000, seconds_left: leftS } }
  return { starting: true, reason: inWords(now), what, ...progress, ...troublesJson() }
}

export function inWords({ what, share, leftS }: Preparing): string {
  if (share === null) return what
  const done = pct(Math.floor(share * 100))
  return leftS === null ? `${what}: ${done}` : `${what}: ${done}, about ${duration(leftS)} left`
}

const PAGE = ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'", 'refresh', '2']

const pageOf = (now: Preparing): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Token Intelligence is starting</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 34rem; margin: 20vh auto 0; padding: 0 1rem }
  h1 { font-size: 1.25rem }
  progress { width: 100%; height: 0.75rem }
</style>
<h1>Token Intelligence is starting</h1>
<progress max="1"${now.share === null ? '' : ` value="${now.share.toFixed(3)}"`}></progress>
<p>${inWords(now)}. Nothing is lost; this page reloads by itself.</p>
</html>
`
