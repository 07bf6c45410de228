import { ApiError } from './errors.ts'
import { backoffMs, pause } from './pause.ts'

/** The settings of calls. Every field has a default. */
export interface CallSettings {
  /** The address of the service. */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly fetch: typeof fetch
  /** The number of retries after a busy answer, a lost connection or a timeout. */
  readonly retries: number
  /** The longest wait for an answer, in milliseconds. */
  readonly timeoutMs: number
  /** The longest wait before a retry, in milliseconds. If the service asks for a longer one, the call fails. */
  readonly maxWaitMs: number
  /** Called with every answer. Its headers contain the rate limits and the receipt of a payment. */
  readonly onResponse: (response: Response) => void
}

export interface Request {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly body?: object
  readonly signal?: AbortSignal
}

/** Returns the parsed body of a 200. Fails with an ApiError, or with the error of `fetch`. */
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
    const late = AbortSignal.timeout(settings.timeoutMs)
    const response = await settings.fetch(settings.baseUrl + path, {
      method,
      headers: { ...bearer(settings.apiKey), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    })
    settings.onResponse(response)
    // not response.json(): an empty body is null to Bun's
    const parsed: unknown = await response
      .text()
      .then(JSON.parse)
      .catch((error: unknown) => {
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

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Returns milliseconds, or null if a retry would not help. */
function waitBefore(error: unknown, attempt: number, { maxWaitMs }: CallSettings): number | null {
  // A TypeError from fetch means the connection failed; this code throws none itself.
  if (error instanceof TypeError || isTimeout(error)) return backoffMs(attempt, maxWaitMs)
  if (!(error instanceof ApiError) || ![429, 502, 503, 504].includes(error.status)) return null
  if (error.retryAfter === null) return backoffMs(attempt, maxWaitMs)
  return error.retryAfter * 1000 <= maxWaitMs ? error.retryAfter * 1000 : null
}
