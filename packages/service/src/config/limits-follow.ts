/** Bounds of what live sources follow besides the launchpads' transactions; part of LIMITS. */
export const FOLLOW_LIMITS = {
  /** newest launches whose transfers between wallets are followed, some 25 minutes of mainnet: 22 kB in a filter. The source
   * cuts the list to what an endpoint takes */
  followedMints: 500,
  /** accounts derived before the event loop has its turn: 0.4 ms each; and those compared for one list, two derivations each,
   * to learn to which token program its mints belong */
  followedDerivations: 16,
  followedComparisons: 200,
  /** first payments that wait until their wallet trades, 160 bytes each; of those the ones of one sender; and how many of one
   * block are kept, the largest. All exchanges together pay some tens of new wallets a second, a hundred a block are 250: a burst
   * beyond that is a mass payment, and may push out a book in no less than three minutes. An exchange's own book is not bounded by
   * sender. A deployer has no fleet of more wallets; it gets the SOL back, so that filling a book costs fees alone: it may fill its part */
  exchangePayments: { most: 50_000, mostOfOne: 50_000, mostOfBlock: 100 },
  deployerPayments: { most: 50_000, mostOfOne: 256, mostOfBlock: 100 },
} as const
