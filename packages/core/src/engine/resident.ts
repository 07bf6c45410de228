import type { BundleBook } from '../model/bundles.ts'
import { emptyBundleBook } from '../model/generated/empty.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import { forgetIndex } from './bundles/pairs.ts'
import { SLOTS } from './constants.ts'
import { PositionMap } from './position-map.ts'
import type { RecentSizes } from './reading/sizes.ts'
import type { StateReader } from './state.ts'

/** A token in memory, with all wallets that ever held it. */
export interface LiveToken {
  readonly token: Token
  /** The evidence and groups of coordinated wallets. */
  readonly bundles: BundleBook
  /** By wallet id. Evicted positions are read from the store. */
  readonly positions: PositionMap
  /** An existing position, from memory or the store, without keeping it. */
  positionOf(wallet: number): Readonly<Position>
  /** The number of positions, known without reading them. */
  readonly positionCount: number
  /** True if record or evidence changed since the last commit. */
  changed: boolean
  bundlesChanged: boolean
  /** True once the holders' records were loaded in one batch, which is three times as fast as one by one. */
  ownersMet: boolean
  /** A cache of recent trade sizes, created on request; not part of the state. */
  sizes: RecentSizes | null
  /** A cache of bounds that decide most trades without further work; not part of the state. */
  readonly bounds: Bounds
}

/** While the market stays within these bounds, nothing needs to be examined. */
export interface Bounds {
  /** An upper bound of all buckets' reserves, base units of the quote. */
  reserve: number
  /** The prices and the real reserve that decide an open question; null if not computed. */
  undecided: { readonly fall: number; readonly rise: number; readonly drain: number } | null
}

/** A live token whose positions can be evicted and read back. */
export interface Resident extends LiveToken {
  /** Set when positions are accessed; the sweep resets it. */
  used: boolean
  /** The slot at which a sweep last found it used. */
  usedSlot: number
  /** False if its positions are only in the store. */
  readonly hasPositions: boolean
  /** The number of its positions in memory. */
  readonly heldCount: number
  /** Evicts its positions, which must all be durable. */
  leave(): void
  /** Drops references to the records of evicted wallets. */
  forgetStale(): void
  /** Evicts positions emptied long enough ago, visiting at most `most`. All of them must be durable. */
  shed(slot: number, most: number): void
}

type PositionReader = Pick<StateReader, 'positions' | 'positionOf'>

const keyed = (positions: readonly Position[]): Map<number, Position> =>
  new Map(positions.map((position) => [position.wallet, position]))

/** `held`: the positions, or their number in the store if they need not be read yet. */
export function createResident(
  reader: PositionReader,
  token: Token,
  bundles: BundleBook,
  held: Map<number, Position> | number,
): Resident {
  return new TokenInMemory(reader, token, bundles, held)
}

/** A class rather than a literal, for its getter on the path of every trade. */
class TokenInMemory implements Resident {
  readonly token: Token
  readonly bundles: BundleBook
  changed = false
  bundlesChanged = false
  ownersMet = false
  sizes: RecentSizes | null = null
  readonly bounds: Bounds = { reserve: Number.POSITIVE_INFINITY, undecided: null }
  used = true
  usedSlot = 0
  readonly #reader: PositionReader
  #held: PositionMap | null
  #left: number

  constructor(reader: PositionReader, token: Token, bundles: BundleBook, held: Map<number, Position> | number) {
    this.token = token
    this.bundles = bundles
    this.#reader = reader
    this.#held = typeof held === 'number' ? null : this.#mapOf(held)
    this.#left = typeof held === 'number' ? held : 0
  }

  #mapOf(held: Map<number, Position>): PositionMap {
    const { id } = this.token
    return new PositionMap(id, held, (wallet) => this.#reader.positionOf(id, wallet))
  }

  get positions(): PositionMap {
    this.used = true
    this.#held ??= this.#mapOf(keyed(this.#reader.positions(this.token.id)))
    return this.#held
  }

  positionOf(wallet: number): Position {
    return this.#held?.inHand(wallet) ?? this.#reader.positionOf(this.token.id, wallet)!
  }

  get positionCount(): number {
    return this.#held?.size ?? this.#left
  }

  get heldCount(): number {
    return this.#held?.inMemory ?? 0
  }

