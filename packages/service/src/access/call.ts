import { isFree, methodOf } from '@ti/core/contract/endpoints.ts'
import type { Answer } from '@ti/core/query/envelope.ts'
import { type Arguments, noArguments, type Operation, type QueryParameters } from '@ti/core/query/operations.ts'
import { isShortage } from '../base/shortage.ts'
import { processTroubles } from '../base/troubles.ts'
import { LIMITS } from '../config/limits.ts'
import type { KeyUse } from './accounts/key-use.ts'
import { takeFree } from './free-tier.ts'
import type { KeyCheck, Plan } from './keys.ts'
import type { Window, Windows } from './rate-limits/windows.ts'
import {
  countRefusedPayment,
  countTakenPayment,
  KEY_REFUSALS,
  ONLY_KEYS,
  type Readiness,
  tooManyRefused,
} from './refusals.ts'
import type { AnswerForm, Cashier, Payment, PaymentRead, PricedCall, Quote, Receipt, Work } from './x402/types.ts'

/** `conflict`: the places a payment came in hold different ones; the message of a 400. */
export type SuppliedRead =
  | { readonly read: PaymentRead; readonly conflict: null }
  | { readonly read: PaymentRead | null; readonly conflict: string }

/** A payment as it came with a call, not read yet. */
export interface Supplied {
  read(): SuppliedRead
}

/** What a face knows of a request; `From` is its own name for where the call came from. */
interface CallsOptions<From> {
  readonly windows: Windows
  /** how much keys are used; left out: nobody counts */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  /** null: calls are not paid for, keys only */
  readonly cashier: Cashier | null
  readonly status: () => Readiness
  /** check every answer against its schema before it is sent; for development */
  readonly validateResponses: boolean
  /** the client's address as rate windows name it */
  readonly address: (from: From) => string
  /** true once nobody waits for the answer any more */
  readonly gone: (from: From) => boolean
  /** what an offer says it is for: an absolute URL, or `mcp://tool/…` */
  readonly resource: (operation: Operation, from: From) => string
  /** what stands beside a V2 offer for catalogues */
  readonly extensions: (operation: Operation) => object
  /** how a call is paid for, in the words of the face */
  readonly howToPay: string
}

export interface Caller {
  readonly key: KeyCheck
  /** null also where payments are off */
  readonly payment: Supplied | null
}

interface Call<From> {
  readonly operation: Operation
  /** text of the path parameter */
  readonly argument: string
  readonly query: QueryParameters
  readonly requestId: string
  readonly caller: Caller
  /** in which the request was counted */
  readonly window: Window
  readonly from: From
}

/** What a call comes to; a face writes it down in its own protocol. */
export type CallOutcome =
  /** 429; `refused`: for payments that were refused */
  | { readonly kind: 'limited'; readonly window: Window; readonly refused: boolean }
  /** 400 */
  | { readonly kind: 'malformed'; readonly message: string }
  /** 503: what the key opens is unknown */
  | { readonly kind: 'unreadable' }
  /** 503 */
  | { readonly kind: 'not-ready'; readonly status: Readiness }
  | Offer
  /** 200, or 404 where nothing was found; `by` payment: nothing was charged */
  | { readonly kind: 'answer'; readonly found: Answer | null; readonly by: Plan | 'payment' }
  /** 200 with the id of the request it was made for; `done` as of the cashier's outcome */
  | {
      readonly kind: 'paid'
      readonly found: Answer | null
      readonly requestId: string
      readonly receipt: SentReceipt
      done(delivered: boolean, begun?: boolean): void
    }
  /** 503 with Retry-After; with a receipt where settlement is open */
  | {
      readonly kind: 'uncertain' | 'unavailable'
      readonly message: string
      readonly retryAfterS: number
      readonly receipt: SentReceipt | null
    }
  /** nobody waits for an answer */
  | { readonly kind: 'gone' }
  /** 503: something the machine is short of */
  | { readonly kind: 'short' }
  /** 500 */
  | { readonly kind: 'failed' }

/** 402; `quote` null: calls are not paid for. `refused`: there was a payment */
export interface Offer {
  readonly kind: 'offer'
  readonly message: string
  readonly quote: Quote | null
  readonly refused: boolean
  readonly receipt: SentReceipt | null
}

