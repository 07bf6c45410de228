/** Three questions about a token's future, and how the fold learns to answer them (methodology, section 9). */
export const OUTLOOK = {
  /** The first ages at which questions are asked, then an interval in slots, and from `lateSlots` on a longer one. */
  ages: [75, 150, 750, 2_250],
  everySlots: 2_250,
  lateSlots: 27_000,
  lateEverySlots: 9_000,
  /** Ages at which the second and third age classes begin: before, most of a launch's first buyers are still in. */
  classes: [750, 4_500],
  /** Drain, halving: reserve or price falls to the share `left`. Buyer: sells at the first of gain, loss and time. */
  drain: { reserveLamports: 2_000_000_000, left: 0.2, slots: 9_000 },
  halving: { multiple: 2, left: 0.5, slots: 9_000 },
  buyer: { gain: 2, loss: 0.6, slots: 2_250, fee: 0.0125, tradeSlots: 2_250 },
  /**
   * Lower edges of the inner bins of each input: mostly a factor of 1.2 to 2 apart, because the outcomes of a few
   * thousand tokens cannot tell finer bins apart. At most 14, so that a bin takes four bits.
   */
  bins: {
    price_multiple: [0.5, 0.75, 0.9, 1.001, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 8, 16],
    market_cap: [
      2_000, 2_800, 4_000, 4_500, 5_000, 5_600, 6_300, 8_000, 11_000, 16_000, 32_000, 64_000, 128_000, 256_000,
    ],
    holders: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256],
    idle_slots: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096],
    first_bag_pct: [0.01, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64],
    unknown_pct: [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100],
    net_5m: [-0.9, -0.5, -0.2, -0.05, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1],
    sold_in_hour_pct: [0.01, 0.5, 1, 2, 4, 8, 16, 32],
  },
  /** Outcomes of each kind that a bin counts as having had as expected, so that few outcomes say little. */
  expected: 2,
  /** Outcomes in a bin of one age class that weigh as much as that bin in all classes. */
  classWeight: 30,
  /**
   * Weights of the inputs, millionths. They start at a half, because inputs overlap; a full unit of error moves that of
   * an input that tells a doubling by `step`.
   */
  weight: { start: 500_000, most: 1_500_000, step: 10_000 },
  /** Bins of the weighted sum on either side of none, half a doubling of the odds each. */
  sumBins: 16,
  /** Least outcomes behind an answer. */
  least: 20,
  /** Counts are halved when the rarer outcome, or all outcomes, are as many: the market changes. */
  rarerMost: 500,
  most: 32_768,
  /** Outcomes between two decisions on which counts answer; others take over if their error is less by `lead`. */
  decideEvery: 500,
  lead: 0.01,
  /** If the sum's error exceeds that of the age alone by this share, the counts are halved: the market has turned. */
  turned: 0.02,
} as const
