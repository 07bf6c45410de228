import type { Population } from '../../model/population.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { CONVICTION, HABIT } from '../constants.ts'
import { medianHold } from '../hold-histogram.ts'
import { between } from './knots.ts'

/** Holding habits and conviction (methodology, section 4). */

const BINS = Array.from({ length: 64 }, (_, bin) => bin)

/** H_pop: the median holding time in slots over all sells and the prior. */
export const populationHold = ({ holds }: Population): number => medianHold(BINS, holds)!

/** H: a wallet's expected holding time in slots, shrunk to the population's. */
export function usualHold(wallet: Wallet, populationSlots: number): number {
  const sells = wallet.holdCost > 0 ? wallet.sells : 0
  if (sells === 0) return populationSlots
  const own = wallet.holdCostSlots / wallet.holdCost
  return (sells * own + HABIT.priorWeight * populationSlots) / (sells + HABIT.priorWeight)
}

/** One holder's conviction, 0 to 100. `hold`: H of the wallet. */
export function convictionOf(position: Position, wallet: Wallet, hold: number): number {
  const { weights } = CONVICTION
  const { balance, bought, sold, received, cost } = position
  const patience = between(CONVICTION.patienceSlots, CONVICTION.patience, hold)
  const kept = bought > 0 ? Math.min(1, balance / bought) : 1
  const neverSold = sold === 0 ? 1 : sold < CONVICTION.soldLittle * (bought + received) ? 0.5 : 0
  const purse = cost + Math.max(0, wallet.solBalance)
  const stake = wallet.solBalance >= 0 && purse > 0 ? cost / purse : 0
  return (
    100 * (weights.patience * patience + weights.kept * kept + weights.neverSold * neverSold + weights.stake * stake)
  )
}
