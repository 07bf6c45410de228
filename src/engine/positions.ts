import { POSITION } from './constants.ts'
import { addHold } from './hold-histogram.ts'
import type { Position, Wallet } from './state.ts'

/** Positions (wallet × mint): methodology, section 2. Token amounts in base units, money in lamports. */

export function openPosition(token: number, wallet: number, slot: number): Position {
  return {
    token,
    wallet,
    balance: 0,
    cost: 0,
    acquiredSlot: slot,
    bought: 0,
    sold: 0,
    lamportsIn: 0,
    lamportsOut: 0,
    firstSlot: slot,
    lastSlot: slot,
    lastBuySlot: -1,
    received: 0,
    peak: 0,
    episodeIn: 0,
    episodeOut: 0,
    closed: false,
    writtenOff: false,
  }
}

/** Adds tokens to the holding; its age is the quantity-weighted mean of the slots at which they came. */
function acquire(position: Position, tokens: number, slot: number): void {
  const balance = position.balance + tokens
  if (balance > 0) position.acquiredSlot += (slot - position.acquiredSlot) * (tokens / balance)
  position.balance = balance
  position.lastSlot = slot
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
  position.lamportsIn += paid
  position.lastBuySlot = slot
}

export function transferIn(position: Position, tokens: number, slot: number): void {
  acquire(position, tokens, slot)
  position.received += tokens
}

/** Reduces the cost in proportion and realises nothing; a position emptied this way is closed without a verdict. */
export function transferOut(position: Position, tokens: number, slot: number): void {
  position.cost -= costOf(position, tokens)
  position.balance -= tokens
  position.lastSlot = slot
  if (position.balance <= position.peak * POSITION.closedShare) position.closed = true
}

const costOf = (position: Position, tokens: number): number =>
  tokens >= position.balance ? position.cost : Math.round(position.cost * (tokens / position.balance))

/**
 * A sell. Tokens beyond the known balance were acquired before the log began: their cost is unknown, so their share of
 * the proceeds is no profit and no loss.
 */
export function sell(position: Position, wallet: Wallet, tokens: number, received: number, slot: number): void {
  const known = Math.min(tokens, position.balance)
  position.sold += tokens
  position.lamportsOut += received
  position.lastSlot = slot
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

function realise(wallet: Wallet, proceeds: number, cost: number): void {
  wallet.realised += proceeds - cost
  wallet.closedCost += cost
  wallet.realisations++
}

function countClosed(wallet: Wallet, won: boolean): void {
  wallet.closed++
  if (won) wallet.won++
}
