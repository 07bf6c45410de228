import { isFree, methodOf } from '@ti/core/contract/endpoints.ts'
import type { Answer } from '@ti/core/query/envelope.ts'
import {
  type Arguments,
  type Behind,
  noArguments,
  type Operation,
  type QueryParameters,
} from '@ti/core/query/operations.ts'
import { isShortage } from '../base/shortage.ts'
import { processTroubles } from '../base/troubles.ts'
import type { KeyUse } from './accounts/key-use.ts'
import { takeFree } from './free-tier.ts'
import type { KeyCheck, Plan } from './keys.ts'
import { RATES, takeFrom, type Window, type Windows } from './rate-limits/windows.ts'
import {
  countRefusedPayment,
  countTakenPayment,
  KEY_REFUSALS,
  ONLY_KEYS,
  type Readiness,
  tooManyRefused,
} from './refusals.ts'
import { type Shared, type Taker, takerOfKey, visitorAt } from './shared/shared.ts'
import type { AnswerForm, Cashier, Payment, PaymentRead, PricedCall, Quote, Receipt, Work } from './x402/types.ts'

/** `conflict`: message of a 400, if the payment's two places hold different values. */
export type SuppliedRead =
  | { readonly read: PaymentRead; readonly conflict: null }
  | { readonly read: PaymentRead | null; readonly conflict: string }

/** A payment as received, not parsed yet. */
export interface Supplied {
  read(): SuppliedRead
}

/** Properties of a face; `From` is its own type for the origin of a call. */
interface CallsOptions<From> {
  readonly windows: Windows
  readonly shared: Shared
  /** counts key use; absent: not counted */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  /** null: payments per call are off */
  readonly cashier: Cashier | null
  readonly status: () => Readiness
  /** validates every answer against its schema; for development */
  readonly validateResponses: boolean
  /** the client's address in the form of rate limits */
  readonly address: (from: From) => string
  /** true once the client has gone */
  readonly gone: (from: From) => boolean
  /** resource of an offer: an absolute URL, or `mcp://tool/…` */
  readonly resource: (operation: Operation, from: From) => string
  /** catalogue extensions of a V2 offer */
  readonly extensions: (operation: Operation) => object
  /** payment instructions for this face */
  readonly howToPay: string
}

export interface Caller {
  readonly key: KeyCheck
  /** null also if payments are off */
  readonly payment: Supplied | null
  /** whom its readings count for; left out: the key */
  readonly taker?: Taker
}

interface Call<From> {
  readonly operation: Operation
  /** path parameter as text */
  readonly argument: string
  readonly query: QueryParameters
  readonly requestId: string
  readonly caller: Caller
  /** window that counted the request */
  readonly window: Window
  /** what `weigh` found */
  readonly answers: number
  readonly from: From
}

/** Result of a call; each face encodes it in its protocol. */
export type CallOutcome =
  /** 429; `refused`: the limit of refused payments */
  | { readonly kind: 'limited'; readonly window: Window; readonly refused: boolean }
  /** 400 */
  | { readonly kind: 'malformed'; readonly message: string }
  /** 503: the key cannot be checked */
  | { readonly kind: 'unreadable' }
  /** 503 */
  | { readonly kind: 'not-ready'; readonly status: Readiness }
  /** 503 with Retry-After: the slot read is before the client's `min_slot` */
  | { readonly kind: 'behind'; readonly slot: number }
  | Offer
  /** 200, or 404 if nothing was found; `by` payment: nothing was charged */
  | { readonly kind: 'answer'; readonly found: Answer | null; readonly by: Plan | 'payment' }
  /** 200 with the id of the original request */
  | {
      readonly kind: 'paid'
      readonly found: Answer | null
      readonly requestId: string
      readonly receipt: SentReceipt
    }
  /** 503 with Retry-After; with a receipt while settlement is open */
  | {
      readonly kind: 'uncertain' | 'unavailable'
      readonly message: string
      readonly retryAfterS: number
      readonly receipt: SentReceipt | null
    }
  /** the client has gone */
  | { readonly kind: 'gone' }
  /** 503: the machine is out of a resource */
  | { readonly kind: 'short' }
  /** 500 */
  | { readonly kind: 'failed' }

/** 402; `quote` null: payments per call are off. `refused`: a payment was sent */
export interface Offer {
  readonly kind: 'offer'
  readonly message: string
  readonly quote: Quote | null
  readonly refused: boolean
  readonly receipt: SentReceipt | null
}

