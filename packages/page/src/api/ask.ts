import type { RefusalReason } from '@ti/core/contract/refusals.ts'
import type { DevSummary, Page } from '@ti/core/contract/resources.ts'
import { noteBudget } from './budget.ts'
import { noteTime } from './clock.ts'

export interface AnswerMeta {
  readonly cached_at: string
  readonly request_id?: string
  readonly page?: Page
}

export interface AnswerError {
  /** a code of the service, or `network`, `aborted` or `unreadable` without a proper answer */
  readonly code: string
  readonly message: string
  /** seconds */
  readonly retry_after?: number
  /** of a refusal of the account or the session */
  readonly reason?: RefusalReason
  /** the service's own, with the reason `foreign_origin` */
  readonly origin?: string
}

export type Answer<T> =
  | { readonly ok: true; readonly data: T; readonly meta: AnswerMeta; readonly summary?: DevSummary }
  /** `status` 0: no connection */
  | { readonly ok: false; readonly status: number; readonly error: AnswerError }

/** milliseconds after which a request fails */
const TIMEOUT_MS = 20_000

export const failed = (status: number, code: string, message: string): Answer<never> => ({
  ok: false,
  status,
  error: { code, message },
})

/** Makes one request without waiting for a session. */
export async function ask<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Answer<T>> {
  const late = AbortSignal.timeout(TIMEOUT_MS)
  try {
    // the page's cookie is valid below /app only
    const response = await fetch(path.startsWith('/v1/') ? `/app${path}` : path, {
      method,
      // over plain HTTP to another machine, this header alone shows that the page makes the request
      headers: {
        accept: 'application/json',
        'x-page': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    })
    noteTime(response.headers)
    if (path.startsWith('/v1/')) noteBudget(response.headers)
    return await read<T>(response)
  } catch {
    if (signal?.aborted) return failed(0, 'aborted', 'No longer needed.')
    return failed(
      0,
      'network',
      late.aborted ? 'The service did not answer in time.' : 'The service could not be reached.',
    )
  }
}

async function read<T>(response: Response): Promise<Answer<T>> {
  if (response.status === 204) return { ok: true, data: null as T, meta: { cached_at: '' } }
  const body: unknown = await response.json().catch(() => null)
  if (body === null || typeof body !== 'object') {
    return failed(response.status, 'unreadable', `The service answered ${response.status} without an explanation.`)
  }
  if (response.ok && 'data' in body) {
    const { data, meta, summary } = body as { data: T; meta?: AnswerMeta; summary?: DevSummary }
    return { ok: true, data, meta: meta ?? { cached_at: '' }, ...(summary === undefined ? {} : { summary }) }
  }
  // account answers have no envelope
  if (response.ok) return { ok: true, data: body as T, meta: { cached_at: '' } }
  const { error } = body as { error?: Partial<AnswerError> }
  const seconds = error?.retry_after ?? Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    ok: false,
    status: response.status,
    error: {
      code: error?.code ?? 'unreadable',
      message: error?.message ?? `The service answered ${response.status}.`,
      ...(Number.isFinite(seconds) ? { retry_after: seconds } : {}),
      ...(error?.reason === undefined ? {} : { reason: error.reason }),
      ...(error?.origin === undefined ? {} : { origin: error.origin }),
    },
  }
}
