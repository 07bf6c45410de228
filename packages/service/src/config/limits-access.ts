/** Bounds of accounts and keys, and of the database that nodes share; part of LIMITS. */
export const ACCESS_LIMITS = {
  database: {
    /** connections to PostgreSQL, and milliseconds a query or a connection may take: longer than any of ours, and short
     * enough that a request that waits for it still gets its answer */
    connections: 10,
    timeoutMs: 10_000,
    /** milliseconds that a node without an answer goes on alone before it asks again */
    aloneMs: 1_000,
  },
  // keys of accounts that have paid nothing
  /** characters of a key's name, and days until a key expires at most */
  keyNameLength: 100,
  keyDays: 3_650,
  /** bytes of a body sent to the account pages or the administration socket: a name may take 12 bytes a character */
  accountBodyBytes: 2_048,
  /** milliseconds between two looks for deposits, and that an RPC node may take to answer; bytes of its answer */
  depositPollMs: 10_000,
  rpcTimeoutMs: 10_000,
  rpcAnswerBytes: 8 << 20,
  // several nodes over one database
  /** milliseconds for which the write of a payment's outcome is retried while the database fails, and pause between two
   * tries: shorter than its lease, after which every node may look for itself */
  paymentRetryMs: 90_000,
  paymentRetryPauseMs: 1_000,
  /** payments of which that is tried at once, some kB each: four times as many as are worked on */
  paymentsRetried: 1_024,
  alerts: {
    /** characters of a name */
    nameLength: 100,
    /** alerts of one read */
    page: 100,
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
