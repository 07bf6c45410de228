import { FAMILIES, type Group, type Pair, type RecentTrade } from '../../model/bundles.ts'
import type { TradeEvent } from '../../model/events.ts'
import type { Population, Position, Wallet } from '../../model/state.ts'
import { CLASS, enterClass, raisePeak } from '../class-memory.ts'
import { BUNDLES } from '../constants.ts'
import { creditGroup, judgeDrain } from '../drain.ts'
import { isFundedByDeployer } from '../insiders.ts'
import { rememberSales } from '../memory.ts'
import type { LiveToken } from '../resident.ts'
import { countBudget, isUncommon } from './budget.ts'
import {
  type Compared,
  compareTrades,
  compareWallets,
  FAMILY,
  type Found,
  strengthen,
  weightOfFunder,
} from './evidence.ts'
import { addFlow, judge } from './flows.ts'
import { rootOf } from './groups.ts'
import { budgetedBy, budgetHere, fundedBy, pairsOf, rememberBudget, rememberFunder } from './pairs.ts'
import { rememberPartners } from './partners.ts'
import { record } from './record.ts'

/**
 * Coordinated wallets on a mint, found while its trades go by: methodology, section 8. What is compared with what is
 * decided here; evidence.ts weighs, record.ts remembers, union.ts groups.
 */

/** What the detection of coordinated wallets may see and mark as changed. */
export interface BundleContext {
  readonly live: LiveToken
  readonly slot: number
  /** tokens and wallets known so far */
  readonly mints: number
  readonly wallets: number
  /** numbers of evidence families to do without: for evaluation only */
  readonly hidden?: readonly number[]
  /** sales in the window of a drain have become a group's: whoever made this judges the drain again */
  credited?: boolean
  wallet(id: number): Wallet
  touchWallet(wallet: Wallet): void
  touchPosition(position: Position): void
}

/**
 * After a trade was applied to `position` and `wallet`. `balanceBefore`: base units before it. `payer`, `tipper`: wallet
 * ids, -1 unknown or none. `paid` and `lamports`: what the trader paid or received, and what moved on the curve, in the unit
 * the token is followed in.
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
  /** of its transaction, -1 unknown: see budget.ts */
  readonly budget: number
  readonly population: Population
}

/** Used again by each comparison, empty between them: comparing allocates nothing. */
const found: Found = new Float64Array(FAMILIES.length)
const compared: number[] = []

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
  const now = comparable(slot, trade)
  compared.length = 0
  compared.push(wallet.id)
  const bundled = bundledFrom(bundles.recent, now)
  const bundleWeight = weightOfBundle(bundles.recent, bundled, now)
  const blockExit = now.out > 0 ? blockExitWeight(live, now) : 0
  for (let i = 0; i < bundles.recent.length; i++)
    compareWithRecent(context, now, position, wallet, i, { bundled, bundleWeight, blockExit })
  compareWithKin(context, position, wallet)
  for (const { wallet: partner } of wallet.partners) compareWith(context, position, wallet, partner)
  compareWithCounterparties(context, position, wallet)
  const group = rootOf(bundles, position.group)
  if (group !== null) {
    addFlow(group, slot, event.isBuy, event.tokenAmount)
    // before a sell the members held together what was sold, even if it is this sell that betrays them
    group.peak = Math.max(group.peak, group.balance + Math.max(0, balanceBefore - position.balance))
    judge(group, slot, live.token.supply)
    settle(context, group)
  }
  bundles.recent.push(remembered(now))
  if (bundles.recent.length > BUNDLES.recentTrades) bundles.recent.shift()
}

function dropOld(recent: RecentTrade[], slot: number): void {
  let old = 0
  while (old < recent.length && slot - recent[old]!.slot > BUNDLES.recentSlots) old++
  if (old > 0) recent.splice(0, old)
}

/** A member's own trade changes what its group holds, bought and sold. */
function countMember(group: Group | null, { event, position, balanceBefore }: NoticedTrade): void {
  if (group === null) return
  group.balance += position.balance - balanceBefore
  if (event.isBuy) group.bought += event.tokenAmount
  else group.sold += event.tokenAmount
}

