/** Thresholds of the verdict's sentences, yellow and red (methodology, section 12). Percentages are of supply. */
export const VERDICT = {
  /** Sold by one group at any time; red if within the hour. */
  groupSoldPct: 5,
  /** The share of its own position that the deployer sold. */
  deployerSoldPct: { yellow: 20, red: 80 },
  /** Launches of an actor that were drained or rugged. */
  actorBad: { yellow: 1, red: 2 },
  /** Launches that make a record, the share of them drained or rugged, and launches without any graduation. */
  deployerLaunches: 3,
  deployerBadShare: { yellow: 0.25, red: 0.5 },
  deployerUngraduated: 20,
  /** SOL withdrawn from the pool, and the share of it that can still be, from which both are worth reporting. */
  withdrawnSol: 2,
  pullableShare: 0.2,
  outlookP: { yellow: 0.25, red: 0.5 },
  bundledPct: { yellow: 5, red: 20 },
  insidersPct: { yellow: 5, red: 20 },
  snipersPct: { yellow: 10, red: 30 },
  top10Pct: { yellow: 40, red: 70 },
  /** Percent of the held supply with known funders; below it the answer says that funding is unknown. */
  tracedPct: 50,
  /** Holders from which the absence of groups is worth reporting. */
  holders: 20,
} as const
