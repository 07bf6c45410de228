import type { ErrorEnvelope } from './generated.ts'

/** An answer of the service other than 200. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status */
  readonly status: number
  /** Stable. `unknown` if the answer came from a proxy in between. */
  readonly code: ErrorEnvelope['error']['code'] | 'unknown'
  /** The request's id in the service's log. */
  readonly requestId: string | null
  /** Seconds to wait. */
  readonly retryAfter: number | null
  /** The page to subscribe on. */
  readonly upgradeUrl: string | null
  /** The parsed body. In a 402 it contains the offers of x402 version 1. */
  readonly body: unknown

  constructor(status: number, headers: Pick<Headers, 'get'>, body: unknown) {
    const error = (body as Partial<ErrorEnvelope> | null)?.error
    super(`${status}: ${error?.message ?? 'no explanation'}`)
    this.status = status
    this.code = error?.code ?? 'unknown'
    this.requestId = error?.request_id ?? headers.get('x-request-id')
    this.retryAfter = secondsIn(headers.get('retry-after')) ?? error?.retry_after ?? null
    this.upgradeUrl = error?.upgrade_url ?? null
    this.body = body
  }
}

const secondsIn = (header: string | null): number | null =>
  header !== null && /^\d+$/.test(header) ? Number(header) : null

/**
 * The stream cannot continue from its last message: messages in between are no longer kept, or the service's data was rebuilt.
 */
export class StreamGapError extends Error {
  override readonly name = 'StreamGapError'
  readonly gap: StreamGap

  constructor(gap: StreamGap) {
    super(
      `the stream does not go on after ${gap.after}: the service is at ${gap.seq} and keeps ${gap.oldestSeq} and newer`,
    )
    this.gap = gap
  }
}

/** The messages `after` + 1 to `seq` are missing. If `seq` is smaller than `after`, the numbers have started again. */
export interface StreamGap {
  /** The last message received. */
  readonly after: number
  /** The newest message. The stream can continue after it. */
  readonly seq: number
  readonly oldestSeq: number
}
