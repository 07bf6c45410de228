import { MEMBERSHIP, NAMED_ACTOR } from './actors.ts'
import { DEPLOYER } from './deployer.ts'
import { LAUNCHPAD_MAX, type Launchpad, QUOTE_ASSET, QUOTE_MAX, type Quote, type QuoteAsset } from './events.ts'
import {
  bool,
  type Field,
  fixed,
  flag,
  given,
  key,
  list,
  nested,
  none,
  num,
  numbers,
  type Open,
  orNull,
  shortcut,
  small,
  starting,
  table,
  text,
  when,
} from './field.ts'
import { DUP_FLAGS, TOKEN_METADATA } from './metadata.ts'
import { ASKED, FLOOR, OUTLOOK } from './outlook.ts'
import { POPULATION } from './population.ts'

/**
 * Everything the engine remembers, as plain records. All of it is a fold of the log; the store writes it down and gives
 * it back byte for byte. Ids are dense and count up from 0 in order of first appearance, so they too are a fold.
 * Amounts are base units; SOL amounts are lamports (dollars at the last SOL price), or units of a token's `asset` where it has one.
 * The tables are part of the fold's fingerprint: after a change of one, every state is folded again.
 */

/** Who sold while a token was rugged (`together`: strangers that left at once), or that its liquidity was withdrawn; bits. */
export const RUGGED_BY = { deployer: 1, groups: 2, insiders: 4, liquidity: 8, together: 16 } as const

/** One 25-slot bucket of the short window ring (methodology, section 1). */
const BUCKET = table('Bucket', {
  /** floor(slot / 25) */
  index: num,
  buyLamports: num,
  sellLamports: num,
  buys: num,
  sells: num,
  /** price before the bucket's first trade; quote base units per token base unit */
  open: num,
  /** highest real quote reserve in it, quote base units; 0 unknown */
  reserve: num,
  /** holders before the bucket's first trade */
  holders: num,
  /** token base units sold, and the parts of it by the deployer, by members of confirmed groups, and by other insiders */
  sold: num,
  deployerSold: num,
  groupSold: num,
  insiderSold: num,
  /** by those three, quote base units */
  insideTook: num,
})
export interface Bucket extends Open<typeof BUCKET> {}

/** Tokens that the deployer, insiders and confirmed groups sold in 375 slots; those of before they were known for that count then. */
const EXIT = table('Exit', {
  /** floor(slot / 375) */
  index: num,
  tokens: num,
})
export interface Exit extends Open<typeof EXIT> {}

/** What the wallets of one class have of a token, base units: the most is as of the end of a transaction. */
const CLASS_SUMS = table('ClassSums', {
  held: num,
  peak: num,
  sold: num,
})
export interface ClassSums extends Open<typeof CLASS_SUMS> {}

/** Tokens that a wallet sold in one 25-slot bucket. */
const SALE = table('Sale', {
  wallet: num,
  /** they are among what the bucket says of deployer, groups and insiders: nobody's who may still become known */
  counted: bool,
  /** floor(slot / 25) */
  index: num,
  /** base units, and the quote's taken out of the market for them */
  tokens: num,
  took: num,
  /** with one of them the wallet sold nearly all it had */
  left: bool,
})
export interface Sale extends Open<typeof SALE> {}

/** A sell waiting for the price 25 slots later. */
const PENDING_IMPACT = table('PendingImpact', {
  wallet: num,
  dueSlot: num,
  priceBefore: num,
  /** min(SOL, 10) */
  weight: num,
})
export interface PendingImpact extends Open<typeof PENDING_IMPACT> {}

/** A trade of the last 5 minutes by a wallet people watch. */
const WATCHED_TRADE = table('WatchedTrade', {
  smart: flag(1),
  kol: flag(2),
  wallet: num,
  slot: num,
  /** lamports, positive for a buy */
  lamports: num,
})
export interface WatchedTrade extends Open<typeof WATCHED_TRADE> {}

/** A first buy waiting for its verdict 9,000 slots later. */
const PENDING_PICK = table('PendingPick', {
  wallet: num,
  dueSlot: num,
  /** USD at the pick */
  mcap: num,
})
export interface PendingPick extends Open<typeof PENDING_PICK> {}

