import type { Position, Token, Wallet } from '../model/state.ts'
import { CLASSES, FIRST_BUYERS } from './constants.ts'
import { isLaunchSeen } from './unseen.ts'

/**
 * Sums per wallet class of a token: current holdings, peak holdings and sales (methodology, section 1). A position that
 * has once joined a class stays in it. The deployer and insiders have sums of their own (memory.ts).
 */

/** The index of a class in a token's `classes`, and its bit in a position's `classes`. */
export const CLASS = { firstBlock: 0, firstSeconds: 1, fresh: 2, bundled: 3, kols: 4 } as const
type Class = (typeof CLASS)[keyof typeof CLASS]

/** Adds the position to the class, together with everything it has sold so far. */
export function enterClass(token: Token, position: Position, which: Class): void {
  const bit = 1 << which
  if ((position.classes & bit) !== 0) return
  position.classes |= bit
  while (token.classes.length <= which) token.classes.push({ wallets: 0, held: 0, peak: 0, sold: 0 })
  const sums = token.classes[which]!
  sums.wallets++
  sums.held += position.balance
  sums.sold += position.sold
}

/** Updates the sums after a position changed by `balance`; `sold` is the amount this trade sold. */
export function moveClasses({ classes }: Token, position: Position, balance: number, sold: number): void {
  for (let which = 0, left = position.classes; left !== 0; which++, left >>= 1) {
    if ((left & 1) === 0) continue
    const sums = classes[which]!
    sums.held += balance
    sums.sold += sold
  }
}

/** Runs at the end of a transaction, because within one a transfer can be counted at both of its ends. */
export function peakClasses({ classes }: Token): void {
  for (const sums of classes) if (sums.held > sums.peak) sums.peak = sums.held
}

/** Raises the peak to an amount that part of the class held before it was counted. */
export function raisePeak({ classes }: Token, which: Class, peak: number): void {
  const sums = classes[which]
  if (sums !== undefined && peak > sums.peak) sums.peak = peak
}

/** The inputs of the freshness test when a wallet first gets a token. */
interface Arrival {
  readonly slot: number
  /** The first slot of the log. */
  readonly firstSlot: number
  /** The wallet's earlier buys, over all mints. */
  readonly buysBefore: number
}

/** Called when a buy or a transfer has just opened the position. */
export function enterArrival(token: Token, position: Position, wallet: Wallet, arrival: Arrival): void {
  if (isFreshAt(wallet, arrival)) enterClass(token, position, CLASS.fresh)
}

/**
 * A wallet is fresh if it was first seen recently, has few buys, and is not known to have been funded earlier. The
 * answer is false while the log is too short to tell.
 */
function isFreshAt(wallet: Wallet, { slot, firstSlot, buysBefore }: Arrival): boolean {
  if (slot - firstSlot < CLASSES.freshSlots || slot - wallet.firstSlot >= CLASSES.freshSlots) return false
  if (buysBefore >= CLASSES.freshBuys) return false
  return wallet.funder < 0 || slot - wallet.funderSlot < CLASSES.freshSlots
}

/** True if the log reaches back far enough to judge the freshness of every buyer of the token. */
export const isFreshKnown = (token: Token, firstSlot: number): boolean =>
  token.createdSlot - firstSlot >= CLASSES.freshSlots

/** Called on a wallet's first buy. The deployer's own buy is not a snipe. */
export function enterBuyer(token: Token, position: Position, slot: number): void {
  const { firstBuyers, createdKnown, createdSlot, deployer } = token
  if (firstBuyers.length < FIRST_BUYERS.count && isLaunchSeen(token)) firstBuyers.push(position.wallet)
  if (!createdKnown || position.wallet === deployer) return
  if (slot === createdSlot) enterClass(token, position, CLASS.firstBlock)
  if (slot - createdSlot <= CLASSES.firstSecondsSlots) enterClass(token, position, CLASS.firstSeconds)
}
