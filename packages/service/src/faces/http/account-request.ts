import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { REFUSALS, type RefusalReason } from '@ti/core/contract/refusals.ts'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import type { z } from 'zod'
import type { KeyCheck } from '../../access/keys.ts'
import type { OwnOrigin } from '../../access/page-origin.ts'
import { ACCOUNTS_AWAY, ACCOUNTS_RETRY_S, ACCOUNTS_UNREADABLE, KEY_REFUSALS } from '../../access/refusals.ts'
import { DatabaseAway } from '../../access/sql/away.ts'
import { isShortage, shortageWords } from '../../base/shortage.ts'
import { readBody } from '../body.ts'
import type { ErrorDetails } from '../error-body.ts'

/** bytes of a body sent to the account pages or the administration socket: a name may take 12 bytes a character */
export const ACCOUNT_BODY_BYTES = 2_048

/** Rejects a request with an error of the contract. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: ErrorStatus
  readonly details: ErrorDetails

  constructor(reason: RefusalReason, message: string, details: ErrorDetails = {}) {
    super(message)
    this.status = REFUSALS[reason].status
    this.details = { reason, ...details }
  }
}

/** A request to the account API in progress. */
export interface AccountRequest {
  readonly request: IncomingMessage
  readonly requestId: string
  /** parameters of the path */
  readonly args: readonly string[]
  readonly search: string
  /** headers of the answer: name, value, name, value */
  readonly headers: string[]
  /** the parsed JSON; undefined: none was sent */
  body: unknown
}

type AccountHandler = (asked: AccountRequest) => object | Promise<object>

/** Adds a path with its handlers by method. */
export type AddPath = (
  path: string,
  handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', AccountHandler>>,
) => void

export const idOf = ({ args }: AccountRequest): string => args[0]!

/** The refusal of a key, in the same words as the data API uses. */
export const keyRefusal = (reason: Exclude<KeyCheck, { ok: true }>['reason'], upgrade_url: string): Refusal =>
  reason === 'unreadable'
    ? new Refusal('unavailable', ACCOUNTS_UNREADABLE, { retry_after: ACCOUNTS_RETRY_S })
    : new Refusal('key_refused', KEY_REFUSALS[reason], { upgrade_url })

/** The refusal in an error; null: the fault is ours. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (isShortage(error)) {
    return new Refusal('unavailable', `accounts are not available: ${shortageWords(error)}`, {
      retry_after: ACCOUNTS_RETRY_S,
    })
  }
  if (error instanceof DatabaseAway) return new Refusal('unavailable', ACCOUNTS_AWAY, { retry_after: ACCOUNTS_RETRY_S })
  return null
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const JSON_TYPE = /^application\/json *(;|$)/i

/**
 * The Host has to be the service's own, because a domain that somebody points at this address would sign people in under its
 * name. The cookie is SameSite=Strict already. In addition, a page of another origin cannot send this content type without a
 * preflight, which fails, and cannot hide its origin.
 */
export function checkOrigin(
  { request: { method, headers } }: AccountRequest,
  { origin: own, isHost }: Pick<OwnOrigin, 'origin' | 'isHost'>,
): void {
  if (!isHost(headers.host)) {
    throw new Refusal('foreign_origin', `accounts are at ${own} only: send your request there`, { origin: own })
  }
  if (method === 'GET' || method === 'HEAD') return
  const { origin, 'content-type': type = '' } = headers
  if (origin !== undefined && origin !== own) {
    throw new Refusal('foreign_origin', `only pages of ${own} may ask for this`, { origin: own })
  }
  // a DELETE of another origin fails its preflight too
  if (method === 'DELETE' && !hasBody(headers)) return
  if (!JSON_TYPE.test(type)) throw new Refusal('invalid_request', 'send `content-type: application/json`')
}

const BODY = { bodyBytes: ACCOUNT_BODY_BYTES, drainBytes: ACCOUNT_BODY_BYTES }

/** Reads the body of a request that may have one. After an unreadable body the connection closes: more may be coming. */
export async function readJson(asked: AccountRequest): Promise<void> {
  const { request, headers } = asked
  if (request.method === 'GET' || request.method === 'HEAD') return
  const type = request.headers['content-type']
  if (type === undefined && !hasBody(request.headers)) return
  if (!JSON_TYPE.test(type ?? '')) throw new Refusal('invalid_request', 'malformed request')
  const body = await readBody(request, BODY)
  if (body.kind === 'whole' && body.text === '') return
  try {
    if (body.kind === 'whole') asked.body = JSON.parse(body.text)
  } catch {
    headers.push('connection', 'close')
    throw new Refusal('invalid_request', 'the body is not JSON')
  }
  if (body.kind === 'whole') return
  headers.push('connection', 'close')
  if (body.kind === 'large') throw new Refusal('too_large', `the body is larger than ${ACCOUNT_BODY_BYTES} bytes`)
  throw new Refusal(
    'invalid_request',
    body.kind === 'late' ? 'the request body did not arrive in time' : 'malformed request',
  )
}

/** Parses the request's body with a schema, or throws a Refusal that names the first problem. */
export function read<T>(schema: z.ZodType<T>, { body }: AccountRequest): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Refusal('invalid_request', path.length === 0 ? `the body: ${message}` : `${path.join('.')}: ${message}`)
}
