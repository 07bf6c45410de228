/** Coordinated wallets: methodology, section 8. */
export const BUNDLES = {
  /** earlier trades of the mint that a new one is compared with */
  recentTrades: 32,
  recentSlots: 5,
  /** bounds per token and wallet: pairs remembered, members compared through a shared funder, partners */
  pairsMax: 512,
  sharedFunderMax: 16,
  partners: 8,
  /** bounds: funded wallets remembered per token, a wallet's transfer counterparties and pairs per transfer compared */
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
  /** a payer of more wallets than this is a service */
  payerWalletsMax: 200,
  /** a group of at most this many counts as one seller */
  payerWalletsFew: 16,
  /** wallets a funder funded, at most → weight */
  funderWallets: [4, 8, 16, 50],
  funderWeights: [0.6, 0.38, 0.26, 0.16],
  funderSlots: 216_000,
  /** a crew: at least this many wallets of one funder on the mint, this share of all it funded, this many times chance */
  crewWallets: 3,
  crewShare: 0.25,
  crewTimesChance: 20,
  timingTransactions: 4,
  timingLaunchSlots: 2,
  /** timing below this weight is not evidence: where many buy at once, being close means nothing */
  timingLeast: 0.05,
  /** relative difference of two sizes that counts as near; a size in whole multiples of this is round, lamports */
  sizeNear: 0.02,
  sizeRound: 10_000_000,
  historyMints: 3,
  historyTimesChance: 10,
  exitSlots: 2,
  exits: 2,
  /** wallets from which a run of transactions with a tip at its end is a bundle */
  bundleWallets: 3,
  /** one-block entry: wallets, and share of supply they buy beside the largest of them */
  blockEntryWallets: 3,
  blockEntryShare: 0.2,
  blockEntryShareSparse: 0.05,
  /**
   * who trades on its own: tokens bought at least, this one included, share of its trades as a member of a group at most; tokens that
   * have to be known before anybody can be. In simulated markets no member of a planted run of three had bought five, and of independent
   * snipers three in four once 500 tokens were known, one in ten before
   */
  ownMints: 5,
  ownBundledRate: 0.2,
  ownTokens: 500,
  /** places in blocks: count at which they are halved; count before which nothing is concluded; share at most that trades what is followed here */
  placesKept: 1_000_000,
  placesMin: 20_000,
  placesTradedShare: 0.2,
  /**
   * one-block exit: wallets, slots between their purchases at most, share of supply that each sells at least, share of its tokens that
   * each keeps at most, share of supply they sell beside the largest of them
   */
  blockExitWallets: 3,
  blockExitEntrySlots: 30,
  blockExitBagShare: 0.001,
  blockExitKept: 0.1,
  /** who came a moment ago leaves by what all see */
  blockExitHeldSlots: 25,
  /** held shorter, only who leaves in the very slot has not seen the others leave */
  blockExitSeenSlots: 75,
  blockExitSupplyShare: 0.005,
  /**
   * exodus: wallets that first bought within this many slots of each other, held for this many, and sold all within this many whole buckets
   * and the current one; how many of them, and the share of supply they sell beside the largest
   */
  exodusEntrySlots: 30,
  exodusHeldSlots: 150,
  exodusBuckets: 1,
  exodusWallets: 5,
  exodusSupplyShare: 0.03,
  /** consolidation: bags sent to one wallet, share of its highest balance that a giver keeps at most */
  consolidationBags: 3,
  consolidationKept: 0.1,
  /**
   * consolidation that nobody saw: bags whose sums are tried, buyers of the token at most, and multiples of which bags are, base units, that
   * many may have. 2^24 sums, among 5e12 that are possible: less than one in 100,000 tries finds one by chance
   */
  gatheredBags: 24,
  gatheredBuyersMax: 512,
  gatheredRound: 1_000_000,
  /** transaction budgets: bins of the counters, count at which they are halved; count before which nothing is concluded; shares at most of an uncommon one */
  budgetBins: 2_048,
  budgetsKept: 32_768,
  budgetsMin: 3_000,
  budgetShare: 0.003,
  /** wallets with the same uncommon budget that are several, and how many times as many as by chance */
  budgetWallets: 3,
  budgetTimesChance: 10,
  /** wallets of its actor on the mint that a trade is compared with */
  companionsMax: 16,
  /** who buys and gives to this many wallets distributes; to fewer, they are one owner's wallets */
  handoverTakers: 3,
  /** copy trading: follows within 1 to this many slots on at least this many mints and never leads */
  copySlots: 3,
  copyMints: 3,
  linkProbability: 0.7,
  /** what a probability may lack of a limit because of rounding */
  rounding: 0.000001,
  /** evidence that links alone */
  decisive: 0.95,
  linkFamilies: 2,
  /** two groups of at least this many wallets merge only on this many links between them, each at least this probable */
  largeGroup: 5,
  largeGroupLinks: 2,
  largeGroupProbability: 0.8,
  /** shares of supply: to be confirmed, to be counted */
  confirmedSupplyShare: 0.005,
  countedSupplyShare: 0.0005,
  /** red: share sold of what was bought with a net sell of this share of supply in the window, or this net sell alone */
  redWindowSlots: 750,
  redSoldShare: 0.5,
  redNetSellShare: 0.005,
  redNetSellAlone: 0.02,
  redClearsSlots: 1_500,
} as const
