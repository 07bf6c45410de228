import type { Group, RecentTrade } from '../../model/bundles.ts'
import type { TradeEvent } from '../../model/events.ts'
import { hasFamily } from '../../model/pair.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import { isFundedByDeployer } from '../insiders.ts'
import { countBudget, isUncommon } from './budget.ts'
import type { BundleContext } from './context.ts'
import { compareTrades, FAMILY, strengthen, weightOfFunder } from './evidence.ts'
import { finish, found } from './finish.ts'
import { addFlow, judge } from './flows.ts'
import { giversOf } from './gathered.ts'
import { rootOf } from './groups.ts'
import { budgetedBy, budgetHere, fundedBy, pairsOf, rememberBudget, rememberFunder } from './pairs.ts'
import { rememberPartners } from './partners.ts'
import { settle } from './settle.ts'
import { leaversWith, leftWith, type Scene, sceneOf } from './together.ts'

/**
 * Finds coordinated wallets on a mint as its trades are folded (methodology, section 8). This file selects the
 * comparisons; evidence.ts and together.ts weigh, record.ts stores, union.ts groups.
 */

/**
 * A trade after it was applied to `position` and `wallet`. `balanceBefore`: base units before it. `payer`, `tipper`:
 * wallet ids, -1 if unknown or none. `paid` and `lamports`: the amount the trader paid or received and the amount moved
 * on the curve, in the token's unit.
 */
interface NoticedTrade {
  readonly event: TradeEvent
  readonly position: Position
  readonly wallet: Wallet
  readonly balanceBefore: number
  readonly firstBuy: boolean
  readonly paid: number
  readonly lamports: number
  readonly payer: number
  readonly tipper: number
  /** The budget of its transaction, -1 if unknown (budget.ts). */
  readonly budget: number
}

/** Wallets already compared with the newest trade: the first `count`. A list that is emptied gives up its room. */
const compared = { count: 0, wallets: [] as number[] }

/** Notes the first wallet of a trade. */
function beginWith(wallet: number): void {
  compared.count = 1
  compared.wallets[0] = wallet
}

/** Notes the wallet; false if it was compared already. */
function isNext(wallet: number): boolean {
  const { count, wallets } = compared
  for (let i = 0; i < count; i++) if (wallets[i] === wallet) return false
  wallets[compared.count++] = wallet
  return true
}

export function noticeTrade(context: BundleContext, trade: NoticedTrade): void {
  const { live, slot } = context
  const { bundles, positions } = live
  const { event, position, wallet, balanceBefore } = trade
  dropOld(bundles.recent, slot)
  if (trade.firstBuy && bundles.recent.length > 0) {
    if (rememberPartners(wallet, slot, bundles.recent, positions)) context.touchWallet(wallet)
  }
  countMember(rootOf(bundles, position.group), trade)
  learnFunder(context, wallet)
  if (event.isBuy && trade.budget >= 0) learnBudget(context, trade)
  const now = comparable(slot, live.token.supply, trade)
  beginWith(wallet.id)
  const scene = sceneOf(context, now, position)
  for (let i = 0; i < bundles.recent.length; i++) compareWithRecent(context, now, position, wallet, i, scene)
  compareWithKin(context, position, wallet)
  for (const { wallet: partner } of wallet.partners) compareWith(context, position, wallet, partner)
  compareWithCompanions(context, position, wallet)
  compareWithCounterparties(context, position, wallet)
  if (now.out > 0) compareWithLeavers(context, now, position, wallet)
  if (position.sold > position.bought) compareWithGivers(context, position, wallet)
  const group = rootOf(bundles, position.group)
  if (group !== null) {
    addFlow(group, slot, event.isBuy, event.tokenAmount)
    // before a sell the members held the sold amount together, even if this sell is what reveals them
    group.peak = Math.max(group.peak, group.balance + Math.max(0, balanceBefore - position.balance))
    judge(group, slot, live.token.supply)
    settle(context, group)
  }
  now.timingWeight = -1
  bundles.recent.push(now)
  if (bundles.recent.length > BUNDLES.recentTrades) bundles.recent.shift()
}

function dropOld(recent: RecentTrade[], slot: number): void {
  let old = 0
  while (old < recent.length && slot - recent[old]!.slot > BUNDLES.recentSlots) old++
  if (old > 0) recent.splice(0, old)
}

/** Updates the group's balance and flows after a member's trade. */
function countMember(group: Group | null, { event, position, balanceBefore }: NoticedTrade): void {
  if (group === null) return
  group.balance += position.balance - balanceBefore
  if (event.isBuy) group.bought += event.tokenAmount
  else group.sold += event.tokenAmount
}

/**
 * True if the sale emptied a position that was not opened a moment ago. A bought position must be sold in one go: the
 * last part of a staged exit coincides with unrelated sales by chance.
 */
const isOut = ({ event, position, balanceBefore }: NoticedTrade, slot: number): boolean => {
  const { balance, peak, sold, firstBuySlot, lastBuySlot } = position
  if (balance > balanceBefore * BUNDLES.blockExitKept) return false
  if (firstBuySlot < 0) return true
  const isAtOnce = lastBuySlot === firstBuySlot && sold - event.tokenAmount <= peak * BUNDLES.blockExitKept
  return isAtOnce && slot - firstBuySlot >= BUNDLES.blockExitHeldSlots
}

/** False for dust, which is no evidence. */
const isBag = (tokens: number, supply: number): boolean => tokens >= supply * BUNDLES.blockExitBagShare

