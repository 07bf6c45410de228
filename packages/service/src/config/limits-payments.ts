/** Bounds of what payments may cost the fee payer, and of strangers who pay; part of LIMITS. */
export const PAYMENT_LIMITS = {
  /** the fee payer's cost for one transaction: two signatures of 5,000 lamports, and up to 60 lamports for compute units.
   * The official clients request 20,000 units at a price of 1; the rest is headroom for what wallets add */
  paymentComputeUnits: 60_000,
  paymentMicroLamports: 1_000,
  paymentSignatures: 2,
  paymentFeeLamports: 10_060,
  /** lamports of fees a day (UTC) that are spent whatever comes in: 20,000 payments; and more for each unit of USDC that was
   * paid today: 1.2 times the fee of a payment of $0.01, so that what earns its fee is never refused */
  feeLamportsPerDay: 200_000_000,
  feeLamportsPerUnit: 1.2,
  // transactions that fail on chain, and are paid for all the same
  /** lamports of failed fees that payers without a record may cost at once (100 transactions), and that come back a minute
   * (two) and for each unit of USDC paid (a tenth of the fee of a payment of $0.01) */
  failedFeesLamports: 1_006_000,
  failedFeesLamportsPerMinute: 20_120,
  failedFeesLamportsPerUnit: 0.1,
  /** units of USDC ($0.05) that a payer has paid for each failure of its own that needs none of that */
  unitsPerFailure: 50_000,
  /** milliseconds a payer waits after its first failure; twice as long after each further one, up to the longest */
  failureWaitMs: 30_000,
  failureWaitMsMax: 86_400_000,
  /** milliseconds a payment waits for other ones of its payer to settle, before it is refused */
  paymentTurnMs: 10_000,
  /** milliseconds for which a payer's record from the ledger is cached, and payers cached, some 200 bytes each */
  payerKnownMs: 5_000,
  payersKnown: 50_000,
  // answers that were paid for and did not arrive whole
  /** times an answer leaves, whole or not */
  paymentDeliveries: 2,
  /** the newest of these answers kept in the database, characters of one (real ones have at most 100 kB), and milliseconds
   * of retention: a dropped answer is computed again. Each answer that broke off costs one row, other answers none */
  answersKept: 500,
  answerKeptLength: 1 << 20,
  answersKeptMs: 3_600_000,
  // strangers
  /** payments of wallets that never paid that are worked on, a quarter of all, and fewer than the 100 accounts that a node
   * gives in one answer; milliseconds that the first of them waits for others, so that what is asked of the node and of the
   * ledger for all of them is a question each: twenty a second of either at most, and not felt in a paid call */
  strangersInFlight: 64,
  strangersTogetherMs: 50,
  /** strangers with enough money: looked up at once in the ledger, a statement each; waiting for that, some kB each */
  strangersLooked: 8,
  strangersWaiting: 128,
} as const
