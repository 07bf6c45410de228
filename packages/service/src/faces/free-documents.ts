import type { ServerResponse } from 'node:http'
import type { ClientAddress } from '../access/rate-limits/client-address.ts'
import { type Refused, type Shared, visitorAt } from '../access/shared/shared.ts'
import type { Headers } from './answer.ts'
import type { Serve } from './answering.ts'
import type { ErrorDetails } from './error-body.ts'

type SendError = (
  response: ServerResponse,
  status: 429,
  message: string,
  requestId: string,
  extra: Headers,
  details: ErrorDetails,
) => number

/** Refuses something free because too much of it was asked for in this minute. */
export function sendTooMany(
  sendError: SendError,
  {
    response,
    requestId,
    what,
  }: { readonly response: ServerResponse; readonly requestId: string; readonly what: string },
  { full, retryAfterS }: Refused,
): number {
  const by = full === 'pool' ? '' : ` by this ${full}`
  const message = `too many ${what} were asked for${by} in this minute: try again in ${retryAfterS} s`
  return sendError(response, 429, message, requestId, ['retry-after', `${retryAfterS}`], { retry_after: retryAfterS })
}

interface FreeDocuments {
  readonly shared: Shared
  readonly clientAddress: ClientAddress
  readonly sendError: SendError
}

/** Wraps what everybody may read for nothing: all documents of one address share one window. `units`: 64 kB each */
export const createFreeDocuments =
  ({ shared, clientAddress, sendError }: FreeDocuments) =>
  (serve: Serve, units = 1): Serve =>
  (request, response, requestId, args, search) => {
    const taken = shared.take('documents', visitorAt(clientAddress(request)), units)
    if (taken.ok) return serve(request, response, requestId, args, search)
    return sendTooMany(sendError, { response, requestId, what: 'documents' }, taken)
  }
