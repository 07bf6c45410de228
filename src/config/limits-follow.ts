/** The part of `LIMITS` on what live sources are asked for besides the launchpads' transactions. */
export const FOLLOW_LIMITS = {
  /** newest launches whose transfers between wallets are asked for, some 25 minutes of mainnet: 22 kB in a filter. What an
   * endpoint does not take is cut by the source */
  followedMints: 500,
  /** token accounts of holders whose transfers are asked for: 225 kB in a filter that is sent again every followMs, in all
   * 2 s of work to derive. Endpoints take from 10 to 10,000 accounts */
  followedHolders: 5_000,
  /** accounts derived before the event loop has its turn: 0.4 ms each; and those compared for one list, two derivations each,
   * to learn to which token program its mints belong */
  followedDerivations: 16,
  followedComparisons: 200,
  /** milliseconds between two lists of holders, which cost some of the wire each; positions looked through at once, some ms */
  followedOrderMs: 10_000,
  followedVisits: 5_000,
} as const
