import type { Key, Sig } from '../base/ids.ts'

/**
 * What happened, as the log keeps it and the engine folds it. Amounts are integers in base units (lamports for SOL,
 * 10^-6 for USDC and pump tokens); a payload whose amounts pass 2^53 − 1 is skipped and counted by the decoder.
 */

/**
 * Quote assets whose price in SOL and USD the service knows (a dollar coin counts as a dollar), and `other` for all the rest:
 * what trades against those is followed in its own unit. The numbers stand in logs and states: only ever append.
 */
export const QUOTE = { SOL: 0, USDC: 1, USD1: 2, other: 3 } as const
export type Quote = (typeof QUOTE)[keyof typeof QUOTE]
export const QUOTE_MAX = Math.max(...Object.values(QUOTE))

/** Decimals of those with a price, by their number. */
export const QUOTE_DECIMALS: readonly number[] = [9, 6, 6]

/** A quote asset of unknown price. */
export interface QuoteAsset {
  readonly mint: Key
  /** -1 when the material does not tell */
  readonly decimals: number
}

/** What something is quoted in. */
export interface Quoted {
  readonly quote: Quote
  /** there when, and only when, `quote` is `other` */
  readonly asset?: QuoteAsset
}

/** The names are the served ones; the numbers stand in logs and states: only ever append. */
export const LAUNCHPAD = {
  unknown: 0,
  pumpfun: 1,
  launchlab: 2,
  meteora_dbc: 3,
  believe: 4,
  bags: 5,
  jupiter_studio: 6,
  moonshot: 7,
  trends_fun: 8,
} as const
export type Launchpad = (typeof LAUNCHPAD)[keyof typeof LAUNCHPAD]
export const LAUNCHPAD_MAX = Math.max(...Object.values(LAUNCHPAD))

/** Where a trade took place. Numbers as above; the log has three bits for them. */
export const VENUE = { pump: 0, pumpswap: 1, launchlab: 2, meteora_dbc: 3, meteora_damm_v2: 4 } as const
export type Venue = (typeof VENUE)[keyof typeof VENUE]
export const VENUE_MAX = Math.max(...Object.values(VENUE))

/**
 * Position of an event in the chain. Order of truth within a slot: (txIndex, outer, inner).
 * On the log path there are no instruction positions: `outer` is -1 and `inner` counts the events of the transaction's
 * log; `txIndex` is the order in which the source delivered the transaction.
 */
export interface Position {
  readonly sig: Sig
  readonly txIndex: number
  readonly outer: number
  readonly inner: number
}

export interface TradeEvent extends Position, Quoted {
  readonly kind: 'trade'
  readonly venue: Venue
  readonly mint: Key
  /** bonding curve or pool account; null where the material does not name it */
  readonly pool: Key | null
  readonly user: Key
  readonly isBuy: boolean
  /** what moved on the curve or in the pool, without fees, base units of the quote */
  readonly quoteAmount: number
  /** what the trader paid (buy) or received (sell), fees included, base units of the quote */
  readonly userQuote: number
  /** token base units */
  readonly tokenAmount: number
  /** reserves after the trade, virtual part included: price = quoteReserve / baseReserve in base units; both > 0 */
  readonly quoteReserve: number
  readonly baseReserve: number
  /** the pool's own quote reserve before the trade (AMM only), to notice withdrawn liquidity; -1 when unknown */
  readonly quoteBefore: number
  /** tokens left to sell on the curve, base units; -1 when unknown or not a curve */
  readonly realToken: number
  /** token supply in base units as the event states it; -1 when it does not */
  readonly supply: number
  /** token decimals; 6 unless the source says otherwise */
  readonly decimals: number
  /** who earns the creator fee: the developer of the launch; null when the layout has no such field */
  readonly creator: Key | null
  /** the mayhem program traded: real volume, no human holder */
  readonly mayhem: boolean
  /** who paid the network fee, and who paid a block engine's tip account; null when unknown or nobody did */
  readonly payer: Key | null
  readonly tipper: Key | null
  /** the trader's lamports before and after the whole transaction; -1 when the transaction's meta is absent */
  readonly solBefore: number
  readonly solAfter: number
}

export interface CreateEvent extends Position, Quoted {
  readonly kind: 'create'
  readonly launchpad: Launchpad
  readonly mint: Key
  /** bonding curve or pool */
  readonly pool: Key
  /**
   * developer of the launch: creator, or the signing user in layouts without one; `ZERO_KEY` where the launchpad itself
   * creates every pool, so that the chain does not say who the developer is
   */
  readonly creator: Key
  readonly user: Key
  readonly name: string
  readonly symbol: string
  readonly uri: string
  /** normalised for the duplication check (methodology, section 1), stored because it depends on Unicode tables */
  readonly nameNorm: string
  readonly symbolNorm: string
  readonly supply: number
  readonly decimals: number
  /** starting virtual reserves; 0 when the layout does not carry them */
  readonly quoteReserve: number
  readonly baseReserve: number
  readonly mayhem: boolean
}

/** The curve sold out; trading stops until the migration. */
export interface CompleteEvent extends Position {
  readonly kind: 'complete'
  readonly mint: Key
}

/** What a graduation says about its token, for one whose launch was not seen. */
export interface Graduate extends Quoted {
  readonly launchpad: Launchpad
  readonly decimals: number
  /** what the pool began with, base units: the price at graduation; 0 unknown */
  readonly quoteReserve: number
  readonly baseReserve: number
  /** seen by a trade in the token's canonical pool: it graduated at some time before, nobody knows when */
  readonly earlier: boolean
}

