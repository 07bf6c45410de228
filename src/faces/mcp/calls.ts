import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Windows } from '../../access/limits/windows.ts'
import {
  ACCOUNTS_RETRY_S,
  ACCOUNTS_UNREADABLE,
  countRefusedPayment,
  countTakenPayment,
  KEY_REFUSALS,
  NOT_READY_RETRY_S,
  notReadyMessage,
  ONLY_KEYS,
  type Readiness,
  tooManyRefused,
} from '../../access/refusals.ts'
import type { AnswerForm, Cashier, Outcome, Payment, PricedCall, Work } from '../../access/x402/types.ts'
import type { Logger } from '../../base/log.ts'
import { isShortage } from '../../base/shortage.ts'
import type { Answer } from '../../query/envelope.ts'
import { type Arguments, noArguments, type Operation } from '../../query/operations.ts'
import { packAnswer, unpackAnswer } from '../kept-answer.ts'
import type { Exchange } from './exchange.ts'
import { type Json, readSupplied } from './payment.ts'
import { apiError, dataResult, errorResult, offerResult, receiptMeta } from './results.ts'
import { argumentsOf } from './tools.ts'

export interface CallRoutes {
  readonly windows: Windows
  /** null: calls are not paid for, keys only */
  readonly cashier: Cashier | null
  readonly status: () => Readiness
  readonly logger: Logger
  readonly publicUrl: string
  /** check every answer against its schema before it is sent; for development */
  readonly validateResponses: boolean
  /** counts a call by its tool and what became of it */
  readonly count: (tool: string, outcome: CallOutcome) => void
}

export type CallOutcome =
  | 'pro'
  | 'free_key'
  | 'paid'
  | 'not_charged'
  | 'offered'
  | 'bad_request'
  | 'not_ready'
  | 'failed'
  | Exclude<Outcome<never>['kind'], 'paid' | 'free'>

const PAY =
  'Pay this call with x402 as offered here (in x_payment or _meta["x402/payment"]), or subscribe at upgrade_url and send `Authorization: Bearer <key>`.'
/** One tool call on its way. */
interface Call {
  readonly operation: Operation
  readonly args: Arguments
  readonly exchange: Exchange
}

export type RunTool = (operation: Operation, given: Json, exchange: Exchange) => Promise<CallToolResult>

/**
 * Answers tool calls. The order is the one of REST: malformed arguments, then a Pro key, a payment, a free key, the offer;
 * then readiness and the lookup. Never throws.
 */
