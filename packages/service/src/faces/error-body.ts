import type { RefusalReason } from '@ti/core/contract/refusals.ts'
import { type ErrorStatus, STATUS_CODE } from '@ti/core/contract/resources.ts'

export interface ErrorDetails {
  /** only below /account and for the page's session */
  readonly reason?: RefusalReason
  /** the service's own origin, with `foreign_origin` */
  readonly origin?: string
  readonly upgrade_url?: string
  readonly retry_after?: number
}

/** The error envelope of a status. The fields of `beside` go next to `error` (the offer of a 402). */
export function errorBody(
  status: ErrorStatus,
  message: string,
  requestId: string,
  details: ErrorDetails = {},
  beside: object = {},
): object {
  return { error: { code: STATUS_CODE[status], message, request_id: requestId, ...details }, ...beside }
}
