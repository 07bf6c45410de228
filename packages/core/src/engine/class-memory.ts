import type { ClassSums } from '../model/buckets.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import { CLASSES, EXITS, FIRST_BUYERS } from './constants.ts'
import { gotBy, paidBy } from './positions.ts'
import { isLaunchSeen } from './unseen.ts'

/**
 * Sums per wallet class of a token: holdings, their peak, sales, and lamports paid and got (methodology, section 1). A
 * position that has once joined a class stays in it. A wallet that is none of the token's own people is one of the others.
 */

const NAMES = ['others', 'own', 'signed', 'insiders', 'deployer', 'firstBlock', 'firstSeconds', 'early'] as const
const MORE = ['fresh', 'bundled', 'kols', 'actors'] as const
export type Class = number

/** The index of a class in a token's `classes`, and its bit in a position's `classes`; `others` has no bit. */
export const CLASS = Object.fromEntries([...NAMES, ...MORE].map((name, i) => [name, i])) as Readonly<
  Record<(typeof NAMES | typeof MORE)[number], Class>
>

const NOBODY: Readonly<ClassSums> = { wallets: 0, held: 0, peak: 0, sold: 0, paid: 0, got: 0 }

export const classOf = ({ classes }: Token, which: Class): Readonly<ClassSums> => classes[which] ?? NOBODY

export const isIn = ({ classes }: Pick<Position, 'classes'>, which: Class): boolean => (classes & (1 << which)) !== 0

function openClass({ classes }: Token, which: Class): ClassSums {
  while (classes.length <= which) classes.push({ ...NOBODY })
  return classes[which]!
}

function add(sums: ClassSums, position: Position, sign: 1 | -1): void {
  sums.wallets += sign
  sums.held += sign * position.balance
  sums.sold += sign * position.sold
  sums.paid += sign * paidBy(position)
  sums.got += sign * gotBy(position)
}

/** Adds the position to the class, together with all it did so far. Returns false if it was in it. */
export function enterClass(token: Token, position: Position, which: Class): boolean {
  if (isIn(position, which)) return false
  add(openClass(token, which), position, 1)
  if (which === CLASS.own) {
    add(openClass(token, CLASS.others), position, -1)
    token.gained -= Math.max(0, gotBy(position) - paidBy(position))
  }
  position.classes |= 1 << which
  return true
}

/** Updates the sums after a position changed: base units of its balance and sold, lamports paid and got. */
export function moveClasses(
  token: Token,
  position: Position,
  balance: number,
  sold: number,
  paid: number,
  got: number,
): void {
  const { classes } = token
  if (!isIn(position, CLASS.own)) {
    move(openClass(token, CLASS.others), balance, sold, paid, got)
    const result = gotBy(position) - paidBy(position)
    token.gained += Math.max(0, result) - Math.max(0, result - got + paid)
  }
  for (let which = 0, left = position.classes; left !== 0; which++, left >>= 1)
    if ((left & 1) !== 0) move(classes[which]!, balance, sold, paid, got)
}

function move(sums: ClassSums, balance: number, sold: number, paid: number, got: number): void {
  sums.held += balance
  sums.sold += sold
  sums.paid += paid
  sums.got += got
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
  openClass(token, CLASS.others).wallets++
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
  if (!createdKnown) return
  const age = slot - createdSlot
  if (age <= EXITS.earlySlots) enterClass(token, position, CLASS.early)
  if (position.wallet === deployer) return
  if (age === 0) enterClass(token, position, CLASS.firstBlock)
  if (age <= CLASSES.firstSecondsSlots) enterClass(token, position, CLASS.firstSeconds)
}
