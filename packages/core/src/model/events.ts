import type { Key } from '../base/ids.ts'
import {
  bool,
  flag,
  int,
  key,
  keys,
  nested,
  none,
  num,
  numbers,
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
  when,
} from './field.ts'

/**
 * Chain events, as the log stores and the engine folds them. Amounts are base units (lamports for SOL, 10^-6 for USDC and
 * pump tokens) of a u64: exact up to 2^53, beyond that the nearest number (at most one part in 2^53 off). The tables are
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
    /**
     * A hop: the tokens passed through the transaction, or a program traded for itself. The price and the volume are real,
     * but no wallet bought or sold; `user` is then of no meaning.
     */
    hop: flag(32, 2),
    venue: packed<Venue>(32, Object.values(VENUE)),
    user: key,
    ...QUOTED,
    quote: { ...QUOTED.quote, bits: { byte: 1, bit: 16 }, when: { byte: 2, bit: 16 } },
    /** Payers of the network fee and of a block engine's tip; null if unknown or none. */
    payer: sameOrNull(1, 'user'),
    tipper: sameOrNull(4, 'user'),
    /** Bonding curve or pool account; null if the source does not name it. */
    pool: orNull(4, key),
    /** The creator who earns fees; null if the layout has no such field. */
    creator: orNull(8, key),
    /** The amount moved on the curve or in the pool without fees, quote base units. */
    quoteAmount: num,
    /** The amount the trader paid (buy) or received (sell) including fees, quote base units. */
    userQuote: num,
    /** Token base units. */
    tokenAmount: num,
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
    /** The trader's only token account in the transaction (`accountId`), and its balance before the trade; -1 and 0 if unknown. */
    account: when(64, none, 2),
    held: when(128, num, 2),
  },
  {
    captured: [
      ...['sig', 'txIndex', 'outer', 'inner', 'venue', 'mint', 'pool', 'user', 'isBuy', 'quote', 'quoteAmount'],
      ...['userQuote', 'tokenAmount', 'quoteReserve', 'baseReserve', 'quoteBefore', 'realToken', 'supply', 'decimals'],
      ...['creator', 'mayhem', 'payer', 'tipper', 'solBefore', 'solAfter'],
    ],
    appended: ['hop', 'account', 'held'],
  },
)
export interface TradeEvent extends EventHead, Sealed<typeof TRADE> {
  readonly kind: 'trade'
}

/** The creation's words about the mint. */
export const NAMED = {
  name: text,
  symbol: text,
  uri: text,
  /** Normalised for the duplication check. Stored, because the result depends on Unicode tables. */
  nameNorm: text,
  symbolNorm: text,
  supply: num,
  decimals: int,
}