/** A receipt and the protocol version of its payment. */
export interface SentReceipt {
  readonly receipt: Receipt
  readonly version: 1 | 2
}

export interface Calls<From> {
  /**
   * Counts a request in the window of its best credential: Pro key, payment, free key, or none. Its weight is `answers`, at
   * least one; a request for an offer weighs one.
   */
  count(caller: Caller, from: From, isCall?: boolean, answers?: number): Window | Promise<Window>
  /** the answers that a request is charged for: for a batch the number of tokens found, or NO_ROOM, else one */
  weigh(asked: Pick<Call<From>, 'operation' | 'argument' | 'query' | 'caller' | 'from'>): number | Promise<number>
  /**
   * The order is part of the contract: rate limit (429), malformed parameters (400), authorization (402), readiness (503),
   * lookup (404). A call with a key is answered synchronously if its answer is known; a payment takes as long as the chain.
   */
  run(call: Call<From>): CallOutcome | Promise<CallOutcome>
  /** Maps an exception to an outcome. */
  failed(error: unknown): CallOutcome
}

/** The weight of a batch that found no room. */
const NO_ROOM = -1

/** Result of a paid call's work, with or without data. */
interface Worked {
  readonly found: Answer | null
  /** id of the original request, which a repeated answer keeps */
  readonly requestId: string
  /** why nothing was read */
  readonly unread: Extract<CallOutcome, { kind: 'not-ready' | 'behind' }> | null
}

/** Stored form of an answer, equal in every face: request id, then body. */
const FORM: AnswerForm<Worked> = {
  pack: ({ found, requestId }) => (found === null ? '' : `${requestId}\n${found.body}`),
  unpack(text) {
    const end = text.indexOf('\n')
    const found = { body: text.slice(end + 1), end: '', empty: false, slot: null, forms: null }
    return { found, requestId: text.slice(0, end), unread: null }
  },
}

const resourceOf = ({ endpoint }: Operation) => (methodOf(endpoint) === 'POST' ? 'batches' : 'readings')

const isBehind = (ran: Answer | Behind | null): ran is Behind => ran !== null && 'behind' in ran

