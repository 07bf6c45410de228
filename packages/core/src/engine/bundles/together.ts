import type { RecentTrade } from '../../model/bundles.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import { bundledRate } from '../history.ts'
import type { LiveToken } from '../resident.ts'
import { isLaunchSeen } from '../unseen.ts'
import { bucketIndex } from '../windows.ts'
import { isSparse } from './block-density.ts'
import type { BundleContext } from './context.ts'
import type { Compared } from './evidence.ts'

/** What several wallets do together: bundles of transactions, and leaving at once. */

/** Used again by each look, so that looking allocates nothing. */
const leavers: number[] = []
const entrants: number[] = []

/** What the newest trade is part of. */
export function sceneOf(context: BundleContext, now: Compared, position: Position): Scene {
  const { live, population } = context
  const { recent } = live.bundles
  const sparse = isSparse(population)
  const bundled = bundledFrom(recent, now)
  const isBundle = sparse && isNoChance(context, entrantsFrom(recent, bundled, now), BUNDLES.bundleWallets)
  return {
    bundled,
    bundleWeight: isBundle ? BUNDLES.weights.bundle : BUNDLES.weights.bundleOfTwo,
    entered: enteredFrom(context, sparse, now),
    blockExit: now.out > 0 ? blockExitWeight(live, now, position) : 0,
  }
}

/** What the recent trades make of the newest one. */
export interface Scene {
  /** recent trades from this place on were in one bundle with it */
  readonly bundled: number
  readonly bundleWeight: number
  /** recent buys from this place on took a large part of supply together with it */
  readonly entered: number
  /** weight of leaving in one block with it */
  readonly blockExit: number
}

/**
 * Place of the first recent trade in one bundle with `now`: a bundle is a run of transactions side by side of which the last one pays
 * the tip. Behind all of them where `now` pays none, or stands alone.
 */
function bundledFrom(recent: readonly RecentTrade[], now: Compared): number {
  let from = recent.length
  if (now.tipper < 0) return from
  let next = now.txIndex
  for (let i = recent.length - 1; i >= 0; i--) {
    const { slot, txIndex, tipper } = recent[i]!
    if (slot !== now.slot || txIndex < next - 1) break
    if (txIndex < now.txIndex && tipper >= 0) break
    next = txIndex
    from = i
  }
  return from
}

/**
 * Place of the first recent trade of a run of buys in one slot, each a few transactions behind the one before, that took a large part
 * of supply beside the largest of them, or stand side by side where the token begins; behind all of them where `now` ends no such run.
 */
function enteredFrom(context: BundleContext, sparse: boolean, now: Compared): number {
  const { live } = context
  const { recent } = live.bundles
  if (now.got === 0) return recent.length
  const { createdKnown, createdSlot, supply } = live.token
  if (supply > 0) {
    const from = runFrom(recent, now, BUNDLES.timingTransactions)
    const tokens = took(recent, from, now)
    if (isEnough(tokens / supply, live.token.deployer, sparse)) return from
  }
  return sparse && createdKnown && now.slot === createdSlot ? aside(context, now) : recent.length
}

/** Whether `entrants` took enough; where less is asked for, who launches is none of them: its purchase says nothing of two behind it. */
function isEnough(share: number, deployer: number, sparse: boolean): boolean {
  const { blockEntryShare, blockEntryShareSparse, blockEntryWallets } = BUNDLES
  if (share >= blockEntryShare) return entrants.length >= blockEntryWallets
  const others = entrants.length - (entrants.includes(deployer) ? 1 : 0)
  return sparse && share >= blockEntryShareSparse && others >= blockEntryWallets
}

/** Place of the first of those that stand side by side with `now`; behind all where they are too few to be no chance. */
function aside(context: BundleContext, now: Compared): number {
  const { recent } = context.live.bundles
  const from = runFrom(recent, now, 1)
  return isNoChance(context, entrants, BUNDLES.blockEntryWallets) ? from : recent.length
}

/**
 * Whether wallets do not stand side by side by chance. Two may, who launches and the first who snipes; and `least` of which one is known
 * to trade on its own: whoever stands beside it, it came for itself. Where few tokens are known, so is nobody.
 */
function isNoChance({ live, mints, wallet }: BundleContext, wallets: readonly number[], least: number): boolean {
  if (wallets.length !== least) return wallets.length > least
  if (mints < BUNDLES.ownTokens) return false
  return !wallets.some((id) => id !== live.token.deployer && isOnItsOwn(wallet(id)))
}

/** It has bought several tokens, and is seldom in a group. */
const isOnItsOwn = (wallet: Wallet): boolean =>
  wallet.mintsBought >= BUNDLES.ownMints && (bundledRate(wallet) ?? 0) <= BUNDLES.ownBundledRate

/**
 * Place of the first buy of a run that ends with `now`, each at most `apart` transactions behind the one before; `entrants` are its
 * wallets. A tip ends a bundle, unless one wallet pays all of them: who comes behind it came with another, who tips for itself came alone.
 */
