/**
 * Coordinated wallets on one mint: methodology, section 8. Plain records; wallets are ids. Numbers of groups count up
 * from 0 in order of their founding and are never reused.
 */

/** Evidence families, in the order of the methodology; a family's number is its place here. */
export const FAMILIES = ['atomic', 'jito', 'payer', 'transfer', 'funder', 'timing', 'size', 'history', 'exits'] as const
export type Family = (typeof FAMILIES)[number]

/** A trade as later ones are compared with it. */
export interface RecentTrade {
  wallet: number
  slot: number
  txIndex: number
  isBuy: boolean
  /** what the trader paid or received, and what moved on the curve: lamports */
  paid: number
  lamports: number
  /** wallet id of who paid the tip, -1 unknown or nobody */
  tipper: number
}

/** What speaks for two wallets acting together on this mint. */
export interface Pair {
  /** wallet ids, a < b */
  a: number
  b: number
  /** weight by family, in the order of FAMILIES; 0 = no such evidence */
  weights: number[]
  /** slot of each family's evidence, -1 none */
  slots: number[]
  /** times they sold within 2 slots of each other, and the slot of the last one that counted */
  exits: number
  exitSlot: number
  /** both are in one group because of this pair, or were when it was looked at again */
  linked: boolean
  /** probability that they act together, from the weights: kept at hand, no state */
  p: number
}

/** A wallet that traded or held this mint, and who funded it. */
export interface FundedWallet {
  readonly wallet: number
  readonly funder: number
}

/** Tokens bought and sold by a group in one 25-slot bucket, base units. */
export interface Flow {
  /** floor(slot / 25) */
  index: number
  bought: number
  sold: number
}

export interface Group {
  readonly no: number
  /** number of the group it was merged into, -1 none: an alias */
  mergedInto: number
  /** slot of the first evidence, and the founding wallet with the smallest key: the id is made of both */
  readonly firstSlot: number
  readonly founder: number
  /** wallet ids in order of joining; empty once merged */
  members: number[]
  /** base units held together now, and the highest they ever held together */
  balance: number
  peak: number
  /** slot at which it was confirmed, -1 not yet */
  confirmedSlot: number
  /** base units bought and sold by the members, over their whole time on this mint */
  bought: number
  sold: number
  /** at most the last 31 buckets, oldest first */
  flows: Flow[]
  /** the red condition was met and has not been cleared since; last slot with net selling over 750 slots, -1 never */
  red: boolean
  netSellSlot: number
}

export interface BundleBook {
  /** at most 32, all within 5 slots of the newest, oldest first */
  recent: RecentTrade[]
  /** bounded by BUNDLES.pairsMax */
  pairs: Pair[]
  /** index = group number */
  groups: Group[]
  /** in order of becoming known here, bounded by BUNDLES.fundedMax and BUNDLES.sharedFunderMax per funder */
  funded: FundedWallet[]
}

export const emptyBook = (): BundleBook => ({ recent: [], pairs: [], groups: [], funded: [] })
