import type { Key, Sig } from '../base/ids.ts'
import type { Launchpad, Quote, QuoteAsset, Venue } from '../decode/events.ts'
import type { AgentBook } from './agents/state.ts'
import type { BundleBook } from './bundles/state.ts'

/**
 * Everything the engine remembers, as plain records. All of it is a fold of the log; the store writes it down and gives
 * it back byte for byte. Ids are dense and count up from 0 in order of first appearance, so they too are a fold.
 * Amounts are base units; SOL amounts are lamports (dollars at the last SOL price), or units of a token's `asset` where it has one.
 */

/** Duplication flag: not checked yet, original, or seen before. */
export const DUP = { unknown: 0, no: 1, yes: 2 } as const
export type Dup = (typeof DUP)[keyof typeof DUP]

export interface DupFlags {
  name: Dup
  symbol: Dup
  symbolName: Dup
  image: Dup
  twitter: Dup
  telegram: Dup
  website: Dup
}

export interface TokenMetadata {
  description: string | null
  image: string | null
  twitter: string | null
  telegram: string | null
  website: string | null
}

/** One 25-slot bucket of the short window ring (methodology, section 1). */
export interface Bucket {
  /** floor(slot / 25) */
  index: number
  buyLamports: number
  sellLamports: number
  buys: number
  sells: number
  /** price before the bucket's first trade, and the highest after a trade in it; quote base units per token base unit */
  open: number
  high: number
  /** holders before the bucket's first trade */
  holders: number
  /** token base units sold, and the part of it sold by the deployer, insiders and confirmed bundles */
  sold: number
  insiderSold: number
}

/** A sell waiting for the price 25 slots later. */
export interface PendingImpact {
  wallet: number
  dueSlot: number
  priceBefore: number
  /** min(SOL, 10) */
  weight: number
}

/** A trade of the last 5 minutes by a wallet people watch. */
export interface WatchedTrade {
  wallet: number
  slot: number
  /** lamports, positive for a buy */
  lamports: number
  smart: boolean
  kol: boolean
}

/** A first buy waiting for its verdict 9,000 slots later. */
export interface PendingPick {
  wallet: number
  dueSlot: number
  /** USD at the pick */
  mcap: number
}

export interface Token {
  readonly id: number
  readonly mint: Key
  launchpad: Launchpad
  /** false when the log began after the launch: creation is then the first trade */
  createdKnown: boolean
  createdSlot: number
  /** Unix seconds, 0 when unknown */
  createdTime: number
  /** wallet id of the developer, -1 when unknown */
  deployer: number
  name: string
  symbol: string
  uri: string
  metadata: TokenMetadata | null
  dup: DupFlags
  quote: Quote
  asset: QuoteAsset | null
  decimals: number
  /** base units */
  supply: number
  /** bonding curve account and canonical AMM pool, null until known */
  curve: Key | null
  pool: Key | null
  mayhem: boolean
  /** starting virtual quote reserve, 0 when unknown (the 2 % rule of `dead` then does not apply) */
  startQuote: number
  /** reserves after the last trade that sets the price; 0 before any */
  quoteReserve: number
  baseReserve: number
  /** -1 when unknown */
  realToken: number
  lastTradeSlot: number
  lastTradeTime: number
  /** USD value of the token's supply as stored with the last trade */
  mcap: number
  /** USD; slot -1 and time 0 before the first trade */
  ath: number
  athSlot: number
  athTime: number
  /** slots and Unix seconds of lifecycle moments; -1 and 0 when they have not happened */
  completeSlot: number
  migratedSlot: number
  migratedTime: number
  dexPaidTime: number
  /** the deployer sold at least 80 % of its bag within 750 slots of the launch */
  deployerDumped: boolean
  /** slot at which the rug condition was first met, -1 never */
  ruggedSlot: number
  /** dead as of the last check (methodology, section 1) */
  dead: boolean
  trades: number
  buys: number
  sells: number
  /** wallets that ever bought; wallets with at least one whole token now, and the base units in their hands */
  buyers: number
  holders: number
  owned: number
  /** number of the newest trade row of this token, -1 none: rows form a chain backwards */
  lastTradeNo: number
  /** last trade by a wallet outside every confirmed bundle */
  lastFreeTradeSlot: number
  /** at most 60, oldest first */
  buckets: Bucket[]
  impacts: PendingImpact[]
  picks: PendingPick[]
  /** by smart wallets and KOLs, at most 64, oldest first */
  watched: WatchedTrade[]
  /** bit n: the n-th rule strategy has made up its mind about this token */
  strategiesSeen: number
  /** next slot at which the agenda looks at this token, -1 none */
  wakeSlot: number
}

