import type { TransactionTerms } from '../../model/entries.ts'
import type { Population } from '../../model/population.ts'
import { BUNDLES } from '../constants.ts'

/**
 * What a transaction offered for its run, as a fingerprint of the person or bot that configured it: methodology, section 8. Settings that many
 * use prove nothing, so the fold counts them.
 */

/** Above the largest compute unit limit there is. */
const LIMITS = 1_400_001

/** Compute unit limit and priority fee (lamports) as one number, -1 where they are not known or too large for one. */
export function budgetOf({ computeUnitLimit, priorityFee }: TransactionTerms): number {
  if (priorityFee < 0) return -1
  const budget = priorityFee * LIMITS + computeUnitLimit
  return Number.isSafeInteger(budget) ? budget : -1
}

/** Budgets share bins by chance: one may seem more common than it is, never less. */
function binOf(budget: number): number {
  let hash = Math.imul((budget % 0x1_0000_0000) ^ 0x9e3779b1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15) ^ Math.floor(budget / 0x1_0000_0000), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % BUNDLES.budgetBins
}

/** Whether few use it; nobody can say before enough were counted. */
export function isUncommon({ budgets, budgetBins }: Population, budget: number): boolean {
  return budgets >= BUNDLES.budgetsMin && budgetBins[binOf(budget)]! <= budgets * BUNDLES.budgetShare
}

/** Share of the counted ones; 0 is as much as few. */
export const shareOf = ({ budgets, budgetBins }: Population, budget: number): number =>
  budgetBins[binOf(budget)]! / Math.max(1, budgets)

/** Counts a budget that is new on a mint; old counts fade. */
export function countBudget(population: Population, budget: number): void {
  const { budgetBins } = population
  budgetBins[binOf(budget)]!++
  population.budgets++
  if (population.budgets < BUNDLES.budgetsKept) return
  population.budgets = 0
  for (let bin = 0; bin < budgetBins.length; bin++) {
    budgetBins[bin] = budgetBins[bin]! >> 1
    population.budgets += budgetBins[bin]!
  }
}