const comparable = (
  slot: number,
  { event, position, balanceBefore, wallet, paid, lamports, tipper }: NoticedTrade,
): Compared => ({
  wallet: wallet.id,
  out: !event.isBuy && position.balance <= balanceBefore * BUNDLES.blockExitKept ? event.tokenAmount : 0,
  slot,
  txIndex: event.txIndex,
  isBuy: event.isBuy,
  paid,
  lamports,
  tipper,
  timingWeight: -1,
})

const remembered = ({ wallet, slot, txIndex, isBuy, paid, lamports, tipper, out }: Compared): RecentTrade => ({
  out,
  wallet,
  slot,
  txIndex,
  isBuy,
  paid,
  lamports,
  tipper,
})

/** What the recent trades make of the newest one. */
interface Scene {
  /** recent trades from this place on were in one bundle with it */
  readonly bundled: number
  readonly bundleWeight: number
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

/** Several wallets sold all they had within 2 slots, and together a good part of supply; `now` is the newest of their sales. */
/** Two may stand side by side by chance: who launches, and the first who snipes. */
function weightOfBundle(recent: readonly RecentTrade[], from: number, now: Compared): number {
  const { weights, bundleWallets } = BUNDLES
  let wallets = 1
  for (let i = from; i < recent.length; i++) {
    const { wallet } = recent[i]!
    let at = from
    while (recent[at]!.wallet !== wallet) at++
    if (at === i && wallet !== now.wallet) wallets++
  }
  return wallets >= bundleWallets ? weights.bundle : weights.bundleOfTwo
}

function blockExitWeight({ bundles: { recent }, token }: LiveToken, now: Compared): number {
  let tokens = now.out
  let largest = now.out
  let wallets = 1
  for (let i = 0; i < recent.length; i++) {
    const { wallet, slot, out } = recent[i]!
    if (out === 0 || now.slot - slot > BUNDLES.exitSlots) continue
    tokens += out
    if (out > largest) largest = out
    if (wallet !== now.wallet && isFirstOut(recent, i, now.slot)) wallets++
  }
  if (wallets < BUNDLES.blockExitWallets || token.supply === 0) return 0
  if (tokens - largest >= token.supply * BUNDLES.blockExitLargeShare) return BUNDLES.weights.blockExitLarge
  return tokens - largest >= token.supply * BUNDLES.blockExitSupplyShare ? BUNDLES.weights.blockExit : 0
}

/** Whether no sale of the same wallet stands before the one at `at` within 2 slots. */
function isFirstOut(recent: readonly RecentTrade[], at: number, slot: number): boolean {
  for (let i = 0; i < at; i++) {
    const earlier = recent[i]!
    if (earlier.wallet === recent[at]!.wallet && earlier.out > 0 && slot - earlier.slot <= BUNDLES.exitSlots)
      return false
  }
  return true
}

/** Compares with the wallet of the recent trade at `first`, by all its recent trades, once. */
function compareWithRecent(
  context: BundleContext,
  now: Compared,
  position: Position,
  wallet: Wallet,
  first: number,
  { bundled, bundleWeight, blockExit }: Scene,
): void {
  const { bundles, token } = context.live
  const id = bundles.recent[first]!.wallet
  if (compared.includes(id)) return
  compared.push(id)
  found.fill(0)
  let exits = false
  for (let i = first; i < bundles.recent.length; i++) {
    const earlier = bundles.recent[i]!
    if (earlier.wallet !== id) continue
    compareTrades(found, token, now, earlier)
    if (i >= bundled) strengthen(found, FAMILY.jito, bundleWeight)
    if (now.isBuy || earlier.isBuy || now.slot - earlier.slot > BUNDLES.exitSlots) continue
    exits = true
    if (earlier.out > 0) strengthen(found, FAMILY.block_exit, blockExit)
  }
  finish(context, position, wallet, id, exits)
}

/** Wallets of the mint with the same funder, the funder itself, the deployer it came from, and those it funded itself. */
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

/** Before anything is compared: how many of one funder are here is evidence itself. */
function learnFunder(context: BundleContext, wallet: Wallet): void {
  if (hasTellingFunder(context, wallet)) rememberFunder(context.live.bundles, wallet.id, wallet.funder)
}

/** Before anything is compared: how many have one budget is evidence itself. A common one is counted each time, an uncommon one once a mint. */
function learnBudget(
  { live: { bundles } }: BundleContext,
  { wallet, budget, population, firstBuy }: NoticedTrade,
): void {
  if (!firstBuy) return
  const isKnown = budgetedBy(bundles, budget).length > 0
  if (isKnown || isUncommon(population, budget)) rememberBudget(bundles, wallet.id, budget)
  if (!isKnown) countBudget(population, budget)
}

/** Wallets that gave it tokens of the mint or got some. */
function compareWithCounterparties(context: BundleContext, position: Position, wallet: Wallet): void {
  let left: number = BUNDLES.counterpartiesMax
  for (const { a, b, weights } of pairsOf(context.live.bundles, wallet.id)) {
    if (weights[FAMILY.transfer] === 0) continue
    if (left-- <= 0) return
    compareWith(context, position, wallet, a === wallet.id ? b : a)
  }
}

/** Compares two wallets by what is known of them, when the other one is on this mint. */
function compareWith(context: BundleContext, position: Position, wallet: Wallet, other: number): void {
  if (compared.includes(other)) return
  compared.push(other)
  if (!context.live.positions.has(other)) return
  found.fill(0)
  finish(context, position, wallet, other, false)
}

/** Adds the wallets' own evidence to that of their trades, and stores it. */
function finish(context: BundleContext, position: Position, wallet: Wallet, other: number, exits: boolean): void {
  const theirs = context.live.positions.get(other)!
  const them = context.wallet(other)
  const { live, mints } = context
  compareWallets(found, live.token, mints, context.wallet, wallet, them, position, theirs)
  if (found[FAMILY.funder]! > 0 && wallet.funder === them.funder && isCrew(context, wallet.funder)) {
    strengthen(found, FAMILY.funder, BUNDLES.weights.crew)
  }
  const budget = budgetHere(live.bundles, wallet.id)
  if (budget >= 0 && budget === budgetHere(live.bundles, other))
    strengthen(found, FAMILY.budget, budgetWeight(live, budget))
  record(context, wallet, them, found, exits)
}

const budgetWeight = ({ bundles }: LiveToken, budget: number): number =>
  budgetedBy(bundles, budget).length >= BUNDLES.budgetWallets ? BUNDLES.weights.budgetOfSeveral : BUNDLES.weights.budget

/** Several wallets of one funder on one mint: a good part of all it funded, and far more than by chance. */
function isCrew({ live, wallets, wallet }: BundleContext, funder: number): boolean {
  const here = fundedBy(live.bundles, funder).length
  if (here < BUNDLES.crewWallets) return false
  const { funded } = wallet(funder)
  const byChance = funded * Math.max(1, live.token.buyers)
  return here >= BUNDLES.crewShare * funded && here * wallets >= BUNDLES.crewTimesChance * byChance
}

/**
 * Tokens of the mint moved from each of `from` to each of `to` in one transaction, the `txIndex`-th of its slot (-1
 * unknown); positions are up to date.
 */
export function noticeTransfer(
  context: BundleContext,
  from: readonly Position[],
  to: readonly Position[],
  txIndex = -1,
): void {
  let left: number = BUNDLES.transferPairsMax
  for (const giver of from) {
    for (const taker of to) {
      if (left-- <= 0) break
      found.fill(0)
      strengthen(found, FAMILY.transfer, BUNDLES.weights.transfer)
      if (bought(context, giver.wallet, txIndex) || bought(context, taker.wallet, txIndex)) {
        strengthen(found, FAMILY.handover, BUNDLES.weights.handover)
      }
      finish(context, giver, context.wallet(giver.wallet), taker.wallet, false)
    }
  }
  for (const giver of from) noticeDealing(context, giver)
  for (const taker of to) noticeConsolidation(context, taker)
  for (const position of from) settle(context, rootOf(context.live.bundles, position.group))
  for (const position of to) settle(context, rootOf(context.live.bundles, position.group))
}

/** One who buys and gives away to several wallets, each time in one transaction, deals out to his own. */
function noticeDealing(context: BundleContext, giver: Position): void {
  const dealt = pairsOf(context.live.bundles, giver.wallet).filter(({ weights }) => weights[FAMILY.handover]! > 0)
  if (dealt.length < BUNDLES.handoverTakers) return
  for (const pair of dealt) {
    if (pair.weights[FAMILY.atomic]! === 0) strengthenPair(context, giver, pair, FAMILY.atomic, BUNDLES.weights.atomic)
  }
}

/** Several bags went to one wallet whole. */
function noticeConsolidation(context: BundleContext, taker: Position): void {
  const { bundles, positions } = context.live
  const bags = pairsOf(bundles, taker.wallet).filter(
    ({ a, b, weights }) => weights[FAMILY.transfer]! > 0 && gaveItsBag(positions.get(a === taker.wallet ? b : a)!),
  )
  if (bags.length < BUNDLES.consolidationBags) return
  for (const pair of bags) {
    if (pair.weights[FAMILY.consolidation]! > 0) continue
    strengthenPair(context, taker, pair, FAMILY.consolidation, BUNDLES.weights.consolidation)
  }
}

/** What it had is gone, and it sold less of it than it gave away. */
const gaveItsBag = ({ balance, peak, sold, bought, received }: Position): boolean =>
  balance <= peak * BUNDLES.consolidationKept && sold * 2 < bought + received

function strengthenPair(context: BundleContext, one: Position, { a, b }: Pair, family: number, weight: number): void {
  found.fill(0)
  strengthen(found, family, weight)
  finish(context, one, context.wallet(one.wallet), a === one.wallet ? b : a, false)
}

/** Whether the wallet bought in this transaction of the current slot. */
const bought = ({ live, slot }: BundleContext, wallet: number, txIndex: number): boolean =>
  live.bundles.recent.some(
    (trade) => trade.wallet === wallet && trade.isBuy && trade.slot === slot && trade.txIndex === txIndex,
  )

/**
 * A holder's balance changed without a trade. The peak waits for the end of the transaction: in its midst tokens can be
 * counted at both ends of a transfer.
 */
export function noticeBalance({ live }: BundleContext, position: Position, balanceBefore: number): void {
  const group = rootOf(live.bundles, position.group)
  if (group !== null) group.balance += position.balance - balanceBefore
}

/** The wallet's funder has become known after it traded this token. */
export function noticeFunder(context: BundleContext, position: Position): void {
  const wallet = context.wallet(position.wallet)
  const { bundles } = context.live
  learnFunder(context, wallet)
  compared.length = 0
  compared.push(wallet.id)
  for (const { wallet: other, slot } of bundles.recent) {
    if (context.slot - slot <= BUNDLES.recentSlots) compareWith(context, position, wallet, other)
  }
  compareWithKin(context, position, wallet)
  settle(context, rootOf(bundles, position.group))
}

/** Updates a group's peak and its confirmation. */
function settle(context: BundleContext, group: Group | null): void {
  if (group === null) return
  const { token } = context.live
  group.peak = Math.max(group.peak, group.balance)
  const isLarge = token.supply > 0 && group.peak >= token.supply * BUNDLES.confirmedSupplyShare
  if (group.confirmedSlot < 0 && isLarge) group.confirmedSlot = context.slot
  if (group.confirmedSlot >= 0) {
    for (; group.remembered < group.members.length; group.remembered++) {
      const member = group.members[group.remembered]!
      const position = context.live.positions.get(member)!
      rememberSales(context, position)
      enterClass(token, position, CLASS.bundled)
      context.touchPosition(position)
      if (member !== token.deployer && creditGroup(token, member)) context.credited = true
    }
    raisePeak(token, CLASS.bundled, group.peak)
  }
  if (token.ruggedSlot >= 0) countRugsOf(context, group)
}

/** At the end of an event: sales that became a group's in it may make a drain a rug. */
export function judgeAgain(context: BundleContext, solUsd: number): void {
  const { token } = context.live
  if (context.credited !== true || token.ruggedSlot >= 0) return
  judgeDrain(token, context.slot, solUsd)
  if (token.ruggedSlot >= 0) countRugs(context)
}

/** The token has just been found rugged: counts it against every member of a confirmed group, once each. */
export function countRugs(context: BundleContext): void {
  for (const group of context.live.bundles.groups) countRugsOf(context, group)
}

function countRugsOf(context: BundleContext, { confirmedSlot, members }: Group): void {
  if (confirmedSlot < 0) return
  for (const id of members) {
    const position = context.live.positions.get(id)!
    if (position.rugCounted) continue
    const wallet = context.wallet(id)
    position.rugCounted = true
    wallet.rugs++
    context.touchPosition(position)
    context.touchWallet(wallet)
  }
}
