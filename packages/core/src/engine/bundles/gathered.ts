import type { Position } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { LiveToken } from '../resident.ts'
import { isLaunchSeen } from '../unseen.ts'

/** Finds bags that were consolidated into one seller by transfers that no source showed (methodology, section 8). */

const NOBODY: readonly number[] = []

/**
 * Wallets whose untouched bags add up, to the base unit, to what the owner of `position` sold beyond what it bought:
 * they sent it their bags unseen. Empty if there are too few, or if chance could explain it.
 */
export function giversOf(live: LiveToken, position: Position): readonly number[] {
  const { token } = live
  const target = position.sold - position.bought
  if (position.balance > 0 || target < token.supply * BUNDLES.confirmedSupplyShare) return NOBODY
  if (token.supply === 0 || !isLaunchSeen(token) || token.buyers > BUNDLES.gatheredBuyersMax) return NOBODY
  const bags = untouchedBags(live, position.wallet, target)
  if (bags.length < BUNDLES.gatheredLeast) return NOBODY
  const parts = partsOf(
    bags.map(({ balance }) => balance),
    target,
  )
  return parts.length < BUNDLES.gatheredLeast ? NOBODY : parts.map((at) => bags[at]!.wallet)
}

/** The largest positions that only bought. Sizes shared by several wallets are excluded, because they prove nothing. */
function untouchedBags({ token, positions }: LiveToken, seller: number, target: number): Position[] {
  const least = token.supply * BUNDLES.countedSupplyShare
  const bags: Position[] = []
  const times = new Map<number, number>()
  for (const one of positions.held()) {
    const { balance, bought, sold, wallet } = one
    if (balance < least || balance > target || balance !== bought || sold > 0 || wallet === seller) continue
    if (balance % BUNDLES.gatheredRound === 0) continue
    times.set(balance, (times.get(balance) ?? 0) + 1)
    bags.push(one)
  }
  return bags
    .filter(({ balance }) => times.get(balance) === 1)
    .sort((a, b) => b.balance - a.balance)
    .slice(0, BUNDLES.gatheredBags)
}

/** Indexes of the numbers that sum to `target`, or none; matches sums of one half with sums of the other. */
function partsOf(numbers: readonly number[], target: number): number[] {
  const half = numbers.length >> 1
  const lower = sumsOf(numbers.slice(0, half))
  const upper = sumsOf(numbers.slice(half))
  const places = new Map<number, number>()
  for (let mask = 0; mask < lower.length; mask++) if (!places.has(lower[mask]!)) places.set(lower[mask]!, mask)
  for (let mask = 0; mask < upper.length; mask++) {
    const below = places.get(target - upper[mask]!)
    if (below !== undefined) return numbers.flatMap((_, i) => (((mask << half) | below) & (1 << i) ? [i] : []))
  }
  return []
}

/** The sum of every subset of the numbers, indexed by bit mask. */
function sumsOf(numbers: readonly number[]): Float64Array {
  const sums = new Float64Array(1 << numbers.length)
  for (let i = 0; i < numbers.length; i++) {
    for (let mask = 0; mask < 1 << i; mask++) sums[mask | (1 << i)] = sums[mask]! + numbers[i]!
  }
  return sums
}
