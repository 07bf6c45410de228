import type { Position, Token, Wallet } from '../model/state.ts'
import { CLASSES, PEOPLE } from './constants.ts'

/**
 * True for the deployer, a wallet funded by the deployer over at most two hops within 24 h of the launch, and a wallet
 * that passed on what it was given. Received tokens make no insider: anybody can send them.
 */
export function isInsider(token: Token, position: Position, wallet: (id: number) => Wallet): boolean {
  if (position.wallet === token.deployer || hasActed(token, position)) return true
  return isFundedByDeployer(token, position.owner ?? wallet(position.wallet), wallet)
}

/** True if it was given more than it bought, by the token's own people or unseen, and sold or forwarded some of it. */
function hasActed({ supply }: Token, { balance, bought, received, fromOthers }: Position): boolean {
  const given = received - fromOthers
  return given > bought && balance < received && given >= supply * PEOPLE.giftShare
}

/** True if the wallet's first SOL came from the deployer over at most two hops, each within 24 h of the launch. */
export function isFundedByDeployer(token: Token, owner: Wallet, wallet: (id: number) => Wallet): boolean {
  if (token.deployer < 0 || owner.funder < 0 || !isNearLaunch(token, owner.funderSlot)) return false
  if (owner.funder === token.deployer) return true
  const funder = wallet(owner.funder)
  return funder.funder === token.deployer && isNearLaunch(token, funder.funderSlot)
}

const isNearLaunch = ({ launch, createdSlot }: Token, slot: number): boolean =>
  Math.abs((launch.slot >= 0 ? launch.slot : createdSlot) - slot) <= CLASSES.insiderFundedSlots
