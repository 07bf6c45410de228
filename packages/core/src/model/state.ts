import { MEMBERSHIP, NAMED_ACTOR } from './actors.ts'
import { BUCKET, CLASS_SUMS, EXIT, PENDING_IMPACT, WATCHED_TRADE } from './buckets.ts'
import { DEPLOYER } from './deployer.ts'
import { LAUNCHPAD_MAX, type Launchpad, QUOTE_ASSET, QUOTE_MAX, type Quote, type QuoteAsset } from './events.ts'
import {
  atMost,
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
import { LAUNCH } from './launch.ts'
import { TOKEN_LIQUIDITY } from './liquidity.ts'
import { DUP_FLAGS, TOKEN_METADATA } from './metadata.ts'
import { ASKED, LATCHED, OUTLOOK } from './outlook.ts'
import { POPULATION } from './population.ts'
import { VERDICT } from './verdict.ts'

/**
 * The engine's whole state: a fold of the log, which the store writes and restores byte for byte. Ids count up from 0 in
 * order of first appearance. Amounts are base units; SOL amounts are lamports (dollars at the last price), or units of a
 * token's `asset`. The tables are part of the fold's fingerprint: a change makes every state be folded again.
 */

/** Bits of the token's own people that took from it until it was rugged, or `liquidity` if that was withdrawn. */
export const RUGGED_BY = { deployer: 1, groups: 2, insiders: 4, liquidity: 8, first_block: 16 } as const

export const TOKEN = table('Token', {
  id: given,
  /** False if the log began after the launch; the creation is then the first trade. */
  createdKnown: flag(1),
  mayhem: flag(2),
  /** Dead as of the last check (methodology, section 1). */
  dead: flag(4),
  /** The deployer sold at least 80% of its position within 750 slots of the launch. */
  deployerDumped: flag(8),
  /** Every trade from the first on was visible, as far as the log has no gaps. */
  fromStart: flag(128),
  mint: fixed(key),
  /** Bonding curve account and canonical AMM pool; null until known. */
  curve: orNull(16, key),
  pool: orNull(32, key),
  launchpad: small<Launchpad>(LAUNCHPAD_MAX),
  quote: small<Quote>(QUOTE_MAX),
  /** Present if and only if `quote` is `other`. */
  asset: { kind: 'asset', how: 'plain', start: null, of: QUOTE_ASSET } as Field<QuoteAsset | null>,
  name: text,
  symbol: text,
  uri: text,
  metadata: orNull(64, nested(TOKEN_METADATA)),
  dup: nested(DUP_FLAGS),
  createdSlot: num,
  /** Unix seconds, 0 if unknown. */
  createdTime: num,
  /** Wallet id of the launcher, -1 if unknown. */
  deployer: none,
  launch: nested(LAUNCH),
  decimals: starting(6),
  supply: num,
  /** Initial virtual quote reserve; 0 if unknown, when the 2% rule of `dead` does not apply. */
  startQuote: num,
  /** Reserves after the last trade that sets the price; 0 before any. */
  quoteReserve: num,
  baseReserve: num,
  realToken: none,
  /** Real quote in the market after that trade, base units; 0 if unknown. */
  realQuote: num,
  /** Price before the first trade; 0 if unknown. */
  startPrice: num,
  /** Base units bought in the transaction of the creation, and in its slot. */
  birthBag: num,
  slotBag: num,
  lastTradeSlot: none,
  lastTradeTime: num,
  /** Lamports for a base unit of `asset` as of the last trade in it; 0 if unknown. */
  rate: when(2, num, 2),
  /** USD value of the supply as of the last trade. */
  mcap: num,
  /** USD; slot -1 and time 0 before the first trade. */
  ath: num,
  athSlot: none,
  athTime: num,
  /** Slots and Unix seconds of lifecycle events; -1 and 0 if they have not happened. */
  completeSlot: none,
  migratedSlot: none,
  migratedTime: num,
  dexPaidTime: num,
  /** Slots at which the market was drained, and rugged, since the token was last taken over; -1 if not. */
  drainedSlot: none,
  ruggedSlot: none,
  /** Bits of RUGGED_BY. */
  ruggedBy: num,
  /** Slot at which it last recovered from a drain; -1 if never. */
  takenOverSlot: none,
  /** Lamports: the gains of all wallets that gained, other than its own people. */
  gained: num,
  /** Base units sold by early holders who left. */
  earlySold: num,
  /** Exits of the last hour, oldest first. */
  exits: atMost(25, list(EXIT)),
  /** Indexed by class (`CLASS`), up to the last class present. */
  classes: atMost(12, list(CLASS_SUMS)),
  /** Wallet ids of the first buyers in order; empty if the launch was not seen. */
  firstBuyers: atMost(70, numbers),
  trades: num,
  buys: num,
  sells: num,
  /** Wallets that ever bought; wallets with at least one whole token now, and the base units they own. */
  buyers: num,
  holders: num,
  owned: num,
  /** Bit n: the n-th rule strategy has decided about this token. */
  strategiesSeen: num,
  /** Base units given out by curve and pools and not returned, plus transfers from unknown senders. */
  outstanding: num,
  /** Base units held by programs that are not its market, and those burned or withheld. */
  programs: num,
  burned: num,
  /** Slot of the last reported largest balances, -1 if none; total base units by which balances were corrected. */
  checkedSlot: none,
  checkedMoved: num,
  /** Number of the token's newest trade row, -1 if none: rows form a backward chain. */
  lastTradeNo: none,
  /** Last trade by a wallet outside every confirmed bundle. */
  lastFreeTradeSlot: none,
  /** Next slot at which the agenda wakes this token, -1 if none. */
  wakeSlot: none,
  /** Oldest first. */
  buckets: atMost(61, list(BUCKET)),
  impacts: atMost(4_096, list(PENDING_IMPACT)),
  /**
   * First buys that are judged 9,000 slots later, in a list through the buyers' positions: the wallets of its ends and
   * when they are due; -1 if it is empty.
   */
  firstPick: none,
  firstDue: none,
  lastPick: none,
  lastDue: none,
  /** Trades by smart wallets and KOLs, oldest first. */
  watched: atMost(64, list(WATCHED_TRADE)),
  /** In order of due slots; per question as many as there are fixed ages within the longest term. */
  asked: atMost(24, list(ASKED)),
  /** The answers of the latest fixed age, at most one per question. */
  latched: atMost(3, list(LATCHED)),
  /** Actors named on the token, in order. */
  actors: atMost(16, list(NAMED_ACTOR)),
  liquidity: orNull(1, nested(TOKEN_LIQUIDITY), 2),
  verdict: nested(VERDICT),
})
export interface Token extends Open<typeof TOKEN> {}

/** One wallet's position in one mint. Kept after it closes, because a second first buy is no pick. */
export const POSITION = table('Position', {
  token: given,
  wallet: given,
  /** The episode counted as closed. */
  closed: flag(1),
  /** The episode was written off: later sells add to profit but change no verdict. */
  writtenOff: flag(2),
  /** The next sell may complete a round trip. */
  tripOpen: flag(4),
  /** A rug by its group was counted against the wallet. */
  rugCounted: flag(8),
  /** Base units of the balance bought in a quote of unknown price. Their cost is unknown, unlike that of gifts. */
  unpriced: when(16, num),
  balance: num,
  /** Lamports paid for the rest of the balance, fees included. */
  cost: num,
  /** The part of `cost` charged by write-offs, and the value of its tokens at the last one. */
  settledCost: when(32, num),
  settledMark: when(64, num),
  /** Quantity-weighted mean slot of acquisition, fractional. */
  acquiredSlot: num,
  bought: num,
  sold: num,
  firstBuySlot: none,
  lastBuySlot: none,
  lastSellSlot: none,
  /** Tokens received by transfer, seen or deduced from selling more than was known. */
  received: num,
  /** The part that came from people of whom none was the token's own. */
  fromOthers: when(128, num),
  /** The current episode: peak balance, and lamports in and out. */
  peak: num,
  episodeIn: num,
  episodeOut: num,
  /** Lamports paid and got over its whole life, less those two. */
  paidMore: when(64, num, 2),
  gotMore: when(128, num, 2),
  /** Sells within 25 slots of a buy, each buy counting once. */
  roundTrips: num,
  /** The part of `sold` included in `earlySold`. */
  soldCounted: num,
  /** Bit n: a member of the token's n-th class, permanently. */
  classes: when(1, num, 2),
  /** USD at the first buy, if it is judged; the next wallet on the token's list of picks, and by how many slots it is due later. */
  pick: when(8, num, 2),
  nextPick: when(16, none, 2),
  nextAfter: when(32, num, 2),
  /** The first known token account (`accountId`), -1 if none; others with what is in each: id, base units, id, … */
  account: none,
  others: when(2, atMost(16, numbers), 2),
  /** The part of the balance in no known account; below 0 if more was sold than was seen to come. */
  unplaced: when(4, num, 2),
  /** Number of the wallet's group on this mint when it joined, -1 if none. */
  group: none,
  /** A cached reference to the wallet's record, and whether the position changed since the last commit; not state. */
  owner: shortcut<Wallet | null>(null),
  changed: shortcut(false),
})
export interface Position extends Open<typeof POSITION> {}

export const WALLET = table('Wallet', {
  id: given,
  address: fixed(key),
  smart: flag(1),
  kol: flag(2),
  agent: flag(4),
  exchange: flag(8),
  /** At least 3 quick round trips in one mint. */
  wash: flag(16),
  /** Name of a tracked influencer or agent, else null. */
  name: orNull(32, text),
  /** Slots of its first appearance and of its last trade (-1 if none). */
  firstSlot: num,
  lastSlot: none,
  /** Unix seconds of the last trade. */
  lastTime: num,
  trades: num,
  buys: num,
  sells: num,
  bundledTrades: num,
  /** Distinct mints ever bought. */
  mintsBought: num,
  /** Tokens launched; those of them that traded, peaked above the serial-failure floor, and graduated. */
  launches: num,
  launchesTraded: num,
  launchesAboveFloor: num,
  launchesBonded: num,
  buyLamports: num,
  /** Hold statistics over sells, weighted by cost: Σ cost · slots, Σ cost, and cost by quarter-octave bin (sparse). */
  holdCostSlots: num,
  holdCost: num,
  holdBins: atMost(64, numbers),
  holdBinCosts: atMost(64, numbers),
  /** Lamports, write-offs included. */
  realised: num,
  /** Cost of tokens sold or written off, lamports; each payment counts once. */
  closedCost: num,
  /** The number of times profit was realised (sells and write-offs). */
  realisations: num,
  closed: num,
  won: num,
  /** Its bins of profit, return and win bound as of its last trade, packed; -1 if it is no veteran. */
  rank: none,
  /** The part of `closed` written off and not sold since. */
  writtenOff: num,
  picksResolved: num,
  picksHealthy: num,
  impactWeighted: num,
  impactWeight: num,
  /** Lamports before and after the last transaction with balances, -1 if unknown. */
  solBalance: none,
  /** Wallet that sent its first SOL, and the slot, -1 if unknown; the number of wallets it funded itself. */
  funder: none,
  funderSlot: none,
  /** Lamports of that transfer, -1 if unknown. */
  funderLamports: none,
  funded: num,
  /** The last other wallet that paid its network fee or tip, -1 if none; the number of wallets it paid for. */
  payer: none,
  paidFor: num,
  /** Rugged mints in which it was in a confirmed group. */
  rugs: num,
  /** Null for wallets that never launched a token. */
  deployer: orNull(64, nested(DEPLOYER)),
  /** Token ids, newest first. */
  recent: atMost(20, numbers),
  /** The actor it belongs to, and the actor it deploys for without belonging to it; -1 if none. */
  actor: none,
  serves: none,
  /** Its newest 32 memberships in confirmed groups, oldest first. */
  memberships: atMost(32, list(MEMBERSHIP)),
  /** True if this record was evicted and another one represents the wallet, and if it changed since the last commit; not state. */
  stale: shortcut(false),
  changed: shortcut(false),
})
export interface Wallet extends Open<typeof WALLET> {}

/** Engine-wide state that belongs to no token or wallet. */
export const GLOBALS = table('Globals', {
  /** Sequence number of the last log entry folded, -1 if none. */
  seq: none,
  /** Name of the chain, '' if no source has named it. */
  chain: text,
  /** Slot of the first block; slot up to which all is folded or given up; time of the last block. -1 and 0 if none. */
  firstSlot: none,
  slot: none,
  time: num,
  /** Facts entries folded since the block or gap that ends at `slot`: a source that repeats itself skips as many. */
  factsSince: num,
  nextToken: num,
  nextWallet: num,
  nextTrade: num,
  nextActor: num,
  /** Sequence numbers of the newest frame and token event, 0 if none. */
  frames: num,
  tokenEvents: num,
  /** Changes of verdicts so far. */
  verdicts: num,
  /** Readings at fixed ages so far. */
  readings: num,
  solUsd: num,
  population: nested(POPULATION),
  outlook: nested(OUTLOOK),
  /** Trades stored before the first SOL price (their USD values are 0). */
  unpricedTrades: num,
  /** Slots that the source could not deliver, and the last of them, -1 if none. */
  missingSlots: num,
  gapSlot: none,
  /** Ids of tokens migrated within 24 h, oldest first: candidates of the graduated list. */
  migrated: atMost(4_096, numbers),
})
export interface Globals extends Open<typeof GLOBALS> {}
