/** Bounds of reading tokens: none of it holds the event loop for more than some 15 ms; part of LIMITS. */
export const READING_LIMITS = {
  /** a token with this many positions (some 3 ms) is read in slices; a smaller one at once */
  readingPositions: 2_000,
  /** units of a slice at most, of which a position in memory is one, of the first slice of all, and milliseconds a slice should
   * take: slices get shorter where a machine is slower, so that a turn stays below 15 also when something is read for the first time */
  readingSlice: 4_096,
  readingFirst: 512,
  readingSliceMs: 5,
  /** positions of a token whose holders' records stay in memory between readings: a quarter of walletsCached. More would push
   * out everybody else's, and what survives a collection of garbage is what makes it long */
  readingMet: 50_000,
  /** positions of smaller tokens that one answer reads before the event loop has its turn, and turns it may take: then what is
   * left is read in one, because entries come faster than it can read between them */
  readingTurn: 8_192,
  readingTurns: 64,
  /** of the event loop's time renewed readings take this share (15 ms of a block's 400); they are renewed after so many
   * milliseconds at the latest, and are so old at most */
  readingShare: 15 / 400,
  readingRenewMs: 8_000,
  readingOldMs: 10_000,
  /** tokens that wait to be read in slices, a second for the largest; beyond them answers are 503 */
  readingsWaiting: 256,
  /** milliseconds an answer waits for what it lacks: below what paid work may take */
  readingWaitMs: 9_000,
} as const
