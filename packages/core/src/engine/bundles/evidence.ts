import { FAMILIES, type Family } from '../../model/bundles.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { ACTORS, BUNDLES } from '../constants.ts'
import { isFundedByDeployer } from '../insiders.ts'
import type { BundleContext } from './context.ts'
import { backedBy } from './pairs.ts'

/** Evidence from the records of two wallets: their payers and funders. */

/** The index of each family: its bit in a pair. */
export const FAMILY = Object.fromEntries(FAMILIES.map((name, i) => [name, i])) as Readonly<Record<Family, number>>

/** A wallet of the mint with its position. */
export interface Member {
  readonly wallet: Wallet
  readonly position: Position
}

/** Bits of the families that link the two. */
export function familiesBetween(context: BundleContext, a: Member, b: Member): number {
  let families = 0
  if (haveOnePayer(context, a.wallet, b.wallet)) families |= 1 << FAMILY.payer
  if (haveOneFunder(context, a, b)) families |= 1 << FAMILY.funder
  return families
}

function haveOnePayer({ wallet }: BundleContext, a: Wallet, b: Wallet): boolean {
  if (a.payer === b.id) return isOwnPayer(b)
  if (b.payer === a.id) return isOwnPayer(a)
  return a.payer >= 0 && a.payer === b.payer && isOwnPayer(wallet(a.payer))
}

/** False for a service, which pays for many. */
export const isOwnPayer = ({ paidFor }: Wallet): boolean => paidFor <= BUNDLES.payerWalletsMax

/** True if one wallet's first SOL came from the other, or that of both from one source, and they trade with it. */
function haveOneFunder(context: BundleContext, a: Member, b: Member): boolean {
  const { token } = context.live
  if (a.wallet.funder === b.wallet.id) return isOwnFunder(token, b.wallet) && tradesWithIt(a)
  if (b.wallet.funder === a.wallet.id) return isOwnFunder(token, a.wallet) && tradesWithIt(b)
  if (b.wallet.id === token.deployer && isFundedByDeployer(token, a.wallet, context.wallet)) return tradesWithIt(a)
  if (a.wallet.id === token.deployer && isFundedByDeployer(token, b.wallet, context.wallet)) return tradesWithIt(b)
  const { funder, funderSlot } = a.wallet
  if (funder < 0 || funder !== b.wallet.funder) return false
  if (Math.abs(funderSlot - b.wallet.funderSlot) > BUNDLES.funderSlots || !tradesWithIt(a) || !tradesWithIt(b))
    return false
  return funder === token.deployer || isCrew(context, context.wallet(funder))
}

/** False for exchanges, listed or not. The deployer is never one. */
export const isOwnFunder = (token: Token, funder: Wallet): boolean =>
  funder.id === token.deployer || (!funder.exchange && funder.funded <= BUNDLES.funderWalletsMax)

/** False if its first SOL was dust, which anybody can send, or too little to have bought this. */
const tradesWithIt = ({ wallet: { funderLamports }, position: { episodeIn } }: Member): boolean =>
  funderLamports >= ACTORS.purseLamports && funderLamports >= episodeIn * BUNDLES.fundedShare

/** True if the funder's wallets here are a large part of all it funded, and far more than expected by chance. */
function isCrew({ live, wallets, wallet }: BundleContext, { id, exchange, funded }: Wallet): boolean {
  if (exchange) return false
  let here = 0
  for (const one of backedBy(live.bundles, id)) if (wallet(one).funder === id) here++
  if (here < BUNDLES.crewWallets || here < BUNDLES.crewShare * funded) return false
  return here * wallets >= BUNDLES.crewTimesChance * funded * Math.max(1, live.token.buyers)
}
