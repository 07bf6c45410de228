/** Constants of coordinated wallets (methodology, section 8). */
export const BUNDLES = {
  /** A payer of more wallets than this is a service, and a funder of more an exchange that is not listed. */
  payerWalletsMax: 16,
  funderWalletsMax: 64,
  /** One source funded two wallets together if it did so within a day. */
  funderSlots: 216_000,
  /** A wallet trades with the SOL it was sent first if that was at least this share of what it paid here. */
  fundedShare: 0.5,
  /**
   * A crew needs this many wallets of one funder on the mint, this share of all it funded, and this multiple of chance.
   */
  crewWallets: 3,
  crewShare: 0.25,
  crewTimesChance: 20,
  /** A gift is dust below this share of supply, if it is also below this share of what its receiver ever had. */
  giftSupplyShare: 0.0005,
  giftOwnShare: 0.1,
  /** A wallet has used what it was given once it parted with this share of it beyond all it bought. */
  usedShare: 0.1,
  /** A wallet that buys for others deals out from this many on; with fewer, all belong to one owner. */
  dealtTakers: 3,
  /**
   * Consolidation through unseen transfers: the fewest bags and the number whose subset sums are tried, the largest
   * number of buyers, and the round unit whose multiples are ignored (base units). There are 2^24 sums among 5e12
   * possible values, so fewer than one search in 100,000 matches by chance.
   */
  gatheredLeast: 3,
  gatheredBags: 24,
  gatheredBuyersMax: 512,
  gatheredRound: 1_000_000,
  /** Bounds: buys of one transaction; pairs of a token; wallets per backer; wallets with a backer. */
  recentBuys: 16,
  pairsMax: 512,
  sharedBackerMax: 16,
  backedMax: 512,
  /** Pairs of givers and receivers in one transaction. */
  transferPairsMax: 64,
  /** Bounds: groups of a token, merged ones included, and wallets in all of them. Beyond, no wallet joins. */
  groupsMax: 512,
  groupedMax: 4_096,
  /** Shares of supply from which a group is confirmed, and from which it is counted. */
  confirmedSupplyShare: 0.005,
  countedSupplyShare: 0.0005,
  /**
   * Red: within the window the group sold this share of what it bought, with a net sell of this share of supply; or it
   * had the larger net sell alone.
   */
  redWindowSlots: 750,
  redSoldShare: 0.5,
  redNetSellShare: 0.005,
  redNetSellAlone: 0.02,
  redClearsSlots: 1_500,
} as const
