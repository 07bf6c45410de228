/** Edges of the verdict's reasons, yellow and red (methodology, section 12). Percentages are of supply. */
export const VERDICT = {
  /** The colour changes at most this often, slots: a minute. */
  everySlots: 150,
  historyMax: 64,
  /** A reason leaves below this share of the edge at which it came. */
  leave: 0.8,
  /** Percent of held supply with wallets that are known and have something to lose, from which a token can be green. */
  knownPct: 50,
  /** A token worth less than this share of its highest market cap is not green: no colour is earned by a fall. */
  athShare: 0.5,
  /** A known wallet was first seen, or funded, at least this many slots ago: a day. */
  knownSlots: 216_000,
  /** Sold by the deployer, insiders and confirmed groups: within the hour, and ever. */
  soldHourPct: 5,
  soldEverPct: 15,
  /** Sold by buyers of the first minute who left, at any time: 15% is common in ordinary tokens. */
  earlyEverPct: 25,
  /** Sold by one group at any time. */
  groupSoldPct: 5,
  /** The deployer sold this share of a bag of at least this percentage of supply. */
  deployerSoldShare: 0.8,
  deployerBagPct: 2,
  /** Launches of an actor that were drained or rugged. */
  actorBad: { yellow: 1, red: 2 },
  /** Launches that make a record, and the share of them drained or rugged. */
  deployerLaunches: 3,
  deployerRuggedShare: { yellow: 0.25, red: 0.5 },
  /** SOL withdrawn from the pool, and the share of it that can still be, from which both are worth reporting. */
  withdrawnSol: 2,
  pullableShare: 0.2,
  outlookP: { yellow: 0.25, red: 0.5 },
  bundledPct: { yellow: 5, red: 20 },
  insidersPct: { yellow: 5, red: 20 },
  snipersPct: { yellow: 20 },
  top10Pct: { yellow: 40, red: 70 },
  /** Percent of the held supply with known funders, below which the answer says that funding is unknown. */
  tracedPct: 50,
  /** Holders from which the absence of groups is worth reporting. */
  holders: 20,
} as const
