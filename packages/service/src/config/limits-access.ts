/** Bounds of accounts and keys, and of the database that nodes share; part of LIMITS. */
export const ACCESS_LIMITS = {
  database: {
    /** connections to PostgreSQL, and milliseconds a query or a connection may take: longer than any of ours, and short
     * enough that a request that waits for it still gets its answer */
    connections: 10,
    timeoutMs: 10_000,
    /** milliseconds that a node which heard nothing goes on alone before it asks again */
    aloneMs: 1_000,
  },
  /** milliseconds between two looks at what changed in the keys, and between two readings of all of them: a clock of the
   * database that is set back hides changes from the short look */
  keysRefreshMs: 2_000,
  keysReloadMs: 3_600_000,
  /** milliseconds by which looks overlap: a transaction commits later than the moment it wrote, at most a few timeouts */
  keysOverlapMs: 60_000,
  /** keys held in memory, about 600 bytes each, and rows read at once: a page holds the event loop for some 10 ms */
  keysInMemory: 100_000,
  keysPage: 2_000,
  /** live keys of an account (decisions.md) and of the operator, and revoked or expired ones that are still remembered */
  keysPerAccount: 5,
  keysOfOperator: 1_000,
  keysDeadPerAccount: 20,
  /** milliseconds between two writings of how much each key was used, as much of which is lost when the process is killed,
   * and keys of one statement */
  keyUseWriteMs: 30_000,
  keyUseRows: 500,
  // what a key costs who has paid nothing
  /** parts of the work, and zero bits of each: 524,288 hashes in all, a second or two of a phone's browser. In sixteen parts
   * because one would take five times as long now and then, and so that a page can say how far it is */
  keyWorkParts: 16,
  keyWorkBits: 15,
  /** bits more at most, each of which doubles the work: two minutes of a phone, so that nobody is shut out by neighbours */
  keyWorkExtraBits: 6,
  /** keys of one address, and of one /48 of IPv6, after which the work doubles, and again: an account's keys, and those of
   * four addresses; milliseconds after which one of them is forgotten */
  keyPlaceKeys: 5,
  keyNetworkKeys: 20,
  keyPlaceMs: 720_000,
  /** addresses and networks that are remembered, about 150 bytes each */
  keyPlaces: 10_000,
  /** milliseconds a task may take: the hardest one on a slow phone, twice */
  keyWorkMs: 900_000,
  /** lamports on an account (0.01 SOL) with which its keys take no work: far more than the work is worth */
  keyDepositLamports: 10_000_000,
  /** characters of a key's name, and days until a key expires at most */
  keyNameLength: 100,
  keyDays: 3_650,
  /** milliseconds a sign-in message may wait for its signature; none is kept before it is used */
  challengeMs: 300_000,
  /** milliseconds a session lasts, and sessions of one account; the oldest make room */
  sessionMs: 7 * 86_400_000,
  sessionsPerAccount: 10,
  /** bytes of a body sent to the account pages or the administration socket: a name may take 12 bytes a character */
  accountBodyBytes: 2_048,
  /** milliseconds between two looks for deposits, and that an RPC node may take to answer; bytes of its answer */
  depositPollMs: 10_000,
  rpcTimeoutMs: 10_000,
  rpcAnswerBytes: 8 << 20,
  /** signatures of one page (the most nodes give), pages walked back in one look (the next goes on), oldest signatures of
   * them that are kept */
  depositPage: 1_000,
  depositPages: 1_000,
  depositsWaiting: 10_000,
  /** transactions read in one look, and failures after which it ends */
  depositReads: 500,
  depositFailures: 5,
  /** seconds of chain time that are looked at again: nodes behind one address do not see everything at the same moment */
  depositOverlapS: 60,
  /** months a subscription may reach ahead: more is a mistake, and stays in the balance */
  subscriptionMonths: 1_200,
  // several nodes over one database
  /** milliseconds since the last reading of the keys after which a database that fails makes them unreadable: long enough
   * for a failover or a restart of PostgreSQL, and as long as a revoked key may go on */
  keysStaleMs: 600_000,
  /** milliseconds in which what became of a payment is written again while the database fails, and pause between two
   * tries: shorter than its lease, after which every node may look for itself */
  paymentRetryMs: 90_000,
  paymentRetryPauseMs: 1_000,
  /** payments of which that is tried at once, some kB each: four times as many as are worked on */
  paymentsRetried: 1_024,
  alerts: {
    /** watches of an account on the free plan and on Pro, and of all accounts: an index of some 60 MB */
    watchesFree: 10,
    watchesPro: 1_000,
    watches: 100_000,
    /** watches with a condition, of all accounts: each is asked about each new token that trades, some 0.2 µs */
    conditions: 5_000,
    /** characters of a name */
    nameLength: 100,
    /** alerts of a watch in a minute of the chain's time, after which the rest of the minute becomes one summary */
    perMinute: 20,
    /** alerts of an account that are kept; some 600 bytes each */
    kept: 10_000,
    /** alerts of all accounts that are kept, some GB with their indexes: beyond it the oldest of them go, whoever they belong to */
    stored: 2_000_000,
    /** alerts of one read */
    page: 100,
    /** trade rows and token events of one turn: some 10 ms without a watch that they concern */
    rows: 1_000,
    /** milliseconds that conditions are asked for without a pause */
    sliceMs: 5,
    /** what conditions have met is remembered, so that the database is not asked again: 5 MB */
    metInMemory: 50_000,
    /** milliseconds a worker holds its lease without a word, and between two looks at what changed in the watches */
    leaseMs: 15_000,
    lookMs: 1_000,
    /** slots after a report of a token's colour in which its watch makes no other, five minutes: at an edge a colour changes with each trade */
    colourQuietSlots: 750,
    /** watched tokens that are looked at in one turn though they do not trade: some 20 ms */
    colourLooks: 100,
    /** slots since its launch during which a token is new: an hour */
    newSlots: 9_000,
  },
  accounts: {
    // the embedded database and its copies
    /** statements that may wait for it, some kB each: far more than calls may be in flight */
    waiting: 10_000,
    /** milliseconds between two copies, and between two looks whether one is due */
    copyMs: 3_600_000,
    lookMs: 60_000,
  },
} as const
