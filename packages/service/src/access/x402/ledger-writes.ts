import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '../../config/limits.ts'

/** Writes what is known about a payment, again and again while the ledger does not answer. */
export interface LedgerWrites {
  /** what the write came to; its last error after LIMITS.paymentRetryMs, where too many wait, or once it was stopped */
  write<T>(run: () => Promise<T>): Promise<T>
  /** no further tries */
  stop(): void
}

/** Those of LIMITS with the same names. */
export type LedgerWriteBounds = Readonly<Record<'paymentRetryMs' | 'paymentRetryPauseMs' | 'paymentsRetried', number>>

export function createLedgerWrites(bounds: LedgerWriteBounds = LIMITS): LedgerWrites {
  let waiting = 0
  let stopped = false

  async function again<T>(run: () => Promise<T>, first: unknown): Promise<T> {
    let error = first
    for (const end = performance.now() + bounds.paymentRetryMs; performance.now() < end && !stopped; ) {
      // if the process ends meanwhile, nothing is lost: the lease expires, and the check of open payments takes over
      await pause(bounds.paymentRetryPauseMs)
      try {
        return await run()
      } catch (thrown) {
        error = thrown
      }
    }
    throw error
  }

  return {
    async write(run) {
      try {
        return await run()
      } catch (error) {
        if (waiting >= bounds.paymentsRetried) throw error
        waiting++
        return await again(run, error).finally(() => {
          waiting--
        })
      }
    },
    stop() {
      stopped = true
    },
  }
}