export const TOKEN = table('Token', {
  id: given,
  /** false when the log began after the launch: creation is then the first trade */
  createdKnown: flag(1),
  mayhem: flag(2),
  /** dead as of the last check (methodology, section 1) */
  dead: flag(4),
  /** the deployer sold at least 80 % of its bag within 750 slots of the launch */
  deployerDumped: flag(8),
  /** every trade since the very first was there to be seen, as far as the log has no gaps */
  fromStart: flag(128),
  mint: fixed(key),
  /** bonding curve account and canonical AMM pool, null until known */
  curve: orNull(16, key),
  pool: orNull(32, key),
  launchpad: small<Launchpad>(LAUNCHPAD_MAX),
  quote: small<Quote>(QUOTE_MAX),
  /** there when, and only when, `quote` is `other` */
  asset: { kind: 'asset', how: 'plain', start: null, of: QUOTE_ASSET } as Field<QuoteAsset | null>,
  name: text,
  symbol: text,
  uri: text,
  metadata: orNull(64, nested(TOKEN_METADATA)),
  dup: nested(DUP_FLAGS),
  createdSlot: num,
  /** Unix seconds, 0 when unknown */
  createdTime: num,
  /** wallet id of the developer, -1 when unknown */
  deployer: none,
  decimals: starting(6),
  supply: num,
  /** starting virtual quote reserve, 0 when unknown (the 2 % rule of `dead` then does not apply) */
  startQuote: num,
  /** reserves after the last trade that sets the price; 0 before any */
  quoteReserve: num,
  baseReserve: num,
  /** -1 when unknown */
  realToken: none,
  /** what is really in the market after that trade, base units of the quote; 0 unknown */
  realQuote: num,
  /** price before the first trade; 0 unknown */
  startPrice: num,
  lastTradeSlot: none,
  lastTradeTime: num,
  /** USD value of the token's supply as stored with the last trade */
  mcap: num,
  /** USD; slot -1 and time 0 before the first trade */
  ath: num,
  athSlot: none,
  athTime: num,
  /** slots and Unix seconds of lifecycle moments; -1 and 0 when they have not happened */
  completeSlot: none,
  migratedSlot: none,
  migratedTime: num,
  dexPaidTime: num,
  /** slots at which the market was first drained, and drained by its own people; -1 never. Who that was: RUGGED_BY */
  drainedSlot: none,
  ruggedSlot: none,
  ruggedBy: num,
  /** base units: the deployer's highest balance; of insiders what they hold, the highest of that, and what they sold */
  deployerPeak: num,
  insiderHeld: num,
  insiderPeak: num,
  insiderSold: num,
  /** sold by the deployer, insiders and members of confirmed groups, each sale once */
  insideSold: num,
  /** of that the last hour's; at most 25, oldest first */
  exits: list(EXIT),
  /** by number of the class (`CLASS`), as far as there was one of them */
  classes: list(CLASS_SUMS),
  /** wallet ids of the first buyers in order, at most 70; none where the launch was not seen */
  firstBuyers: numbers,
  /** the largest sales in the window of a drain, bounded by DRAIN.salesMax, oldest first */
  sales: list(SALE),
  trades: num,
  buys: num,
  sells: num,
  /** wallets that ever bought; wallets with at least one whole token now, and the base units in their hands */
  buyers: num,
  holders: num,
  owned: num,
  /** bit n: the n-th rule strategy has made up its mind about this token */
  strategiesSeen: num,
  /** base units that curve and pools gave out and have not got back, with what came to holders from nobody known; see `fromStart` */
  outstanding: num,
  /** slot of the largest balances that a node reported last, -1 none; base units by which those known here were wrong, each counted */
  checkedSlot: none,
  checkedMoved: num,
  /** number of the newest trade row of this token, -1 none: rows form a chain backwards */
  lastTradeNo: none,
  /** last trade by a wallet outside every confirmed bundle */
  lastFreeTradeSlot: none,
  /** next slot at which the agenda wakes this token, -1 none */
  wakeSlot: none,
  /** at most 60, oldest first */
  buckets: list(BUCKET),
  impacts: list(PENDING_IMPACT),
  picks: list(PENDING_PICK),
  /** by smart wallets and KOLs, at most 64, oldest first */
  watched: list(WATCHED_TRADE),
  /** in order of their due slots; as many as fixed ages fit into the longest term, of each question */
  asked: list(ASKED),
  /** slot of the latest sale before which the predictions were kept, -1 none; the predictions, at most one of each question */
  floorSlot: none,
  floors: list(FLOOR),
  /** actors met here, at most 16, in order */
  actors: list(NAMED_ACTOR),
})
export interface Token extends Open<typeof TOKEN> {}

/** One wallet's holding of one mint. Kept after it closes: a second first buy is not a pick. */
export const POSITION = table('Position', {
  token: given,
  wallet: given,
  /** this episode counted as closed */
  closed: flag(1),
  /** the episode was written off: later sells add to profit, and the last of them changes no verdict */
  writtenOff: flag(2),
  /** the next sell may count as a round trip */
  tripOpen: flag(4),
  /** being in a confirmed group of a rugged token was counted against the wallet */
  rugCounted: flag(8),
  /** base units of the balance that were bought for something of unknown price: of unknown cost, unlike those that were given */
  unpriced: when(16, num),
  balance: num,
  /** lamports paid for the rest of the balance, fees included */
  cost: num,
  /** part of `cost` that write-offs charged to the wallet's history, and what its tokens were worth at the last of them */
  settledCost: when(32, num),
  settledMark: when(64, num),
  /** quantity-weighted mean slot of acquisition; fraction kept */
  acquiredSlot: num,
  bought: num,
  sold: num,
  /** -1 never */
  firstBuySlot: none,
  lastBuySlot: none,
  lastSellSlot: none,
  /** tokens that came by transfer, seen or shown by selling more than was known */
  received: num,
  /** this episode: highest balance, lamports in and out since it opened */
  peak: num,
  episodeIn: num,
  episodeOut: num,
  /** sells within 25 slots of a buy, each buy counting once */
  roundTrips: num,
  /** part of the token's `insiderHeld`, -1 when it was never an insider's; part of `sold` that is in the token's `insideSold` */
  insiderBalance: none,
  soldCounted: when(128, num),
  /** bit n: it counts for the n-th class of the token, from then on for good */
  classes: when(1, num, 2),
  /** number of the wallet's coordinated group on this mint, as it was when the wallet joined; -1 none */
  group: none,
  /** the wallet's record while it is in memory: a shortcut, no state */
  owner: shortcut<Wallet | null>(null),
})
export interface Position extends Open<typeof POSITION> {}

