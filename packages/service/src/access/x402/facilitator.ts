import type { Signed } from './ledger.ts'
import type { Requirements } from './network.ts'

/** milliseconds to verify, and to settle before the end counts as open (a confirmation is waited for in it) */
export const VERIFY_MS = 10_000
export const SETTLE_MS = 35_000
/** milliseconds after signing before an unknown blockhash counts as expired: a lagging node does not know new ones */
export const EXPIRY_MS = 120_000

/** A payment to verify and settle. */
export interface Order {
  readonly hash: string
  /** base64 wire form from the payer */
  readonly transaction: string
  /** our requirements, never the client's copy */
  readonly requirements: Requirements
}

/** A payment with a started settlement, from the ledger. */
export interface OpenOrder {
  readonly hash: string
  /** base64; signed by the fee payer if its signature is known */
  readonly transaction: string | null
  /** smallest units */
  readonly amount: number
  readonly signature: string | null
  readonly blockhash: string
  /** time of the signature, or of the start of settlement */
  readonly since: Date
}

/** The transaction is on chain but moved nothing; its fee is lost. */
export const FAILED_ON_CHAIN = 'transaction_failed_on_chain'
/** The transaction is not on chain and can no longer land; no fee was taken. */
export const EXPIRED = 'transaction_expired'

export type Verification = { readonly valid: true } | { readonly valid: false; readonly reason: string }

export type Settlement =
  /** paid and final */
  | { readonly kind: 'landed'; readonly signature: string | null }
  /**
   * not paid. `unsent`: nothing was sent and nothing will be, unless the ledger has a signature. `proven`: the chain shows that
   * it failed, or is absent and can no longer land.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly proof: 'unsent' | 'proven' }
  /** possibly paid, now or later */
  | { readonly kind: 'open'; readonly reason: string; readonly signature: string | null }

export interface Readiness {
  readonly ready: boolean
  /** reason and advice while not ready */
  readonly reason: string | null
}

/** Writes the signature into the ledger. Resolves once it is on disk; rejects if the payment's lease is lost. */
export type RecordSignature = (signature: string, signed: Signed) => Promise<void>

/** Verifies and settles, with our own fee payer or through another service over HTTP. */
export interface Facilitator {
  /** base58; null while it is not known */
  feePayer(): string | null
  /** the signature is in the ledger before sending, so a payment without one was never sent */
  readonly signsFirst: boolean
  /** units of the asset in each of at most 100 token accounts; null if unknown. Throws if nothing answers */
  funds(accounts: readonly string[]): Promise<readonly (bigint | null)[]>
  /** throws if it cannot be determined */
  verify(order: Order): Promise<Verification>
  /** an exception leaves the outcome open */
  settle(order: Order, record: RecordSignature): Promise<Settlement>
  /** the outcome of a started settlement; continues it if that is safe */
  lookup(order: OpenOrder): Promise<Settlement>
  /** readiness to take payments; never throws */
  check(): Promise<Readiness>
}
