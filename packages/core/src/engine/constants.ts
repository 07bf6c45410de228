import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'

export { ACTORS } from './constants-actors.ts'
export { BUNDLES } from './constants-bundles.ts'
export { VERDICT } from './constants-verdict.ts'

/**
 * Every constant of the formulas (docs/methodology.md) in one place; a test holds that page and this file together.
 * Durations are in slots, nominally 0.4 s.
 */
export const FORMULAS_VERSION = '3'

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
  /** age step at which the reserve rule is checked */
  checkEverySlots: 750,
} as const

/** How every pump curve starts. */
export const CURVE = {
  /** base units on sale: a first trade that leaves all but itself on sale is the very first */
  realTokenAtStart: 793_100_000_000_000,
  /** base units in existence */
  supply: 1_000_000_000_000_000,
  /** virtual reserves of a curve in SOL, and by how much their product may differ through rounding */
  startLamports: 30_000_000_000,
  virtualTokenAtStart: 1_073_000_000_000_000,
  productTolerance: 1e-6,
} as const

export const BUCKET = { slots: 25, kept: 60, minute: 6, fiveMinutes: 30 } as const

/** Drained: the market's real quote reserve fell by so much from its window's high. Rugged: by its own people. */
export const DRAIN = {
  windowSlots: 1_500,
  fall: 0.8,
  /** a lower high is not worth speaking of */
  reserveLamports: 2_000_000_000,
  /** of the tokens sold since that high, or of the money that is gone, what deployer, insiders and confirmed groups sold or took */
  insiderShare: 0.5,
  /** unrelated wallets count as one seller when at least this many leave within this many buckets, each with this share of supply, nearly all it has */
  togetherWallets: 3,
  togetherBuckets: 3,
  togetherSupplyShare: 0.005,
  leftShare: 0.9,
  /** the largest sales that are remembered: who sold may become known */
  salesMax: 64,
  /** fall of the pool's quote reserve without a trade, and the time it may take */
  withdrawalFall: 0.8,
  withdrawalSlots: 750,
} as const

/** A name or symbol counts as copied for this long after its first use, and while the first has more market cap. */
export const COPY = { textSlots: 216_000 } as const

/** The last hour's exits are kept in this many buckets and the current one. */
export const MEMORY = { bucketSlots: 375, buckets: 24 } as const

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
  /** closed positions of a veteran, and veterans below which nobody is smart money */
  closed: 20,
  veterans: 200,
  /** share of the veterans at or above whose profit, return and win bound the cuts are */
  upperShare: 0.3,
  /** profit is measured in bins of this many lamports and more */
  pnlUnitLamports: 10_000_000,
  /** z of the two-sided 90 % Wilson interval */
  wilsonZ: 1.6448536269514722,
  bundledRate: 0.2,
  medianHoldSlots: 75,
  activeSlots: 14 * 216_000,
  /** a smart wallet stays smart until a fixed cut is missed by more than this share */
  hysteresis: 0.2,
} as const

/** Thresholds of the classes of holders. */
export const CLASSES = {
  /** alpha hands: resolved picks at least, and the shrunk healthy rate */
  alphaPicks: 5,
  alphaHealthyRate: 0.45,
  /** sell impact below which a wallet is a chart nuker, and below which it is a dumper, percent */
  nukerImpact: -3.6,
  dumperImpact: -0.61,
  jeetSells: 5,
  jeetMedianHoldSlots: 150,
  diamondSlots: 1_500,
  /** sniper: first buy at most so long after the creation */
  sniperSlots: 12,
  /** the class of those who bought in the first 3 seconds, in whole slots */
  firstSecondsSlots: 7,
  /** insider: funded by the deployer within this many slots of the launch */
  insiderFundedSlots: 216_000,
  /** fresh: seen for less than this, with fewer buys; once the log itself is that long */
  freshSlots: 9_000,
  freshBuys: 3,
  /** serial rugger: confirmed groups of this many rugged mints */
  serialRugs: 3,
  /** wash: round trips of one mint, each within this many slots */
  washTrips: 3,
  washSlots: 25,
} as const

/** The first buyers of a launch that was seen, and what became of them: what is left below this share of all they got is nothing. */
export const FIRST_BUYERS = { count: 70, leftShare: 0.01 } as const

/** A deployer's launches that are kept one by one, and the age at which the share of confirmed groups is taken. */
export const DEPLOYERS = { recent: 20, minuteSlots: 150 } as const

/**
 * Metrics with a history behind them have a reading only while wallets that have sold out of something hold this share of O. Above
 * `phantomPct` of supply in balances that cannot be there, shares are of what is.
 */
export const COVERAGE = { min: 0.2, full: 0.6, phantomPct: 1 } as const

/** A holder outside every confirmed bundle counts when its balance is worth this at the current price, lamports. */
export const INDEPENDENT = { worthLamports: 50_000_000 } as const

/** Habit of holding: the population's prior, and its weight against a wallet's own sells. */
export const HABIT = { priorSells: 100, priorSlots: 150, priorWeight: 3 } as const

