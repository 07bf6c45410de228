import { LIMITS } from '../../config/limits.ts'

/**
 * A budget for transactions that fail on chain, refilled with time and with income. Payers who have paid for their own
 * failures never draw on it.
 */
export interface FailedFees {
  /** sets aside what one more may cost; false: there is not enough */
  hold(): boolean
  /** it cost nothing, or it was paid for */
  giveBack(): void
  /** units of the asset that came in */
  earned(units: number): void
  /** lamports left */
  readonly left: number
}

const MINUTE_MS = 60_000

/** In memory, for each process: a restart fills it. `now`: milliseconds */
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
