/** Constants of coordinated wallets (methodology, section 8). */
export const BUNDLES = {
  /** A new trade is compared with this many earlier trades of the mint, within this many slots. */
  recentTrades: 32,
  recentSlots: 5,
  /** Bounds per token or wallet: stored pairs, members compared through a shared funder, partners. */
  pairsMax: 512,
  sharedFunderMax: 16,
  partners: 8,
  /** Bounds: funded wallets stored per token, transfer counterparties per wallet, pairs compared per transfer. */
  fundedMax: 512,
  counterpartiesMax: 16,
  transferPairsMax: 64,
  weights: {
    atomic: 1,
    tipPayer: 0.7,
    bundleOfTwo: 0.5,
    bundle: 0.95,
    payer: 0.9,
    payerOfFew: 0.95,
    transfer: 0.8,
    deployerFunds: 0.95,
    crew: 0.95,
    timingLaunch: 0.35,
    timingLater: 0.2,
    sizeNear: 0.25,
    sizeSame: 0.4,
    history: 0.5,
    exits: 0.4,
    blockEntry: 0.95,
    blockExit: 0.95,
    exodus: 0.95,
    consolidation: 0.95,
    handover: 0.9,
    budget: 0.6,
    budgetOfSeveral: 0.95,
    actor: 0.95,
  },
  /** A payer of more wallets than this is a service. */
  payerWalletsMax: 200,
  /** A payer of at most this many wallets is decisive evidence. */
  payerWalletsFew: 16,
  /** Weights by the number of wallets the funder has funded, each up to the bound at the same index. */
  funderWallets: [4, 8, 16, 50],
  funderWeights: [0.6, 0.38, 0.26, 0.16],
  funderSlots: 216_000,
  /**
   * A crew needs this many wallets of one funder on the mint, this share of all it funded, and this multiple of chance.
   */
  crewWallets: 3,
  crewShare: 0.25,
  crewTimesChance: 20,
  timingTransactions: 4,
  timingLaunchSlots: 2,
  /** A timing weight below this is no evidence: on a busy token, proximity means nothing. */
  timingLeast: 0.05,
  /** Two sizes match if they differ relatively by at most `sizeNear`. Multiples of `sizeRound` lamports are round. */
  sizeNear: 0.02,
  sizeRound: 10_000_000,
  historyMints: 3,
  historyTimesChance: 10,
  exitSlots: 2,
  exits: 2,
  /** A run of transactions that ends with a tip is a bundle from this many wallets on. */
  bundleWallets: 3,
  /** One-block entry: wallets, and the share of supply they buy without the largest buyer. */
  blockEntryWallets: 3,
  blockEntryShare: 0.2,
  blockEntryShareSparse: 0.05,
  /**
   * A wallet trades on its own if it has bought this many tokens (this one included) and at most this share of its
   * trades were bundled. This is unknown before `ownTokens` tokens. In simulated markets no member of a planted run of
   * three had bought five; of independent snipers, three in four had once 500 tokens were known, and one in ten before.
   */
  ownMints: 5,
  ownBundledRate: 0.2,
  ownTokens: 500,
  /**
   * Block density: the count at which both counters are halved, the count below which there is no answer, and the
   * largest share of places that may be trades of followed tokens.
   */
  placesKept: 1_000_000,
  placesMin: 20_000,
  placesTradedShare: 0.2,
  /**
   * One-block exit: wallets, the largest gap in slots between their entries, the smallest share of supply that each
   * sells, the largest share of its tokens that each keeps, and the share of supply they sell without the largest
   * seller.
   */
  blockExitWallets: 3,
  blockExitEntrySlots: 30,
  blockExitBagShare: 0.001,
  blockExitKept: 0.1,
  /** A wallet must have entered at least this many slots ago; newer ones react to what all traders see. */
  blockExitHeldSlots: 25,
  /** A wallet that entered less than this many slots ago counts only if it leaves in the same slot as the others. */
  blockExitSeenSlots: 75,
  blockExitSupplyShare: 0.005,
  /**
   * Exodus: wallets first bought within `exodusEntrySlots` of each other, held for `exodusHeldSlots`, and sold
   * everything within the current bucket and this many before it. It needs this many wallets and this share of supply
   * sold without the largest seller.
   */
  exodusEntrySlots: 30,
  exodusHeldSlots: 150,
  exodusBuckets: 1,
  exodusWallets: 5,
  exodusSupplyShare: 0.03,
  /** Consolidation: bags sent to one wallet, and the largest share of its peak balance that a giver keeps. */
  consolidationBags: 3,
  consolidationKept: 0.1,
  /**
   * Consolidation through unseen transfers: the number of bags whose subset sums are tried, the largest number of
   * buyers, and the round unit whose multiples are ignored (base units). There are 2^24 sums among 5e12 possible
   * values, so fewer than one search in 100,000 matches by chance.
   */
  gatheredBags: 24,
  gatheredBuyersMax: 512,
  gatheredRound: 1_000_000,
  /**
   * Transaction budgets: counter bins, the count at which all are halved, the count below which nothing is uncommon,
   * and the largest share of an uncommon budget.
   */
  budgetBins: 2_048,
  budgetsKept: 32_768,
  budgetsMin: 3_000,
  budgetShare: 0.003,
  /** Wallets that must share an uncommon budget, and the multiple of chance, for decisive evidence. */
  budgetWallets: 3,
  budgetTimesChance: 10,
  /** A trade is compared with this many wallets of its actor on the mint. */
  companionsMax: 16,
  /** A wallet that buys for at least this many takers distributes; with fewer, all belong to one owner. */
  handoverTakers: 3,
  /** Copy trading: the wallet follows within 1 to `copySlots` slots on at least `copyMints` mints and never leads. */
  copySlots: 3,
  copyMints: 3,
  linkProbability: 0.7,
  /** Tolerance for rounding when a probability is compared with a limit. */
  rounding: 0.000001,
  /** A weight that links two wallets by itself. */
  decisive: 0.95,
  linkFamilies: 2,
  /** Two groups of at least this many wallets merge only on this many links, each with at least this probability. */
  largeGroup: 5,
  largeGroupLinks: 2,
  largeGroupProbability: 0.8,
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
