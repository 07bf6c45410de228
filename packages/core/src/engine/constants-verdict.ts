/** From where on a sentence of the verdict is yellow, and red: methodology, section 12. Percents are of supply. */
export const VERDICT = {
  /** sold by a group ever; within the hour it is red */
  groupSoldPct: 5,
  /** of its own bag, sold by the deployer */
  deployerSoldPct: { yellow: 20, red: 80 },
  /** launches of an actor that were drained or rugged */
  actorBad: { yellow: 1, red: 2 },
  /** launches of a deployer that speak for themselves; share of them drained or rugged; launches without one graduation */
  deployerLaunches: 3,
  deployerBadShare: { yellow: 0.25, red: 0.5 },
  deployerUngraduated: 20,
  outlookP: { yellow: 0.25, red: 0.5 },
  bundledPct: { yellow: 5, red: 20 },
  insidersPct: { yellow: 5, red: 20 },
  snipersPct: { yellow: 10, red: 30 },
  top10Pct: { yellow: 40, red: 70 },
  /** of held supply, whose funders are known: below it nothing is known of who funded whom */
  tracedPct: 50,
  /** holders from which on it says something that no group was found */
  holders: 20,
} as const
