import {
  bool,
  flag,
  int,
  key,
  nested,
  num,
  optional,
  orNull,
  packed,
  type Sealed,
  sameOrNull,
  sig,
  small,
  table,
  text,
  type Union,
} from './field.ts'

/**
 * What happened, as the log keeps it and the engine folds it. Amounts are integers in base units (lamports for SOL,
 * 10^-6 for USDC and pump tokens); a payload whose amounts pass 2^53 − 1 is skipped and counted by the decoder.
 * The tables are part of the log's format: see field.ts.
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
export const QUOTE_ASSET = table('QuoteAsset', {
  mint: key,
  /** -1 when the material does not show it */
  decimals: int,
})
export interface QuoteAsset extends Sealed<typeof QUOTE_ASSET> {}

/** Greatest of the quotes that fit the bit of a trade's flags; a greater one is written behind them. */
export const QUOTE_BIT_MAX = QUOTE.USDC

/** What something is quoted in; `bits`: those of a trade's flags. */
const QUOTED = {
  quote: { ...small<Quote>(QUOTE_MAX), kind: 'quote' },
  /** there when, and only when, `quote` is `other` */
  asset: optional({ ...nested(QUOTE_ASSET), kind: 'asset' }),
} as const
export interface Quoted extends Sealed<{ name: ''; fields: typeof QUOTED }> {}

