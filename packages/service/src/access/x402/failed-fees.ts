import { TRANSACTION_COST } from './transaction.ts'

export const FAILED_FEES = {
  /** lamports of failed fees that payers without a record may cost at once (100 transactions), and that come back a minute
   * (two) and for each unit of USDC paid (a tenth of the fee of a payment of $0.01) */
  lamports: 1_006_000,
  lamportsPerMinute: 20_120,
  lamportsPerUnit: 0.1,
}

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
  const full = FAILED_FEES.lamports
  let left: number = full
  let atMs = now()

  function add(lamports: number): void {
    left = Math.min(full, left + lamports)
  }

  function refill(): void {
    const passed = Math.max(0, now() - atMs)
    atMs = now()
    add((passed / MINUTE_MS) * FAILED_FEES.lamportsPerMinute)
  }

  return {
    hold() {
      refill()
      if (left < TRANSACTION_COST.lamports) return false
      left -= TRANSACTION_COST.lamports
      return true
    },
    giveBack: () => add(TRANSACTION_COST.lamports),
    earned: (units) => add(units * FAILED_FEES.lamportsPerUnit),
    get left() {
      refill()
      return left
    },
  }
}
