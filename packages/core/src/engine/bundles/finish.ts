import { FAMILIES } from '../../model/bundles.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import { ownerIn } from '../positions.ts'
import { shareOf } from './budget.ts'
import type { BundleContext } from './context.ts'
import { compareWallets, FAMILY, type Found, strengthen } from './evidence.ts'
import { budgetedBy, budgetHere, fundedBy } from './pairs.ts'
import { record } from './record.ts'

/** The last step of every comparison: adds evidence from the wallets' records and stores the result. */

/** Reused by each comparison, which clears it first, so that comparing allocates nothing. */
export const found: Found = new Float64Array(FAMILIES.length)

/** Adds the wallets' own evidence to that of their trades, and stores it. */
export function finish(
  context: BundleContext,
  position: Position,
  wallet: Wallet,
  theirs: Position,
  exits: boolean,
): void {
  const { live, mints } = context
  const other = theirs.wallet
  const them = ownerIn(theirs, context.wallet)
  compareWallets(found, live.token, mints, context.wallet, wallet, them, position, theirs)
  if (found[FAMILY.funder]! > 0 && wallet.funder === them.funder && isCrew(context, wallet.funder)) {
    strengthen(found, FAMILY.funder, BUNDLES.weights.crew)
  }
  const budget = budgetHere(live.bundles, wallet.id)
  if (budget >= 0 && budget === budgetHere(live.bundles, other))
    strengthen(found, FAMILY.budget, budgetWeight(context, budget))
  record(context, wallet, them, found, exits)
}

/** The weight of a shared uncommon budget. It is decisive if far more wallets have it than expected by chance. */
function budgetWeight({ live: { bundles, token }, population }: BundleContext, budget: number): number {
  const here = budgetedBy(bundles, budget).length
  const byChance = shareOf(population, budget) * Math.max(1, token.buyers)
  const several = here >= BUNDLES.budgetWallets && here >= BUNDLES.budgetTimesChance * byChance
  return several ? BUNDLES.weights.budgetOfSeveral : BUNDLES.weights.budget
}

/** True if the funder's wallets here are a large part of all it funded, and far more than expected by chance. */
function isCrew({ live, wallets, wallet }: BundleContext, funder: number): boolean {
  const here = fundedBy(live.bundles, funder).length
  if (here < BUNDLES.crewWallets) return false
  const { funded } = wallet(funder)
  const byChance = funded * Math.max(1, live.token.buyers)
  return here >= BUNDLES.crewShare * funded && here * wallets >= BUNDLES.crewTimesChance * byChance
}
