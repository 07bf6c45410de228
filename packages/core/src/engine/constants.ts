import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'

export { ACTORS } from './constants-actors.ts'
export { BUNDLES } from './constants-bundles.ts'
export { OUTLOOK } from './constants-outlook.ts'
export { VERDICT } from './constants-verdict.ts'

/** All constants of the formulas; a test compares them with docs/methodology.md. Durations are in slots. */
export const FORMULAS_VERSION = '4'

/** Nominal duration of a slot, for clocks that have nothing better. */
export const SLOT_SECONDS = 0.4

export const SLOTS = {
  fiveMinutes: 750,
  hour: 9_000,
  day: 216_000,
} as const

/** A token older than this is dead if it is idle or if its curve is back near its start. */
export const DEAD = {
  ageSlots: 750,
  idleSlots: 4_500,
  /** The largest difference from the starting reserve, as a share of it, that counts as near. */
  nearStart: 0.02,
  /** The reserve rule is checked at each multiple of this age. */
  checkEverySlots: 750,
} as const

/** The initial state of every pump curve. */
export const CURVE = {
  /** Base units on sale. A trade that leaves all but its own amount is the first trade. */
  realTokenAtStart: 793_100_000_000_000,
  /** Total supply, base units. */
  supply: 1_000_000_000_000_000,
  /** Initial virtual reserves of a curve in SOL, and the relative error of their product caused by rounding. */
  startLamports: 30_000_000_000,
  virtualTokenAtStart: 1_073_000_000_000_000,
  productTolerance: 1e-6,
} as const

export const BUCKET = { slots: 25, kept: 60, minute: 6, fiveMinutes: 30 } as const

/** Drained: the real quote reserve fell by this share from its high within the window. */
export const DRAIN = {
  windowSlots: 1_500,
  fall: 0.8,
  /** A lower high is ignored. */
  reserveLamports: 2_000_000_000,
  /**
   * Rugged: own people gained at least what all others who gained did, and this share of what the others lost. The
   * rest of the losses are fees, what is left in the market, and sales that were not seen.
   */
  ownShare: 0.1,
  /** A smaller gain of own people is no rug, lamports. */
  ownLamports: 500_000_000,
  /** Withdrawn liquidity: the pool's quote reserve falls by this share, within this time, not explained by trades. */
  withdrawalFall: 0.8,
  withdrawalSlots: 750,
} as const

export const PEOPLE = {
  /** A smaller gift makes no insider, whatever becomes of it; share of supply. */
  giftShare: 0.001,
} as const

/**
 * Exits are remembered for an hour, in this many buckets plus the current one. Early holders bought within the first
 * minute; they have left when they have sold this share of all they had.
 */
export const EXITS = { bucketSlots: 375, buckets: 24, earlySlots: 150, leftShare: 0.5 } as const

/** A name or symbol counts as copied this long after its first use, and while the first user is worth more. */
export const COPY = { textSlots: 216_000 } as const

export const POSITION = {
  /** A position is closed when at most this share of its peak balance is left. */
  closedShare: 0.01,
  /** Open positions are written off at each multiple of this token age and at the token's death. */
  writeOffSlots: 216_000,
  /** The share of received tokens that may be missing before they count as given away. */
  movedShare: 0.01,
} as const

export const HISTORY = {
  /** The effect of a sell is the price change this many slots later, clipped to ± this percentage. */
  impactSlots: 25,
  impactClip: 50,
  /** The most sells of a token that wait for their effect, 160 in each slot; further ones have none. */
  impactsMax: 4_096,
  /** The largest weight of one sell, SOL. */
  impactWeightMax: 10,
  /** A pick is judged this many slots after the first buy. */
  pickSlots: 9_000,
  /** A healthy pick still has this share of its market cap and was traded this recently by an unbundled wallet. */
  pickMcapShare: 0.5,
  pickTradeSlots: 1_500,
  /** Shrinkage of the healthy rate: the weight of the population, whose own rate is (H + 1) / (N + 20). */
  healthyPrior: 5,
  populationHealthy: 1,
  populationPicks: 20,
  /** With fewer resolved picks the rate is null. */
  healthyPicksMin: 3,
  /** With a smaller cost the return is null, lamports. */
  roiCostMin: 50_000_000,
  recentMints: 20,
  /** Quarter-octave bins of the hold histogram: 2^(k/4) slots for k = 0..63; the last bin is open. */
  holdBins: 64,
} as const

export const SMART = {
  /** A veteran has this many closed positions; below this many veterans there is no smart money. */
  closed: 20,
  veterans: 200,
  /** Each cut leaves at least this share of the veterans at or above it, by profit, return and win bound. */
  upperShare: 0.3,
  /** The unit of the profit bins, lamports. */
  pnlUnitLamports: 10_000_000,
  /** The z of the two-sided 90% Wilson interval. */
  wilsonZ: 1.6448536269514722,
  bundledRate: 0.2,
  medianHoldSlots: 75,
  activeSlots: 14 * 216_000,
  /** A smart wallet loses the flag only if it misses a fixed cut by more than this share. */
  hysteresis: 0.2,
} as const

