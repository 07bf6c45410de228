import type { BundleBook } from '../model/bundles.ts'
import { emptyBundleBook } from '../model/generated/empty.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import { forgetIndex } from './bundles/pairs.ts'
import { SLOTS } from './constants.ts'
import { PositionMap } from './position-map.ts'
import type { RecentSizes } from './reading/sizes.ts'
import type { StateReader } from './state.ts'

/** A token in memory with all wallets that ever held it. */
export interface LiveToken {
  readonly token: Token
  /** its coordinated wallets */
  readonly bundles: BundleBook
  /** by wallet id; read from the store where they have left memory */
  readonly positions: PositionMap
  /** how many there are, without reading them */
  readonly positionCount: number
  /** its holders' records were looked up together, once: one by one takes three times as long */
  ownersMet: boolean
  /** sizes of recent trades, if they were requested: a cache, not state */
  sizes: RecentSizes | null
  /** what a trade is compared with before more is looked at: a cache, not state */
  readonly bounds: Bounds
}

/** Between them nothing needs to be looked at. */
export interface Bounds {
  /** no bucket's reserve is above it, base units of the quote */
  reserve: number
  /** prices and the real reserve at which a question is decided that is open now; null = not worked out */
  undecided: { readonly fall: number; readonly rise: number; readonly drain: number } | null
}

/** A live token whose positions may leave memory and come back. */
export interface Resident extends LiveToken {
  /** positions were asked for since this was last set to false */
  used: boolean
  /** slot at which a sweep last found it used */
  usedSlot: number
  /** false: its positions are only in the store */
  readonly hasPositions: boolean
  /** of its positions, those in memory */
  readonly heldCount: number
  /** its positions leave memory: all of them must be durable as they are */
  leave(): void
  /** drops records of wallets that have left memory */
  forgetStale(): void
  /** drops positions that were emptied ten minutes ago, visiting at most this many; all of them must be durable as they are */
  shed(slot: number, most: number): void
}

type PositionReader = Pick<StateReader, 'positions' | 'positionOf'>

const keyed = (positions: readonly Position[]): Map<number, Position> =>
  new Map(positions.map((position) => [position.wallet, position]))

/** `held`: its positions, or how many the store has, where they need not be read yet. */
export function createResident(
  reader: PositionReader,
  token: Token,
  bundles: BundleBook,
  held: Map<number, Position> | number,
): Resident {
  return new TokenInMemory(reader, token, bundles, held)
}

/** A class for its getter: every trade passes it. */
class TokenInMemory implements Resident {
  readonly token: Token
  readonly bundles: BundleBook
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

/** Longer than any window of a scan but the hour's, for which the slot of the last trade is kept. */
const EMPTIED_SLOTS = 2 * SLOTS.fiveMinutes

/** Emptied so long ago that no scan asks for more than what stays in memory, nor is it looked up on its own account. */
function isOver({ deployer, firstBuyers }: Token, position: Position, slot: number): boolean {
  const { balance, unpriced, group, wallet, lastBuySlot, lastSellSlot, acquiredSlot } = position
  if (balance !== 0 || unpriced !== 0 || group >= 0 || wallet === deployer) return false
  return Math.max(lastBuySlot, lastSellSlot, acquiredSlot) < slot - EMPTIED_SLOTS && !firstBuyers.includes(wallet)
}

/** A token without its positions until they are requested, if they can be read at once. */
export function openLiveToken(reader: StateReader, token: Token, { large }: QuietBounds): Resident {
  const count = reader.positionCount(token.id)
  if (count >= large) return readLiveToken(reader, token)
  return createResident(reader, token, reader.bundles(token.id) ?? emptyBundleBook(), count)
}

/** A token with its positions as the store has them. */
export const readLiveToken = (reader: StateReader, token: Token): Resident =>
  createResident(reader, token, reader.bundles(token.id) ?? emptyBundleBook(), keyed(reader.positions(token.id)))

/** Looks up the token's holders, if that was not done since it was read. */
export function meetOwners(live: LiveToken, wallets: (ids: readonly number[]) => readonly Wallet[]): void {
  if (live.ownersMet) return
  live.ownersMet = true
  const unmet = [...live.positions.held()].filter(({ balance, owner }) => balance > 0 && owner === null)
  const owners = wallets(unmet.map(({ wallet }) => wallet))
  for (const [i, position] of unmet.entries()) position.owner = owners[i]!
}

/** Of LIMITS `quietSlots`, `readingPositions` and `quietVisits`. */
export interface QuietBounds {
  /** slots after which positions that were not requested leave memory */
  readonly slots: number
  /** a token with more positions cannot be read back at once: they stay */
  readonly large: number
  /** positions that a sweep visits */
  readonly visits: number
}

/**
 * After each commit a part of the tokens in memory is visited: positions that nobody reads leave, so that memory follows
 * what trades and not what is alive, and so do emptied ones of tokens that are read. Those that stay drop records of wallets that
 * have left memory.
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
    // commits are large while it catches up, and add correspondingly more
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
      // the rest of a large one has its turn in the next round
      const looked = isSmall ? live.heldCount : Math.min(live.heldCount, Math.max(left, TOKEN))
      left -= looked
      if (isSmall) visit(live, slot)
      live.shed(slot, looked)
    }
  }
}

/** what a token costs in positions, and the positions visited for each one a commit wrote */
const TOKEN = 4
const WRITTEN = 4