/** A receipt, and the protocol version of its payment. */
export interface SentReceipt {
  readonly receipt: Receipt
  readonly version: 1 | 2
}

export interface Calls<From> {
  /**
   * Counts a request in the window of the best thing it shows: a Pro key, a payment, a free key, nothing. `answers`: how many
   * calls it is, as `weigh` says; asking for an offer is one.
   */
  count(caller: Caller, from: From, isCall?: boolean, answers?: number): Window | Promise<Window>
  /** how many calls a request counts as: for a batch the tokens it finds, one at least */
  weigh(operation: Operation, argument: string, query: QueryParameters): number
  /**
   * The order is part of the contract: the rate limit (429), malformed parameters (400), authorisation (402), readiness
   * (503), then the lookup (404). A call with a key is answered at once, unless a token with very many holders has to be
   * read for it; one with a payment takes a chain's time.
   */
  run(call: Call<From>): CallOutcome | Promise<CallOutcome>
  /** What a call comes to that threw. */
  failed(error: unknown): CallOutcome
}

/** What the work of a paid call comes to, whether it is data or not. */
interface Worked {
  readonly found: Answer | null
  /** of the request it was made for: sent again, an answer keeps it */
  readonly requestId: string
  readonly notReady: Readiness | null
}

/** The same text in every face: the id of the request, then the body. */
const FORM: AnswerForm<Worked> = {
  pack: ({ found, requestId }) => (found === null ? '' : `${requestId}\n${found.body}`),
  unpack(text) {
    const end = text.indexOf('\n')
    const found = { body: text.slice(end + 1), empty: false, slot: null, forms: null }
    return { found, requestId: text.slice(0, end), notReady: null }
  },
}

