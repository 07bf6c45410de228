import type { Key } from '../base/ids.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import type { BundleContext } from './bundles/context.ts'
import { CLASS, enterClass, isIn } from './class-memory.ts'
import { ACTORS } from './constants.ts'
import { addExit, isInHour } from './exits.ts'
import { bundledRate } from './history.ts'
import { isInsider } from './insiders.ts'

/**
 * A token's own people (methodology, section 1). Signed are its launcher, the insiders and members of confirmed groups;
 * unknown buyers in the slot of the creation count beside them. A wallet that has joined them stays.
 */

/** Called after a trade, transfer or fact. `payer` paid the network fee of the wallet's trade. */
export function noticePeople(context: BundleContext, position: Position, payer: Key | null = null): void {
  const { token } = context.live
  if (position.wallet === token.deployer) enterClass(token, position, CLASS.deployer)
  if (isIn(position, CLASS.insiders)) return
  if (!isInsider(token, position, context.wallet) && !isLauncher(context, payer)) return
  enterClass(token, position, CLASS.insiders)
  context.touchPosition(position)
  joinSigned(context, position)
}

const isLauncher = ({ live: { token }, wallet }: BundleContext, address: Key | null): boolean =>
  address !== null && token.deployer >= 0 && wallet(token.deployer).address === address

/** Counts the wallet and all it did so far, and has the token judged again. */
export function joinSigned(context: BundleContext, position: Position): void {
  const { live, slot } = context
  if (!enterClass(live.token, position, CLASS.signed)) return
  enterClass(live.token, position, CLASS.own)
  context.credited = true
  context.touchPosition(position)
  if (position.sold > 0 && isInHour(position.lastSellSlot, slot)) addExit(live.token, slot, position.sold, 0)
}

/** Called after a wallet's first buy. One that has traded many tokens on its own works for itself. */
export function noticeFirstBlock(token: Token, position: Position, wallet: Wallet): void {
  if (isIn(position, CLASS.firstBlock) && !hasRecord(wallet)) enterClass(token, position, CLASS.own)
}

const hasRecord = (wallet: Wallet): boolean =>
  wallet.mintsBought > ACTORS.ownMints && (bundledRate(wallet) ?? 0) <= ACTORS.ownBundledRate
