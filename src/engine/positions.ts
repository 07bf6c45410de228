import { CLASSES, POSITION } from './constants.ts'
import { addHold, holdBin } from './hold-histogram.ts'
import type { Population, Position, Wallet } from './state.ts'

/** Positions (wallet × mint): methodology, section 2. Token amounts in base units, money in lamports. */

export function openPosition(token: number, owner: Wallet, slot: number): Position {
  return {
    token,
    wallet: owner.id,
    balance: 0,
    cost: 0,
    acquiredSlot: slot,
    bought: 0,
    sold: 0,
    firstBuySlot: -1,
    lastBuySlot: -1,
    lastSellSlot: -1,
    received: 0,
    peak: 0,
    episodeIn: 0,
    episodeOut: 0,
    closed: false,
    writtenOff: false,
    roundTrips: 0,
    tripOpen: false,
    group: -1,
    rugCounted: false,
    owner,
  }
}

/** Adds tokens to the holding; its age is the quantity-weighted mean of the slots at which they came. */
function acquire(position: Position, tokens: number, slot: number): void {
  const balance = position.balance + tokens
  if (balance > 0) position.acquiredSlot += (slot - position.acquiredSlot) * (tokens / balance)
  position.balance = balance
  if (position.closed) reopen(position)
  if (balance > position.peak) position.peak = balance
}

/** What is left of a closed position is the start of the next one: it closes, wins or loses on its own. */
function reopen(position: Position): void {
  position.closed = false
  position.writtenOff = false
  position.peak = 0
  position.episodeIn = position.cost
  position.episodeOut = 0
}

/** `paid`: lamports, fees included. */
export function buy(position: Position, tokens: number, paid: number, slot: number): void {
  acquire(position, tokens, slot)
  position.cost += paid
  position.episodeIn += paid
  position.bought += tokens
  if (position.firstBuySlot < 0) position.firstBuySlot = slot
  position.lastBuySlot = slot
  position.tripOpen = true
}

export function transferIn(position: Position, tokens: number, slot: number): void {
  acquire(position, tokens, slot)
  position.received += tokens
}

/** Reduces the cost in proportion and realises nothing; a position emptied this way is closed without a verdict. */
export function transferOut(position: Position, tokens: number): void {
  position.cost -= costOf(position, tokens)
  position.balance -= tokens
  if (position.balance <= position.peak * POSITION.closedShare) position.closed = true
}

const costOf = (position: Position, tokens: number): number =>
  tokens >= position.balance ? position.cost : Math.round(position.cost * (tokens / position.balance))

/**
 * A sell. Tokens beyond the known balance were acquired before the log began: their cost is unknown, so their share of
 * the proceeds is no profit and no loss.
 */
export function sell(
  position: Position,
  wallet: Wallet,
  tokens: number,
  received: number,
  slot: number,
  population: Population,
): void {
  const known = Math.min(tokens, position.balance)
  position.sold += tokens
  position.lastSellSlot = slot
  noticeRoundTrip(position, wallet, slot)
  if (known <= 0) return
  const proceeds = known === tokens ? received : Math.round(received * (known / tokens))
  const cost = costOf(position, known)
  position.cost -= cost
  position.balance -= known
  position.episodeOut += proceeds
  realise(wallet, proceeds, cost)
  if (cost > 0) {
    const held = Math.max(0, slot - position.acquiredSlot)
    wallet.holdCostSlots += cost * held
    wallet.holdCost += cost
    addHold(wallet.holdBins, wallet.holdBinCosts, held, cost)
    const bin = holdBin(held)
    population.holds[bin] = population.holds[bin]! + 1
  }
  if (!position.closed && position.balance <= position.peak * POSITION.closedShare) {
    position.closed = true
    countClosed(wallet, position.episodeOut > position.episodeIn)
  }
}

/**
 * Settles an open position at the mark, for the wallet's history only: the balance stays and later sells are measured
 * from the new cost. `mark`: lamports the balance is worth.
 */
export function writeOff(position: Position, wallet: Wallet, mark: number): void {
  realise(wallet, mark, position.cost)
  if (!position.closed) {
    position.closed = true
    position.writtenOff = true
    countClosed(wallet, position.episodeOut + mark > position.episodeIn)
  }
  position.cost = mark
}

/** Quick buying and selling back: volume for show. */
function noticeRoundTrip(position: Position, wallet: Wallet, slot: number): void {
  if (!position.tripOpen) return
  position.tripOpen = false
  if (slot - position.lastBuySlot > CLASSES.washSlots) return
  position.roundTrips++
  if (position.roundTrips >= CLASSES.washTrips) wallet.wash = true
}

function realise(wallet: Wallet, proceeds: number, cost: number): void {
  wallet.realised += proceeds - cost
  wallet.closedCost += cost
  wallet.realisations++
}

function countClosed(wallet: Wallet, won: boolean): void {
  wallet.closed++
  if (won) wallet.won++
}