/** Another wallet that bought the same mints at nearly the same time (within 5 slots), mints counted once each. */
const PARTNER = table('Partner', {
  wallet: num,
  /** first buys within 5 slots after the partner's, same slot included */
  together: num,
  /** of these: 1 to 3 slots later, and 1 to 5 slots later */
  follows: num,
  behind: num,
})
export interface Partner extends Open<typeof PARTNER> {}

export const WALLET = table('Wallet', {
  id: given,
  address: fixed(key),
  smart: flag(1),
  kol: flag(2),
  agent: flag(4),
  exchange: flag(8),
  /** made at least 3 quick round trips in one mint */
  wash: flag(16),
  /** name of a tracked influencer or agent; null for all other wallets */
  name: orNull(32, text),
  /** slot in which it was first seen, and of its last trade (-1 none) */
  firstSlot: num,
  lastSlot: none,
  /** Unix seconds of the last trade */
  lastTime: num,
  trades: num,
  buys: num,
  sells: num,
  bundledTrades: num,
  /** distinct mints ever bought */
  mintsBought: num,
  /** tokens launched, and of these: traded at least once, peaked at or above the serial-failure floor, graduated */
  launches: num,
  launchesTraded: num,
  launchesAboveFloor: num,
  launchesBonded: num,
  buyLamports: num,
  /** cost-weighted hold statistics over sells: Σ cost · slots, Σ cost, and cost by quarter-octave bin (sparse) */
  holdCostSlots: num,
  holdCost: num,
  holdBins: numbers,
  holdBinCosts: numbers,
  /** lamports, write-offs included */
  realised: num,
  /** cost of what was sold or written off, lamports: what was paid counts once */
  closedCost: num,
  /** times profit was realised (sells and write-offs) */
  realisations: num,
  closed: num,
  won: num,
  /** bins of profit, return and win bound in which the population counts it, as of its last trade; -1 in none */
  rank: none,
  /** of `closed`: written off and not sold since */
  writtenOff: num,
  picksResolved: num,
  picksHealthy: num,
  impactWeighted: num,
  impactWeight: num,
  /** lamports before and after the last transaction seen with balances, -1 unknown */
  solBalance: none,
  /** wallet that sent its first SOL and the slot of that, -1 unknown; how many wallets it funded itself */
  funder: none,
  funderSlot: none,
  /** lamports of that transfer, -1 unknown */
  funderLamports: none,
  funded: num,
  /** the last other wallet that paid its network fees, -1 none; how many wallets it has paid for itself */
  payer: none,
  paidFor: num,
  /** rugged mints in which it was part of a confirmed group */
  rugs: num,
  /** null for who never launched anything */
  deployer: orNull(64, nested(DEPLOYER)),
  /** at most 8 */
  partners: list(PARTNER),
  /** token ids, newest first, at most 20 */
  recent: numbers,
  /** the actor it belongs to, and the one it deploys for without belonging to it; -1 none */
  actor: none,
  serves: none,
  /** confirmed groups it was in, the newest 32, oldest first */
  memberships: list(MEMBERSHIP),
  /** this record has left memory and another one represents the wallet: not state */
  stale: shortcut(false),
})
export interface Wallet extends Open<typeof WALLET> {}

/** Engine-wide state that is not per token or wallet. */
export const GLOBALS = table('Globals', {
  /** seq of the last log entry folded, -1 none */
  seq: none,
  /** slot of the first block folded, slot up to which everything is folded or given up, time of the last block; -1 and 0 none */
  firstSlot: none,
  slot: none,
  time: num,
  /** facts entries folded since the block or gap that ends at `slot`: a source that repeats itself skips as many */
  factsSince: num,
  nextToken: num,
  nextWallet: num,
  nextTrade: num,
  nextActor: num,
  /** frames and token events so far: the seq of the newest of each, 0 none */
  frames: num,
  tokenEvents: num,
  solUsd: num,
  population: nested(POPULATION),
  outlook: nested(OUTLOOK),
  /** trades stored while no SOL price was known (their USD values are 0) */
  unpricedTrades: num,
  /** slots that the source could not deliver, and the last of them, -1 none */
  missingSlots: num,
  gapSlot: none,
  /** ids of tokens migrated within 24 h, oldest first: candidates of the graduated list, kept in memory */
  migrated: numbers,
})
export interface Globals extends Open<typeof GLOBALS> {}
