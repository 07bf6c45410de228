import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyCheck } from '../../access/keys.ts'
import { ACCOUNTS_AWAY, ACCOUNTS_RETRY_S, ACCOUNTS_UNREADABLE, KEY_REFUSALS } from '../../access/refusals.ts'
import { DatabaseAway } from '../../access/sql/away.ts'
import { isShortage, shortageWords } from '../../base/shortage.ts'
import { LIMITS } from '../../config/limits.ts'
import type { ErrorDetails } from '../error-body.ts'
import type { AccountRoutes } from './account.ts'

/** A request that is answered with an error of the contract. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: ErrorStatus
  readonly details: ErrorDetails

  constructor(status: ErrorStatus, message: string, details: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** Why a key opens nothing, in the words of the data's answers. */
export const keyRefusal = (reason: Exclude<KeyCheck, { ok: true }>['reason'], upgrade_url: string): Refusal =>
  reason === 'unreadable'
    ? new Refusal(503, ACCOUNTS_UNREADABLE, { retry_after: ACCOUNTS_RETRY_S })
    : new Refusal(402, KEY_REFUSALS[reason], { upgrade_url })

/** The refusal in an error, also where the framework found the body wanting; null: the fault is ours. */
export function refusalOf(error: Error & { readonly statusCode?: number }): Refusal | null {
  if (error instanceof Refusal) return error
  if (isShortage(error)) {
    return new Refusal(503, `accounts are not available: ${shortageWords(error)}`, { retry_after: ACCOUNTS_RETRY_S })
  }
  if (error instanceof DatabaseAway) {
    return new Refusal(503, ACCOUNTS_AWAY, { retry_after: ACCOUNTS_RETRY_S })
  }
  const { statusCode } = error
  if (statusCode === 413) return new Refusal(413, `the body is larger than ${LIMITS.accountBodyBytes} bytes`)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal(400, 'malformed request')
  return null
}

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What stands before every handler. */
export function accountGuards(
  routes: Pick<AccountRoutes, 'windows' | 'clientAddress' | 'publicUrl'>,
): Record<'rateLimit' | 'sameOrigin', Guard> {
  const { windows, clientAddress, publicUrl } = routes
  const { origin: own } = new URL(publicUrl)

  return {
    async rateLimit(request, reply) {
      // of its own, so that calls of the interface do not keep an owner from signing out or revoking a key
      const window = await windows.take(`account:${clientAddress(request.raw)}`, LIMITS.rateAccount)
      reply.headers({
        'x-ratelimit-limit': String(window.limit),
        'x-ratelimit-remaining': String(window.remaining),
        'x-ratelimit-reset': String(window.resetS),
      })
      if (window.allowed) return
      reply.header('retry-after', String(window.resetS))
      throw new Refusal(429, 'too many requests from this address', { retry_after: window.resetS })
    },

    /**
     * The cookie is SameSite=Strict already. A page of another origin can neither send this content type without a
     * preflight, which it does not pass, nor hide its origin.
     */
    async sameOrigin(request) {
      const { method, headers } = request
      if (method === 'GET' || method === 'HEAD') return
      const { origin, 'content-type': type = '' } = headers
      if (origin !== undefined && origin !== own) throw new Refusal(400, `only pages of ${own} may ask for this`)
      // another origin's DELETE passes no preflight either
      if (method === 'DELETE' && !hasBody(headers)) return
      if (!/^application\/json *(;|$)/i.test(type)) throw new Refusal(400, 'send `content-type: application/json`')
    },
  }
}