/** Runs operations from the rate limit to the settled payment, equally for every face. */
export function createCalls<From>(options: CallsOptions<From>): Calls<From> {
  const { windows, shared, cashier, status, validateResponses, address, gone, resource, extensions, howToPay } = options

  function takerOf({ key, taker }: Caller, from: From): Taker {
    if (taker !== undefined) return taker
    return key.ok ? takerOfKey(key, address(from)) : visitorAt(address(from))
  }

  function checked({ endpoint }: Operation, found: Answer | null): Answer | null {
    if (!validateResponses || found === null) return found
    const parsed = endpoint.response.safeParse(JSON.parse(Buffer.from(found.body, 'latin1').toString()))
    if (!parsed.success) throw new Error(`answer of ${endpoint.id} breaks the contract: ${parsed.error.message}`)
    return found
  }

  function priced({ operation, answers, from }: Call<From>, args: Arguments): PricedCall {
    const { id, priceUnits, summary } = operation.endpoint
    const request = operation.request(args)
    const amount = priceUnits * answers
    const about = { resource: resource(operation, from), description: summary, extensions: extensions(operation) }
    return { operation: id, request, amount, ...about }
  }

  /** A paid call takes no reading: the cashier bounds those. */
  function answer(call: Call<From>, args: Arguments, by: Plan): CallOutcome | Promise<CallOutcome> {
    const { operation, requestId } = call
    const now = status()
    if (!now.ready) return { kind: 'not-ready', status: now }
    const taker = takerOf(call.caller, call.from)
    const what = resourceOf(operation)
    // most answers are known, so a place is looked for before and taken after
    if (!shared.fits(what, taker)) return { kind: 'short' }
    const outcomeOf = (ran: Answer | Behind | null): CallOutcome =>
      isBehind(ran) ? { kind: 'behind', slot: ran.behind } : { kind: 'answer', found: checked(operation, ran), by }
    const ran = operation.run(args, requestId)
    if (!(ran instanceof Promise)) return outcomeOf(ran)
    const place = shared.take(what, taker)
    return ran.then(outcomeOf).finally(() => place.ok && place.release())
  }

  const offer = (call: Call<From>, args: Arguments, message: string): Offer => ({
    kind: 'offer',
    message,
    quote: cashier?.quote(priced(call, args)) ?? null,
    refused: false,
    receipt: null,
  })

  /** Counts a failed payment as a call without one; too many of them block payments for a while. */
  async function refuse(call: Call<From>, args: Arguments, message: string, receipt: SentReceipt | null = null) {
    const unpaid = await countRefusedPayment(windows, address(call.from))
    if (!unpaid.allowed) return { kind: 'limited', window: unpaid, refused: true } as const
    const quote = cashier!.quote(priced(call, args), message)
    return { kind: 'offer', message, quote, refused: true, receipt } as const
  }

  async function work({ operation, requestId }: Call<From>, args: Arguments): Promise<Work<Worked>> {
    const now = status()
    const nothing = (unread: Worked['unread']) => ({ answer: { found: null, requestId, unread }, charge: false })
    if (!now.ready) return nothing({ kind: 'not-ready', status: now })
    const ran = await operation.run(args, requestId)
    if (isBehind(ran)) return nothing({ kind: 'behind', slot: ran.behind })
    const found = checked(operation, ran)
    return { answer: { found, requestId, unread: null }, charge: found !== null && !found.empty }
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
        return { kind: 'paid', found, requestId, receipt: receiptOf(outcome.receipt)! }
      }
      case 'free': {
        const { found, unread } = outcome.answer
        return unread ?? { kind: 'answer', found, by: 'payment' }
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
    // other clients at the same address do not block a payer who has paid before
    if (closed !== null && !(read?.ok && (await cashier!.isOfKnownPayer(read.payment)))) {
      return { kind: 'limited', window: closed, refused: true }
    }
    if (conflict !== null) return { kind: 'malformed', message: conflict }
    if (!read.ok) return refuse(call, args, `The payment was not taken: ${read.reason}. ${howToPay}`)
    return settle(call, args, read.payment)
  }

  function windowFor({ key, payment }: Caller, from: From, isCall: boolean, answers: number) {
    const take = (subject: string, most: number) =>
      answers === 1 ? windows.take(subject, most) : takeFrom(windows, [{ subject, most }], answers)
    if (key.ok && key.plan === 'pro') return take(`key:${key.id}`, RATES.pro)
    if (payment !== null) return take(`paid:${address(from)}`, RATES.paid)
    if (key.ok && isCall) return takeFree(windows, key.account, address(from), answers)
    return windows.take(`unpaid:${address(from)}`, RATES.unpaid)
  }

  return {
    count(caller, from, isCall = true, found = 1) {
      const answers = Math.max(1, found)
      const window = windowFor(caller, from, isCall, answers)
      const { key } = caller
      if (!key.ok || !isCall || options.keyUse === undefined) return window
      const { keyUse } = options
      const used = (of: Window): Window => {
        keyUse.count(key.id, of.allowed ? answers : 1)
        return of
      }
      return window instanceof Promise ? window.then(used) : used(window)
    },

    weigh({ operation, argument, query, caller, from }) {
      if (methodOf(operation.endpoint) !== 'POST') return 1
      const args = noArguments()
      if (operation.parse(argument, query, args) !== null) return 1
      const place = shared.take('batches', takerOf(caller, from))
      if (!place.ok) return NO_ROOM
      const found = operation.answers(args)
      if (found instanceof Promise) return found.finally(place.release)
      place.release()
      return found
    },

    run(call) {
      const { operation, window, caller, answers } = call
      if (!window.allowed) return { kind: 'limited', window, refused: false }
      const args = noArguments()
      const message = operation.parse(call.argument, call.query, args)
      if (message !== null) return { kind: 'malformed', message }
      if (answers === NO_ROOM) return { kind: 'short' }
      const { key, payment } = caller
      // free endpoints require nothing, and a payment sent along is not taken
      if (isFree(operation.endpoint)) return answer(call, args, key.ok ? key.plan : 'free')
      // if the key store is unavailable, reject keyed calls instead of falling back to payment
      if (!key.ok && key.reason === 'unreadable') return { kind: 'unreadable' }
      const pays = payment !== null && !(key.ok && key.plan === 'pro')
      if (pays && answers > 0) return withPayment(call, args, payment)
      if (key.ok) return answer(call, args, key.plan)
      // an empty request has nothing to sell, so it ends in 404
      if (answers === 0) return answer(call, args, 'free')
      return offer(call, args, `${KEY_REFUSALS[key.reason]} ${cashier === null ? ONLY_KEYS : howToPay}`)
    },

    failed(error) {
      // the failure may be what made the service unready
      const now = status()
      if (!now.ready) return { kind: 'not-ready', status: now }
      if (!isShortage(error)) return { kind: 'failed' }
      processTroubles.note('calls', error)
      return { kind: 'short' }
    },
  }
}
