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
 * Chain events, as the log stores and the engine folds them. Amounts are integers in base units (lamports for SOL,
 * 10^-6 for USDC and pump tokens); the decoder skips and counts payloads with amounts above 2^53 − 1. The tables are
 * part of the log's format (field.ts).
 */

/**
 * Quote assets with a known price in SOL and USD (a dollar coin counts as a dollar). Tokens that trade against any
 * `other` are followed in units of that quote. Logs and states contain the numbers, so only append.
 */
export const QUOTE = { SOL: 0, USDC: 1, USD1: 2, other: 3 } as const
export type Quote = (typeof QUOTE)[keyof typeof QUOTE]
export const QUOTE_MAX = Math.max(...Object.values(QUOTE))

/** Decimals of the quotes with a price, by number. */
export const QUOTE_DECIMALS: readonly number[] = [9, 6, 6]

/** A quote asset of unknown price. */
export const QUOTE_ASSET = table('QuoteAsset', {
  mint: key,
  /** -1 if the source does not show it. */
  decimals: int,
})
export interface QuoteAsset extends Sealed<typeof QUOTE_ASSET> {}

/** The largest quote that fits the bit in a trade's flags; larger ones are written after them. */
export const QUOTE_BIT_MAX = QUOTE.USDC

/** The quote of a token or trade. */
const QUOTED = {
  quote: { ...small<Quote>(QUOTE_MAX), kind: 'quote' },
  /** Present if and only if `quote` is `other`. */
  asset: optional({ ...nested(QUOTE_ASSET), kind: 'asset' }),
} as const
export interface Quoted extends Sealed<{ name: ''; fields: typeof QUOTED }> {}

export function assetOf({ asset }: Quoted): QuoteAsset {
  if (asset === undefined) throw new Error('a quote without a price has no mint')
  return asset
}

/** Launchpads by their served names. Logs and states contain the numbers, so only append. */
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
  moonit: 9,
  boop: 10,
} as const
export type Launchpad = (typeof LAUNCHPAD)[keyof typeof LAUNCHPAD]
export const LAUNCHPAD_MAX = Math.max(...Object.values(LAUNCHPAD))

const LAUNCHPAD_NAMES = new Map<number, string>(Object.entries(LAUNCHPAD).map(([name, number]) => [number, name]))
/** The served name; null where the launchpad is not known. */
export const launchpadName = (launchpad: Launchpad): string | null =>
  launchpad === LAUNCHPAD.unknown ? null : LAUNCHPAD_NAMES.get(launchpad)!

/** Where a trade took place. Numbers as above; the log has three bits for them. */
export const VENUE = {
  pump: 0,
  pumpswap: 1,
  launchlab: 2,
  meteora_dbc: 3,
  meteora_damm_v2: 4,
  moonit: 5,
  boop: 6,
} as const
export type Venue = (typeof VENUE)[keyof typeof VENUE]

/**
 * An event's position in the chain, and its token. Events of a slot are ordered by (txIndex, outer, inner). Events from
 * logs have no instruction positions: `outer` is -1, `inner` counts the transaction's events, and `txIndex` is the
 * order of delivery.
 */
const EVENT_HEAD = table('EventHead', { sig, txIndex: int, outer: int, inner: int, mint: key })
export interface EventHead extends Sealed<typeof EVENT_HEAD> {}

const TRADE = table(
  'TradeEvent',
  {
    isBuy: flag(1),
    /** The mayhem program traded: real volume, but no human holder. */
    mayhem: flag(2),
    venue: packed<Venue>(32, Object.values(VENUE)),
    user: key,
    ...QUOTED,
    quote: { ...QUOTED.quote, bits: { byte: 1, bit: 16 }, when: { byte: 2, bit: 16 } },
    /** Payers of the network fee and of a block engine's tip; null if unknown or none. */
    payer: sameOrNull(1, 'user'),
    tipper: sameOrNull(4, 'user'),
    /** Bonding curve or pool account; null if the source does not name it. */
    pool: orNull(4, key),
    /** The creator who earns fees, the developer of the launch; null if the layout has no such field. */
    creator: orNull(8, key),
    /** The amount moved on the curve or in the pool without fees, quote base units. */
    quoteAmount: int,
    /** The amount the trader paid (buy) or received (sell) including fees, quote base units. */
    userQuote: int,
    /** Token base units. */
    tokenAmount: int,
    /** Reserves after the trade, virtual part included: price = quoteReserve / baseReserve in base units; both > 0. */
    quoteReserve: num,
    baseReserve: num,
    /** The pool's own quote reserve before the trade (AMM only), for detecting withdrawn liquidity; -1 if unknown. */
    quoteBefore: num,
    /** Tokens left to sell on the curve, base units; -1 if unknown or not a curve. */
    realToken: num,
    /** Token supply in base units if the event states it, else -1. */
    supply: num,
    /** Token decimals; 6 unless the source states others. */
    decimals: int,
    /** The trader's lamports before and after the whole transaction; -1 without the transaction's meta. */
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
    /** Bonding curve or pool. */
    pool: key,
    /**
     * Developer of the launch: the creator, or the signing user in layouts without one. `ZERO_KEY` if the launchpad
     * itself creates every pool, so that the developer is unknown.
     */
    creator: key,
    user: key,
    name: text,
    symbol: text,
    uri: text,
    /** Normalised for the duplication check. Stored, because the result depends on Unicode tables. */
    nameNorm: text,
    symbolNorm: text,
    supply: num,
    decimals: int,
    /** Initial virtual reserves; 0 if the layout has none. */
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

/** Facts about the graduating token, for tokens whose launch was not seen. */
const GRADUATE = table('Graduate', {
  launchpad: small<Launchpad>(LAUNCHPAD_MAX),
  ...QUOTED,
  decimals: int,
  /** The pool's initial reserves, base units: the price at graduation; 0 if unknown. */
  quoteReserve: num,
  baseReserve: num,
  /** True if a trade in the token's canonical pool revealed an earlier graduation of unknown time. */
  earlier: bool,
})
export interface Graduate extends Sealed<typeof GRADUATE> {}

/** Graduation: liquidity moved to the AMM, and `pool` becomes the token's canonical pool. */
const MIGRATE = table('MigrateEvent', { pool: key })
export interface MigrateEvent extends EventHead, Sealed<typeof MIGRATE> {
  readonly kind: 'migrate'
  /** In the log, its presence makes a kind of its own; captures do not store it. */
  readonly token?: Graduate
}

/** An AMM pool was opened for a mint, not necessarily the canonical one. */
const POOL = table('PoolEvent', { pool: key, ...QUOTED, decimals: int })
export interface PoolEvent extends EventHead, Sealed<typeof POOL> {
  readonly kind: 'pool'
}

/**
 * A wallet's token balance after a transaction whose trades do not explain it: tokens moved by plain transfer. `outer`
 * and `inner` are the end of the transaction.
 */
const BALANCE = table('BalanceEvent', {
  owner: key,
  /** Base units after the transaction. */
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
