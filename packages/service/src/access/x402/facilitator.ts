import type { Signed } from './ledger.ts'
import type { Requirements } from './network.ts'

/** One payment as it is verified and settled. */
export interface Order {
  readonly hash: string
  /** base64 wire form as the payer sent it */
  readonly transaction: string
  /** ours, never the client's copy */
  readonly requirements: Requirements
}

/** A payment whose settlement was begun, as the ledger remembers it. */
export interface OpenOrder {
  readonly hash: string
  /** base64; signed by the fee payer where we know its signature */
  readonly transaction: string | null
  /** smallest units */
  readonly amount: number
  readonly signature: string | null
  readonly blockhash: string
  /** when the signature was written, or the settlement begun */
  readonly since: Date
}

/** The chain says that the transaction is part of it and moved nothing: its fee is gone. */
export const FAILED_ON_CHAIN = 'transaction_failed_on_chain'
/** It is not part of the chain and cannot become one: no fee was taken. */
export const EXPIRED = 'transaction_expired'

export type Verification = { readonly valid: true } | { readonly valid: false; readonly reason: string }

export type Settlement =
  /** paid, for good */
  | { readonly kind: 'landed'; readonly signature: string | null }
  /**
   * not paid. `unsent`: nothing was sent and nothing will be, as long as the ledger has no signature. `proven`: the chain
   * says that it failed, or that it is not there and can no longer land.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly proof: 'unsent' | 'proven' }
  /** it may have been paid, or may still be */
  | { readonly kind: 'open'; readonly reason: string; readonly signature: string | null }

export interface Readiness {
  readonly ready: boolean
  /** why not, and what to do */
  readonly reason: string | null
}

/** Writes the signature into the ledger. Resolves once it is on disk; rejects if the payment is no longer ours. */
export type RecordSignature = (signature: string, signed: Signed) => Promise<void>

/** Verifies and settles: our own fee payer in this process, or another service over HTTP. */
export interface Facilitator {
  /** base58; null while it is not known */
  feePayer(): string | null
  /** the signature is in the ledger before anything is sent: what has none was never sent */
  readonly signsFirst: boolean
  /** units of the asset in each of at most 100 token accounts; null if unknown. Throws without an answer */
  funds(accounts: readonly string[]): Promise<readonly (bigint | null)[]>
  /** throws if it cannot be determined */
  verify(order: Order): Promise<Verification>
  /** what it throws leaves the end open */
  settle(order: Order, record: RecordSignature): Promise<Settlement>
  /** the outcome of a settlement that was started; continues it if that is safe */
  lookup(order: OpenOrder): Promise<Settlement>
  /** whether payments can be taken; never throws */
  check(): Promise<Readiness>
}
