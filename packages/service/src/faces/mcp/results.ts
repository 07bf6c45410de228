import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ErrorCode, ErrorEnvelope } from '@ti/core/contract/resources.ts'
import type { Answer } from '@ti/core/query/envelope.ts'
import type { SentReceipt } from '../../access/call.ts'
import { receiptIn } from '../../access/x402/receipt.ts'
import type { Quote } from '../../access/x402/types.ts'
import { type Json, RECEIPT_META } from './payment.ts'

/** The field for our error object beside an offer, whose own `error` must be a text. */
const ERROR_META = 'token-intelligence/error'

type ApiError = ErrorEnvelope['error']

const withMeta = (meta: Json): { _meta?: Json } => (Object.keys(meta).length === 0 ? {} : { _meta: meta })

export const receiptMeta = (sent: SentReceipt | null): Json =>
  sent === null ? {} : { [RECEIPT_META]: receiptIn(sent.receipt, sent.version) }

/** The field for the newest block of an answer whose own `meta` lacks one. */
const SLOT_META = 'token-intelligence/slot'
const DROPPED_META = 'token-intelligence/dropped'
const EMPTY_META = 'token-intelligence/empty-reason'

/** What a tool call comes to. With an `answer`, its text is the content, which `result` lacks. */
export interface Reply {
  readonly answer: Answer | null
  readonly result: CallToolResult
}

/** The same envelope as in REST, once, as the text that every client passes to its model. No tool has an output schema. */
export function dataReply(answer: Answer, meta: Json = {}): Reply {
  const { slot, dropped, emptyReason } = answer
  if (dropped !== undefined) meta[DROPPED_META] = dropped
  if (emptyReason != null) meta[EMPTY_META] = emptyReason
  if (slot !== null) meta[SLOT_META] = slot
  return { answer, result: { content: [], _meta: meta } }
}

export const wholeResult = ({ answer, result }: Reply): CallToolResult =>
  answer === null
    ? result
    : { ...result, content: [{ type: 'text', text: Buffer.from(answer.body, 'latin1').toString() }] }

function failure(value: Json, meta: Json): CallToolResult {
  return {
    isError: true,
    structuredContent: value,
    content: [{ type: 'text', text: JSON.stringify(value) }],
    ...withMeta(meta),
  }
}

export const apiError = (
  code: ErrorCode,
  message: string,
  request_id: string,
  details: Pick<ApiError, 'retry_after' | 'upgrade_url'> = {},
): ApiError => ({ code, message, request_id, ...details })

export const errorResult = (error: ApiError, meta: Json = {}): CallToolResult => failure({ error }, meta)

/** The x402 V2 offer. */
export const offerResult = (quote: Quote, error: ApiError, meta: Json = {}): CallToolResult =>
  failure({ ...quote.v2, error: error.message }, { ...meta, [ERROR_META]: error })
