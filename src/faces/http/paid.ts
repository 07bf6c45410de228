import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  countRefusedPayment,
  countTakenPayment,
  KEY_REFUSALS,
  type KeyRefusal,
  ONLY_KEYS,
  tooManyRefused,
} from '../../access/refusals.ts'
import { readPaymentHeader } from '../../access/x402/payment.ts'
import { receiptHeader } from '../../access/x402/receipt.ts'
import type { AnswerForm, Payment, PricedCall, Receipt, Work } from '../../access/x402/types.ts'
import { whenHandedOver } from '../../base/handed-over.ts'
import { LIMITS } from '../../config/limits.ts'
import type { PaymentRequired } from '../../contract/resources.ts'
import type { Answer } from '../../query/envelope.ts'
import { packAnswer, unpackAnswer } from '../kept-answer.ts'
import { errorBody, type Headers, JSON_TYPE, send, sendError, sendJson } from './answer.ts'
import { type Call, type DataRoutes, sendNotReady, sendRateLimited } from './data.ts'

/** The payment headers of a request as they came: V2, V1, or both. */
export interface PaymentHeaders {
  readonly v2: string | undefined
  readonly v1: string | undefined
}

export function paymentHeaders(headers: IncomingHttpHeaders): PaymentHeaders | null {
  const v2 = one(headers['payment-signature'])
  const v1 = one(headers['x-payment'])
  return v1 === undefined && v2 === undefined ? null : { v2, v1 }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

const PAY =
  'Pay this call with x402 as offered here, or subscribe at upgrade_url and send `Authorization: Bearer <key>`.'

/** The answer with the id of the request that it was made for: sent again, it keeps both. */
interface Found {
  readonly status: 200
  readonly found: Answer
  readonly requestId: string
}

/** What the work of a paid call comes to: an answer to send, whether it is data or not. */
type Worked = Found | { readonly status: 404 } | { readonly status: 503 }

const FORM: AnswerForm<Worked> = {
  pack: (worked) => (worked.status === 200 ? packAnswer(worked.found, worked.requestId) : ''),
  unpack: (text) => ({ status: 200, ...unpackAnswer(text) }),
}

/** Calls that are paid for, and the offer to those that are not. */
export function createPaidCalls(routes: DataRoutes, check: (body: string) => void) {
  const { cashier, windows, clientAddress, status, publicUrl } = routes
  const upgrade_url = `${publicUrl}/account`

  function priced({ operation, request, args }: Call): PricedCall {
    const { endpoint } = operation
    const url = request.url ?? '/'
    const shown = url.length > LIMITS.offeredUrlLength ? url.split('?', 1)[0]! : url
    return {
      operation: endpoint.id,
      request: operation.request(args),
      amount: endpoint.priceUnits,
      resource: `${publicUrl}${shown}`,
      description: endpoint.summary,
    }
  }

  function send402(call: Call, message: string, extra: Headers = [], problem?: string): 402 {
    const { response, requestId, rate } = call
    const quote = cashier?.quote(priced(call), problem)
    const offer = { x402Version: 1, accepts: quote?.accepts ?? [] } as Omit<PaymentRequired, 'error'>
    const body = errorBody(402, message, requestId, { upgrade_url }, offer)
    const header = quote === undefined ? [] : ['payment-required', quote.header]
    sendJson(response, 402, requestId, body, [...rate, ...header, ...extra])
    return 402
  }

  /** A payment that failed counts as a call without one, and too many of them close the door to payments for a while. */
  async function refuse(call: Call, message: string, extra?: Headers): Promise<number> {
    const address = clientAddress(call.request)
    const unpaid = await countRefusedPayment(windows, address)
    return unpaid.allowed
      ? send402(call, message, extra, message)
      : sendRateLimited(call.response, call.requestId, unpaid)
  }

  async function work(call: Call): Promise<Work<Worked>> {
    if (!status().ready) return { answer: { status: 503 }, charge: false }
    const found = await call.operation.run(call.args, call.requestId)
    if (found === null) return { answer: { status: 404 }, charge: false }
    check(found.body)
    return { answer: { status: 200, found, requestId: call.requestId }, charge: !found.empty }
  }

  function sendWorked({ operation, response, requestId, rate }: Call, worked: Worked, extra: Headers = []): number {
    if (worked.status === 503) return sendNotReady(response, requestId, status(), rate)
    if (worked.status === 404) sendError(response, 404, `${operation.endpoint.notFound}`, requestId, rate)
    else send(response, 200, worked.requestId, JSON_TYPE, worked.found.body, [...rate, ...extra])
    return worked.status
  }

  async function settleWith(call: Call, payment: Payment): Promise<number> {
    const { request, response, requestId, rate } = call
    const client = { address: clientAddress(request), gone: () => request.socket.destroyed }
    const outcome = await cashier!.pay(payment, priced(call), client, () => work(call), FORM)
    const receipt = (given: Receipt) => receiptHeader(given, payment.version)
    switch (outcome.kind) {
      case 'paid':
        // a client that hung up meanwhile is heard of in the next turn: then its answer stays due
        await Promise.all([nextTurn(), countTakenPayment(windows, client.address)])
        whenHandedOver(request, response, outcome.done)
        return sendWorked(call, outcome.answer, ['cache-control', 'no-store', ...receipt(outcome.receipt)])
      case 'free':
        return sendWorked(call, outcome.answer, ['cache-control', 'no-store'])
      case 'refused':
        return refuse(call, outcome.message, outcome.receipt === undefined ? [] : receipt(outcome.receipt))
      case 'uncertain':
      case 'unavailable': {
        const retry = ['retry-after', `${outcome.retryAfterS}`]
        const extra = outcome.kind === 'uncertain' ? receipt(outcome.receipt) : []
        sendError(response, 503, outcome.message, requestId, [...rate, ...retry, ...extra])
        return 503
      }
      case 'gone':
        response.destroy()
        return 499
    }
  }

  return {
    async answer(call: Call, headers: PaymentHeaders): Promise<number> {
      const now = status()
      if (!now.ready) return sendNotReady(call.response, call.requestId, now, call.rate)
      const closed = await tooManyRefused(windows, clientAddress(call.request))
      const read = readPaymentHeader(headers.v2 ?? headers.v1!)
      // who has paid before is not kept out by what others at the same address send
      if (closed !== null && !(read.ok && (await cashier!.isOfKnownPayer(read.payment)))) {
        return sendRateLimited(call.response, call.requestId, closed)
      }
      if (!read.ok) return refuse(call, `The payment was not taken: ${read.reason}. ${PAY}`)
      if (headers.v2 !== undefined && headers.v1 !== undefined) {
        const other = readPaymentHeader(headers.v1)
        if (other.ok && other.payment.hash !== read.payment.hash) {
          const message = 'PAYMENT-SIGNATURE and X-PAYMENT carry different transactions: send one of them'
          sendError(call.response, 400, message, call.requestId, call.rate)
          return 400
        }
      }
      return settleWith(call, read.payment)
    },
    sendOffer: (call: Call, reason: KeyRefusal): 402 =>
      send402(call, `${KEY_REFUSALS[reason]} ${cashier ? PAY : ONLY_KEYS}`),
  }
}
