import { ApiError } from './errors.ts'
import { backoffMs, pause } from './pause.ts'

/** How calls are made; every field has a default. */
export interface CallSettings {
  /** address of the service */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly fetch: typeof fetch
  /** how often a call that met a shortage or a lost connection is repeated */
  readonly retries: number
  /** milliseconds that one repetition may wait; an answer that asks for more is an error */
  readonly maxWaitMs: number
  /** sees every answer: rate limits and receipts of payments stand in its headers */
  readonly onResponse: (response: Response) => void
}

export interface Request {
  readonly method: string
  /** with its query */
  readonly path: string
  readonly body?: object
  readonly signal?: AbortSignal
}

/** The parsed body of a 200. Fails with an ApiError, or with what `fetch` fails with. */
export async function call<T>(settings: CallSettings, request: Request): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const failed = await once<T>(settings, request)
    if ('answer' in failed) return failed.answer
    const { error } = failed
    const waitMs = waitBefore(error, attempt, settings)
    if (attempt >= settings.retries || waitMs === null || request.signal?.aborted) throw error
    await pause(waitMs, request.signal)
    request.signal?.throwIfAborted()
  }
}

async function once<T>(settings: CallSettings, { method, path, body, signal }: Request) {
  try {
    const response = await settings.fetch(settings.baseUrl + path, {
      method,
      headers: { ...bearer(settings.apiKey), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    settings.onResponse(response)
    const parsed: unknown = await response.json().catch((error: unknown) => {
      if (response.ok) throw error
      return null
    })
    if (response.ok) return { answer: parsed as T }
    return { error: new ApiError(response.status, response.headers, parsed) }
  } catch (error) {
    return { error }
  }
}

export const bearer = (apiKey: string | null): Record<string, string> =>
  apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }

/** Milliseconds; null: it would not help. */
function waitBefore(error: unknown, attempt: number, { maxWaitMs }: CallSettings): number | null {
  // fetch says that a connection failed by a TypeError, and nothing else by one of ours
  if (error instanceof TypeError) return backoffMs(attempt, maxWaitMs)
  if (!(error instanceof ApiError) || ![429, 502, 503, 504].includes(error.status)) return null
  if (error.retryAfter === null) return backoffMs(attempt, maxWaitMs)
  return error.retryAfter * 1000 <= maxWaitMs ? error.retryAfter * 1000 : null
}