/** Thresholds of the classes of holders. */
export const CLASSES = {
  /** Alpha hands: resolved picks and shrunk healthy rate, both minimums. */
  alphaPicks: 5,
  alphaHealthyRate: 0.45,
  /** A wallet is a chart nuker below the first sell impact and a dumper below the second, percent. */
  nukerImpact: -3.6,
  dumperImpact: -0.61,
  jeetSells: 5,
  jeetMedianHoldSlots: 150,
  diamondSlots: 1_500,
  /** Sniper: first buy at most this many slots after the creation. */
  sniperSlots: 12,
  /** The class `first_3s`, in whole slots. */
  firstSecondsSlots: 7,
  /** Insider: funded by the deployer within this many slots of the launch. */
  insiderFundedSlots: 216_000,
  /** Fresh: first seen less than this ago, with fewer buys. Unknown until the log is that long. */
  freshSlots: 9_000,
  freshBuys: 3,
  /** Serial rugger: in confirmed groups of this many rugged mints. */
  serialRugs: 3,
  /** Wash: round trips in one mint, each within this many slots. */
  washTrips: 3,
  washSlots: 25,
} as const

/** The first buyers of a launch that was seen. A buyer has left when less than this share of all it got remains. */
export const FIRST_BUYERS = { count: 70, leftShare: 0.01 } as const

/** The newest changes of creator and fee owners kept per token. */
export const LAUNCH = { changes: 16 } as const

/** The deployer's newest launches kept individually; the age at which the share of confirmed groups is recorded. */
export const DEPLOYERS = { recent: 20, minuteSlots: 150 } as const

/**
 * Metrics based on history have a reading only while wallets with a track record hold `min` of the owned supply. If the
 * excess of recorded balances is above `phantomPct` of supply, shares are of what is really outstanding.
 */
export const COVERAGE = { min: 0.2, full: 0.6, phantomPct: 1 } as const

/** An unbundled holder counts as independent if its balance is worth this at the current price, lamports. */
export const INDEPENDENT = { worthLamports: 50_000_000 } as const

/** The population's prior of the holding habit, and its weight against a wallet's own sells. */
export const HABIT = { priorSells: 100, priorSlots: 150, priorWeight: 3 } as const

export const CONVICTION = {
  weights: { patience: 0.4, kept: 0.3, neverSold: 0.2, stake: 0.1 },
  /** Maps the usual holding time in slots to patience. */
  patienceSlots: [0, 150, 375, 750, 1_500, 3_000, 9_000],
  patience: [0, 0.17, 0.3, 0.44, 0.58, 0.74, 1],
  /** A wallet that sold less than this share of what it bought gets half the points for loyalty. */
  soldLittle: 0.25,
  holdersMin: 3,
} as const

/** Maps each metric to points, linear between knots. The red edge is at 3 points, the green edge at 5. */
export const SCORE = {
  knots: {
    bundle: { x: [0, 50, 65, 100], points: [10, 5, 3, 0], weight: 3 },
    dirty: { x: [0, 50, 60, 100], points: [10, 5, 3, 0], weight: 2 },
    dumpers: { x: [0, 50, 65, 100], points: [10, 5, 3, 0], weight: 2 },
    jeets: { x: [0, 10, 20, 60], points: [10, 5, 3, 0], weight: 1 },
    alphaHands: { x: [0, 25, 30, 70], points: [0, 3, 5, 10], weight: 2 },
    conviction: { x: [0, 50, 60, 90], points: [0, 3, 5, 10], weight: 2 },
    cooktimer: { x: [-1_000, 1_000, 2_500, 9_000], points: [0, 3, 5, 10], weight: 2 },
    smartWallets: { x: [0, 2, 8], points: [3, 5, 10], weight: 1 },
    independentHolders: { x: [0, 15, 40, 150], points: [0, 3, 5, 10], weight: 12 },
  },
  /** Effective numbers of independent holders that equal the counts at the knots. */
  effectiveHolders: [0, 6, 12, 40],
  /** Least scores of a green and a yellow rating. */
  rated: [5, 3],
  /** The value the score is pulled to while little is known about the holders, unless they are few. */
  neutral: 4,
  /** Subtracted if the image or a link was used by an earlier token. */
  copied: 0.5,
  /** The most with a red verdict, after large exits, and without a green verdict. */
  caps: { red: 2.9, exited: 3.9, unproven: 4.9 },
} as const

/** Lower edges of the cohorts' inner buckets. */
export const COHORTS = {
  buys: [10, 100, 1_000, 10_000],
  healthyRate: [0.1, 0.25, 0.45, 0.7],
  holdSlots: [150, 375, 750, 1_500],
  pnlSol: [-50, 0, 50, 150],
  roi: [-0.5, -0.1, 0.1, 1.5],
  /** With fewer closed positions a very high return counts as `printing`. */
  roiClosedMin: 10,
  sellImpact: [-9.9, -3.6, -0.61, 2.2],
  solBalance: [1, 3, 10, 100],
} as const

