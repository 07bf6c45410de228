import { atMost, bool, fixed, given, list, num, numbers, type Open, shortcut, table } from './field.ts'

/**
 * Coordinated wallets on one mint (methodology, section 8). Plain records; wallets are ids. Group numbers count up from
 * 0 in order of founding and are never reused.
 */

/** Evidence families in the order of the methodology. A family's number is its index here. */
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

/** A recent trade, which later ones are compared with. */
const RECENT_TRADE = table('RecentTrade', {
  isBuy: bool,
  wallet: num,
  slot: num,
  txIndex: num,
  /** The trader's amount with fees, and the amount moved on the curve, lamports. */
  paid: num,
  lamports: num,
  /** Wallet id of the tip payer, -1 if unknown or none. */
  tipper: num,
  /** Base units bought; base units of a sale that emptied a position held for a while, else 0. */
  got: num,
  out: num,
  /** The weight of its timing, once it was computed; not state. */
  timingWeight: shortcut(-1),
})
export interface RecentTrade extends Open<typeof RECENT_TRADE> {}

/** A pair of wallets with evidence on this mint. Only families with evidence are stored (pair.ts). */
const PAIR = table(
  'Pair',
  {
    /** Wallet ids, a < b. */
    a: num,
    b: num,
    /** Joint sales within 2 slots, and the slot of the last one counted. */
    exits: num,
    exitSlot: num,
    /** True if this pair put both into one group, or did at the last check. */
    linked: bool,
    /** Families with evidence: bit n is FAMILIES[n]. */
    families: num,
    /** Weight and slot of each family, in the order of the bits; read through pair.ts. */
    evidence: atMost(32, numbers),
    /** The probability that they act together, from the weights. A cache, not state. */
    p: shortcut(0),
  },
  { byHand: '../pair.ts' },
)
export interface Pair extends Open<typeof PAIR> {}

/** A wallet that traded or held this mint, and its funder. */
const FUNDED_WALLET = table('FundedWallet', {
  wallet: fixed(num),
  funder: fixed(num),
})
export interface FundedWallet extends Open<typeof FUNDED_WALLET> {}

/** A wallet that bought this mint with an uncommon transaction budget. */
const BUDGETED_WALLET = table('BudgetedWallet', {
  wallet: fixed(num),
  /** Compute units and priority fee in one number (budget.ts of the engine). */
  budget: fixed(num),
})
export interface BudgetedWallet extends Open<typeof BUDGETED_WALLET> {}

/** Tokens bought and sold by a group in one 25-slot bucket, base units. */
const FLOW = table('Flow', {
  /** floor(slot / 25). */
  index: num,
  bought: num,
  sold: num,
})
export interface Flow extends Open<typeof FLOW> {}

const GROUP = table('Group', {
  no: given,
  /** True while the red condition was met and has not cleared. */
  red: bool,
  /** Number of the group it was merged into, -1 if none. A merged group is an alias. */
  mergedInto: num,
  /** Slot of the first evidence, and the founding wallet with the smallest key: the id derives from both. */
  firstSlot: fixed(num),
  founder: fixed(num),
  /** Wallet ids in order of joining; empty once merged. */
  members: atMost(4_096, numbers),
  /** The number of members that the token's memory has counted since the confirmation. */
  remembered: num,
  /** Base units held together now, and their peak. */
  balance: num,
  peak: num,
  /** Slot of the confirmation, -1 if none yet. */
  confirmedSlot: num,
  /** Base units bought and sold by the members over their whole time on this mint. */
  bought: num,
  sold: num,
  /** Last slot with net selling over 750 slots, -1 if none. */
  netSellSlot: num,
  /** The last buckets, oldest first. */
  flows: atMost(31, list(FLOW)),
})
export interface Group extends Open<typeof GROUP> {}

export const BUNDLE_BOOK = table('BundleBook', {
  /** All within 5 slots of the newest, oldest first. */
  recent: atMost(32, list(RECENT_TRADE)),
  pairs: atMost(512, list(PAIR)),
  /** Indexed by group number. */
  groups: atMost(512, list(GROUP)),
  /** In the order in which funders became known; per funder at most sharedFunderMax. */
  funded: atMost(512, list(FUNDED_WALLET)),
  /** In order of their first buys; per budget at most sharedFunderMax. */
  budgeted: atMost(512, list(BUDGETED_WALLET)),
})
export interface BundleBook extends Open<typeof BUNDLE_BOOK> {}