/** One wallet's holding of one mint. Kept after it closes: a second first buy is not a pick. */
export interface Position {
  readonly token: number
  readonly wallet: number
  balance: number
  /** base units of the balance that were bought for something of unknown price: of unknown cost, unlike those that were given */
  unpriced: number
  /** lamports still tied up in the rest of the balance, fees included */
  cost: number
  /** quantity-weighted mean slot of acquisition; fraction kept */
  acquiredSlot: number
  bought: number
  sold: number
  /** -1 never */
  firstBuySlot: number
  lastBuySlot: number
  lastSellSlot: number
  /** tokens that came by transfer */
  received: number
  /** this episode: highest balance, lamports in and out since it opened, and whether it counted as closed */
  peak: number
  episodeIn: number
  episodeOut: number
  closed: boolean
  /** the episode was written off: later sells add to profit but it does not close again */
  writtenOff: boolean
  /** sells within 25 slots of a buy, each buy counting once, and whether the next sell may count */
  roundTrips: number
  tripOpen: boolean
  /** number of the wallet's coordinated group on this mint, as it was when the wallet joined; -1 none */
  group: number
  /** being in a confirmed group of a rugged token was counted against the wallet */
  rugCounted: boolean
  /** the wallet's record while it is in memory: a shortcut, no state */
  owner: Wallet | null
}

/** Another wallet that bought the same mints at nearly the same time (within 5 slots), mints counted once each. */
export interface Partner {
  wallet: number
  /** first buys within 5 slots after the partner's, same slot included */
  together: number
  /** of these: 1 to 3 slots later, and 1 to 5 slots later */
  follows: number
  behind: number
}

/** Population-wide running figures. */
export interface Population {
  /** resolved picks, and the healthy ones among them */
  picks: number
  healthyPicks: number
  /** sells of known holding time by quarter-octave bin, the prior's 100 sells of 150 slots included */
  holds: number[]
}

export interface Wallet {
  readonly id: number
  readonly address: Key
  /** tracked influencer or agent: the name people know, null for everybody else */
  name: string | null
  kol: boolean
  agent: boolean
  /** slot in which it was first seen, and of its last trade (-1 none) */
  firstSlot: number
  lastSlot: number
  /** Unix seconds of the last trade */
  lastTime: number
  trades: number
  buys: number
  sells: number
  bundledTrades: number
  /** distinct mints ever bought */
  mintsBought: number
  /** tokens launched, and of these: traded at least once, peaked at or above the serial-failure floor, graduated */
  launches: number
  launchesTraded: number
  launchesAboveFloor: number
  launchesBonded: number
  buyLamports: number
  /** cost-weighted hold statistics over sells: Σ cost · slots, Σ cost, and cost by quarter-octave bin (sparse) */
  holdCostSlots: number
  holdCost: number
  holdBins: number[]
  holdBinCosts: number[]
  /** lamports, write-offs included */
  realised: number
  /** cost of what was closed, lamports */
  closedCost: number
  /** times profit was realised (sells and write-offs) */
  realisations: number
  closed: number
  won: number
  picksResolved: number
  picksHealthy: number
  impactWeighted: number
  impactWeight: number
  /** lamports before and after the last transaction seen with balances, -1 unknown */
  solBalance: number
  /** wallet that sent its first SOL and the slot of that, -1 unknown; how many wallets it funded itself */
  funder: number
  funderSlot: number
  funded: number
  exchange: boolean
  /** the last stranger who paid its network fees, -1 none; how many wallets it began to pay for itself */
  payer: number
  paidFor: number
  /** made at least 3 quick round trips in one mint */
  wash: boolean
  /** rugged mints in which it was part of a confirmed group */
  rugs: number
  /** at most 8 */
  partners: Partner[]
  smart: boolean
  /** token ids, newest first, at most 20 */
  recent: number[]
  /** this record has left memory, another one stands for the wallet now: no state */
  stale: boolean
}

