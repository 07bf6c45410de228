import { FAMILIES, type Family, type RecentTrade } from '../../model/bundles.ts'
import type { Partner, Position, Token, Wallet } from '../../model/state.ts'
import { BUCKET, BUNDLES } from '../constants.ts'
import { isFundedByDeployer } from '../insiders.ts'
import { quoteUnit } from '../units.ts'
import { bucketIndex, windowStart } from '../windows.ts'

/** Evidence that two wallets act together, one function per family (methodology, section 8). */

/** The index of each family in a pair's lists. */
export const FAMILY = Object.fromEntries(FAMILIES.map((name, i) => [name, i])) as Readonly<Record<Family, number>>

const { weights: WEIGHT } = BUNDLES

/** The weights found by one comparison, by family. */
export type Found = Float64Array

export function strengthen(found: Found, family: number, weight: number): void {
  if (weight > found[family]!) found[family] = weight
}

/** Finds evidence between two trades; `now` is the newer one. */
export function compareTrades(found: Found, token: Token, now: RecentTrade, earlier: RecentTrade): void {
  const sameSide = now.isBuy === earlier.isBuy
  if (now.slot === earlier.slot) {
    const apart = Math.abs(now.txIndex - earlier.txIndex)
    if (apart === 0 && now.isBuy && earlier.isBuy) strengthen(found, FAMILY.atomic, WEIGHT.atomic)
    if (now.tipper >= 0 && now.tipper === earlier.tipper) strengthen(found, FAMILY.jito, WEIGHT.tipPayer)
    if (apart <= BUNDLES.timingTransactions && sameSide) {
      if (now.timingWeight < 0) now.timingWeight = timingWeight(token, now.slot)
      strengthen(found, FAMILY.timing, now.timingWeight)
    }
  }
  if (sameSide) strengthen(found, FAMILY.size, sizeWeight(token, now, earlier))
}

/** The weight of proximity in time. It falls with the number of buys per slot, except at a launch that was seen. */
function timingWeight(token: Token, slot: number): number {
  if (token.createdKnown && slot - token.createdSlot <= BUNDLES.timingLaunchSlots) return WEIGHT.timingLaunch
  const weight = WEIGHT.timingLater / (1 + buysPerSlot(token, slot))
  return weight >= BUNDLES.timingLeast ? weight : 0
}

/** Buys of the mint per slot over the last 750 slots, or since its creation. */
function buysPerSlot(token: Token, slot: number): number {
  const buckets = BUNDLES.redWindowSlots / BUCKET.slots
  const from = bucketIndex(slot) - buckets
  let buys = 0
  for (let i = token.buckets.length - 1; i >= 0 && token.buckets[i]!.index >= from; i--) buys += token.buckets[i]!.buys
  const start = Math.max(windowStart(slot, buckets), token.createdSlot)
  return buys / Math.max(1, slot - start + 1)
}

function sizeWeight(token: Token, a: RecentTrade, b: RecentTrade): number {
  const same = (a.paid > 0 && a.paid === b.paid) || (a.lamports > 0 && a.lamports === b.lamports)
  if (same && !isRound(token, a) && !isRound(token, b)) return WEIGHT.sizeSame
  return isNear(a.paid, b.paid) || isNear(a.lamports, b.lamports) ? WEIGHT.sizeNear : 0
}

const isNear = (a: number, b: number): boolean => a > 0 && b > 0 && Math.abs(a - b) <= BUNDLES.sizeNear * Math.max(a, b)

function isRound(token: Token, { paid, lamports }: RecentTrade): boolean {
  const round = token.asset === null ? BUNDLES.sizeRound : ownRound(token)
  return paid % round === 0 || lamports % round === 0
}

/** A hundredth of the quote's unit, like 0.01 SOL. While its decimals are unknown, every amount is round. */
const ownRound = (token: Token): number => Math.max(1, (quoteUnit(token) ?? 0) / 100)