export function assetOf({ asset }: Quoted): QuoteAsset {
  if (asset === undefined) throw new Error('a quote without a price has no mint')
  return asset
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

/**
 * Place of an event in the chain, and its token. Order of truth within a slot: (txIndex, outer, inner).
 * On the log path there are no instruction positions: `outer` is -1 and `inner` counts the events of the transaction's
 * log; `txIndex` is the order in which the source delivered the transaction.
 */
const EVENT_HEAD = table('EventHead', { sig, txIndex: int, outer: int, inner: int, mint: key })
export interface EventHead extends Sealed<typeof EVENT_HEAD> {}

const TRADE = table(
  'TradeEvent',
  {
    isBuy: flag(1),
    /** the mayhem program traded: real volume, no human holder */
    mayhem: flag(2),
    venue: packed<Venue>(32, Object.values(VENUE)),
    user: key,
    ...QUOTED,
    quote: { ...QUOTED.quote, bits: { byte: 1, bit: 16 }, when: { byte: 2, bit: 16 } },
    /** who paid the network fee, and who paid a block engine's tip account; null when unknown or nobody did */
    payer: sameOrNull(1, 'user'),
    tipper: sameOrNull(4, 'user'),
    /** bonding curve or pool account; null where the material does not name it */
    pool: orNull(4, key),
    /** who earns the creator fee: the developer of the launch; null when the layout has no such field */
    creator: orNull(8, key),
    /** what moved on the curve or in the pool, without fees, base units of the quote */
    quoteAmount: int,
    /** what the trader paid (buy) or received (sell), fees included, base units of the quote */
    userQuote: int,
    /** token base units */
    tokenAmount: int,
    /** reserves after the trade, virtual part included: price = quoteReserve / baseReserve in base units; both > 0 */
    quoteReserve: num,
    baseReserve: num,
    /** the pool's own quote reserve before the trade (AMM only), to notice withdrawn liquidity; -1 when unknown */
    quoteBefore: num,
    /** tokens left to sell on the curve, base units; -1 when unknown or not a curve */
    realToken: num,
    /** token supply in base units as the event states it; -1 when it does not */
    supply: num,
    /** token decimals; 6 unless the source says otherwise */
    decimals: int,
    /** the trader's lamports before and after the whole transaction; -1 when the transaction's meta is absent */
    solBefore: int,
    solAfter: int,
  },
  {
    captured: [
      ...['sig', 'txIndex', 'outer', 'inner', 'venue', 'mint', 'pool', 'user', 'isBuy', 'quote', 'quoteAmount'],
      ...['userQuote', 'tokenAmount', 'quoteReserve', 'baseReserve', 'quoteBefore', 'realToken', 'supply', 'decimals'],
      ...['creator', 'mayhem', 'payer', 'tipper', 'solBefore', 'solAfter'],
    ],
  },
)
export interface TradeEvent extends EventHead, Sealed<typeof TRADE> {
  readonly kind: 'trade'
}

const CREATE = table(
  'CreateEvent',
  {
    launchpad: small<Launchpad>(LAUNCHPAD_MAX),
    ...QUOTED,
    mayhem: bool,
    /** bonding curve or pool */
    pool: key,
    /**
     * developer of the launch: creator, or the signing user in layouts without one; `ZERO_KEY` where the launchpad itself
     * creates every pool, so that the chain does not say who the developer is
     */
    creator: key,
    user: key,
    name: text,
    symbol: text,
    uri: text,
    /** normalised for the duplication check (methodology, section 1), stored because it depends on Unicode tables */
    nameNorm: text,
    symbolNorm: text,
    supply: num,
    decimals: int,
    /** starting virtual reserves; 0 when the layout does not carry them */
    quoteReserve: num,
    baseReserve: num,
  },
  {
    captured: [
      ...['sig', 'txIndex', 'outer', 'inner', 'launchpad', 'mint', 'pool', 'creator', 'user', 'name', 'symbol', 'uri'],
      ...['nameNorm', 'symbolNorm', 'quote', 'supply', 'decimals', 'quoteReserve', 'baseReserve', 'mayhem'],
    ],
  },
)
export interface CreateEvent extends EventHead, Sealed<typeof CREATE> {
  readonly kind: 'create'
}

/** The curve sold out; trading stops until the migration. */
const COMPLETE = table('CompleteEvent', {})
interface CompleteEvent extends EventHead {
  readonly kind: 'complete'
}

/** What a graduation says about its token, for one whose launch was not seen. */
const GRADUATE = table('Graduate', {
  launchpad: small<Launchpad>(LAUNCHPAD_MAX),
  ...QUOTED,
  decimals: int,
  /** what the pool began with, base units: the price at graduation; 0 unknown */
  quoteReserve: num,
  baseReserve: num,
  /** seen by a trade in the token's canonical pool: it graduated at some time before, nobody knows when */
  earlier: bool,
})
export interface Graduate extends Sealed<typeof GRADUATE> {}

/** Graduation: liquidity moved to the AMM; `pool` becomes the token's canonical pool. */
const MIGRATE = table('MigrateEvent', { pool: key })
export interface MigrateEvent extends EventHead, Sealed<typeof MIGRATE> {
  readonly kind: 'migrate'
  /** in the log, its presence makes another kind; captures do not keep it */
  readonly token?: Graduate
}

/** Someone opened an AMM pool for a mint (not necessarily the canonical one). */
const POOL = table('PoolEvent', { pool: key, ...QUOTED, decimals: int })
export interface PoolEvent extends EventHead, Sealed<typeof POOL> {
  readonly kind: 'pool'
}

/**
 * A wallet's token balance after the transaction differs from what the trades in it explain: tokens moved by plain
 * transfer. `outer` and `inner` are the end of the transaction.
 */
const BALANCE = table('BalanceEvent', {
  owner: key,
  /** base units after the transaction */
  amount: int,
})
export interface BalanceEvent extends EventHead, Sealed<typeof BALANCE> {
  readonly kind: 'balance'
}

export type ChainEvent = TradeEvent | CreateEvent | CompleteEvent | MigrateEvent | PoolEvent | BalanceEvent
export const EVENTS = {
  ...{ name: 'ChainEvent', head: EVENT_HEAD },
  kinds: [
    ...([
      ['trade', TRADE],
      ['create', CREATE],
      ['complete', COMPLETE],
      ['migrate', MIGRATE],
    ] as const),
    ...([
      ['pool', POOL],
      ['balance', BALANCE],
    ] as const),
  ],
  with: { kind: 'migrate', field: 'token', of: GRADUATE },
} as const satisfies Union

/** AMMs, where anyone may open a pool: only the canonical one prices a token. */
export const isAmm = (venue: Venue): boolean => venue === VENUE.pumpswap || venue === VENUE.meteora_damm_v2

/** Amounts are whole: a curve depth that they cannot give to this precision is not known. */
export const DEPTH_ERROR = 0.02

/**
 * Whether a trade's reserves say how deep its market is, or only its price: on Meteora's curve they are computed from
 * the amounts of the trade, and a small one does not show it.
 */
export const isDepthKnown = ({ venue, quoteReserve, quoteAmount, tokenAmount }: TradeEvent): boolean =>
  venue !== VENUE.meteora_dbc || quoteReserve * (1 / quoteAmount + 1 / tokenAmount) <= quoteAmount * DEPTH_ERROR
