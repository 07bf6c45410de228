import { bool, fixed, given, list, num, numbers, type Open, shortcut, table } from './field.ts'

/**
 * Coordinated wallets on one mint: methodology, section 8. Plain records; wallets are ids. Numbers of groups count up
 * from 0 in order of their founding and are never reused.
 */

/** Evidence families, in the order of the methodology; a family's number is its place here. */
export const FAMILIES = [
  'atomic',
  'jito',
  'payer',
  'transfer',
  'funder',
  'timing',
  'size',
  'history',
  'exits',
  'block_entry',
  'block_exit',
  'exodus',
  'consolidation',
  'handover',
  'budget',
  'actor',
] as const
export type Family = (typeof FAMILIES)[number]

/** A trade as later ones are compared with it. */
const RECENT_TRADE = table('RecentTrade', {
  isBuy: bool,
  wallet: num,
  slot: num,
  txIndex: num,
  /** what the trader paid or received, and what moved on the curve: lamports */
  paid: num,
  lamports: num,
  /** wallet id of the tip payer, -1 unknown or none */
  tipper: num,
  /** base units bought; base units of a sale that left next to nothing of what was held for a while, else 0 */
  got: num,
  out: num,
})
export interface RecentTrade extends Open<typeof RECENT_TRADE> {}

/** What speaks for two wallets acting together on this mint. Of its lists only what is there is written: pair.ts. */
const PAIR = table(
  'Pair',
  {
    /** wallet ids, a < b */
    a: num,
    b: num,
    /** times they sold within 2 slots of each other, and the slot of the last one that counted */
    exits: num,
    exitSlot: num,
    /** both are in one group because of this pair, or were at the last check */
    linked: bool,
    /** families with evidence: bit n is FAMILIES[n] */
    families: num,
    /** weight and slot of each of these, in the order of their bits; read by the functions of pair.ts */
    evidence: numbers,
    /** probability that they act together, from the weights; a cache, not state */
    p: shortcut(0),
  },
  { byHand: '../pair.ts' },
)
export interface Pair extends Open<typeof PAIR> {}

/** A wallet that traded or held this mint, and who funded it. */
const FUNDED_WALLET = table('FundedWallet', {
  wallet: fixed(num),
  funder: fixed(num),
})
export interface FundedWallet extends Open<typeof FUNDED_WALLET> {}

/** A wallet that bought this mint with an uncommon budget for its transaction. */
const BUDGETED_WALLET = table('BudgetedWallet', {
  wallet: fixed(num),
  /** compute units and priority fee as one number: see budget.ts of the engine */
  budget: fixed(num),
})
export interface BudgetedWallet extends Open<typeof BUDGETED_WALLET> {}

/** Tokens bought and sold by a group in one 25-slot bucket, base units. */
const FLOW = table('Flow', {
  /** floor(slot / 25) */
  index: num,
  bought: num,
  sold: num,
})
export interface Flow extends Open<typeof FLOW> {}

const GROUP = table('Group', {
  no: given,
  /** the red condition was met and has not been cleared since */
  red: bool,
  /** number of the group it was merged into, -1 none: an alias */
  mergedInto: num,
  /** slot of the first evidence, and the founding wallet with the smallest key: the id is made of both */
  firstSlot: fixed(num),
  founder: fixed(num),
  /** wallet ids in order of joining; empty once merged */
  members: numbers,
  /** of these, how many the token's memory has counted since the group was confirmed */
  remembered: num,
  /** base units held together now, and the highest they ever held together */
  balance: num,
  peak: num,
  /** slot at which it was confirmed, -1 not yet */
  confirmedSlot: num,
  /** base units bought and sold by the members, over their whole time on this mint */
  bought: num,
  sold: num,
  /** last slot with net selling over 750 slots, -1 never */
  netSellSlot: num,
  /** at most the last 31 buckets, oldest first */
  flows: list(FLOW),
})
export interface Group extends Open<typeof GROUP> {}

export const BUNDLE_BOOK = table('BundleBook', {
  /** at most 32, all within 5 slots of the newest, oldest first */
  recent: list(RECENT_TRADE),
  /** bounded by BUNDLES.pairsMax */
  pairs: list(PAIR),
  /** index = group number */
  groups: list(GROUP),
  /** in order of becoming known here, bounded by BUNDLES.fundedMax and BUNDLES.sharedFunderMax per funder */
  funded: list(FUNDED_WALLET),
  /** in order of their first buys, bounded by BUNDLES.fundedMax and BUNDLES.sharedFunderMax per budget */
  budgeted: list(BUDGETED_WALLET),
})
export interface BundleBook extends Open<typeof BUNDLE_BOOK> {}
