import type { Position, Wallet } from '../../model/state.ts'
import { COHORTS, HISTORY } from '../constants.ts'
import * as history from '../history.ts'
import { bucketOf } from './knots.ts'

/**
 * Base units held by cohort, with buckets in ascending order (methodology, section 5). A wallet without a reading is in
 * no bucket of that cohort.
 */
export interface Cohorts {
  readonly buys: number[]
  readonly healthyRate: number[]
  readonly hold: number[]
  readonly pnl: number[]
  readonly roi: number[]
  readonly sellImpact: number[]
  readonly solBalance: number[]
}

const five = (): number[] => [0, 0, 0, 0, 0]

export const emptyCohorts = (): Cohorts => ({
  buys: five(),
  healthyRate: five(),
  hold: five(),
  pnl: five(),
  roi: five(),
  sellImpact: five(),
  solBalance: five(),
})

const SOL = 1e9

export function countCohorts(
  cohorts: Cohorts,
  position: Position,
  wallet: Wallet,
  healthyRate: number,
  impact: number | null,
  slot: number,
): void {
  const { balance } = position
  add(cohorts.buys, bucketOf(COHORTS.buys, wallet.mintsBought), balance)
  if (wallet.picksResolved >= HISTORY.healthyPicksMin) {
    add(cohorts.healthyRate, bucketOf(COHORTS.healthyRate, healthyRate), balance)
  }
  add(cohorts.hold, bucketOf(COHORTS.holdSlots, slot - position.acquiredSlot), balance)
  if (wallet.realisations > 0) add(cohorts.pnl, pnlBucket(wallet.realised / SOL), balance)
  const roi = history.roi(wallet)
  if (roi !== null) add(cohorts.roi, roiBucket(roi, wallet.closed), balance)
  if (impact !== null) add(cohorts.sellImpact, impactBucket(impact), balance)
  if (wallet.solBalance >= 0) add(cohorts.solBalance, bucketOf(COHORTS.solBalance, wallet.solBalance / SOL), balance)
}

// no closure per holder: this runs for every holder of every reading
function add(buckets: number[], bucket: number, balance: number): void {
  buckets[bucket] = buckets[bucket]! + balance
}

/** The first bucket contains its upper edge, −50. */
export const pnlBucket = (sol: number): number => (sol === COHORTS.pnlSol[0] ? 0 : bucketOf(COHORTS.pnlSol, sol))

/** `flat` contains both of its edges. A very high return is suspicious only with ten closed positions. */
export function roiBucket(roi: number, closed: number): number {
  const bucket = roi === COHORTS.roi[2] ? 2 : bucketOf(COHORTS.roi, roi)
  return bucket === 4 && closed < COHORTS.roiClosedMin ? 3 : bucket
}

/** The fourth bucket contains its upper edge, 2.2. */
export const impactBucket = (impact: number): number =>
  impact === COHORTS.sellImpact[3] ? 3 : bucketOf(COHORTS.sellImpact, impact)