/** Graduation: liquidity moved to the AMM; `pool` becomes the token's canonical pool. */
export interface MigrateEvent extends Position {
  readonly kind: 'migrate'
  readonly mint: Key
  readonly pool: Key
  readonly token?: Graduate
}

/** Someone opened an AMM pool for a mint (not necessarily the canonical one). */
export interface PoolEvent extends Position, Quoted {
  readonly kind: 'pool'
  readonly mint: Key
  readonly pool: Key
  readonly decimals: number
}

/**
 * A wallet's token balance after the transaction differs from what the trades in it explain: tokens moved by plain
 * transfer. `outer` and `inner` are the end of the transaction.
 */
export interface BalanceEvent extends Position {
  readonly kind: 'balance'
  readonly mint: Key
  readonly owner: Key
  /** base units after the transaction */
  readonly amount: number
}

/** AMMs, where anyone may open a pool: only the canonical one prices a token. */
export const isAmm = (venue: Venue): boolean => venue === VENUE.pumpswap || venue === VENUE.meteora_damm_v2

/** Amounts are whole: a curve depth that they cannot tell to this share is not known. */
export const DEPTH_ERROR = 0.02

/**
 * Whether a trade's reserves say how deep its market is, or only its price: on Meteora's curve they are computed from
 * the amounts of the trade, and a small one does not tell.
 */
export const isDepthKnown = ({ venue, quoteReserve, quoteAmount, tokenAmount }: TradeEvent): boolean =>
  venue !== VENUE.meteora_dbc || quoteReserve * (1 / quoteAmount + 1 / tokenAmount) <= quoteAmount * DEPTH_ERROR

export type ChainEvent = TradeEvent | CreateEvent | CompleteEvent | MigrateEvent | PoolEvent | BalanceEvent

/** Facts the chain does not carry. Each has its origin and enters the log before the engine sees it. */
export interface SolPriceFact {
  readonly kind: 'sol_price'
  /** USD for one SOL */
  readonly usd: number
}

/** Links are as served; the `*Norm` forms are for the duplication check. Null = the metadata has no such field. */
export interface MetadataFact {
  readonly kind: 'metadata'
  readonly mint: Key
  readonly description: string | null
  readonly image: string | null
  readonly twitter: string | null
  readonly telegram: string | null
  readonly website: string | null
  readonly twitterNorm: string | null
  readonly telegramNorm: string | null
  readonly websiteNorm: string | null
}

export interface ImageHashFact {
  readonly kind: 'image_hash'
  readonly mint: Key
  /** SHA-256 of the image's bytes, hex */
  readonly sha256: string
}

/** A DEX listing order was approved. `time`: Unix seconds. */
export interface DexPaidFact {
  readonly kind: 'dex_paid'
  readonly mint: Key
  readonly time: number
}

/** Who sent a wallet its first SOL, and when. */
export interface FunderFact {
  readonly kind: 'funder'
  readonly wallet: Key
  readonly funder: Key
  /** chain slot of that transfer */
  readonly slot: number
  /** the funder is a known exchange: common to strangers */
  readonly exchange: boolean
}

/** A tracked influencer's wallet; `name` null: no longer tracked. */
export interface KolFact {
  readonly kind: 'kol'
  readonly wallet: Key
  readonly name: string | null
}

/** A wallet that the operator shows as a trading agent; `name` null: no longer. */
export interface AgentFact {
  readonly kind: 'agent'
  readonly wallet: Key
  readonly name: string | null
}

export type Fact = SolPriceFact | MetadataFact | ImageHashFact | DexPaidFact | FunderFact | KolFact | AgentFact

/** Lamports sent to the tip accounts of block engines: the only trace of a bundle on chain. */
export interface Tip {
  /** of the first transfer */
  readonly payer: Key
  /** of all of them */
  readonly lamports: number
  /** instruction of the first one; `inner` -1: the outer instruction itself */
  readonly outer: number
  readonly inner: number
}

/** A token account that the transaction opened, and who gave it its first lamports. */
export interface Rent {
  readonly payer: Key
  readonly owner: Key
  readonly mint: Key
}

/**
 * What a transaction offered and paid beside its trades, comparable across transaction versions. Kept in the log as evidence;
 * the engine does not fold it.
 */
export interface TransactionTerms {
  /** index in the block's events of the first that is of this transaction */
  readonly event: number
  readonly version: 'legacy' | 0 | 1
  /** lamports in all; -1 where it does not fit a number */
  readonly priorityFee: number
  /** compute units it asked for, or was given because it asked for none */
  readonly computeUnitLimit: number
  readonly tip: Tip | null
  /** accounts of the lookup tables it named */
  readonly tables: readonly Key[]
  /** of the mints of its events */
  readonly rents: readonly Rent[]
}

/** One slot's events in the order of truth. The unit of the log. */
export interface Block {
  readonly kind: 'block'
  readonly slot: number
  /** -1 when unknown */
  readonly parent: number
  /** Unix seconds, may have a fraction; 0 when unknown */
  readonly time: number
  readonly events: readonly ChainEvent[]
  /**
   * of transactions that have events here, ascending; none of those known from logs or given decoded, and absent where there
   * are none at all, as in entries of earlier releases
   */
  readonly terms?: readonly TransactionTerms[]
}

/** Facts that arrived between chain blocks. */
export interface Facts {
  readonly kind: 'facts'
  /** Unix seconds at which they were observed */
  readonly time: number
  /** the operator said so, not the source: the source's cursor does not count them */
  readonly byOperator: boolean
  readonly facts: readonly Fact[]
}

/** Slots that the source could not deliver in time: [from, to], inclusive. */
export interface Gap {
  readonly kind: 'gap'
  readonly from: number
  readonly to: number
}

export type LogEntry = Block | Facts | Gap
