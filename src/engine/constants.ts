import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'

/**
 * Every constant of the formulas (docs/methodology.md) in one place; a test holds that page and this file together.
 * Durations are in slots, nominally 0.4 s.
 */
export const FORMULAS_VERSION = '1'

export const SLOTS = {
  fiveMinutes: 750,
  hour: 9_000,
  day: 216_000,
} as const

/** A token is dead past this age when idle, or when its curve is back near its start. */
export const DEAD = {
  ageSlots: 750,
  idleSlots: 4_500,
  /** share of the starting reserve by which the curve may still differ */
  nearStart: 0.02,
  /** age step at which the reserve rule is looked at */
  checkEverySlots: 750,
} as const

/** Base units on sale when a pump curve starts: a first trade that leaves all but itself on sale is the very first. */
export const CURVE = { realTokenAtStart: 793_100_000_000_000 } as const

export const BUCKET = { slots: 25, kept: 60, fiveMinutes: 30 } as const

export const RUG = {
  windowSlots: 1_500,
  /** price fall from the window's high */
  priceFall: 0.7,
  /** share of the window's sold tokens that came from deployer and insiders */
  insiderShare: 0.5,
  /** fall of the pool's quote reserve without a trade, and the time it may take */
  withdrawalFall: 0.8,
  withdrawalSlots: 750,
} as const

export const POSITION = {
  /** a position counts as closed when at most this share of its peak balance is left */
  closedShare: 0.01,
  /** open positions are written off at each multiple of this token age, and at the token's death */
  writeOffSlots: 216_000,
} as const

export const HISTORY = {
  /** slots after a sell at which its effect on the price is read, and the bounds of the effect in percent */
  impactSlots: 25,
  impactClip: 50,
  /** SOL weight of one sell at most */
  impactWeightMax: 10,
  /** slots after a first buy at which the pick is judged */
  pickSlots: 9_000,
  /** a healthy pick still has this share of its market cap, and a trade by a free wallet this recently */
  pickMcapShare: 0.5,
  pickTradeSlots: 1_500,
  /** shrinkage of the healthy rate: weight of the population, and its own prior (H + 1) / (N + 20) */
  healthyPrior: 5,
  populationHealthy: 1,
  populationPicks: 20,
  /** resolved picks below which there is no rate */
  healthyPicksMin: 3,
  /** cost below which a return means nothing, lamports */
  roiCostMin: 50_000_000,
  recentMints: 20,
  /** quarter-octave bins of the hold histogram: 2^(k/4) slots, k = 0..63, the last one open */
  holdBins: 64,
} as const

export const SMART = {
  closed: 20,
  pnlLamports: 5_000_000_000,
  winLowerBound: 0.4,
  /** z of the two-sided 90 % Wilson interval */
  wilsonZ: 1.6448536269514722,
  roi: 0.2,
  healthyTimesPopulation: 1.5,
  bundledRate: 0.2,
  medianHoldSlots: 75,
  activeSlots: 14 * 216_000,
  /** a smart wallet stays smart until a cut is missed by more than this share */
  hysteresis: 0.2,
} as const

/** A holder owns at least one whole token; below that it is dust. */
export const HOLDER_MIN_TOKENS = 1

export const LISTS = {
  newSlots: 750,
  buyersMin: 5,
  largestHolderMax: 0.3,
  deployerSoldShare: 0.8,
  deployerSoldSlots: 750,
  serialLaunches: 10,
  /** a deployer of many launches is a serial failure when none graduated and the 75th percentile ATH is below this */
  serialAthP75Usd: 7_000,
  pumps: { ageSlots: 150, return5m: 0.2, buyers5m: 20, volume5mLamports: 10_000_000_000 },
  graduatedSlots: 216_000,
  survivors: {
    ageMinSlots: 27_000,
    ageMaxSlots: 216_000,
    lastTradeSlots: 2_250,
    traders1h: 10,
    mcapSol: 35,
    mcapAthShare: 0.2,
  },
} as const

/** Rungs of the deployer's milestone ladder, USD. */
export const ATH_RUNGS = [10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/**
 * Owners that never count as holders, besides each token's own curve and pools: burn addresses and the launchpad's
 * migration authority.
 */
export const EXCLUDED_OWNERS: ReadonlySet<Key> = new Set([
  key('11111111111111111111111111111111'),
  key('1nc1nerator11111111111111111111111111111111'),
  key('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg'),
])
