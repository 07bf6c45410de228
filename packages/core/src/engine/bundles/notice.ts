import type { Group } from '../../model/bundles.ts'
import type { TradeEvent } from '../../model/events.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import { isFundedByDeployer } from '../insiders.ts'
import { ownerIn } from '../positions.ts'
import type { BundleContext } from './context.ts'
import { FAMILY, familiesBetween, isOwnFunder, isOwnPayer } from './evidence.ts'
import { addFlow, judge } from './flows.ts'
import { giversOf } from './gathered.ts'
import { rootOf } from './groups.ts'
import { backedBy, connect, rememberBacker } from './pairs.ts'
import { noticeUse } from './passing.ts'
import { settle } from './settle.ts'

/**
 * Finds coordinated wallets on a mint as its trades are folded (methodology, section 8). This file selects the
 * comparisons; evidence.ts and passing.ts judge, pairs.ts stores, union.ts groups.
 */

/** A trade after it was applied to `position` and `wallet`. `balanceBefore`: base units before it. */
interface NoticedTrade {
  readonly event: TradeEvent
  readonly position: Position
  readonly wallet: Wallet
  readonly balanceBefore: number
}

export function noticeTrade(context: BundleContext, trade: NoticedTrade): void {
  const { live, slot } = context
  const { bundles, token } = live
  const { event, position, wallet, balanceBefore } = trade
  countMember(rootOf(bundles, position.group), trade)
  learnBackers(context, wallet)
  if (event.isBuy) compareWithBuyers(context, event, wallet.id)
  compareWithKin(context, position, wallet)
  if (!event.isBuy) {
    noticeUse(context, position)
    if (position.sold > position.bought)
      for (const giver of giversOf(live, position)) connect(context, wallet.id, giver, 1 << FAMILY.consolidation)
  }
  const group = rootOf(bundles, position.group)
  if (group === null) return
  addFlow(group, slot, event.isBuy, event.tokenAmount)
  // before a sell the members held the sold amount together, even if this sell is what reveals them
  group.peak = Math.max(group.peak, group.balance + Math.max(0, balanceBefore - position.balance))
  judge(group, slot, token.supply)
  settle(context, group)
}

/** Updates the group's balance and flows after a member's trade. */
function countMember(group: Group | null, { event, position, balanceBefore }: NoticedTrade): void {
  if (group === null) return
  group.balance += position.balance - balanceBefore
  if (event.isBuy) group.bought += event.tokenAmount
  else group.sold += event.tokenAmount
}

/** Links the wallet to others that bought in its transaction, which all of them signed. */
function compareWithBuyers(context: BundleContext, { txIndex }: TradeEvent, wallet: number): void {
  const { slot } = context
  const { recent } = context.live.bundles
  if (recent.length > 0 && (recent[0]!.slot !== slot || recent[0]!.txIndex !== txIndex)) recent.length = 0
  // a source that does not know the order of transactions does not know what one of them holds either
  if (txIndex < 0 || recent.length >= BUNDLES.recentBuys) return
  for (const buyer of recent) if (buyer.wallet !== wallet) connect(context, wallet, buyer.wallet, 1 << FAMILY.atomic)
  recent.push({ wallet, slot, txIndex })
}

/** Records who funded the wallet and who pays for it, before any comparison: the number of their wallets is evidence. */
function learnBackers({ live, wallet: byId }: BundleContext, { id, funder, payer }: Wallet): void {
  const { bundles, token } = live
  if (funder >= 0 && isOwnFunder(token, byId(funder))) rememberBacker(bundles, id, funder)
  if (payer >= 0 && isOwnPayer(byId(payer))) rememberBacker(bundles, id, payer)
}

/** Wallets already compared with the one at hand: the first `count`. A list that is emptied gives up its room. */
const compared = { count: 0, wallets: [] as number[] }

/** Notes the wallet; false if it was compared already. */
function isNext(wallet: number): boolean {
  const { count, wallets } = compared
  for (let i = 0; i < count; i++) if (wallets[i] === wallet) return false
  wallets[compared.count++] = wallet
  return true
}

/** Compares with wallets of the same backers, the backers, the deployer behind it, and wallets that it backs itself. */
function compareWithKin(context: BundleContext, position: Position, wallet: Wallet): void {
  const { bundles, token } = context.live
  compared.count = 0
  isNext(wallet.id)
  for (let backer = wallet.funder, n = 0; n < 2; backer = wallet.payer, n++) {
    if (backer < 0) continue
    compareWith(context, position, wallet, backer)
    for (const sibling of backedBy(bundles, backer)) compareWith(context, position, wallet, sibling)
  }
  if (isFundedByDeployer(token, wallet, context.wallet)) compareWith(context, position, wallet, token.deployer)
  for (const child of backedBy(bundles, wallet.id)) compareWith(context, position, wallet, child)
}

/** Compares two wallets by their records, if the other one is on this mint. */
function compareWith(context: BundleContext, position: Position, wallet: Wallet, other: number): void {
  if (!isNext(other)) return
  const theirs = context.live.positions.get(other)
  if (theirs === undefined) return
  const them = { wallet: ownerIn(theirs, context.wallet), position: theirs }
  connect(context, wallet.id, other, familiesBetween(context, { wallet, position }, them))
}

/**
 * Updates the group's balance when a holder's balance changed without a trade. The peak waits for the end of the
 * transaction, because within one a transfer can be counted at both of its ends.
 */
export function noticeBalance({ live }: BundleContext, position: Position, balanceBefore: number): void {
  const group = rootOf(live.bundles, position.group)
  if (group !== null) group.balance += position.balance - balanceBefore
}

/** Called when a wallet's funder becomes known after it traded this token. */
export function noticeFunder(context: BundleContext, position: Position): void {
  const wallet = context.wallet(position.wallet)
  learnBackers(context, wallet)
  compareWithKin(context, position, wallet)
  settle(context, rootOf(context.live.bundles, position.group))
}
