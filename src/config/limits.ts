/**
 * Every bound of the service in one place: value, unit, reason. Nothing is queued, cached, looped over or read without
 * one of these.
 */
export const LIMITS = {
  /** bytes of one capture chunk before compression: large enough to compress well, small enough to hold two in memory */
  captureChunkBytes: 4 << 20,
  /** bytes one decompressed capture chunk may have: refuses a decompression bomb */
  captureChunkBytesMax: 64 << 20,
  /** bytes of one compressed capture chunk */
  captureChunkStoredBytesMax: 64 << 20,
  /** bytes of the index at the end of a capture: 32 bytes a chunk, so about 8 TB of capture */
  captureIndexBytesMax: 64 << 20,
  /** chunks a capture reader decompresses ahead of its consumer */
  captureChunksAhead: 3,
  /** bytes of one input file given to `capture import` */
  importFileBytesMax: 2 ** 31,
  /** bytes of one line of JSONL or CSV input: the largest real line seen is a block of a few MB */
  importLineBytesMax: 64 << 20,
  /** trades a second the simulator may be asked for */
  simulatorTradesPerSecondMax: 20_000,
  /** tokens the simulated market keeps trading at once; older ones go quiet first */
  simulatorTokensMax: 3_000,
  /** slots of history the simulator may be asked to make before going live (24 h) */
  simulatorWarmupSlotsMax: 216_000,
  /** slots of age (6 h) at which the truth about a simulated token is told at the latest: what waits stays in memory */
  simulatorTruthSlotsMax: 54_000,

  /** wallets kept in memory; the rest is read from the store when they trade again (about 600 bytes each) */
  walletsCached: 200_000,
  /** `replay`: events between two commits, and milliseconds they may wait; large commits write each changed page once */
  commitReplay: { events: 60_000, delayMs: 10_000 },
  /** serving: a commit holds the event loop, about 50 ms at this size; live blocks commit one by one */
  commitServing: { events: 2_000, delayMs: 50 },
  /** seconds behind the clock up to which a block counts as live and commits alone */
  liveLagSeconds: 10,
  /** milliseconds without a block after which answers are 503 until the source is back */
  sourceLostMs: 60_000,
  /** encoded bytes of one batch from the decoding thread, and batches on their way at once: together 32 MB, more than
   * three commits of a replay, so that neither thread waits while the other works */
  batchBytes: 256 << 10,
  batchesAhead: 128,

  /** bytes of a request body: all operations are GET without one */
  requestBodyBytes: 1_024,
  /** bytes of a request line's URL */
  urlBytes: 4_096,
  /** bytes of all request headers */
  headerBytes: 16_384,
  /** items of a list answer, and trades of one token (decisions.md) */
  listItems: 50,
  tokenTrades: 100,
  /** deployer page size: default and clamp */
  pageDefault: 50,
  pageMax: 100,
  /** rendered answers kept in memory, each at most about 100 kB */
  renderedAnswers: 2_000,
  /** launches of one deployer that its summary covers: far above any deployer seen, 6 µs each */
  launchesSummed: 100_000,
  /** wallets that `explain` names per share: the largest; the rest is counted */
  explainedHolders: 20,
  /** bytes of the file with the operator's agents, and characters of a name in it */
  agentsFileBytes: 64 << 10,
  agentNameLength: 64,
  /** live API keys one store may hold until accounts exist */
  apiKeys: 10_000,
  /** subjects (keys, addresses) whose rate-limit window is held exactly, twice: about 100 bytes each; those beyond share
   * this many counters */
  windowSubjects: 100_000,
  windowsShared: 4_096,
  /** calls a minute (specification): a Pro key, an address with payments, an address without, a free key */
  ratePro: 600,
  ratePaid: 600,
  rateUnpaid: 60,
  rateFree: 5,
  /** milliseconds between two deletions of shared windows that are over */
  windowSweepMs: 60_000,
  /** proxies a request may have passed: longer headers are not believed */
  forwardedHops: 20,
  /** characters of a requested URL that an offer repeats: clients send it back inside the payment's 8 KiB */
  offeredUrlLength: 512,
  /** connections to PostgreSQL, and milliseconds a query or a connection may take: longer than any of ours, and short
   * enough that a request that waits for it still gets its answer */
  databaseConnections: 10,
  databaseTimeoutMs: 10_000,
  /** milliseconds to wait for open requests when stopping */
  shutdownMs: 5_000,
  /** `evaluate`: resamples of a headline interval (its ends move by about 0.1 standard errors between seeds) and of one in
   * a table (0.15), ways to deal out labels (or outcomes) at random, and random groups per found group */
  /** slots at which `evaluate` compares a run cut short with the whole one, and tokens compared at each */
  evaluateCuts: 10,
  evaluateCutTokens: 300,
  evaluateResamples: 1_000,
  evaluateTableResamples: 300,
  evaluatePermutations: 200,
  evaluatePlacebos: 20,
  /** points of a plotted curve: finer than a pixel at the size drawn would only make the file larger */
  evaluatePlotPoints: 80,
  /** bytes of one file of outside material that `evaluate` reads: the largest known is 2 MB */
  evaluateFileBytesMax: 64 << 20,
} as const
