import type { Key } from '../base/ids.ts'
import type { Actor, ActorEdges } from '../model/actors.ts'
import type { AgentBook } from '../model/agents.ts'
import type { BundleBook } from '../model/bundles.ts'
import type { DupField } from '../model/metadata.ts'
import type { ReadingRow, TokenEventRow, TradeRow } from '../model/rows.ts'
import type { Globals, Position, Token, Wallet } from '../model/state.ts'

/** Reads state that is not in memory, as of the last commit. The engine itself holds everything newer. */
export interface StateReader {
  globals(): Globals | null
  tokenIdByMint(mint: Key): number | undefined
  tokenIdByPool(pool: Key): number | undefined
  token(id: number): Token | undefined
  positions(tokenId: number): Position[]
  positionCount(tokenId: number): number
  positionOf(tokenId: number, wallet: number): Position | undefined
  bundles(tokenId: number): BundleBook | undefined
  agents(): AgentBook | null
  actor(id: number): Actor | undefined
  /** The evidence behind an actor. */
  actorEdges(id: number): ActorEdges | undefined
  walletIdByAddress(address: Key): number | undefined
  wallet(id: number): Wallet | undefined
  /** Records of existing wallets, in the order of `ids`. */
  wallets(ids: readonly number[]): Wallet[]
  /** The earliest token with the same normalised value. */
  firstUse(field: DupField, norm: string): number | undefined
  /** Ids of the tokens that were live at the last commit, ascending. */
  liveTokenIds(): number[]
}

/** All changes since the last commit. The store writes them in one transaction. */
export interface Changes {
  readonly globals: Globals
  /** Tokens with their number of positions, which reads are checked against. */
  readonly tokens: Iterable<{ readonly token: Token; readonly positionCount: number }>
  readonly wallets: Iterable<Wallet>
  readonly positions: Iterable<Position>
  readonly bundles: Iterable<{ readonly token: Token; readonly bundles: BundleBook }>
  /** Null if nothing about agents changed. */
  readonly agents: AgentBook | null
  readonly actors: Iterable<Actor>
  readonly actorEdges: Iterable<ActorEdges>
  /** In ascending order of `no`. */
  readonly trades: readonly TradeRow[]
  readonly tokenEvents: readonly TokenEventRow[]
  readonly readings: readonly ReadingRow[]
  /** For each block with trades: [seq of its first frame, number of its first trade row]. */
  readonly frameMarks: readonly (readonly [number, number])[]
  readonly newTokens: readonly Token[]
  readonly newWallets: readonly Wallet[]
  readonly pools: ReadonlyMap<Key, number>
  /** Each replaces the token that was first so far. */
  readonly firstUses: readonly { readonly field: DupField; readonly norm: string; readonly token: number }[]
  /** [deployer wallet id, token id] */
  readonly launches: readonly (readonly [number, number])[]
  /** Tokens that entered or left the live set. */
  readonly live: ReadonlyMap<number, boolean>
}