const CREATE = table(
  'CreateEvent',
  {
    launchpad: small<Launchpad>(LAUNCHPAD_MAX),
    ...QUOTED,
    mayhem: bool,
    /** Bonding curve or pool. */
    pool: key,
    /** The key that gets the creator's fees. Any key can be named here; `ZERO_KEY` if none is. */
    creator: key,
    /**
     * The launcher: the wallet that signed the creation. `ZERO_KEY` if a program signed, or if the launchpad signs every
     * creation.
     */
    user: key,
    /** Payer of the network fee; null if unknown. */
    payer: sameOrNull(1, 'user'),
    /** The creator is known to have signed too. */
    signed: flag(4, 2),
    ...NAMED,
    /** Initial virtual reserves; 0 if the layout has none. */
    quoteReserve: num,
    baseReserve: num,
  },
  {
    captured: [
      ...['sig', 'txIndex', 'outer', 'inner', 'launchpad', 'mint', 'pool', 'creator', 'user', 'name', 'symbol', 'uri'],
      ...['nameNorm', 'symbolNorm', 'quote', 'supply', 'decimals', 'quoteReserve', 'baseReserve', 'mayhem'],
    ],
    appended: ['payer', 'signed'],
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
 * A token account whose balance changed in a transaction in a way that the trades do not say: a gift, a purchase for another,
 * a burn. `outer` and `inner` are the end of the transaction; rows of an owner are adjacent.
 */
const BALANCE = table('BalanceEvent', {
  /** A program owns the account: a market of others, a lock, a vault. Its accounts are one row. */
  program: flag(1),
  /** The tokens came from, or went to, a market of another token, in which this one is the quote. */
  swap: flag(2),
  /** What was burned or withheld has no owner (`ZERO_KEY`). */
  owner: key,
  /** `accountId` of the account; -1 for all accounts of the owner that are not named. */
  account: none,
  /** Base units before and after the transaction. */
  before: num,
  after: num,
  /** The part of the owner's change that its trades say: bought less sold, on the owner's first row. */
  explained: when(4, num),
})
export interface BalanceEvent extends EventHead, Sealed<typeof BALANCE> {
  readonly kind: 'balance'
}

/** Names one of the token accounts of an owner: 30 bits of its address, so that it costs no memory of its own. */
export const accountId = (account: Key): number =>
  account.charCodeAt(0) |
  (account.charCodeAt(1) << 8) |
  (account.charCodeAt(2) << 16) |
  ((account.charCodeAt(3) & 0x3f) << 24)

/**
 * What happened to a pool's liquidity. `open`: the pool's first deposit. `lock`: liquidity that can never be withdrawn.
 * `plan`: what the curve's configuration says before the graduation. Logs contain the numbers, so only append.
 */
export const LIQUIDITY = { open: 0, deposit: 1, withdraw: 2, lock: 3, plan: 4 } as const
export type LiquidityChange = (typeof LIQUIDITY)[keyof typeof LIQUIDITY]

/** Liquidity that entered or left a pool, or was locked in it. Units are the program's own; only their ratios matter. */
const LIQUIDITY_EVENT = table('LiquidityEvent', {
  /** The owner is a program's account, and no person. */
  program: flag(1),
  change: small<LiquidityChange>(Math.max(...Object.values(LIQUIDITY))),
  ...QUOTED,
  /** For a plan, the bonding curve. */
  pool: key,
  /** The wallet that signed, or the owner of the position. */
  owner: key,
  /** Base units moved. */
  tokens: num,
  quoteAmount: num,
  /** The pool's reserves afterwards without any virtual part, base units; -1 if unknown. */
  quoteReserve: num,
  baseReserve: num,
  /** Units moved; units of the whole pool afterwards and the part of them locked for ever, -1 if unknown. */
  units: num,
  total: num,
  locked: num,
})
export interface LiquidityEvent extends EventHead, Sealed<typeof LIQUIDITY_EVENT> {
  readonly kind: 'liquidity'
}

/**
 * How the creator of a token, or the owners of its fees, became known or changed, by their served names. Logs and states
 * contain the numbers, so only append.
 */
export const FEE_CHANGE = {
  created: 0,
  /** A trade stated another creator. */
  traded: 1,
  set_creator: 2,
  /** Taken from the token's metadata. */
  metadata: 3,
  /** Fees go to the owners in a sharing configuration. */
  sharing: 4,
  /** Pump gave the token to another creator ("community takeover"). */
  takeover: 5,
  /** Fees go to the holders. */
  holder_rewards: 6,
  /** The creator passed the role on. */
  transferred: 7,
  shares_set: 8,
  shares_updated: 9,
  shares_reset: 10,
} as const
export type FeeChange = (typeof FEE_CHANGE)[keyof typeof FEE_CHANGE]
export const FEE_CHANGE_MAX = Math.max(...Object.values(FEE_CHANGE))

/** Another key became the creator, who gets the creator's fees. */
const CREATOR = table('CreatorEvent', {
  how: small<FeeChange>(FEE_CHANGE_MAX),
  /** `ZERO_KEY` for none. */
  creator: key,
  /** The pool that it concerns; null for a curve. */
  pool: orNull(1, key),
})
export interface CreatorEvent extends EventHead, Sealed<typeof CREATOR> {
  readonly kind: 'creator'
}

/** A sharing configuration states who gets the creator's fees: at most `FEE_OWNERS_MAX` keys and their basis points. */
const SHARES = table('SharesEvent', { how: small<FeeChange>(FEE_CHANGE_MAX), owners: keys, shares: numbers })
export interface SharesEvent extends EventHead, Sealed<typeof SHARES> {
  readonly kind: 'shares'
}
/** The bound of pump's fee program. */
export const FEE_OWNERS_MAX = 10

export type ChainEvent =
  | TradeEvent
  | CreateEvent
  | CompleteEvent
  | MigrateEvent
  | PoolEvent
  | BalanceEvent
  | LiquidityEvent
  | CreatorEvent
  | SharesEvent
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
      ['liquidity', LIQUIDITY_EVENT],
    ] as const),
    ...([
      ['creator', CREATOR],
      ['shares', SHARES],
    ] as const),
  ],
  with: { kind: 'migrate', field: 'token', of: GRADUATE },
} as const satisfies Union