  get hasPositions(): boolean {
    return this.#held !== null
  }

  leave(): void {
    this.#left = this.positionCount
    this.#held = null
    this.ownersMet = false
    this.sizes = null
    forgetIndex(this.bundles)
  }

  forgetStale(): void {
    for (const position of this.#held?.held() ?? []) {
      if (position.owner?.stale !== true) continue
      position.owner = null
      this.ownersMet = false
    }
  }

  shed(slot: number, most: number): void {
    this.#held?.shed(most, (position) => isOver(this.token, position, slot))
  }
}

/** Longer than any window of a scan except the hour, for which the slot of the last trade is kept. */
const EMPTIED_SLOTS = 2 * SLOTS.fiveMinutes

/**
 * True if the position was emptied so long ago that scans need no more than the remaining figures, and nothing looks it
 * up by wallet.
 */
function isOver({ deployer, firstBuyers }: Token, position: Position, slot: number): boolean {
  const { balance, unpriced, group, wallet, lastBuySlot, lastSellSlot, acquiredSlot } = position
  if (balance !== 0 || unpriced !== 0 || group >= 0 || wallet === deployer) return false
  return Math.max(lastBuySlot, lastSellSlot, acquiredSlot) < slot - EMPTIED_SLOTS && !firstBuyers.includes(wallet)
}

/** A token whose positions are read on first access, unless they are too many to be read at once. */
export function openLiveToken(reader: StateReader, token: Token, { large }: QuietBounds): Resident {
  const count = reader.positionCount(token.id)
  if (count >= large) return readLiveToken(reader, token)
  return createResident(reader, token, reader.bundles(token.id) ?? emptyBundleBook(), count)
}

/** A token with all its positions read from the store. */
export const readLiveToken = (reader: StateReader, token: Token): Resident =>
  createResident(reader, token, reader.bundles(token.id) ?? emptyBundleBook(), keyed(reader.positions(token.id)))

/** Loads the records of the token's holders in one batch, unless that was done. */
export function meetOwners(live: LiveToken, wallets: (ids: readonly number[]) => readonly Wallet[]): void {
  if (live.ownersMet) return
  live.ownersMet = true
  const unmet = [...live.positions.held()].filter(({ balance, owner }) => balance > 0 && owner === null)
  const owners = wallets(unmet.map(({ wallet }) => wallet))
  for (const [i, position] of unmet.entries()) position.owner = owners[i]!
}

/** When positions leave memory. */
export interface QuietBounds {
  /** Positions not accessed for this many slots leave memory. */
  readonly slots: number
  /** A token with at least this many positions keeps them in memory, because reading them back would take too long. */
  readonly large: number
  /** Positions that one sweep visits. */
  readonly visits: number
}

/**
 * Makes a sweep that visits a part of the tokens in memory after each commit. It evicts positions that were not read
 * lately, so memory follows trading and not the number of live tokens, and emptied positions of tokens in use.
 * Positions that stay drop references to evicted wallets.
 */
export function createSweep(
  tokens: ReadonlyMap<number, Resident>,
  { slots, large, visits }: QuietBounds,
): (slot: number, written: number) => void {
  let round = tokens.values()

  function visit(live: Resident, slot: number): void {
    if (live.used) {
      live.used = false
      live.usedSlot = slot
    }
    if (slot - live.usedSlot >= slots) live.leave()
    else live.forgetStale()
  }

  return (slot, written) => {
    // commits are larger during catch-up and add more positions
    let left = visits + WRITTEN * written
    for (let seen = 0; left > 0 && seen < tokens.size; seen++) {
      let { done, value: live } = round.next()
      if (done === true) {
        round = tokens.values()
        live = round.next().value
      }
      left -= TOKEN
      if (live === undefined || !live.hasPositions) continue
      const isSmall = live.positionCount < large
      // the rest of a large token is visited in the next sweep
      const looked = isSmall ? live.heldCount : Math.min(live.heldCount, Math.max(left, TOKEN))
      left -= looked
      if (isSmall) visit(live, slot)
      live.shed(slot, looked)
    }
  }
}

/** the cost of a token in positions, and the positions visited for each one written by the commit */
const TOKEN = 4
const WRITTEN = 4
