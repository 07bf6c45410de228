import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from '@ti/core/query/envelope.ts'
import type { CallOutcome, Calls } from '../../access/call.ts'
import {
  ACCOUNTS_RETRY_S,
  ACCOUNTS_UNREADABLE,
  BEHIND_RETRY_S,
  behindMessage,
  NOT_READY_RETRY_S,
  notReadyMessage,
  rateLimitMessage,
  SHORT,
} from '../../access/refusals.ts'
import type { Client } from '../../access/x402/types.ts'
import type { Logger } from '../../base/log.ts'
import type { Exchange } from './exchange.ts'
import type { Tally } from './metrics.ts'
import type { Json } from './payment.ts'
import { apiError, dataReply, errorResult, offerResult, type Reply, receiptMeta } from './results.ts'
import { shortened } from './shorten.ts'
import type { ToolCall } from './tools.ts'

interface ToolRoutes {
  readonly calls: Calls<Client>
  readonly logger: Logger
  readonly publicUrl: string
  /** counts a call by tool and outcome */
  readonly count: (tool: string, became: Tally) => void
}

export const HOW_TO_PAY =
  'Pay this call with x402 as offered here (in x_payment or _meta["x402/payment"]), or subscribe at upgrade_url and send `Authorization: Bearer <key>`.'

const REFUSED_TOO_OFTEN = 'too many payments from this address were refused'

export type RunTool = (call: ToolCall, exchange: Exchange) => Promise<Reply>

type Refused = Exclude<CallOutcome, { kind: 'answer' | 'paid' }>

/** Answers tool calls: converts a call's outcome to an MCP result. Never throws. */
export function createToolCalls({ calls, logger, publicUrl, count }: ToolRoutes): RunTool {
  const upgrade_url = `${publicUrl}/account`

  function replyOf(call: ToolCall, { requestId }: Exchange, found: Answer | null, meta?: Json): Reply {
    if (found !== null) return dataReply(shortened(found, call.most, call.more), meta)
    const { notFound } = call.operation.endpoint
    return { answer: null, result: errorResult(apiError('not_found', `${notFound}`, requestId)) }
  }

  function unavailable({ requestId }: Exchange, message: string, retry_after: number, meta?: Json): CallToolResult {
    return errorResult(apiError('internal_error', message, requestId, { retry_after }), meta)
  }

  function render(call: ToolCall, exchange: Exchange, outcome: CallOutcome): Reply {
    switch (outcome.kind) {
      case 'answer':
        return replyOf(call, exchange, outcome.found)
      case 'paid':
        return replyOf(call, exchange, outcome.found, receiptMeta(outcome.receipt))
      default:
        return { answer: null, result: refusal(exchange, outcome) }
    }
  }

  function refusal(exchange: Exchange, outcome: Refused): CallToolResult {
    const { requestId } = exchange
    switch (outcome.kind) {
      case 'limited': {
        const { window, refused } = outcome
        exchange.limited = window
        const message = refused ? REFUSED_TOO_OFTEN : rateLimitMessage(window)
        return errorResult(apiError('rate_limited', message, requestId, { retry_after: window.resetS }))
      }
      case 'malformed':
        return errorResult(apiError('bad_request', outcome.message, requestId))
      case 'offer': {
        const error = apiError('payment_required', outcome.message, requestId, { upgrade_url })
        const meta = receiptMeta(outcome.receipt)
        return outcome.quote === null ? errorResult(error, meta) : offerResult(outcome.quote, error, meta)
      }
      case 'unreadable':
        return unavailable(exchange, ACCOUNTS_UNREADABLE, ACCOUNTS_RETRY_S)
      case 'not-ready':
        return unavailable(exchange, notReadyMessage(outcome.status), NOT_READY_RETRY_S)
      case 'behind':
        return unavailable(exchange, behindMessage(outcome.slot), BEHIND_RETRY_S)
      case 'short':
        return unavailable(exchange, SHORT, NOT_READY_RETRY_S)
      case 'uncertain':
      case 'unavailable':
        return unavailable(exchange, outcome.message, outcome.retryAfterS, receiptMeta(outcome.receipt))
      case 'failed':
        return errorResult(apiError('internal_error', 'internal error', requestId))
      case 'gone':
        return unavailable(exchange, 'the caller did not wait for the answer', 0)
    }
  }

  return async (call, exchange) => {
    const { requestId, caller, window, answers, client } = exchange
    const { tool, problem, operation, argument, query } = call
    let outcome: CallOutcome
    try {
      outcome =
        problem !== null && window.allowed
          ? { kind: 'malformed', message: problem }
          : await calls.run({ operation, argument, query, requestId, caller, window, answers, from: client })
    } catch (error) {
      logger.error({ err: error, request_id: requestId, tool }, 'tool call failed')
      outcome = calls.failed(error)
    }
    count(tool, tallyOf(outcome))
    return render(call, exchange, outcome)
  }
}

/** The metric label of an outcome. */
function tallyOf(outcome: CallOutcome): Tally {
  switch (outcome.kind) {
    case 'answer':
      return TALLY_BY[outcome.by]
    case 'offer':
      return outcome.refused ? 'refused' : 'offered'
    default:
      return TALLY[outcome.kind]
  }
}

const TALLY_BY = { pro: 'pro', free: 'free_key', payment: 'not_charged' } as const

const TALLY: Readonly<Record<Exclude<CallOutcome['kind'], 'answer' | 'offer'>, Tally>> = {
  paid: 'paid',
  limited: 'refused',
  malformed: 'bad_request',
  unreadable: 'not_ready',
  'not-ready': 'not_ready',
  behind: 'not_ready',
  short: 'failed',
  uncertain: 'uncertain',
  unavailable: 'unavailable',
  failed: 'failed',
  gone: 'gone',
}