export const CONVICTION = {
  weights: { patience: 0.4, kept: 0.3, neverSold: 0.2, stake: 0.1 },
  /** slots of usual holding → patience */
  patienceSlots: [0, 150, 375, 750, 1_500, 3_000, 9_000],
  patience: [0, 0.17, 0.3, 0.44, 0.58, 0.74, 1],
  /** sold less than this share of what it bought: half the points for not selling */
  soldLittle: 0.25,
  holdersMin: 3,
} as const

/** Each metric's value → points, linear between the knots; red edge at 3, green edge at 5. */
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
  /** effective numbers of independent holders that are worth as much as the counts of their knots */
  effectiveHolders: [0, 6, 12, 40],
  /** what the score is pulled to while little is known about the holders, unless they are few */
  neutral: 4,
  caps: {
    redSupplyPct: 10,
    red: 2.9,
    top10Pct: 70,
    top10: 2.9,
    dead: 2.9,
    phantom: 4.9,
    deployerSoldShare: 0.8,
    /** the sale of a position below this percent of supply does not cap the score */
    deployerBagPct: 2,
    deployerSold: 3.9,
    copied: 0.5,
    /** sold by deployer, insiders and groups, percent of supply: within the last hour, and ever */
    soldHourPct: 5,
    soldHour: 2.9,
    soldEverPct: 15,
    soldEver: 3.9,
    rugged: 3.9,
  },
} as const

/** Lower edges of the cohorts' inner buckets. */
export const COHORTS = {
  buys: [10, 100, 1_000, 10_000],
  healthyRate: [0.1, 0.25, 0.45, 0.7],
  holdSlots: [150, 375, 750, 1_500],
  pnlSol: [-50, 0, 50, 150],
  roi: [-0.5, -0.1, 0.1, 1.5],
  /** closed positions below which a very high return only counts as printing */
  roiClosedMin: 10,
  sellImpact: [-9.9, -3.6, -0.61, 2.2],
  solBalance: [1, 3, 10, 100],
} as const

/** Edges of the 24 paired conditions: [pump, dump]. */
export const SIGNALS = {
  /** trades by watched wallets kept per token */
  watchedTrades: 64,
  /** newest trades in which the sizes of condition 23 and the wallets left out of 1 to 4 and 9 are looked for */
  recentTrades: 500,
  /** the busiest wallet of 5 minutes is left out from this many trades on */
  busiestTrades: 3,
  /** a trade of less is dust: it counts for none of the conditions that count trades, wallets or holders */
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
  /** lead of one side that colours the pair of counters */
  lead: 4,
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
  /** together with a group that sells heavily */
  bundlePctMax: 80,
  pumps: { ageSlots: 150, conditions: 10, lead: 4, return5m: 0.2, buyers5m: 20, volume5mLamports: 10_000_000_000 },
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

/** Trading agents. Exits: value over cost to take profit and to stop, slots after which a position is sold anyway. */
export const AGENTS = {
  stakeLamports: 500_000_000,
  fee: 0.0125,
  /** open positions and orders of one strategy at once */
  openMax: 40,
  /** wallets the operator may show */
  walletsMax: 50,
  latestBuys: 20,
  periodSlots: 9_000,
  /** periods in 7 days */
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

/** Three questions about what becomes of a token. The cards are in outlook/cards.ts: methodology, section 9. */
export const OUTLOOK = {
  /** ages at which the questions are asked, then the interval in slots until the last */
  ages: [75, 150, 750, 2_250],
  everySlots: 2_250,
  lastSlots: 27_000,
  /** ages from which the second and the third class of ages begin */
  classes: [750, 4_500],
  bands: 12,
  prior: 100,
  halvedAfter: 1_000,
  /** step by which an outcome moves the odds of its question's table, and their bounds, millionths */
  odds: { step: 0.015, least: 50_000, most: 20_000_000 },
  /** reserve and price fall to the share `left`; the buyer sells at the first of gain, loss and time */
  drain: { reserveLamports: 2_000_000_000, left: 0.2, slots: 9_000 },
  halving: { multiple: 2, left: 0.5, slots: 9_000 },
  buyer: { gain: 2, loss: 0.6, slots: 2_250, fee: 0.0125, tradeSlots: 2_250 },
  /** percent of supply that deployer, insiders and groups sold within the last hour: no answer is better then than before; and
   * of one sale, so that the prediction before it is kept */
  exit: { soldPct: 5, piecePct: 1 },
} as const

/** Rungs of the deployer's milestone ladder, USD. */
export const ATH_RUNGS = [10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000] as const

/**
 * Owners that never count as holders, besides each token's own curve and pools: burn addresses, pump's migration
 * authority, and the authorities of Meteora's bonding curve and of DAMM v2, which own the token accounts of all pools.
 */
export const EXCLUDED_OWNERS: ReadonlySet<Key> = new Set([
  key('11111111111111111111111111111111'),
  key('1nc1nerator11111111111111111111111111111111'),
  key('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg'),
  key('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM'),
  key('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC'),
])
