import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '../../config/limits.ts'

/** Retries writes about payments while the ledger does not answer. */
export interface LedgerWrites {
  /** the write's result, or its last error after LIMITS.paymentRetryMs, with too many waiting, or once stopped */
  write<T>(run: () => Promise<T>): Promise<T>
  /** ends all retries */
  stop(): void
}

/** The limits with these names. */
export type LedgerWriteBounds = Readonly<Record<'paymentRetryMs' | 'paymentRetryPauseMs' | 'paymentsRetried', number>>

export function createLedgerWrites(bounds: LedgerWriteBounds = LIMITS): LedgerWrites {
  let waiting = 0
  let stopped = false

  async function again<T>(run: () => Promise<T>, first: unknown): Promise<T> {
    let error = first
    for (const end = performance.now() + bounds.paymentRetryMs; performance.now() < end && !stopped; ) {
      // nothing is lost if the process ends: the lease expires and the poller of open payments takes over
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