/** A trade as served: the event and the trader's history before it. Null fields follow the specification. */
export interface TradeRow {
  readonly no: number
  readonly token: number
  readonly wallet: number
  /** number of the token's previous row, -1 none */
  readonly prev: number
  readonly sig: Sig
  readonly outer: number
  readonly inner: number
  readonly venue: Venue
  readonly slot: number
  readonly time: number
  readonly isBuy: boolean
  /** lamports moved on the curve or in the pool, without fees; 0 where the quote has no known price */
  readonly lamports: number
  /** the same in base units of the token's quote where that has no known price, else 0 */
  readonly own: number
  readonly tokens: number
  /** USD */
  readonly mcap: number
  readonly buysBefore: number
  readonly buyLamportsBefore: number
  readonly avgHoldSlots: number | null
  readonly pnlLamports: number | null
  readonly roi: number | null
  readonly winRate: number | null
  readonly healthyRate: number | null
  readonly sellImpact: number | null
  readonly bundledRate: number | null
  readonly solBalance: number | null
  readonly smart: boolean
  /** number of the trader's group when it was confirmed at this trade (the group's id then), else -1 */
  group: number
}

/** Something that happened to a token, with what may be another value later. */
export type TokenEventRow = {
  /** place in the topic, from 1 without a gap */
  readonly seq: number
  readonly token: number
  /** chain slot, and Unix seconds of its block, or at which the fact was observed */
  readonly slot: number
  readonly time: number
} & (
  | { readonly kind: 'created' | 'dex_paid'; readonly image: string | null }
  | { readonly kind: 'metadata'; readonly metadata: TokenMetadata }
  | { readonly kind: 'duplication'; readonly dup: DupFlags }
  /** `mcap`: USD */
  | { readonly kind: 'graduated'; readonly image: string | null; readonly mcap: number }
)

/** Engine-wide state that is not per token or wallet. */
export interface Globals {
  /** seq of the last log entry folded, -1 none */
  seq: number
  /** slot of the first block folded, slot up to which everything is folded or given up, time of the last block; -1 and 0 none */
  firstSlot: number
  slot: number
  time: number
  /** facts entries folded since the block or gap that ends at `slot`: a source that repeats itself skips as many */
  factsSince: number
  nextToken: number
  nextWallet: number
  nextTrade: number
  /** frames and token events so far: the seq of the newest of each, 0 none */
  frames: number
  tokenEvents: number
  solUsd: number
  population: Population
  /** trades stored while no SOL price was known (their USD values are 0) */
  unpricedTrades: number
  /** slots that the source could not deliver */
  missingSlots: number
  /** ids of tokens migrated within 24 h, oldest first: candidates of the graduated list, kept in memory */
  migrated: number[]
}

/** What duplication is checked on; stored as an index from normalised text to the earliest token. */
export type DupField = keyof DupFlags

/** What the fold reads when something is not in memory: as of the last commit; what is newer the engine has itself. */
export interface StateReader {
  globals(): Globals | null
  tokenIdByMint(mint: Key): number | undefined
  tokenIdByPool(pool: Key): number | undefined
  token(id: number): Token | undefined
  positions(tokenId: number): Position[]
  positionCount(tokenId: number): number
  bundles(tokenId: number): BundleBook | undefined
  agents(): AgentBook | null
  walletIdByAddress(address: Key): number | undefined
  wallet(id: number): Wallet | undefined
  /** the records of wallets that exist, in the order asked for */
  wallets(ids: readonly number[]): Wallet[]
  /** earliest token with the same normalised value */
  firstUse(field: DupField, norm: string): number | undefined
  /** ids of tokens that were live at the last commit, ascending */
  liveTokenIds(): number[]
}

/** Everything that changed since the last commit. The store writes it in one transaction. */
export interface Changes {
  readonly globals: Globals
  /** with how many positions each has: what is read back is held to it */
  readonly tokens: Iterable<{ readonly token: Token; readonly positionCount: number }>
  readonly wallets: Iterable<Wallet>
  readonly positions: Iterable<Position>
  readonly bundles: Iterable<{ readonly token: Token; readonly bundles: BundleBook }>
  /** null when nothing about agents changed */
  readonly agents: AgentBook | null
  /** in ascending `no` */
  readonly trades: readonly TradeRow[]
  readonly tokenEvents: readonly TokenEventRow[]
  /** for each block with trades: [seq of its first frame, number of its first trade row] */
  readonly frameMarks: readonly (readonly [number, number])[]
  readonly newTokens: readonly Token[]
  readonly newWallets: readonly Wallet[]
  readonly pools: ReadonlyMap<Key, number>
  readonly firstUses: readonly { readonly field: DupField; readonly norm: string; readonly token: number }[]
  /** [deployer wallet id, token id] */
  readonly launches: readonly (readonly [number, number])[]
  /** tokens that entered or left the live set */
  readonly live: ReadonlyMap<number, boolean>
}
