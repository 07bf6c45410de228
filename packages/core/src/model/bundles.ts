import { atMost, bool, fixed, given, list, none, num, numbers, type Open, table } from './field.ts'

/**
 * Coordinated wallets on one mint (methodology, section 8). Plain records; wallets are ids. Group numbers count up from
 * 0 in order of founding and are never reused.
 */

/** Families of evidence in the order of the methodology. A family's number is its index here. */
export const FAMILIES = ['atomic', 'payer', 'transfer', 'funder', 'consolidation'] as const
export type Family = (typeof FAMILIES)[number]

/** A buy of the newest transaction that bought the mint. */
const RECENT_BUY = table('RecentBuy', {
  wallet: fixed(num),
  slot: fixed(num),
  txIndex: fixed(num),
})
export interface RecentBuy extends Open<typeof RECENT_BUY> {}

/** Two wallets of this mint that evidence links, or of which one gave the other tokens. */
const PAIR = table('Pair', {
  /** Wallet ids, a < b. */
  a: fixed(num),
  b: fixed(num),
  /** The one that was given tokens last, -1 if none. */
  taker: none,
  /** True if it was bought for the taker: the giver bought in the transaction of each gift. */
  bought: bool,
  /** Families that link them: bit n is FAMILIES[n]. None as long as the taker has not used what it was given. */
  families: num,
  /** The slot of each of these, in the order of the bits; read through pair.ts. */
  slots: atMost(5, numbers),
})
export interface Pair extends Open<typeof PAIR> {}

/** A wallet that traded this mint, and one that funded it or pays for it. */
const BACKED_WALLET = table('BackedWallet', {
  wallet: fixed(num),
  backer: fixed(num),
})
export interface BackedWallet extends Open<typeof BACKED_WALLET> {}

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
  recent: atMost(16, list(RECENT_BUY)),
  pairs: atMost(512, list(PAIR)),
  /** Indexed by group number. */
  groups: atMost(512, list(GROUP)),
  /** In the order in which this became known; per backer at most sharedBackerMax. */
  backed: atMost(512, list(BACKED_WALLET)),
})
export interface BundleBook extends Open<typeof BUNDLE_BOOK> {}