function comparable(slot: number, supply: number, trade: NoticedTrade): RecentTrade {
  const { event, wallet, paid, lamports, tipper } = trade
  const { isBuy, tokenAmount, txIndex } = event
  const out = !isBuy && isOut(trade, slot) && isBag(tokenAmount, supply) ? tokenAmount : 0
  const got = isBuy ? tokenAmount : 0
  return { isBuy, wallet: wallet.id, slot, txIndex, paid, lamports, tipper, got, out, timingWeight: -1 }
}

/** Compares with the wallet of the recent trade at `first`, over all its recent trades, once. */
function compareWithRecent(
  context: BundleContext,
  now: RecentTrade,
  position: Position,
  wallet: Wallet,
  first: number,
  { bundled, bundleWeight, entered, blockExit }: Scene,
): void {
  const { bundles, token } = context.live
  const id = bundles.recent[first]!.wallet
  if (!isNext(id)) return
  found.fill(0)
  let exits = false
  for (let i = first; i < bundles.recent.length; i++) {
    const earlier = bundles.recent[i]!
    if (earlier.wallet !== id) continue
    compareTrades(found, token, now, earlier)
    if (i >= entered && earlier.isBuy) strengthen(found, FAMILY.block_entry, BUNDLES.weights.blockEntry)
    if (i >= bundled) strengthen(found, FAMILY.jito, bundleWeight)
    if (now.isBuy || earlier.isBuy || now.slot - earlier.slot > BUNDLES.exitSlots) continue
    exits = true
    if (earlier.out > 0 && leftWith.includes(id)) strengthen(found, FAMILY.block_exit, blockExit)
  }
  finish(context, position, wallet, context.live.positions.get(id)!, exits)
}

/** Compares with wallets of the same funder, the funder, the deployer behind it, and wallets that it funded itself. */
function compareWithKin(context: BundleContext, position: Position, wallet: Wallet): void {
  const { bundles, token } = context.live
  if (hasTellingFunder(context, wallet)) {
    for (const sibling of fundedBy(bundles, wallet.funder)) compareWith(context, position, wallet, sibling)
    compareWith(context, position, wallet, wallet.funder)
  }
  if (isFundedByDeployer(token, wallet, context.wallet)) compareWith(context, position, wallet, token.deployer)
  for (const child of fundedBy(bundles, wallet.id)) compareWith(context, position, wallet, child)
  for (const other of budgetedBy(bundles, budgetHere(bundles, wallet.id))) compareWith(context, position, wallet, other)
}

const hasTellingFunder = ({ live, wallet: byId }: BundleContext, { funder }: Wallet): boolean =>
  funder >= 0 && weightOfFunder(live.token, byId(funder)) > 0

/** Records the funder before any comparison, because the number of its wallets here is evidence. */
function learnFunder(context: BundleContext, wallet: Wallet): void {
  if (hasTellingFunder(context, wallet)) rememberFunder(context.live.bundles, wallet.id, wallet.funder)
}

/**
 * Records the budget before any comparison, because the number of its wallets here is evidence. A common budget is
 * counted each time, an uncommon one once per mint.
 */
function learnBudget(
  { live: { bundles }, population }: BundleContext,
  { wallet, budget, firstBuy }: NoticedTrade,
): void {
  if (!firstBuy) return
  const isKnown = budgetedBy(bundles, budget).length > 0
  if (isKnown || isUncommon(population, budget)) rememberBudget(bundles, wallet.id, budget)
  if (!isKnown) countBudget(population, budget)
}

/** Compares with wallets of its actor on the mint, which acted together elsewhere. */
function compareWithCompanions(context: BundleContext, position: Position, wallet: Wallet): void {
  if (wallet.actor < 0 || context.members === undefined) return
  let left: number = BUNDLES.companionsMax
  for (const other of context.members.walletsOf(wallet.actor)) {
    if (other === wallet.id || !context.live.positions.has(other)) continue
    if (left-- <= 0) return
    compareWith(context, position, wallet, other)
  }
}

/** Compares with wallets that sent it tokens of the mint or received some. */
function compareWithCounterparties(context: BundleContext, position: Position, wallet: Wallet): void {
  let left: number = BUNDLES.counterpartiesMax
  for (const pair of pairsOf(context.live.bundles, wallet.id)) {
    if (!hasFamily(pair, FAMILY.transfer)) continue
    if (left-- <= 0) return
    compareWith(context, position, wallet, pair.a === wallet.id ? pair.b : pair.a)
  }
}

function compareWithLeavers(context: BundleContext, now: RecentTrade, position: Position, wallet: Wallet): void {
  for (const other of leaversWith(context.live, now, position)) {
    found.fill(0)
    strengthen(found, FAMILY.exodus, BUNDLES.weights.exodus)
    finish(context, position, wallet, context.live.positions.get(other)!, false)
  }
}

function compareWithGivers(context: BundleContext, position: Position, wallet: Wallet): void {
  for (const other of giversOf(context.live, position)) {
    found.fill(0)
    strengthen(found, FAMILY.consolidation, BUNDLES.weights.consolidation)
    finish(context, position, wallet, context.live.positions.get(other)!, false)
  }
}

/** Compares two wallets by their records, if the other one is on this mint. */
function compareWith(context: BundleContext, position: Position, wallet: Wallet, other: number): void {
  if (!isNext(other)) return
  const theirs = context.live.positions.get(other)
  if (theirs === undefined) return
  found.fill(0)
  finish(context, position, wallet, theirs, false)
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
  const { bundles } = context.live
  learnFunder(context, wallet)
  beginWith(wallet.id)
  for (const { wallet: other, slot } of bundles.recent) {
    if (context.slot - slot <= BUNDLES.recentSlots) compareWith(context, position, wallet, other)
  }
  compareWithKin(context, position, wallet)
  settle(context, rootOf(bundles, position.group))
}
