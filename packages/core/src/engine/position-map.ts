import { emptyPosition } from '../model/generated/empty.ts'
import type { Position } from '../model/state.ts'

/** A token's positions, by wallet id. A Map fits. */
export interface Positions {
  readonly size: number
  has(wallet: number): boolean
  get(wallet: number): Position | undefined
  set(wallet: number, position: Position): unknown
  values(): IterableIterator<Position>
}

/**
 * Positions of which those that were emptied long ago are only in the store. What scans need of them stays: what was bought and
 * sold, and when they last traded. `values` gives them as records that hold nothing but that, and `get` reads them back.
 */
export class PositionMap implements Positions {
  readonly #held: Map<number, Position>
  readonly #gone = new GonePositions()
  readonly #token: number
  readonly #read: (wallet: number) => Position | undefined
  #round: IterableIterator<Position> | null = null
  #pins = 0

  constructor(token: number, held: Map<number, Position>, read: (wallet: number) => Position | undefined) {
    this.#token = token
    this.#held = held
    this.#read = read
  }

  get size(): number {
    return this.#held.size + this.#gone.size
  }

  get inMemory(): number {
    return this.#held.size
  }

  has(wallet: number): boolean {
    return this.#held.has(wallet) || this.#gone.has(wallet)
  }

  get(wallet: number): Position | undefined {
    return this.#held.get(wallet) ?? (this.#gone.has(wallet) ? this.#back(wallet) : undefined)
  }

  set(wallet: number, position: Position): void {
    this.#held.set(wallet, position)
  }

  /** Reading piece by piece needs a pin; a position that is read back meanwhile is then seen once or twice, but never missed. */
  values(): IterableIterator<Position> {
    // every reading passes here, and a generator costs several times a map's own iterator
    return this.#gone.size === 0 ? this.#held.values() : this.#all(() => emptyPosition(this.#token, -1))
  }

  /** As `values`, for who keeps no record: that of a position that left is valid until the next is asked for. */
  passing(): IterableIterator<Position> {
    if (this.#gone.size === 0) return this.#held.values()
    const one = emptyPosition(this.#token, -1)
    return this.#all(() => one)
  }

  *#all(record: () => Position): IterableIterator<Position> {
    // from the last one on: where one is read back meanwhile the last takes its place, and must not be missed
    for (let row = this.#gone.size; row > 0; ) {
      row = Math.min(row, this.#gone.size) - 1
      if (row >= 0) yield this.#gone.into(record(), row)
    }
    yield* this.#held.values()
  }

  /** Those in memory alone. */
  held(): IterableIterator<Position> {
    return this.#held.values()
  }

  /** Until `unpin` nothing leaves: the positions are being read piece by piece. */
  pin(): void {
    this.#pins++
  }

  unpin(): void {
    this.#pins--
  }

  /** Looks at `most` of those in memory, going on where it ended; those that may leave do. All of them must be durable. */
  shed(most: number, mayLeave: (position: Position) => boolean): void {
    if (this.#pins > 0) return
    this.#round ??= this.#held.values()
    for (let left = most; left > 0; left--) {
      const { done, value: position } = this.#round.next()
      if (done === true) {
        this.#round = null
        return
      }
      if (!mayLeave(position)) continue
      this.#held.delete(position.wallet)
      this.#gone.add(position)
    }
  }

  #back(wallet: number): Position {
    const position = this.#read(wallet)
    if (position === undefined) throw new Error(`the store lacks wallet ${wallet}'s position in token ${this.#token}`)
    this.#gone.delete(wallet)
    this.#held.set(wallet, position)
    return position
  }
}

/** What stays of positions that left, in columns: a fifth of what a record takes. */
class GonePositions {
  readonly #rows = new Map<number, number>()
  readonly #wallets: number[] = []
  /** bought and sold, base units */
  readonly #turned: number[] = []
  readonly #lastTrades: number[] = []

  get size(): number {
    return this.#rows.size
  }

  has(wallet: number): boolean {
    return this.#rows.has(wallet)
  }

  add({ wallet, bought, sold, lastBuySlot, lastSellSlot }: Position): void {
    this.#rows.set(wallet, this.#wallets.length)
    this.#wallets.push(wallet)
    this.#turned.push(bought + sold)
    this.#lastTrades.push(Math.max(lastBuySlot, lastSellSlot))
  }

  into(record: { -readonly [name in keyof Position]: Position[name] }, row: number): Position {
    record.wallet = this.#wallets[row]!
    record.bought = this.#turned[row]!
    record.lastSellSlot = this.#lastTrades[row]!
    return record
  }

  /** The last row takes the place. */
  delete(wallet: number): void {
    const row = this.#rows.get(wallet)!
    const [last, turned, slot] = [this.#wallets.pop()!, this.#turned.pop()!, this.#lastTrades.pop()!]
    this.#rows.delete(wallet)
    if (last === wallet) return
    this.#rows.set(last, row)
    this.#wallets[row] = last
    this.#turned[row] = turned
    this.#lastTrades[row] = slot
  }
}
