import type { RecentTrade } from '../../model/bundles.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import { bundledRate } from '../history.ts'
import type { LiveToken } from '../resident.ts'
import { isLaunchSeen } from '../unseen.ts'
import { bucketIndex } from '../windows.ts'
import { isSparse } from './block-density.ts'
import type { BundleContext } from './context.ts'

/** Evidence from what several wallets do at once: transaction bundles, block entries and exits. */

/** Reused by each call, so that detection allocates nothing. */
const leavers: number[] = []
const entrants: number[] = []

/** The joint actions that the newest trade is part of. */
export function sceneOf(context: BundleContext, now: RecentTrade, position: Position): Scene {
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

/** The newest trade in relation to the recent ones. */
export interface Scene {
  /** Recent trades from this index on were in one bundle with it. */
  readonly bundled: number
  readonly bundleWeight: number
  /** Recent buys from this index on took a large part of supply together with it. */
  readonly entered: number
  /** The weight of a joint exit in one block. */
  readonly blockExit: number
}

/**
 * The index of the first recent trade in one bundle with `now`: a run of adjacent transactions, the last of which pays
 * the tip. recent.length if `now` pays no tip or is alone.
 */
function bundledFrom(recent: readonly RecentTrade[], now: RecentTrade): number {
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
 * The index of the first recent trade of a block entry that ends with `now`: a run of buys in one slot, each a few
 * transactions after the previous, that took a large part of supply without its largest, or adjacent ones in the
 * slot of the creation. recent.length if there is no such run.
 */
function enteredFrom(context: BundleContext, sparse: boolean, now: RecentTrade): number {
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

/**
 * True if `entrants` took enough. For the lower share the deployer does not count, because its purchase says nothing
 * about two others behind it.
 */
function isEnough(share: number, deployer: number, sparse: boolean): boolean {
  const { blockEntryShare, blockEntryShareSparse, blockEntryWallets } = BUNDLES
  if (share >= blockEntryShare) return entrants.length >= blockEntryWallets
  const others = entrants.length - (entrants.includes(deployer) ? 1 : 0)
  return sparse && share >= blockEntryShareSparse && others >= blockEntryWallets
}

/** The index of the first trade adjacent to `now`; recent.length if they are too few to exclude chance. */
function aside(context: BundleContext, now: RecentTrade): number {
  const { recent } = context.live.bundles
  const from = runFrom(recent, now, 1)
  return isNoChance(context, entrants, BUNDLES.blockEntryWallets) ? from : recent.length
}

/**
 * True if the wallets are adjacent by more than chance. Two may be so by chance, such as the deployer and the first
 * sniper; so may `least` if one of them is known to trade on its own. With few known tokens no wallet is known to.
 */
function isNoChance({ live, mints, wallet }: BundleContext, wallets: readonly number[], least: number): boolean {
  if (wallets.length !== least) return wallets.length > least
  if (mints < BUNDLES.ownTokens) return false
  return !wallets.some((id) => id !== live.token.deployer && isOnItsOwn(wallet(id)))
}

/** True if the wallet has bought several tokens and is rarely in a group. */
const isOnItsOwn = (wallet: Wallet): boolean =>
  wallet.mintsBought >= BUNDLES.ownMints && (bundledRate(wallet) ?? 0) <= BUNDLES.ownBundledRate

/**
 * The index of the first buy of a run that ends with `now`, each at most `apart` transactions after the previous; fills
 * `entrants`. A tip ends a bundle, unless one wallet pays all tips: a wallet that tips for itself acts alone.
 */
function runFrom(recent: readonly RecentTrade[], now: RecentTrade, apart: number): number {
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

/** Base units that the run bought without its largest buy. */
function took(recent: readonly RecentTrade[], from: number, now: RecentTrade): number {
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

/** Wallets of `now` and of the trades from this index on. */
function entrantsFrom(recent: readonly RecentTrade[], from: number, now: RecentTrade): readonly number[] {
  entrants.length = 0
  entrants.push(now.wallet)
  for (let i = from; i < recent.length; i++) if (!entrants.includes(recent[i]!.wallet)) entrants.push(recent[i]!.wallet)
  return entrants
}

/** Wallets that left in one block with the wallet of the newest trade; reused by each trade. */
export const leftWith: number[] = []

/**
 * The weight of a block exit: several wallets sold everything within 2 slots, and a good part of supply without the
 * largest; `now` is the newest sale. In a crash everybody leaves, so a wallet counts only if it entered together with
 * this one, or if both left in the slot in which the exits began, before anybody could react.
 */
function blockExitWeight(live: LiveToken, now: RecentTrade, position: Position): number {
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

/** True if the position is so young that it may react to a sale it has seen. Then only the same slot is evidence. */
const isHasty = ({ firstBuySlot }: Position, slot: number): boolean =>
  firstBuySlot >= 0 && slot - firstBuySlot < BUNDLES.blockExitSeenSlots

/** True if no wallet left in the slots before. */
function beginsLeaving(recent: readonly RecentTrade[], slot: number): boolean {
  for (const one of recent) if (one.out > 0 && one.slot !== slot) return false
  return true
}

/** True if both bought within a few slots, or both were given their tokens on a mint seen from its launch. */
function cameTogether(token: Token, a: Position, b: Position): boolean {
  const given = isGiven(a)
  if (given !== isGiven(b)) return false
  if (given) return isLaunchSeen(token)
  return Math.abs(a.firstBuySlot - b.firstBuySlot) <= BUNDLES.blockExitEntrySlots
}

const isGiven = ({ firstBuySlot, received, bought }: Position): boolean => firstBuySlot < 0 || received > bought

/**
 * Wallets of an exodus whose last sale is `now`: they entered together, stayed a while and left within a minute. Empty
 * if they are too few. A wallet has left if it keeps almost nothing of its peak and sold it within one bucket. The
 * result is valid until the next call.
 */
export function leaversWith({ token, positions }: LiveToken, now: RecentTrade, position: Position): readonly number[] {
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