/** Edges of the 24 paired conditions: [pump, dump]. */
export const SIGNALS = {
  /** Trades by watched wallets kept per token. */
  watchedTrades: 64,
  /** The newest trades searched for the sizes of condition 23 and for wallets excluded from 1 to 4 and 9. */
  recentTrades: 500,
  /** The busiest wallet of 5 minutes is excluded if it made at least this many trades. */
  busiestTrades: 3,
  /** A smaller trade is dust and does not count in conditions on trades, wallets or holders. */
  dustLamports: 10_000_000,
  netToPool1m: [0.05, -0.05],
  netToPool5m: [0.1, -0.1],
  buysToSells1m: [2, 0.67],
  buyersToSellers1m: [1.5, 0.75],
  holders1m: [0.05, -0.02],
  return1m: [0.08, -0.08],
  return5m: [0.2, -0.2],
  drawdown: [0.1, 0.4],
  volume1mToMean: 1.5,
  smartWallets: 2,
  alphaHands: [30, 25],
  bundle: [50, 65],
  bundleNetSellPct: [0, 2],
  dirty: [50, 60],
  dumpers: [50, 65],
  jeets: [10, 20],
  inProfit: [55, 40],
  conviction: [60, 50],
  cooktimer: [2_500, 1_000],
  top10: [30, 50],
  deployerBagPct: 5,
  deployerSoldShare: 0.5,
  medianSizes: [1.5, 0.67],
  overduePct: [20, 50],
  /** One side leads from this difference on. */
  lead: 4,
} as const

/** A holder owns at least one whole token. */
export const HOLDER_MIN_TOKENS = 1

/** The largest holders, whose share of supply is served and judged. */
export const TOP_HOLDERS = 10

export const LISTS = {
  newSlots: 750,
  buyersMin: 5,
  largestHolderMax: 0.3,
  deployerSoldShare: 0.8,
  deployerSoldSlots: 750,
  serialLaunches: 10,
  /** A deployer of many launches is a serial failure if none graduated and the 75th percentile ATH is below this. */
  serialAthP75Usd: 7_000,
  /** Applies only together with a red group. */
  bundlePctMax: 80,
  pumps: { ageSlots: 150, conditions: 10, lead: 4, return5m: 0.2, buyers5m: 20, volume5mLamports: 10_000_000_000 },
  graduatedSlots: 216_000,
  /** The newest graduations that are candidates of the list: fifteen times a day of mainnet. */
  graduatedMax: 4_096,
  /** near graduation: a curve of pump.fun is full with `fullLamports`, most of LaunchLab with the same; share of it, and slots since a trade */
  graduating: { fullLamports: 85_000_000_000, filled: 0.5, tradeSlots: 1_500 },
  survivors: {
    ageMinSlots: 27_000,
    ageMaxSlots: 216_000,
    lastTradeSlots: 2_250,
    traders1h: 10,
    mcapSol: 35,
    mcapAthShare: 0.2,
  },
} as const

/** Paper-trading agents. Exits: value over cost for take-profit and stop, and the longest holding time. */
export const AGENTS = {
  stakeLamports: 500_000_000,
  fee: 0.0125,
  /** The largest number of open positions and orders of one strategy. */
  openMax: 40,
  /** The largest number of wallets the operator may list. */
  walletsMax: 50,
  latestBuys: 20,
  periodSlots: 9_000,
  /** Periods in 7 days. */
  periods: 168,
  closedMin: 20,
  top: 5,
  young: { ageSlots: 375, buyersMin: 20, scoreMin: 5, exit: { takeProfit: 2, stop: 0.6, timeSlots: 2_250 } },
  secondWave: {
    ageSlots: 1_500,
    athShareMax: 0.5,
    returnMin: 0.3,
    buysMin: 10,
    exit: { takeProfit: 1.6, stop: 0.7, timeSlots: 1_500 },
  },
  graduationRun: { leftShareMax: 0.25, ageSlots: 150, exit: { takeProfit: 1.5, stop: 0.75, timeSlots: 2_250 } },
  smartFollow: { walletsMin: 2, exit: { takeProfit: 2, stop: 0.7, timeSlots: 1_500 } },
  kolEcho: { ageSlotsMax: 9_000, exit: { takeProfit: 1.5, stop: 0.75, timeSlots: 375 } },
} as const

/** Rungs of the deployer's milestone ladder, USD. */
export const ATH_RUNGS = [10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/**
 * Owners that never count as holders, in addition to a token's curve and pools: burn addresses, pump's migration
 * authority, and the authorities of Meteora's bonding curve and DAMM v2, which own the token accounts of all pools.
 */
export const EXCLUDED_OWNERS: ReadonlySet<Key> = new Set([
  key('11111111111111111111111111111111'),
  key('1nc1nerator11111111111111111111111111111111'),
  key('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg'),
  key('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM'),
  key('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC'),
])
