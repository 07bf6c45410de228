import type { Venue } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import type { Budget } from './settings.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/** The market's decisions for one slot, with all amounts, before they are written as transactions. */
export interface SlotPlan {
  readonly slot: number
  /** True if no block was produced. */
  readonly skipped: boolean
  readonly transactions: readonly PlannedTransaction[]
  /** Before the slot's block. */
  readonly facts: readonly PlannedFact[]
}

export interface PlannedTransaction {
  readonly payer: Wallet
  readonly actions: readonly Action[]
  /** Lamports of each wallet in it, before and after. */
  readonly wallets: readonly { readonly wallet: Wallet; readonly before: number; readonly after: number }[]
  /** Network and priority fee, lamports. */
  readonly fee: number
  /** Lamports to a tip account, 0 if none. */
  readonly tip: number
  /** The tip's payer. */
  readonly tipper: Wallet
  /** Foreign transactions in the block since the previous one of this market. */
  readonly gap: number
  readonly budget: Budget
  readonly failed: boolean
}

export interface CreateAction {
  readonly kind: 'create'
  readonly token: SimToken
}

export interface TradeAction {
  readonly kind: 'trade'
  readonly venue: Venue
  readonly token: SimToken
  readonly wallet: Wallet
  readonly isBuy: boolean
  readonly quote: number
  readonly tokens: number
  /** The trader's amount with fees. */
  readonly userQuote: number
  readonly protocolFee: number
  readonly creatorFee: number
  /** The pool's fee, 0 on the curve. */
  readonly lpFee: number
  /** Quote and base before the trade: virtual on the curve, the pool's own in a pool. */
  readonly quoteBefore: number
  readonly baseBefore: number
  /** After the trade: virtual reserves on the curve, the pool's own in a pool. */
  readonly quoteAfter: number
  readonly baseAfter: number
  /** Left in the curve after the trade. */
  readonly realQuote: number
  readonly realToken: number
  readonly tokensBefore: number
  /** The trade creates the token account, or empties and closes it. */
  readonly opens: boolean
  readonly closes: boolean
  /** True if this trade sells out the curve. */
  readonly completes: boolean
}

export interface TransferAction {
  readonly kind: 'transfer'
  readonly token: SimToken
  readonly from: Wallet
  readonly to: Wallet
  readonly tokens: number
  readonly fromBefore: number
  readonly toBefore: number
  readonly opens: boolean
}

export interface MigrateAction {
  readonly kind: 'migrate'
  readonly token: SimToken
  /** The wallet that runs it and pays for the pool's accounts. */
  readonly wallet: Wallet
  /** The amounts that reach the pool. */
  readonly tokens: number
  readonly quote: number
  readonly migrationFee: number
}

export type Action = CreateAction | TradeAction | TransferAction | MigrateAction

/** A fact whose keys are derived only when it is written. */
export type PlannedFact =
  | Extract<Fact, { kind: 'sol_price' }>
  | { readonly kind: 'kol'; readonly wallet: Wallet; readonly name: string }
  | { readonly kind: 'agent'; readonly wallet: Wallet; readonly name: string }
  | PlannedFunding
  | { readonly kind: 'metadata'; readonly token: SimToken; readonly links: Links }
  | { readonly kind: 'image_hash'; readonly token: SimToken; readonly image: string }
  | { readonly kind: 'dex_paid'; readonly token: SimToken }

/** Wallets by id, because a funder need not trade. */
interface PlannedFunding {
  readonly kind: 'funding'
  readonly wallet: string
  readonly funder: string
  readonly slot: number
  readonly exchange: boolean
  readonly lamports: number
}

export interface Links {
  readonly description: string | null
  readonly image: string | null
  readonly twitter: string | null
  readonly telegram: string | null
  readonly website: string | null
}
