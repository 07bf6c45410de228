import { emptyPosition } from '../model/generated/empty.ts'
import type { Position } from '../model/state.ts'

/** A token's positions by wallet id; a Map implements it. */
export interface Positions {
  readonly size: number
  has(wallet: number): boolean
  get(wallet: number): Position | undefined
  set(wallet: number, position: Position): unknown
  values(): IterableIterator<Position>
}

/**
 * A map of positions that can evict those emptied long ago, which then exist only in the store. The figures that scans
 * need (bought and sold, last trade) stay in memory. `values` yields evicted positions as records with only these
 * figures; `get` reads them back from the store.
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

  /** Only if it is in memory. */
  inHand(wallet: number): Position | undefined {
    return this.#held.get(wallet)
  }

  set(wallet: number, position: Position): void {
    this.#held.set(wallet, position)
  }

  /** Iterating in pieces needs a pin. A position read back meanwhile may be seen twice, but is never missed. */
  values(): IterableIterator<Position> {
    // a fast path for every reading: a generator costs several times a map's own iterator
    return this.#gone.size === 0 ? this.#held.values() : this.#all(() => emptyPosition(this.#token, -1))
  }

  /** Like `values`, but evicted positions share one record, which is valid only until the next step. */
  passing(): IterableIterator<Position> {
    if (this.#gone.size === 0) return this.#held.values()
    const one = emptyPosition(this.#token, -1)
    return this.#all(() => one)
  }

  *#all(record: () => Position): IterableIterator<Position> {
    // backwards, because the last row moves into the place of a position that is read back and must not be missed
    for (let row = this.#gone.size; row > 0; ) {
      row = Math.min(row, this.#gone.size) - 1
      if (row >= 0) yield this.#gone.into(record(), row)
    }
    yield* this.#held.values()
  }

  /** Only the positions in memory. */
  held(): IterableIterator<Position> {
    return this.#held.values()
  }

  /** Prevents eviction until `unpin`, while positions are read in pieces. */
  pin(): void {
    this.#pins++
  }

  unpin(): void {
    this.#pins--
  }

  /**
   * Visits at most `most` positions in memory, continuing where the last call ended, and evicts those that may leave.
   * All of them must be durable.
   */
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

/** The remaining figures of evicted positions, in columns. They take a fifth of the memory of a record. */
class GonePositions {
  readonly #rows = new Map<number, number>()
  readonly #wallets: number[] = []
  /** Bought plus sold, base units. */
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

  /** Deletes a row by moving the last row into its place. */
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
