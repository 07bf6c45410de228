import { VENUE, type Venue } from './events.ts'
import {
  atMost,
  flag,
  given,
  list,
  nested,
  none,
  num,
  numOrNull,
  packed,
  type Sealed,
  sig,
  small,
  table,
  textOrNull,
  type Union,
  when,
} from './field.ts'
import { DUP_FLAGS, TOKEN_METADATA } from './metadata.ts'
import { LATCHED } from './outlook.ts'

/** Immutable rows of the store, unlike the records of state.ts. */

/** A trade as served: the event, and the trader's history before it. Null fields follow the specification. */
export const TRADE_ROW = table('TradeRow', {
  no: given,
  isBuy: flag(1),
  smart: flag(2),
  /** True in the market that sets the token's price. */
  pricing: flag(128),
  /** True if the trader wash trades, this trade included. */
  wash: flag(1, 2),
  venue: packed<Venue>(8, Object.values(VENUE)),
  sig: when(4, sig),
  /** The amount of `lamports` in base units of a quote without a known price, else 0. */
  own: when(64, num),
  token: num,
  wallet: num,
  /** Number of the token's previous row, -1 if none. */
  prev: num,
  outer: num,
  inner: num,
  slot: num,
  time: num,
  /** Lamports moved on the curve or in the pool, without fees; 0 if the quote has no known price. */
  lamports: num,
  tokens: num,
  /** USD. */
  mcap: num,
  buysBefore: num,
  buyLamportsBefore: num,
  avgHoldSlots: numOrNull,
  pnlLamports: numOrNull,
  roi: numOrNull,
  winRate: numOrNull,
  healthyRate: numOrNull,
  sellImpact: numOrNull,
  bundledRate: numOrNull,
  solBalance: numOrNull,
  /** Number of the trader's group if it was confirmed at this trade, else -1. */
  group: num,
})
export interface TradeRow extends Sealed<typeof TRADE_ROW> {
  /** Assigned when the trade is folded. */
  wash: boolean
  /** Assigned when the commit of the row ends. */
  group: number
}

/** What a fixed age found and answered: a token's own record has the newest only. */
export const READING_ROW = table('ReadingRow', {
  no: given,
  token: num,
  slot: num,
  /** Slots since the creation. */
  age: num,
  /** Tenths, before and after the verdict lowers it. */
  points: num,
  score: num,
  /** As in the token's verdict. */
  knownPct: num,
  top10Pct: num,
  /** Indexes in COLOURS and VERDICT_CODES. */
  colour: small<number>(3),
  code: small<number>(63),
  latched: atMost(3, list(LATCHED)),
})
export interface ReadingRow extends Sealed<typeof READING_ROW> {}

const TOKEN_EVENT_HEAD = table('TokenEventHead', {
  /** Sequence number in the topic, from 1, without gaps. */
  seq: given,
  token: num,
  /** Chain slot, and Unix seconds of its block or of the fact's observation. */
  slot: num,
  time: num,
})
const TOKEN_CREATED = table('TokenCreated', { image: textOrNull })
export interface TokenCreated extends Sealed<typeof TOKEN_CREATED> {}
const TOKEN_METADATA_SEEN = table('TokenMetadataSeen', { metadata: nested(TOKEN_METADATA) })
export interface TokenMetadataSeen extends Sealed<typeof TOKEN_METADATA_SEEN> {}
const TOKEN_DUPLICATION = table('TokenDuplication', { dup: nested(DUP_FLAGS) })
export interface TokenDuplication extends Sealed<typeof TOKEN_DUPLICATION> {}
const TOKEN_GRADUATED = table('TokenGraduated', {
  image: textOrNull,
  /** USD. */
  mcap: num,
})
export interface TokenGraduated extends Sealed<typeof TOKEN_GRADUATED> {}
const TOKEN_DEX_PAID = table('TokenDexPaid', { image: textOrNull })
export interface TokenDexPaid extends Sealed<typeof TOKEN_DEX_PAID> {}
const TOKEN_LIQUIDITY_PULLED = table('TokenLiquidityPulled', {
  /** Wallet id; -1 for an account of a program. */
  wallet: num,
  /** Lamports; 0 if the quote has no price. */
  lamports: num,
  sig: when(1, sig),
})
export interface TokenLiquidityPulled extends Sealed<typeof TOKEN_LIQUIDITY_PULLED> {}

const TOKEN_VERDICT_CHANGED = table('TokenVerdictChanged', {
  /** Among all changes of verdicts, from 1, without gaps. */
  no: num,
  /** Indexes in COLOURS (before and now), VERDICT_CODES and VERDICT_EVENTS. */
  from: small<number>(3),
  colour: small<number>(3),
  code: small<number>(63),
  event: small<number>(3),
  /** Tenths, of the latest fixed age and lowered by this verdict; -1 before the first. */
  score: none,
})
export interface TokenVerdictChanged extends Sealed<typeof TOKEN_VERDICT_CHANGED> {}

/** A token event, with the values that may change later. */
export type TokenEventRow = Sealed<typeof TOKEN_EVENT_HEAD> &
  (
    | ({ readonly kind: 'created' } & TokenCreated)
    | ({ readonly kind: 'metadata' } & TokenMetadataSeen)
    | ({ readonly kind: 'duplication' } & TokenDuplication)
    | ({ readonly kind: 'graduated' } & TokenGraduated)
    | ({ readonly kind: 'dex_paid' } & TokenDexPaid)
    | ({ readonly kind: 'liquidity_pulled' } & TokenLiquidityPulled)
    | ({ readonly kind: 'verdict' } & TokenVerdictChanged)
  )
export const TOKEN_EVENTS = {
  ...{ name: 'TokenEventRow', head: TOKEN_EVENT_HEAD },
  kinds: [
    ['created', TOKEN_CREATED],
    ['metadata', TOKEN_METADATA_SEEN],
    ['duplication', TOKEN_DUPLICATION],
    ['graduated', TOKEN_GRADUATED],
    ['dex_paid', TOKEN_DEX_PAID],
    ['liquidity_pulled', TOKEN_LIQUIDITY_PULLED],
    ['verdict', TOKEN_VERDICT_CHANGED],
  ],
} as const satisfies Union
