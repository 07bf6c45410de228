import type { Position, Token, Wallet } from '../model/state.ts'
import { CLASSES, FIRST_BUYERS } from './constants.ts'
import { isLaunchSeen } from './unseen.ts'

/**
 * Classes of wallets a token remembers: what each holds, the most it held and what it sold: methodology, section 1. A position
 * that has counted for a class once counts for good. Deployer and insiders have sums of their own (memory.ts).
 */

/** Number of a class in a token's `classes`, and of its bit in a position's. */
export const CLASS = { firstBlock: 0, firstSeconds: 1, fresh: 2, bundled: 3, kols: 4 } as const
type Class = (typeof CLASS)[keyof typeof CLASS]

/** From now on the position counts, with all it has sold so far. */
export function enterClass(token: Token, position: Position, which: Class): void {
  const bit = 1 << which
  if ((position.classes & bit) !== 0) return
  position.classes |= bit
  while (token.classes.length <= which) token.classes.push({ held: 0, peak: 0, sold: 0 })
  const sums = token.classes[which]!
  sums.held += position.balance
  sums.sold += position.sold
}

/** After a position changed: `balance` is the difference, `sold` what this trade sold. */
export function moveClasses({ classes }: Token, position: Position, balance: number, sold: number): void {
  for (let which = 0, left = position.classes; left !== 0; which++, left >>= 1) {
    if ((left & 1) === 0) continue
    const sums = classes[which]!
    sums.held += balance
    sums.sold += sold
  }
}

/** At the end of a transaction: in its midst tokens can be counted at both ends of a transfer. */
export function peakClasses({ classes }: Token): void {
  for (const sums of classes) if (sums.held > sums.peak) sums.peak = sums.held
}

/** A part of the class is known to have held so much before it counted. */
export function raisePeak({ classes }: Token, which: Class, peak: number): void {
  const sums = classes[which]
  if (sums !== undefined && peak > sums.peak) sums.peak = peak
}

/** What decides, when a wallet first has something of a token, whether it is fresh. */
interface Arrival {
  readonly slot: number
  /** first slot of the log */
  readonly firstSlot: number
  /** the wallet's buys before, of all mints */
  readonly buysBefore: number
}

/** Its position was just opened, by a buy or a transfer. */
export function enterArrival(token: Token, position: Position, wallet: Wallet, arrival: Arrival): void {
  if (isFreshAt(wallet, arrival)) enterClass(token, position, CLASS.fresh)
}

/**
 * First seen lately, with few buys, and not known to have been funded before that. False while the log is too short to know: what
 * has not been seen for that long may have been there.
 */
function isFreshAt(wallet: Wallet, { slot, firstSlot, buysBefore }: Arrival): boolean {
  if (slot - firstSlot < CLASSES.freshSlots || slot - wallet.firstSlot >= CLASSES.freshSlots) return false
  if (buysBefore >= CLASSES.freshBuys) return false
  return wallet.funder < 0 || slot - wallet.funderSlot < CLASSES.freshSlots
}

/** Whether it is known of every buyer of the token if it was fresh. */
export const isFreshKnown = (token: Token, firstSlot: number): boolean =>
  token.createdSlot - firstSlot >= CLASSES.freshSlots

/** The wallet bought for the first time. The deployer's own buy is no snipe. */
export function enterBuyer(token: Token, position: Position, slot: number): void {
  const { firstBuyers, createdKnown, createdSlot, deployer } = token
  if (firstBuyers.length < FIRST_BUYERS.count && isLaunchSeen(token)) firstBuyers.push(position.wallet)
  if (!createdKnown || position.wallet === deployer) return
  if (slot === createdSlot) enterClass(token, position, CLASS.firstBlock)
  if (slot - createdSlot <= CLASSES.firstSecondsSlots) enterClass(token, position, CLASS.firstSeconds)
}
