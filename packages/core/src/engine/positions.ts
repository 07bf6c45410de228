import { emptyPosition } from '../model/generated/empty.ts'
import type { Population } from '../model/population.ts'
import type { Position, Wallet } from '../model/state.ts'
import { CLASSES, POSITION } from './constants.ts'
import { addHold, holdBin } from './hold-histogram.ts'

/** Positions, wallet × mint (methodology, section 2). Token amounts are in base units, money in lamports. */

export function openPosition(token: number, owner: Wallet, slot: number): Position {
  const position = emptyPosition(token, owner.id)
  position.acquiredSlot = slot
  position.owner = owner
  return position
}

/** The owner's record: the cached one, unless it was evicted since. */
export const ownerIn = ({ owner, wallet }: Position, byId: (id: number) => Wallet): Wallet =>
  owner === null || owner.stale ? byId(wallet) : owner

/** Adds tokens to a position. Its acquisition slot is the quantity-weighted mean of the slots of its tokens. */
function acquire(position: Position, tokens: number, slot: number): void {
  const balance = position.balance + tokens
  if (balance > 0) position.acquiredSlot += (slot - position.acquiredSlot) * (tokens / balance)
  position.balance = balance
  if (position.closed) reopen(position)
  if (balance > position.peak) position.peak = balance
}

/** Starts a new episode with the rest of a closed position. It closes, wins or loses on its own. */
function reopen(position: Position): void {
  const paid = paidBy(position)
  position.closed = false
  position.writtenOff = false
  position.peak = 0
  position.gotMore = gotBy(position)
  position.episodeIn = costInHistory(position)
  position.episodeOut = 0
  position.paidMore = paid - position.episodeIn
}

type Paid = Pick<Position, 'episodeIn' | 'paidMore'>
type Got = Pick<Position, 'episodeOut' | 'gotMore'>

/** Lamports paid and got over the position's whole life, in trades of known value. */
export const paidBy = ({ episodeIn, paidMore }: Paid): number => episodeIn + paidMore
export const gotBy = ({ episodeOut, gotMore }: Got): number => episodeOut + gotMore

/** Lamports a sale of the whole balance is measured against; written-off tokens count at their write-off value. */
const costInHistory = ({ cost, settledCost, settledMark }: Costs): number => cost - settledCost + settledMark

/** `paid`: lamports, fees included; null if the value is unknown. */
export function buy(position: Position, tokens: number, paid: number | null, slot: number): void {
  acquire(position, tokens, slot)
  if (paid === null) position.unpriced += tokens
  else {
    position.cost += paid
    position.episodeIn += paid
  }
  position.bought += tokens
  if (position.firstBuySlot < 0) position.firstBuySlot = slot
  position.lastBuySlot = slot
  position.tripOpen = true
}

export function transferIn(position: Position, tokens: number, slot: number): void {
  acquire(position, tokens, slot)
  position.received += tokens
}

/** Tokens of unknown origin, which were there before the log began or came from a market that is not read. */
export function findTokens(position: Position, tokens: number, slot: number): void {
  acquire(position, tokens, slot)
  position.unpriced += tokens
}

/** Reduces the cost in proportion and realises nothing. A position emptied this way closes without a verdict. */
export function transferOut(position: Position, tokens: number): void {
  takeOut(position, tokens)
  if (position.balance <= position.peak * POSITION.closedShare) position.closed = true
}

const partOf = (whole: number, tokens: number, balance: number): number =>
  tokens >= balance ? whole : Math.round(whole * (tokens / balance))

type Costs = Pick<Position, 'cost' | 'settledCost' | 'settledMark'>

/** Removes tokens from the balance, with their share of the cost, of its settled part and of the unpriced tokens. */
function takeOut(position: Position, tokens: number): Costs & Pick<Position, 'unpriced'> {
  const { balance } = position
  const cost = partOf(position.cost, tokens, balance)
  const settledCost = partOf(position.settledCost, tokens, balance)
  const settledMark = partOf(position.settledMark, tokens, balance)
  const unpriced = position.unpriced === 0 ? 0 : Math.min(tokens, partOf(position.unpriced, tokens, balance))
  position.cost -= cost
  position.settledCost -= settledCost
  position.settledMark -= settledMark
  position.unpriced -= unpriced
  position.balance -= tokens
  return { cost, settledCost, settledMark, unpriced }
}

/**
 * Applies a sell. Tokens beyond the known balance were acquired before the log began. Their cost is unknown, so their
 * share of the proceeds is neither profit nor loss. The same holds for tokens bought in a quote of unknown price, and
 * for all tokens if the value of the proceeds is unknown (`received` null).
 */
export function sell(
  position: Position,
  wallet: Wallet,
  tokens: number,
  received: number | null,
  slot: number,
  population: Population,
): void {
  const known = Math.min(tokens, position.balance)
  position.sold += tokens
  position.lastSellSlot = slot
  position.gotMore += received ?? 0
  noticeRoundTrip(position, wallet, slot)
  if (known <= 0) return
  const taken = takeOut(position, known)
  const { cost } = taken
  const priced = known - taken.unpriced
  if (received === null || priced <= 0) {
    // closes without a verdict, like a transfer out
    position.episodeIn -= costInHistory(taken)
    position.paidMore += costInHistory(taken)
    if (position.balance <= position.peak * POSITION.closedShare) position.closed = true
    return
  }
  const proceeds = priced === tokens ? received : Math.round(received * (priced / tokens))
  position.episodeOut += proceeds
  position.gotMore -= proceeds
  realise(wallet, proceeds - costInHistory(taken), cost - taken.settledCost)
  if (cost > 0) {
    const held = Math.max(0, slot - position.acquiredSlot)
    wallet.holdCostSlots += cost * held
    wallet.holdCost += cost
    addHold(wallet.holdBins, wallet.holdBinCosts, held, cost)
    const bin = holdBin(held)
    population.holds[bin] = population.holds[bin]! + 1
  }
  if (position.balance > position.peak * POSITION.closedShare) return
  if (!position.closed) {
    position.closed = true
    countClosed(wallet, position.episodeOut > position.episodeIn)
  } else if (position.writtenOff) {
    position.writtenOff = false
    wallet.writtenOff--
  }
}

/**
 * Settles an open position at the mark, for the wallet's history only. Balance and cost stay, and later sells are
 * measured against the mark. `mark`: the value of the balance in lamports.
 */
export function writeOff(position: Position, wallet: Wallet, mark: number): void {
  realise(wallet, mark - costInHistory(position), position.cost - position.settledCost)
  if (!position.closed) {
    position.closed = true
    position.writtenOff = true
    wallet.writtenOff++
    countClosed(wallet, position.episodeOut + mark > position.episodeIn)
  }
  position.settledCost = position.cost
  position.settledMark = mark
}

/** Counts round trips, which mark wash trading. */
function noticeRoundTrip(position: Position, wallet: Wallet, slot: number): void {
  if (!position.tripOpen) return
  position.tripOpen = false
  if (slot - position.lastBuySlot > CLASSES.washSlots) return
  position.roundTrips++
  if (position.roundTrips >= CLASSES.washTrips) wallet.wash = true
}

/** `cost` is the price paid that was not charged before; each lamport is charged once. */
function realise(wallet: Wallet, profit: number, cost: number): void {
  wallet.realised += profit
  wallet.closedCost += cost
  wallet.realisations++
}

function countClosed(wallet: Wallet, won: boolean): void {
  wallet.closed++
  if (won) wallet.won++
}
