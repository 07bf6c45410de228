import type { ErrorEnvelope } from './generated.ts'

/** What the service answered instead of data. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status */
  readonly status: number
  /** stable; `unknown` where the answer came from something in between */
  readonly code: ErrorEnvelope['error']['code'] | 'unknown'
  /** finds the call in the service's log */
  readonly requestId: string | null
  /** seconds to wait */
  readonly retryAfter: number | null
  /** where to subscribe */
  readonly upgradeUrl: string | null
  /** the parsed body: of a 402 with the offers of x402 version 1 */
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

/** A stream cannot go on where it was: messages are missing that are no longer kept, or the service's data was rebuilt. */
export class StreamGapError extends Error {
  override readonly name = 'StreamGapError'
  /** the gap */
  readonly gap: StreamGap

  constructor(gap: StreamGap) {
    super(
      `the stream does not go on after ${gap.after}: the service is at ${gap.seq} and keeps ${gap.oldestSeq} and newer`,
    )
    this.gap = gap
  }
}

/** Missing are `after` + 1 to `seq`; where `seq` is smaller the numbers have begun anew. */
export interface StreamGap {
  /** the last message that was received */
  readonly after: number
  /** the newest there is; the stream can go on after it */
  readonly seq: number
  readonly oldestSeq: number
}
