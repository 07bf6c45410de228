/** A priced call, equal in every face. */
export interface PricedCall {
  /** id in the endpoint table */
  readonly operation: string
  /** canonical text of operation and checked arguments; a settled payment may fetch exactly this again */
  readonly request: string
  /** smallest units of the asset */
  readonly amount: number
  /** absolute URL, or `mcp://tool/…` */
  readonly resource: string
  readonly description: string
  /** catalogue extensions beside the V2 offer */
  readonly extensions?: object
}

/** A decoded, well-formed payment, not verified against the chain yet. */
export interface Payment {
  /** version of the envelope; the receipt uses the same */
  readonly version: 1 | 2
  /** the network that the client names, in that version's words */
  readonly network: unknown
  /** hex SHA-256 of the transaction's message bytes */
  readonly hash: string
  /** base64 wire form of the partially signed transaction: a secret until it has landed */
  readonly transaction: string
  /** the V2 client's accepted entry; compared with our offer, never used instead of it */
  readonly accepted: unknown
  /** the `resource` that a V2 client names, which it need not */
  readonly resource: unknown
}

export type PaymentRead =
  | { readonly ok: true; readonly payment: Payment }
  /** `reason` appears in the message of the 402 */
  | { readonly ok: false; readonly reason: string }

/** The offer for a call, in both versions. */
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
  /** signature, or empty if unknown */
  readonly transaction: string
  /** CAIP-2 */
  readonly network: string
  readonly payer: string
  readonly errorReason?: string
}

/** Result of a call's work, and whether it is chargeable (a 200 with non-empty data). */
export interface Work<T> {
  readonly answer: T
  readonly charge: boolean
}

/** Text form of an answer, so that the same bytes can be sent again. */
export interface AnswerForm<T> {
  /** packs a chargeable answer */
  pack(answer: T): string
  unpack(text: string): T
}

export type Outcome<T> =
  /** Paid, now or earlier: a payment has one answer, which is stored before it is returned. */
  | { readonly kind: 'paid'; readonly answer: T; readonly receipt: Receipt }
  /** Nothing chargeable (an error, an empty list): the payment stays usable. */
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
  /** true once the caller has gone */
  gone(): boolean
}

/** For `/readyz` and metrics; nothing in it is secret. */
export interface PaymentsStatus {
  readonly mode: 'sandbox' | 'facilitator' | 'self' | 'off'
  readonly network?: string
  readonly asset?: string
  readonly pay_to?: string
  readonly fee_payer?: string
  /** sandbox only */
  readonly rpc_url?: string
  /** payments would be taken now; if not, the reason */
  readonly ready: boolean
  readonly reason: string | null
  /** payments with an unknown outcome */
  readonly open: number
}

/** Takes payments: offers, ledger, verification and settlement. */
export interface Cashier {
  /** `problem`: why the payment was refused */
  quote(call: PricedCall, problem?: string): Quote
  /** true for a wallet that has paid here before; queries neither ledger nor chain */
  isOfKnownPayer(payment: Payment): Promise<boolean>
  /**
   * Reserves, verifies, works and settles, in this order; each step is in the ledger before the next begins. An exception of
   * `work` releases the payment and is rethrown.
   */
  pay<T>(
    payment: Payment,
    call: PricedCall,
    client: Client,
    work: (signal: AbortSignal) => Work<T> | Promise<Work<T>>,
    form: AnswerForm<T>,
  ): Promise<Outcome<T>>
  status(): PaymentsStatus
  /** waits for payments in flight, up to SHUTDOWN_MS */
  close(): Promise<void>
}
