/** A call as it is priced: the same in HTTP, MCP and any other way in. */
export interface PricedCall {
  /** id in the endpoint table */
  readonly operation: string
  /** operation and checked arguments in one canonical text: what a settled payment may fetch again */
  readonly request: string
  /** smallest units of the asset */
  readonly amount: number
  /** absolute URL, or `mcp://tool/…` */
  readonly resource: string
  readonly description: string
  /** beside the V2 offer, for catalogues */
  readonly extensions?: object
}

/** A decoded payment of valid form; nothing of it is verified against the chain yet. */
export interface Payment {
  /** the envelope it came in; the receipt goes back in the same */
  readonly version: 1 | 2
  /** hex SHA-256 of the transaction's message bytes */
  readonly hash: string
  /** base64 wire form of the partially signed transaction: a secret until it has landed */
  readonly transaction: string
  /** what a V2 client says it accepted; compared with our offer, never used instead of it */
  readonly accepted: unknown
}

export type PaymentRead =
  | { readonly ok: true; readonly payment: Payment }
  /** `reason` goes into the message of the 402 */
  | { readonly ok: false; readonly reason: string }

/** What was offered for a call, in both versions. */
export interface Quote {
  /** V1: entries of the body's `accepts` */
  readonly accepts: readonly object[]
  /** V2: the whole `PaymentRequired` */
  readonly v2: {
    readonly x402Version: 2
    readonly error: string
    readonly resource: object
    readonly accepts: readonly object[]
    readonly extensions?: object
  }
  /** V2 as the value of the `PAYMENT-REQUIRED` header */
  readonly header: string
}

export interface Receipt {
  readonly success: boolean
  /** signature, empty where none is known */
  readonly transaction: string
  /** CAIP-2 */
  readonly network: string
  readonly payer: string
  readonly errorReason?: string
}

/** What the work of a call made: an answer, and whether it is data that is to be paid for (a 200 with non-empty data). */
export interface Work<T> {
  readonly answer: T
  readonly charge: boolean
}

/** The answer of a call as text, so that the same bytes can be sent again. */
export interface AnswerForm<T> {
  /** of an answer that is charged for */
  pack(answer: T): string
  unpack(text: string): T
}

export type Outcome<T> =
  /**
   * Paid. Write the answer and the receipt, then say whether all of it was handed to the kernel, and if not, whether any of
   * it may have been: what was not even begun may be fetched as if it had not been asked for.
   */
  | {
      readonly kind: 'paid'
      readonly answer: T
      readonly receipt: Receipt
      done(delivered: boolean, begun?: boolean): void
    }
  /** The work had nothing to charge for (an error, an empty list): answer it, the payment stays usable. */
  | { readonly kind: 'free'; readonly answer: T }
  /** 402 with the offer; counts as a call without payment. */
  | { readonly kind: 'refused'; readonly message: string; readonly receipt?: Receipt }
  /** 503 with Retry-After: settlement is open, the identical payment may be repeated. */
  | { readonly kind: 'uncertain'; readonly message: string; readonly receipt: Receipt; readonly retryAfterS: number }
  /** 503: the work took too long, too much is in flight, or payments cannot be taken now; nothing was charged. */
  | { readonly kind: 'unavailable'; readonly message: string; readonly retryAfterS: number }
  /** The client is gone; nothing was charged and nothing needs to be written. */
  | { readonly kind: 'gone' }

export interface Client {
  /** rate-limit subject of the client's address */
  readonly address: string
  /** true once the caller no longer waits for the answer */
  gone(): boolean
}

/** For `/readyz` and metrics; nothing in it is secret. */
export interface PaymentsStatus {
  readonly mode: 'sandbox' | 'facilitator' | 'self' | 'off'
  readonly network?: string
  readonly asset?: string
  readonly pay_to?: string
  readonly fee_payer?: string
  /** of the sandbox chain only */
  readonly rpc_url?: string
  /** whether a payment would be taken now, and if not, why */
  readonly ready: boolean
  readonly reason: string | null
  /** payments whose end is not known */
  readonly open: number
}

/** Takes payments: offers, the ledger, verification and settlement in one. */
export interface Cashier {
  /** `problem`: why the payment that came was not taken */
  quote(call: PricedCall, problem?: string): Quote
  /** whether a payment is one of a wallet that has paid here before; asks neither ledger nor chain */
  isOfKnownPayer(payment: Payment): Promise<boolean>
  /**
   * Reserve, verify, work, settle, in this order; each step is in the ledger before the next begins. An exception of `work`
   * releases the payment and is rethrown. Without a `form`, an answer that is fetched again is computed again.
   */
  pay<T>(
    payment: Payment,
    call: PricedCall,
    client: Client,
    work: (signal: AbortSignal) => Work<T> | Promise<Work<T>>,
    form?: AnswerForm<T>,
  ): Promise<Outcome<T>>
  status(): PaymentsStatus
  /** waits for payments in flight, up to LIMITS.shutdownMs */
  close(): Promise<void>
}
