import type { Position, Token, Wallet } from '../../model/state.ts'
import { CLASS, isIn } from '../class-memory.ts'
import { CLASSES, VERDICT } from '../constants.ts'
import { healthyRateOf, medianHoldSlots } from '../history.ts'
import type { Market } from './market.ts'

/** Classes of wallets (methodology, section 3). `healthyRate` is the population's p0. */

/** True if the wallet has sold out of a position. A write-off says nothing about the wallet. */
export const hasHistory = ({ closed, writtenOff }: Wallet): boolean => closed > writtenOff

/** True if the wallet, which has a record, is a day old and its funder is known: it has something to lose. */
export const isSettled = ({ funder, firstSlot, funderSlot }: Wallet, slot: number): boolean =>
  funder >= 0 && slot - Math.min(firstSlot, funderSlot) >= VERDICT.knownSlots

export function isAlphaHands(wallet: Wallet, populationRate: number): boolean {
  if (wallet.picksResolved < CLASSES.alphaPicks || wallet.realised <= 0) return false
  if (wallet.wash || wallet.rugs >= CLASSES.serialRugs) return false
  return healthyRateOf(wallet, populationRate) >= CLASSES.alphaHealthyRate
}

export function isJeet(wallet: Wallet): boolean {
  if (wallet.sells < CLASSES.jeetSells) return false
  const median = medianHoldSlots(wallet)
  return median !== null && median < CLASSES.jeetMedianHoldSlots
}

/** Reasons why a holder counts as dirty, one bit each, in order of cost. */
export const DIRTY = { bundle: 1, sniper: 2, wash: 4, serialRugger: 8, fresh: 16, insider: 32 } as const
export type DirtyReason = keyof typeof DIRTY

const isSniper = (token: Token, { firstBuySlot }: Position): boolean =>
  token.createdKnown && firstBuySlot >= 0 && firstBuySlot - token.createdSlot <= CLASSES.sniperSlots

const isFresh = (wallet: Wallet, { slot, firstSlot }: Market): boolean =>
  slot - firstSlot >= CLASSES.freshSlots &&
  slot - wallet.firstSlot < CLASSES.freshSlots &&
  wallet.buys < CLASSES.freshBuys

/** `bundled`: the wallet is a member of a confirmed group. */
export function dirtyReasons(
  token: Token,
  position: Position,
  wallet: Wallet,
  bundled: boolean,
  market: Market,
): number {
  return (
    (bundled ? DIRTY.bundle : 0) |
    (isSniper(token, position) ? DIRTY.sniper : 0) |
    (wallet.wash ? DIRTY.wash : 0) |
    (wallet.rugs >= CLASSES.serialRugs ? DIRTY.serialRugger : 0) |
    (isFresh(wallet, market) ? DIRTY.fresh : 0) |
    (isIn(position, CLASS.insiders) ? DIRTY.insider : 0)
  )
}

/** True if any reason applies; stops at the first. `known`: member of a confirmed group, or an insider. */
export const isDirty = (token: Token, position: Position, wallet: Wallet, known: boolean, market: Market): boolean =>
  known || isSniper(token, position) || wallet.wash || wallet.rugs >= CLASSES.serialRugs || isFresh(wallet, market)
