import type { BundleBook } from '../../model/bundles.ts'
import type { Position, Token } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { BundleContext } from './context.ts'
import { FAMILY } from './evidence.ts'
import { rootOf } from './groups.ts'
import { connect, openPair, pairsOf } from './pairs.ts'
import { settle } from './settle.ts'

/**
 * Tokens that move between wallets without a trade (methodology, section 8). The giver signs, and the receiver can do
 * nothing about it: it has no partner until it sells or passes on what it was given.
 */

/** A position with what it gave or got in one transaction, base units. */
export interface Moved {
  readonly position: Position
  readonly tokens: number
}

/**
 * Records that tokens of the mint moved from each of `from` to each of `to` in one transaction, the `txIndex`-th of its
 * slot.
 */
export function noticeTransfer(
  context: BundleContext,
  from: readonly Moved[],
  to: readonly Moved[],
  txIndex: number,
): void {
  const { bundles, token } = context.live
  let left: number = BUNDLES.transferPairsMax
  for (const giver of from) {
    for (const taker of to) {
      if (isDust(token, taker.position, Math.min(giver.tokens, taker.tokens))) continue
      if (left-- <= 0) break
      const pair = openPair(bundles, giver.position.wallet, taker.position.wallet)
      pair.taker = taker.position.wallet
      pair.bought &&= hasBought(context, giver.position.wallet, txIndex)
    }
  }
  for (const { position } of from) noticeUse(context, position)
  for (const { position } of from) settle(context, rootOf(bundles, position.group))
  for (const { position } of to) settle(context, rootOf(bundles, position.group))
}

/** True if a gift is little both of the supply and of what its receiver ever had. */
const isDust = ({ supply }: Token, { bought, received }: Position, tokens: number): boolean =>
  tokens < supply * BUNDLES.giftSupplyShare && tokens < (bought + received) * BUNDLES.giftOwnShare

/** Called after a wallet sold or gave away tokens: links it to its givers once it has used what it was given. */
export function noticeUse(context: BundleContext, { wallet, balance, received }: Position): void {
  if (balance >= received * (1 - BUNDLES.usedShare)) return
  const { bundles } = context.live
  for (const { a, b, taker, bought } of pairsOf(bundles, wallet)) {
    if (taker === wallet && (!bought || dealsOut(bundles, a === wallet ? b : a)))
      connect(context, a, b, 1 << FAMILY.transfer)
  }
}

/** True if the wallet bought the mint in this transaction of the current slot. */
const hasBought = ({ live, slot }: BundleContext, wallet: number, txIndex: number): boolean =>
  live.bundles.recent.some((buy) => buy.wallet === wallet && buy.slot === slot && buy.txIndex === txIndex)

/** True if the wallet gave to several others. With fewer, it buys for another wallet of its owner. */
const dealsOut = (book: BundleBook, giver: number): boolean =>
  pairsOf(book, giver).filter(({ taker }) => taker >= 0 && taker !== giver).length >= BUNDLES.dealtTakers
