import type { Venue } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import type { Budget } from './settings.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/** What the market decided for one slot, with every amount, before it is written as transactions. */
export interface SlotPlan {
  readonly slot: number
  /** nobody produced a block */
  readonly skipped: boolean
  readonly transactions: readonly PlannedTransaction[]
  /** in front of the slot's block */
  readonly facts: readonly PlannedFact[]
}

export interface PlannedTransaction {
  readonly payer: Wallet
  readonly actions: readonly Action[]
  /** lamports of each wallet in it, before and after */
  readonly wallets: readonly { readonly wallet: Wallet; readonly before: number; readonly after: number }[]
  /** network and priority fee, lamports */
  readonly fee: number
  /** lamports to a tip account, 0 none */
  readonly tip: number
  /** who pays the tip */
  readonly tipper: Wallet
  /** transactions of others before it in the block, since the last one of this market */
  readonly gap: number
  /** null: it asks for nothing */
  readonly budget: Budget | null
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
  /** what the trader paid or got */
  readonly userQuote: number
  readonly protocolFee: number
  readonly creatorFee: number
  /** the pool's, 0 on the curve */
  readonly lpFee: number
  /** quote and base before the trade: virtual on the curve, the pool's own in a pool */
  readonly quoteBefore: number
  readonly baseBefore: number
  /** after the trade: virtual reserves on the curve, the pool's own in a pool */
  readonly quoteAfter: number
  readonly baseAfter: number
  /** left in the curve after the trade */
  readonly realQuote: number
  readonly realToken: number
  readonly tokensBefore: number
  /** the trade makes the token account, or it is emptied and given back */
  readonly opens: boolean
  readonly closes: boolean
  /** sold out by this trade */
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
  /** who runs it and pays for the pool's accounts */
  readonly wallet: Wallet
  /** what reaches the pool */
  readonly tokens: number
  readonly quote: number
  readonly migrationFee: number
}

export type Action = CreateAction | TradeAction | TransferAction | MigrateAction

/** A fact whose keys are only made when it is written. */
export type PlannedFact =
  | Extract<Fact, { kind: 'sol_price' }>
  | { readonly kind: 'kol'; readonly wallet: Wallet; readonly name: string }
  | PlannedFunder
  | { readonly kind: 'metadata'; readonly token: SimToken; readonly links: Links }
  | { readonly kind: 'image_hash'; readonly token: SimToken; readonly image: string }
  | { readonly kind: 'dex_paid'; readonly token: SimToken }

/** Wallets by id: who sends somebody the first SOL need not trade. */
interface PlannedFunder {
  readonly kind: 'funder'
  readonly wallet: string
  readonly funder: string
  readonly slot: number
  readonly exchange: boolean
}

export interface Links {
  readonly description: string | null
  readonly image: string | null
  readonly twitter: string | null
  readonly telegram: string | null
  readonly website: string | null
}