export function createCalls(routes: CallRoutes): RunTool {
  const { windows, cashier, status, logger, publicUrl } = routes
  const upgrade_url = `${publicUrl}/account`

  const tally = ({ operation }: Call, outcome: CallOutcome): void => routes.count(operation.endpoint.tool!, outcome)

  function priced({ operation, args }: Call): PricedCall {
    const { id, tool, priceUnits, summary } = operation.endpoint
    const request = operation.request(args)
    return { operation: id, request, amount: priceUnits, resource: `mcp://tool/${tool}`, description: summary }
  }

  function badRequest(call: Call, message: string): CallToolResult {
    tally(call, 'bad_request')
    return errorResult(apiError('bad_request', message, call.exchange.requestId))
  }

  /** The offer, or where calls are not paid for, that a key is needed. */
  function paymentRequired(call: Call, message: string, meta: Json = {}): CallToolResult {
    const error = apiError('payment_required', message, call.exchange.requestId, { upgrade_url })
    return cashier === null ? errorResult(error, meta) : offerResult(cashier.quote(priced(call)), error, meta)
  }

  function notReady(call: Call, now: Readiness): CallToolResult {
    tally(call, 'not_ready')
    return unavailable(call, notReadyMessage(now), NOT_READY_RETRY_S)
  }

  const unavailable = (call: Call, message: string, retry_after: number, meta: Json = {}): CallToolResult =>
    errorResult(apiError('internal_error', message, call.exchange.requestId, { retry_after }), meta)

  /** null: not found */
  async function find({ operation, args, exchange }: Call): Promise<Answer | null> {
    const found = await operation.run(args, exchange.requestId)
    if (found !== null && routes.validateResponses) check(operation, found)
    return found
  }

  function resultOf({ operation, exchange }: Call, found: Answer | null, meta: Json = {}): CallToolResult {
    if (found !== null) return dataResult(found, meta)
    return errorResult(apiError('not_found', `${operation.endpoint.notFound}`, exchange.requestId))
  }

  async function withKey(call: Call, plan: 'pro' | 'free'): Promise<CallToolResult> {
    const now = status()
    if (!now.ready) return notReady(call, now)
    tally(call, plan === 'pro' ? 'pro' : 'free_key')
    return resultOf(call, await find(call))
  }

  /** A payment that failed counts as a call without one, and too many of them close the door to payments for a while. */
  async function refuse(call: Call, message: string, meta: Json = {}): Promise<CallToolResult> {
    const { exchange } = call
    const unpaid = await countRefusedPayment(windows, exchange.client.address)
    if (!unpaid.allowed) exchange.limited = unpaid
    tally(call, 'refused')
    return paymentRequired(call, message, meta)
  }

  function paid(call: Call, payment: Payment, outcome: Extract<Outcome<Answer | null>, { kind: 'paid' }>) {
    // nobody may be left to write the answer: then the payer fetches it with the same payment
    if (call.exchange.client.gone()) outcome.done(false, false)
    else call.exchange.delivered = outcome.done
    tally(call, 'paid')
    return resultOf(call, outcome.answer, receiptMeta(outcome.receipt, payment.version))
  }

  async function settleWith(call: Call, payment: Payment): Promise<CallToolResult> {
    const work = async (): Promise<Work<Answer | null>> => {
      const found = await find(call)
      return { answer: found, charge: found !== null && !found.empty }
    }
    const { client, requestId } = call.exchange
    const form: AnswerForm<Answer | null> = {
      pack: (answer) => (answer === null ? '' : packAnswer(answer, requestId)),
      unpack: (text) => unpackAnswer(text).found,
    }
    const outcome = await cashier!.pay(payment, priced(call), client, work, form)
    switch (outcome.kind) {
      case 'paid':
        await countTakenPayment(windows, client.address)
        return paid(call, payment, outcome)
      case 'free':
        tally(call, 'not_charged')
        return resultOf(call, outcome.answer)
      case 'refused':
        return refuse(call, outcome.message, receiptMeta(outcome.receipt, payment.version))
      case 'uncertain':
        tally(call, 'uncertain')
        return unavailable(call, outcome.message, outcome.retryAfterS, receiptMeta(outcome.receipt, payment.version))
      case 'unavailable':
        tally(call, 'unavailable')
        return unavailable(call, outcome.message, outcome.retryAfterS)
      case 'gone':
        tally(call, 'gone')
        return unavailable(call, 'nobody waited for the answer', 0)
    }
  }

  async function withPayment(call: Call, supplied: NonNullable<Exchange['payment']>): Promise<CallToolResult> {
    const now = status()
    if (!now.ready) return notReady(call, now)
    const { exchange } = call
    const closed = await tooManyRefused(windows, exchange.client.address)
    const read = readSupplied(supplied)
    const isKnown = closed !== null && read !== 'conflict' && read.ok && (await cashier!.isOfKnownPayer(read.payment))
    if (closed !== null && !isKnown) {
      exchange.limited = closed
      return refusedForNow(call)
    }
    if (read === 'conflict') return badRequest(call, CONFLICT)
    if (!read.ok) return refuse(call, `The payment was not taken: ${read.reason}. ${PAY}`)
    return settleWith(call, read.payment)
  }

  function refusedForNow(call: Call): CallToolResult {
    tally(call, 'refused')
    return paymentRequired(call, 'Too many payments from this address were refused.')
  }

  async function run(call: Call, problem: string | null): Promise<CallToolResult> {
    const { key, payment } = call.exchange
    if (problem !== null) return badRequest(call, problem)
    if (key.ok && key.plan === 'pro') return withKey(call, 'pro')
    if (!key.ok && key.reason === 'unreadable') {
      tally(call, 'not_ready')
      return unavailable(call, ACCOUNTS_UNREADABLE, ACCOUNTS_RETRY_S)
    }
    if (payment !== null) return withPayment(call, payment)
    if (key.ok) return withKey(call, 'free')
    tally(call, 'offered')
    return paymentRequired(call, `${KEY_REFUSALS[key.reason]} ${cashier === null ? ONLY_KEYS : PAY}`)
  }

  return async (operation, given, exchange) => {
    const call: Call = { operation, args: noArguments(), exchange }
    try {
      const { argument, query } = argumentsOf(operation.endpoint, given)
      return await run(call, operation.parse(argument, query, call.args))
    } catch (error) {
      const { requestId } = exchange
      logger.error({ err: error, request_id: requestId, tool: operation.endpoint.tool }, 'tool call failed')
      tally(call, 'failed')
      if (isShortage(error)) return unavailable(call, SHORT, NOT_READY_RETRY_S)
      return errorResult(apiError('internal_error', 'internal error', requestId))
    }
  }
}

const SHORT = 'the service is short of something: try again in a few seconds'

const CONFLICT = 'x_payment and _meta["x402/payment"] carry different payments: send one of them'

function check({ endpoint }: Operation, { body }: Answer): void {
  const parsed = endpoint.response.safeParse(JSON.parse(Buffer.from(body, 'latin1').toString()))
  if (!parsed.success) throw new Error(`answer of ${endpoint.id} breaks the contract: ${parsed.error.message}`)
}