function runFrom(recent: readonly RecentTrade[], now: Compared, apart: number): number {
  let from = recent.length
  let next = now.txIndex
  entrants.length = 0
  entrants.push(now.wallet)
  for (let i = recent.length - 1; i >= 0 && recent[i]!.slot === now.slot; i--) {
    const { isBuy, wallet, txIndex, tipper } = recent[i]!
    if (!isBuy) continue
    if (next - txIndex > apart || (tipper >= 0 && tipper !== now.tipper && txIndex < now.txIndex)) break
    next = txIndex
    from = i
    if (!entrants.includes(wallet)) entrants.push(wallet)
  }
  return from
}

/** Base units that the run took beside the largest of its buys. */
function took(recent: readonly RecentTrade[], from: number, now: Compared): number {
  let tokens = now.got
  let largest = now.got
  for (let i = from; i < recent.length; i++) {
    const { got, isBuy } = recent[i]!
    if (!isBuy) continue
    tokens += got
    if (got > largest) largest = got
  }
  return tokens - largest
}

/** Wallets of the trades from this place on, and of `now`. */
function entrantsFrom(recent: readonly RecentTrade[], from: number, now: Compared): readonly number[] {
  entrants.length = 0
  entrants.push(now.wallet)
  for (let i = from; i < recent.length; i++) if (!entrants.includes(recent[i]!.wallet)) entrants.push(recent[i]!.wallet)
  return entrants
}

/** Who left in one block with the wallet of the newest trade; used again by each. */
export const leftWith: number[] = []

/**
 * Several wallets sold all they had within 2 slots, and a good part of supply beside the largest of them; `now` is the newest of their
 * sales. In a crash everybody leaves at once: those are company who had come together, and those who leave in the very slot in which
 * leaving begins, before anybody could have seen it.
 */
function blockExitWeight(live: LiveToken, now: Compared, position: Position): number {
  const { bundles, token, positions } = live
  leftWith.length = 0
  const isFirst = isLaunchSeen(token) && beginsLeaving(bundles.recent, now.slot)
  let tokens = now.out
  let largest = now.out
  for (const { wallet, slot, out } of bundles.recent) {
    if (out === 0 || wallet === now.wallet || now.slot - slot > BUNDLES.exitSlots) continue
    const atOnce = slot === now.slot
    if (!atOnce && isHasty(position, now.slot)) continue
    if (!(atOnce && isFirst) && !cameTogether(token, position, positions.get(wallet)!)) continue
    tokens += out
    if (out > largest) largest = out
    if (!leftWith.includes(wallet)) leftWith.push(wallet)
  }
  if (leftWith.length + 1 < BUNDLES.blockExitWallets || token.supply === 0) return 0
  return tokens - largest >= token.supply * BUNDLES.blockExitSupplyShare ? BUNDLES.weights.blockExit : 0
}

/** Held so short that it may follow a sale it has seen: then only the slot itself tells. */
const isHasty = ({ firstBuySlot }: Position, slot: number): boolean =>
  firstBuySlot >= 0 && slot - firstBuySlot < BUNDLES.blockExitSeenSlots

/** Whether nobody left in the slots before. */
function beginsLeaving(recent: readonly RecentTrade[], slot: number): boolean {
  for (const one of recent) if (one.out > 0 && one.slot !== slot) return false
  return true
}

/** Both bought what they sold, within a few slots; or neither did, where everything since the launch was seen. */
function cameTogether(token: Token, a: Position, b: Position): boolean {
  const given = isGiven(a)
  if (given !== isGiven(b)) return false
  if (given) return isLaunchSeen(token)
  return Math.abs(a.firstBuySlot - b.firstBuySlot) <= BUNDLES.blockExitEntrySlots
}

const isGiven = ({ firstBuySlot, received, bought }: Position): boolean => firstBuySlot < 0 || received > bought

/**
 * Several wallets that came together and stayed for a while are out within a minute: those beside the one of `now`, which left last;
 * nobody where they are too few. A wallet is out when it keeps next to nothing of the most it had, and sold it within one bucket, not
 * bit by bit. Valid until the next call.
 */
export function leaversWith({ token, positions }: LiveToken, now: Compared, position: Position): readonly number[] {
  leavers.length = 0
  if (position.firstBuySlot < 0 || now.slot - position.firstBuySlot < BUNDLES.exodusHeldSlots) return leavers
  const from = bucketIndex(now.slot) - BUNDLES.exodusBuckets
  let tokens = now.out
  let largest = now.out
  for (const sale of token.sales) {
    if (sale.index < from || sale.wallet === now.wallet) continue
    const { balance, peak, sold, firstBuySlot, lastBuySlot } = positions.get(sale.wallet)!
    if (balance > peak * BUNDLES.blockExitKept || firstBuySlot < 0 || lastBuySlot !== firstBuySlot) continue
    if (sold - sale.tokens > peak * BUNDLES.blockExitKept) continue
    if (Math.abs(firstBuySlot - position.firstBuySlot) > BUNDLES.exodusEntrySlots) continue
    tokens += sale.tokens
    if (sale.tokens > largest) largest = sale.tokens
    if (!leavers.includes(sale.wallet)) leavers.push(sale.wallet)
  }
  const few = leavers.length + 1 < BUNDLES.exodusWallets
  if (few || tokens - largest < token.supply * BUNDLES.exodusSupplyShare) leavers.length = 0
  return leavers
}
