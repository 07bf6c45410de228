import { LIMITS } from '../../config/limits.ts'

/**
 * A budget for fees of failed transactions, refilled by time and income. Payers who have covered their own failures never draw
 * on it.
 */
export interface FailedFees {
  /** reserves the fee of one transaction; false: not enough left */
  hold(): boolean
  /** releases a reservation that cost nothing or was covered */
  giveBack(): void
  /** adds income, in units of the asset */
  earned(units: number): void
  /** lamports left */
  readonly left: number
}

const MINUTE_MS = 60_000

/** Kept in memory per process; a restart refills it. `now`: milliseconds */
export function createFailedFees(now: () => number): FailedFees {
  const full = LIMITS.failedFeesLamports
  let left: number = full
  let atMs = now()

  function add(lamports: number): void {
    left = Math.min(full, left + lamports)
  }

  function refill(): void {
    const passed = Math.max(0, now() - atMs)
    atMs = now()
    add((passed / MINUTE_MS) * LIMITS.failedFeesLamportsPerMinute)
  }

  return {
    hold() {
      refill()
      if (left < LIMITS.paymentFeeLamports) return false
      left -= LIMITS.paymentFeeLamports
      return true
    },
    giveBack: () => add(LIMITS.paymentFeeLamports),
    earned: (units) => add(units * LIMITS.failedFeesLamportsPerUnit),
    get left() {
      refill()
      return left
    },
  }
}