/** Finds evidence in the wallets' own records. `wallet` returns a wallet by its id. */
export function compareWallets(
  found: Found,
  token: Token,
  mints: number,
  wallet: (id: number) => Wallet,
  a: Wallet,
  b: Wallet,
  mine: Position,
  theirs: Position,
): void {
  if (a.funder >= 0 || b.funder >= 0) strengthen(found, FAMILY.funder, funderWeight(token, wallet, a, b))
  if (a.actor >= 0 && a.actor === b.actor) strengthen(found, FAMILY.actor, WEIGHT.actor)
  if (a.payer >= 0 || b.payer >= 0) strengthen(found, FAMILY.payer, payerWeight(wallet, a, b))
  if (a.partners.length > 0 || b.partners.length > 0) {
    strengthen(found, FAMILY.history, historyWeight(mints, a, b, mine, theirs))
  }
}

function funderWeight(token: Token, wallet: (id: number) => Wallet, a: Wallet, b: Wallet): number {
  if (a.funder === b.id) return weightOfFunder(token, b)
  if (b.funder === a.id) return weightOfFunder(token, a)
  if (b.id === token.deployer && isFundedByDeployer(token, a, wallet)) return WEIGHT.deployerFunds
  if (a.id === token.deployer && isFundedByDeployer(token, b, wallet)) return WEIGHT.deployerFunds
  if (a.funder !== b.funder || Math.abs(a.funderSlot - b.funderSlot) > BUNDLES.funderSlots) return 0
  return weightOfFunder(token, wallet(a.funder))
}

/** The weight of a shared funder. It falls with the number of wallets it funded; the deployer as funder is decisive. */
export function weightOfFunder(token: Token, funder: Wallet): number {
  if (funder.exchange) return 0
  if (funder.id === token.deployer) return WEIGHT.deployerFunds
  const { funderWallets, funderWeights } = BUNDLES
  for (let tier = 0; tier < funderWallets.length; tier++) {
    if (funder.funded <= funderWallets[tier]!) return funderWeights[tier]!
  }
  return 0
}

function payerWeight(wallet: (id: number) => Wallet, a: Wallet, b: Wallet): number {
  if (a.payer === b.id) return weightOfPayer(b)
  if (b.payer === a.id) return weightOfPayer(a)
  return a.payer >= 0 && a.payer === b.payer ? weightOfPayer(wallet(a.payer)) : 0
}

function weightOfPayer({ paidFor }: Wallet): number {
  if (paidFor <= BUNDLES.payerWalletsFew) return WEIGHT.payerOfFew
  return paidFor <= BUNDLES.payerWalletsMax ? WEIGHT.payer : 0
}

function partnerOf(wallet: Wallet, other: number): Partner | null {
  for (const partner of wallet.partners) if (partner.wallet === other) return partner
  return null
}

/** Compares the earlier mints bought together with the number expected by chance for as many buys. */
function historyWeight(mints: number, a: Wallet, b: Wallet, mine: Position, theirs: Position): number {
  const here = boughtTogether(mine, theirs) ? 1 : 0
  const together = (partnerOf(a, b.id)?.together ?? 0) + (partnerOf(b, a.id)?.together ?? 0) - here
  if (together < BUNDLES.historyMints) return 0
  return together * mints >= BUNDLES.historyTimesChance * a.mintsBought * b.mintsBought ? WEIGHT.history : 0
}

const boughtTogether = (a: Position, b: Position): boolean =>
  a.firstBuySlot >= 0 && b.firstBuySlot >= 0 && Math.abs(a.firstBuySlot - b.firstBuySlot) <= BUNDLES.recentSlots

/** True if one of the wallets copies the other: it buys shortly after it on many mints and never before it. */
export const isCopying = (a: Wallet, b: Wallet): boolean => follows(a, b) || follows(b, a)

const follows = (a: Wallet, b: Wallet): boolean =>
  (partnerOf(a, b.id)?.follows ?? 0) >= BUNDLES.copyMints && (partnerOf(b, a.id)?.behind ?? 0) === 0
