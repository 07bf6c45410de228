import type { TransactionTerms } from '../../model/entries.ts'
import type { Population } from '../../model/population.ts'
import { BUNDLES } from '../constants.ts'

/**
 * A transaction's compute budget as a fingerprint of the person or bot that configured it (methodology, section 8).
 * Common settings prove nothing, so the fold counts them.
 */

/** One above the largest compute unit limit. */
const LIMITS = 1_400_001

/** Compute unit limit and priority fee (lamports) in one number; -1 if unknown or too large. */
export function budgetOf({ computeUnitLimit, priorityFee }: TransactionTerms): number {
  if (priorityFee < 0) return -1
  const budget = priorityFee * LIMITS + computeUnitLimit
  return Number.isSafeInteger(budget) ? budget : -1
}

/** The bin of a budget. Collisions can make a budget look more common, never rarer. */
function binOf(budget: number): number {
  let hash = Math.imul((budget % 0x1_0000_0000) ^ 0x9e3779b1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15) ^ Math.floor(budget / 0x1_0000_0000), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % BUNDLES.budgetBins
}

/** True if few use the budget; false before enough were counted. */
export function isUncommon({ budgets, budgetBins }: Population, budget: number): boolean {
  return budgets >= BUNDLES.budgetsMin && budgetBins[binOf(budget)]! <= budgets * BUNDLES.budgetShare
}

/** The budget's share of all counted ones; 0 if nothing was counted. */
export const shareOf = ({ budgets, budgetBins }: Population, budget: number): number =>
  budgetBins[binOf(budget)]! / Math.max(1, budgets)

/** Counts a budget that is new on a mint. The counters are halved from time to time. */
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
