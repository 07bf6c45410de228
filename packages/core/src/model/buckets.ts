import { flag, num, type Open, table } from './field.ts'

/** What a token's record counts by buckets of slots, and the lists of what is due. */

/** One 25-slot bucket of the short window (methodology, section 1). */
export const BUCKET = table('Bucket', {
  /** floor(slot / 25). */
  index: num,
  buyLamports: num,
  sellLamports: num,
  buys: num,
  sells: num,
  /** Price before the bucket's first trade, quote base units per token base unit. */
  open: num,
  /** Highest real quote reserve, quote base units; 0 if unknown. */
  reserve: num,
  /** Holders before the bucket's first trade. */
  holders: num,
})
export interface Bucket extends Open<typeof BUCKET> {}

/** Base units sold in 375 slots by the token's own people, and by early holders who left. */
export const EXIT = table('Exit', {
  /** floor(slot / 375). */
  index: num,
  tokens: num,
  early: num,
})
export interface Exit extends Open<typeof EXIT> {}

/** Sums of one wallet class of a token, base units and lamports. The peak is as of the end of a transaction. */
export const CLASS_SUMS = table('ClassSums', {
  /** Positions that ever were in it. */
  wallets: num,
  held: num,
  peak: num,
  sold: num,
  paid: num,
  got: num,
})
export interface ClassSums extends Open<typeof CLASS_SUMS> {}

/** A sell whose price effect is measured 25 slots later, with the weight min(SOL, 10). */
export const PENDING_IMPACT = table('PendingImpact', {
  wallet: num,
  dueSlot: num,
  priceBefore: num,
  weight: num,
})
export interface PendingImpact extends Open<typeof PENDING_IMPACT> {}

/** A trade of the last 5 minutes by a smart wallet or KOL. */
export const WATCHED_TRADE = table('WatchedTrade', {
  smart: flag(1),
  kol: flag(2),
  wallet: num,
  slot: num,
  /** Lamports, positive for a buy. */
  lamports: num,
})
export interface WatchedTrade extends Open<typeof WATCHED_TRADE> {}