/** Calls of the operations, from the window to the settled payment: the same in every face. */
export function createCalls<From>(options: CallsOptions<From>): Calls<From> {
  const { windows, cashier, status, validateResponses, address, gone, resource, extensions, howToPay } = options

  function checked({ endpoint }: Operation, found: Answer | null): Answer | null {
    if (!validateResponses || found === null) return found
    const parsed = endpoint.response.safeParse(JSON.parse(Buffer.from(found.body, 'latin1').toString()))
    if (!parsed.success) throw new Error(`answer of ${endpoint.id} breaks the contract: ${parsed.error.message}`)
    return found
  }

  function priced({ operation, from }: Call<From>, args: Arguments): PricedCall {
    const { id, priceUnits, summary } = operation.endpoint
    const request = operation.request(args)
    const amount = priceUnits * operation.answers(args)
    const about = { resource: resource(operation, from), description: summary, extensions: extensions(operation) }
    return { operation: id, request, amount, ...about }
  }

  function answer({ operation, requestId }: Call<From>, args: Arguments, by: Plan): CallOutcome | Promise<CallOutcome> {
    const now = status()
    if (!now.ready) return { kind: 'not-ready', status: now }
    const found = operation.run(args, requestId)
    return found instanceof Promise
      ? found.then((read) => ({ kind: 'answer', found: checked(operation, read), by }))
      : { kind: 'answer', found: checked(operation, found), by }
  }

  const offer = (call: Call<From>, args: Arguments, message: string): Offer => ({
    kind: 'offer',
    message,
    quote: cashier?.quote(priced(call, args)) ?? null,
    refused: false,
    receipt: null,
  })

  /** A payment that failed counts as a call without one, and too many of them close the door to payments for a while. */
  async function refuse(call: Call<From>, args: Arguments, message: string, receipt: SentReceipt | null = null) {
    const unpaid = await countRefusedPayment(windows, address(call.from))
    if (!unpaid.allowed) return { kind: 'limited', window: unpaid, refused: true } as const
    const quote = cashier!.quote(priced(call, args), message)
    return { kind: 'offer', message, quote, refused: true, receipt } as const
  }

  async function work({ operation, requestId }: Call<From>, args: Arguments): Promise<Work<Worked>> {
    const now = status()
    if (!now.ready) return { answer: { found: null, requestId, notReady: now }, charge: false }
    const found = checked(operation, await operation.run(args, requestId))
    return { answer: { found, requestId, notReady: null }, charge: found !== null && !found.empty }
  }

  async function settle(call: Call<From>, args: Arguments, payment: Payment): Promise<CallOutcome> {
    const { from } = call
    const client = { address: address(from), gone: () => gone(from) }
    const outcome = await cashier!.pay(payment, priced(call, args), client, () => work(call, args), FORM)
    const receiptOf = (receipt: Receipt | undefined): SentReceipt | null =>
      receipt === undefined ? null : { receipt, version: payment.version }
    switch (outcome.kind) {
      case 'paid': {
        await countTakenPayment(windows, client.address)
        const { found, requestId } = outcome.answer
        return { kind: 'paid', found, requestId, receipt: receiptOf(outcome.receipt)!, done: outcome.done }
      }
      case 'free': {
        const { found, notReady } = outcome.answer
        return notReady === null ? { kind: 'answer', found, by: 'payment' } : { kind: 'not-ready', status: notReady }
      }
      case 'refused':
        return refuse(call, args, outcome.message, receiptOf(outcome.receipt))
      case 'uncertain':
        return { ...outcome, receipt: receiptOf(outcome.receipt) }
      case 'unavailable':
        return { ...outcome, receipt: null }
      case 'gone':
        return outcome
    }
  }

  async function withPayment(call: Call<From>, args: Arguments, supplied: Supplied): Promise<CallOutcome> {
    const now = status()
    if (!now.ready) return { kind: 'not-ready', status: now }
    const closed = await tooManyRefused(windows, address(call.from))
    const { read, conflict } = supplied.read()
    // who has paid before is not kept out by what others at the same address send
    if (closed !== null && !(read?.ok && (await cashier!.isOfKnownPayer(read.payment)))) {
      return { kind: 'limited', window: closed, refused: true }
    }
    if (conflict !== null) return { kind: 'malformed', message: conflict }
    if (!read.ok) return refuse(call, args, `The payment was not taken: ${read.reason}. ${howToPay}`)
    return settle(call, args, read.payment)
  }

  return {
    count({ key, payment }, from, isCall = true, answers = 1) {
      if (key.ok && isCall) options.keyUse?.count(key.id, answers)
      if (key.ok && key.plan === 'pro') return windows.take(`key:${key.id}`, LIMITS.ratePro, answers)
      if (payment !== null) return windows.take(`paid:${address(from)}`, LIMITS.ratePaid, answers)
      if (key.ok && isCall) return takeFree(windows, key.account, address(from), answers)
      return windows.take(`unpaid:${address(from)}`, LIMITS.rateUnpaid)
    },

    weigh(operation, argument, query) {
      if (methodOf(operation.endpoint) !== 'POST') return 1
      const args = noArguments()
      return operation.parse(argument, query, args) === null ? Math.max(1, operation.answers(args)) : 1
    },

    run(call) {
      const { operation, window, caller } = call
      if (!window.allowed) return { kind: 'limited', window, refused: false }
      const args = noArguments()
      const message = operation.parse(call.argument, call.query, args)
      if (message !== null) return { kind: 'malformed', message }
      const { key, payment } = caller
      // nothing is asked of anybody, and a payment that was sent along is not taken
      if (isFree(operation.endpoint)) return answer(call, args, key.ok ? key.plan : 'free')
      // who shows a key is asked for nothing else, not for a payment either, while nobody knows what the key is
      if (!key.ok && key.reason === 'unreadable') return { kind: 'unreadable' }
      const pays = payment !== null && !(key.ok && key.plan === 'pro')
      if (pays && operation.answers(args) > 0) return withPayment(call, args, payment)
      if (key.ok) return answer(call, args, key.plan)
      // there is nothing to sell: 404
      if (operation.answers(args) === 0) return answer(call, args, 'free')
      return offer(call, args, `${KEY_REFUSALS[key.reason]} ${cashier === null ? ONLY_KEYS : howToPay}`)
    },

    failed(error) {
      // what failed may be why the service is not ready any more
      const now = status()
      if (!now.ready) return { kind: 'not-ready', status: now }
      if (!isShortage(error)) return { kind: 'failed' }
      processTroubles.note('calls', error)
      return { kind: 'short' }
    },
  }
}
