import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ACCOUNT_ENDPOINTS, AccountOperation } from '@ti/core/contract/account-endpoints.ts'
import { REFUSALS, type RefusalReason } from '@ti/core/contract/refusals.ts'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import type { z } from 'zod'
import type { KeyCheck } from '../../access/keys.ts'
import type { OwnOrigin } from '../../access/page-origin.ts'
import { ACCOUNTS_AWAY, ACCOUNTS_RETRY_S, ACCOUNTS_UNREADABLE, KEY_REFUSALS } from '../../access/refusals.ts'
import { DatabaseAway } from '../../access/sql/away.ts'
import type { AccountRow } from '../../access/sql/schema.ts'
import type { Member } from '../../alerts/watch-json.ts'
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
}

type Rows = typeof ACCOUNT_ENDPOINTS
/** What a schema of an operation's row makes of a request. */
type Read<Id extends AccountOperation, Part extends string> =
  Rows[Id] extends Readonly<Record<Part, z.ZodType<infer T>>> ? T : undefined

/** The request of an operation, checked. */
export interface Asked<Id extends AccountOperation> extends AccountRequest {
  readonly body: Read<Id, 'body'>
  readonly query: Read<Id, 'query'>
}

/** Who asks for an operation. */
type Caller<Id extends AccountOperation> = { anyone: null; session: AccountRow; key: Member }[Rows[Id]['access']]

/** Adds the handler of an operation. */
export type AddOperation = <Id extends AccountOperation>(
  id: Id,
  handle: (asked: Asked<Id>, caller: Caller<Id>) => Promise<Read<Id, 'answer'>>,
) => void

export const DELETED = { deleted: true } as const

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
  // of another origin, a DELETE and a key in a header fail their preflight too
  if ((method === 'DELETE' || headers.authorization !== undefined) && !hasBody(headers)) return
  if (!JSON_TYPE.test(type)) throw new Refusal('invalid_request', 'send `content-type: application/json`')
}

const BODY = { bodyBytes: ACCOUNT_BODY_BYTES, drainBytes: ACCOUNT_BODY_BYTES }

/** Returns the JSON that was sent; undefined: none. After an unreadable body the connection closes: more may be coming. */
export async function readJson(asked: AccountRequest): Promise<unknown> {
  const { request, headers } = asked
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const type = request.headers['content-type']
  if (type === undefined && !hasBody(request.headers)) return undefined
  if (!JSON_TYPE.test(type ?? '')) throw new Refusal('invalid_request', 'malformed request')
  const body = await readBody(request, BODY)
  if (body.kind === 'whole' && body.text === '') return undefined
  try {
    if (body.kind === 'whole') return JSON.parse(body.text) as unknown
  } catch {
    headers.push('connection', 'close')
    throw new Refusal('invalid_request', 'the body is not JSON')
  }
  headers.push('connection', 'close')
  if (body.kind === 'large') throw new Refusal('too_large', `the body is larger than ${ACCOUNT_BODY_BYTES} bytes`)
  throw new Refusal(
    'invalid_request',
    body.kind === 'late' ? 'the request body did not arrive in time' : 'malformed request',
  )
}

/** Parses a body or a query with a schema, or throws a Refusal that names the first problem. */
export function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Refusal('invalid_request', path.length === 0 ? `the body: ${message}` : `${path.join('.')}: ${message}`)
}

/** The value, or a 404 that says what is missing. */
export function found<T>(value: T | null, message: string): T {
  if (value === null) throw new Refusal('not_found', message)
  return value
}

/** The outcome, or a 400 with its message. */
export function accepted<T extends { readonly ok: true }>(
  outcome: T | { readonly ok: false; readonly message: string },
): T {
  if (!outcome.ok) throw new Refusal('invalid_request', outcome.message)
  return outcome as T
}
