/** Bounds of reading and rendering. */
export const QUERY_BOUNDS = {
  /** items of a list answer, and trades of one token (decisions.md) */
  listItems: 50,
  tokenTrades: 100,
  /** rendered answers kept in memory, each at most about 100 kB */
  renderedAnswers: 2_000,
  /** answers that can be asked for again by their slot, some 20 kB each */
  keptAnswers: 1_000,
  /** launches of one deployer that its summary covers: far above any deployer seen, 6 µs each */
  launchesSummed: 100_000,
  /** wallets that `explain` names per share: the largest; the rest is counted */
  explainedHolders: 20,
  /** of a token's `who`: groups, members and linked pairs of each, trades of its exit, and slots whose trades are looked up, some
   * 0.3 ms each */
  whoGroups: 20,
  whoMembers: 64,
  whoPairs: 40,
  whoExitTrades: 10,
  whoSlots: 96,
  /** slots of tokens whose trades are kept for the next such answer */
  whoSlotsKept: 2_000,
  /** edges of an actor that are listed, of up to some thousand */
  actorEdgesListed: 200,
  /** actors that are found by their names, some 150 bytes each; the newest: older ones are found by their numbers */
  actorNames: 200_000,
  /** launches of a wallet that its positions include */
  positionLaunches: 100,
  /** trade rows read forward from a window's start for a wallet's first trade in it, some 5 µs each and at most once an hour, in
   * pieces between which the event loop has its turn */
  windowRows: 4_096,
  windowRowsPiece: 512,
  /** wallets and windows whose first trade is remembered, some 300 bytes each */
  windowsKept: 20_000,
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
  /** trade rows that a line walks back, about 30 ms of reading, and rows between two turns of the event loop */
  lineTrades: 10_000,
  lineTradesPerTurn: 500,
  /** points and marks of a line; milliseconds it is given again although trades have come, lines kept, and lines that may
   * wait for their turn */
  linePoints: 300,
  lineMarks: 60,
  lineKeptMs: 2_000,
  linesKept: 200,
  linesWaiting: 16,
  /** milliseconds that a view of the board is given again: it reads up to 150 tokens */
  boardKeptMs: 2_000,
  /** newest tokens of a wallet whose trades are read for who bought beside it, rows walked back on each (some 3 ms), and those listed */
  neighbourTokens: 20,
  neighbourTrades: 1_000,
  neighbours: 20,
  /** characters of a search, which may be a long link; crews and KOLs that are found by name, some 150 bytes each; tokens of the index (some 300 bytes each), entries looked at for one answer, tokens in it, and
   * milliseconds between two looks at what has changed */
  searchLength: 400,
  searchPeople: 20_000,
  searchTokens: 100_000,
  searchScanned: 2_000,
  searchItems: 10,
  searchRefreshMs: 1_000,
  /** explanations kept until the next log entry, some 30 kB each */
  appExplanations: 100,
  /** messages of a topic that a resume reaches back: some three hours of the mean, and 20 s of work for one core */
  resumeMessages: 1_000_000,
}

export type QueryBounds = Readonly<typeof QUERY_BOUNDS>
